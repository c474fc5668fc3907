import { type Exchange, ExchangeFailure } from '../../../expression/routes.js';
import { type Outcome, untilSignal } from '../../flow/outcome.js';
import { CONSUMER_OPTIONS, PRODUCER_OPTIONS } from '../common-options.js';
import type { Component, ComponentContext, EndpointAddress, OptionKind } from '../component.js';
import { type Queue, queueOf } from './queue.js';
import { SedaConsumer } from './seda-consumer.js';
import { sedaProducer } from './seda-producer.js';

const OPTIONS: Record<string, OptionKind> = {
  ...CONSUMER_OPTIONS,
  ...PRODUCER_OPTIONS,
  size: 'number',
  concurrentConsumers: 'number',
  limitConcurrentConsumers: 'boolean',
  multipleConsumers: 'boolean',
  pollTimeout: 'number',
  purgeWhenStopping: 'boolean',
  virtualThreadPerTask: 'boolean',
  timeout: 'duration',
  waitForTaskToComplete: ['Never', 'IfReplyExpected', 'Always'],
  blockWhenFull: 'boolean',
  discardIfNoConsumers: 'boolean',
  discardWhenFull: 'boolean',
  failIfNoConsumers: 'boolean',
  offerTimeout: 'duration',
  browseLimit: 'number',
  queue: 'refused',
};
const CONSUMERS_MAX = 500;

/** Queues between routes of a workspace, in memory: the caller goes on at once, or waits for the answer where it wants one. */
export const seda: Component = {
  schemes: ['seda'],
  syntax: 'name',
  options: OPTIONS,
  endpoint: (address, context) => endpointOf('seda', address, context),
};

/** Takes the place of any component while routes are tried: a queue, whatever the options of that component are. */
export const stub: Component = {
  schemes: ['stub'],
  syntax: 'name',
  options: OPTIONS,
  isLenient: true,
  endpoint: (address, context) => endpointOf('stub', address, context),
};

function endpointOf(scheme: string, { uri, path, options }: EndpointAddress, context: ComponentContext) {
  const concurrent = Number(options.concurrentConsumers ?? 1);
  if (options.limitConcurrentConsumers !== false && concurrent > CONSUMERS_MAX)
    throw new ExchangeFailure(
      'java.lang.IllegalArgumentException',
      `The limitConcurrentConsumers flag in set to true. ConcurrentConsumers cannot be set at a value greater than ${CONSUMERS_MAX} was ${concurrent}`,
    );
  const queues = context.shared(scheme, () => new Map<string, Queue>());
  const size = options.size === undefined ? undefined : Number(options.size);
  const multipleConsumers = options.multipleConsumers === true;
  const queue = queueOf(queues, `${scheme}://${path}`, size);
  return {
    uri,
    producer: () => sedaProducer(uri, queue, options, context),
    consumer: (intake: ConstructorParameters<typeof SedaConsumer>[1]) => {
      if (queue.takers.size > 0 && queue.multipleConsumers !== multipleConsumers)
        throw new ExchangeFailure(
          'java.lang.IllegalArgumentException',
          `Cannot use existing queue ${queue.name} as the existing queue multiple consumers ${queue.multipleConsumers} does not match given multiple consumers ${multipleConsumers}`,
        );
      queue.multipleConsumers = multipleConsumers;
      const purges = options.purgeWhenStopping === true;
      return new SedaConsumer(
        queue,
        intake,
        { concurrent, multipleConsumers, purges, pattern: options.exchangePattern },
        context,
      );
    },
    poll: (timeout: number, then: (exchange: Exchange | undefined) => Outcome) => polled(queue, timeout, then, context),
  };
}

/** The next exchange of a queue: at once where there is one. */
function polled(
  queue: Queue,
  timeout: number,
  then: (exchange: Exchange | undefined) => Outcome,
  context: ComponentContext,
): Outcome {
  const entry = queue.take();
  if (entry !== undefined || timeout === 0) return then(entry?.exchange);
  const arm = (wake: (exchange?: unknown) => void) => {
    const takeBack: (() => void)[] = [];
    const end = (exchange: Exchange | undefined) => {
      for (const work of takeBack) work();
      wake(exchange);
    };
    takeBack.push(queue.whenEntry(({ exchange }) => end(exchange)));
    if (timeout > 0) takeBack.push(context.flow.at(context.now() + timeout, () => end(undefined)));
  };
  return untilSignal(`a message of ${queue.name}`, arm, (exchange) => then(exchange as Exchange | undefined));
}
