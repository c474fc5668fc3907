import { Headers } from '../../../expression/routes.js';
import { CONSUMER_OPTIONS } from '../common-options.js';
import type { Component } from '../component.js';
import { POLLER_OPTIONS, poller } from '../poller.js';

/** Begins an exchange again and again, and counts its delay from the end of the one before. */
export const scheduler: Component = {
  schemes: ['scheduler'],
  syntax: 'name',
  options: {
    ...CONSUMER_OPTIONS,
    ...POLLER_OPTIONS,
    includeMetadata: 'boolean',
    poolSize: 'number',
    synchronous: 'boolean',
  },
  endpoint: ({ uri, path, options }, context) => ({
    uri,
    consumer: (intake) =>
      poller(options, context, intake, (done) => {
        const pattern = options.exchangePattern === 'InOut' ? 'InOut' : 'InOnly';
        const now = context.now();
        const metadata = {
          properties: new Map<string, unknown>([
            ['CamelTimerName', path],
            ['CamelTimerFiredTime', new Date(now)],
          ]),
          headers: new Headers([['CamelMessageTimestamp', now]]),
        };
        const exchange = intake.exchange({ pattern, ...(options.includeMetadata === true && metadata) });
        let isDone = false;
        const through = () => {
          if (isDone) return;
          isDone = true;
          done(exchange.properties.get('CamelSchedulerPolledMessages') === false ? 0 : 1);
        };
        intake.process(exchange, through, options.synchronous === true ? undefined : through);
      }),
  }),
};
