import { ExchangeFailure } from '../../../expression/index.js';
import type { Component, Intake } from '../component.js';

/** Calls of routes by each other, within a workspace: the caller goes on when the called route is through with the exchange. */
export const direct: Component = {
  schemes: ['direct'],
  syntax: 'name',
  options: {
    block: 'boolean',
    timeout: 'duration',
    failIfNoConsumers: 'boolean',
    synchronous: 'boolean',
    bridgeErrorHandler: 'boolean',
  },
  endpoint(address, context) {
    const consumers = context.shared('direct', () => new Map<string, Intake>());
    const { uri, path } = address;
    return {
      uri,
      producer: () => (exchange) => {
        const consumer = consumers.get(path);
        if (consumer === undefined)
          throw new ExchangeFailure(
            'org.apache.camel.component.direct.DirectConsumerNotAvailableException',
            `No consumers available on endpoint: ${uri}`,
          );
        return consumer.call(exchange);
      },
      consumer: (intake) => ({
        start() {
          if (consumers.has(path))
            throw new ExchangeFailure(
              'org.apache.camel.FailedToStartRouteException',
              `Cannot add a 2nd consumer to the same endpoint: ${uri}`,
            );
          consumers.set(path, intake);
        },
        stop() {
          consumers.delete(path);
        },
      }),
    };
  },
};
