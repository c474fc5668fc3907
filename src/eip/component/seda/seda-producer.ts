import { type Exchange, ExchangeFailure } from '../../../expression/routes.js';
import { after, attempt, type Outcome, type Step, untilSignal } from '../../flow/outcome.js';
import { handOver } from '../../flow/unit-of-work.js';
import type { ComponentContext, EndpointAddress } from '../component.js';
import type { Entry, Queue } from './queue.js';

/** Puts a copy into the queue, and goes on; or waits until a route is through with the copy, where an answer is expected. */
export function sedaProducer(
  uri: string,
  queue: Queue,
  options: EndpointAddress['options'],
  context: ComponentContext,
): Step {
  const { waitForTaskToComplete: waits = 'IfReplyExpected', failIfNoConsumers, discardIfNoConsumers } = options;
  const timeout = Number(options.timeout ?? 30_000);
  const put = putting(queue, options, context);
  return (exchange) => {
    if (queue.takers.size === 0 && failIfNoConsumers === true) throw noConsumer(uri);
    if (queue.takers.size === 0 && discardIfNoConsumers === true) return undefined;
    const copy = correlated(exchange);
    const isAnswered = waits === 'Always' || (waits === 'IfReplyExpected' && exchange.pattern === 'InOut');
    if (!isAnswered) return handedOver(exchange, copy, put);
    return answered(exchange, copy, { uri, queue, timeout, put, context });
  };
}

/** Nobody waits for the copy: what is to be done at the end of the exchange is done at the end of that. */
function handedOver(exchange: Exchange, copy: Exchange, put: (entry: Entry) => Outcome): Outcome {
  if (exchange.endings === undefined) return put({ exchange: copy });
  handOver(exchange, copy);
  return attempt(
    () => put({ exchange: copy }),
    (thrown) => {
      handOver(copy, exchange);
      throw thrown;
    },
  );
}

function correlated(exchange: Exchange): Exchange {
  const copy = exchange.copy();
  // What takes it from the queue is no part of the block that sends it.
  copy.transaction = undefined;
  if (!copy.properties.has('CamelCorrelationId')) copy.properties.set('CamelCorrelationId', exchange.id);
  return copy;
}

/** Puts an entry in, as the options say it when the queue is full. */
function putting(queue: Queue, options: EndpointAddress['options'], context: ComponentContext) {
  const { blockWhenFull, discardWhenFull } = options;
  const offerTimeout = Number(options.offerTimeout ?? 0);
  const put = (entry: Entry): Outcome => {
    if (queue.offer(entry) || discardWhenFull === true) return undefined;
    if (blockWhenFull !== true) throw new ExchangeFailure('java.lang.IllegalStateException', 'Queue full');
    const arm = (wake: (value: unknown) => void) => {
      const takeBack: (() => void)[] = [];
      const end = (hasRoom: boolean) => {
        for (const work of takeBack) work();
        wake(hasRoom);
      };
      takeBack.push(queue.whenRoom(() => end(true)));
      if (offerTimeout > 0) takeBack.push(context.flow.at(context.now() + offerTimeout, () => end(false)));
    };
    return untilSignal(`room in ${queue.name}`, arm, (hasRoom) => {
      if (hasRoom === true) return put(entry);
      throw new ExchangeFailure(
        'java.lang.IllegalStateException',
        `Fails to insert element into queue, after timeout of ${offerTimeout} milliseconds`,
      );
    });
  };
  return put;
}

interface Sending {
  readonly uri: string;
  readonly queue: Queue;
  /** In ms; 0 or negative: for ever. */
  readonly timeout: number;
  readonly put: (entry: Entry) => Outcome;
  readonly context: ComponentContext;
}

function answered(exchange: Exchange, copy: Exchange, { uri, queue, timeout, put, context }: Sending): Outcome {
  let wake: ((answer?: unknown) => void) | undefined;
  let answer: Exchange | undefined;
  const ended = (its: Exchange) => {
    answer = its;
    wake?.(its);
  };
  const arm = (its: (value?: unknown) => void) => {
    if (answer !== undefined) return its(answer);
    const takeBack = timeout > 0 ? context.flow.at(context.now() + timeout, () => its()) : undefined;
    wake = (value) => {
      takeBack?.();
      its(value);
    };
  };
  const wait = () =>
    untilSignal(`the answer of ${uri}`, arm, (value) => {
      if (value !== undefined) return taken(exchange, value as Exchange);
      queue.withdraw(copy);
      throw new ExchangeFailure(
        'org.apache.camel.ExchangeTimedOutException',
        `The OUT message was not received within: ${timeout} millis on the exchange: Exchange[${exchange.id}]`,
      );
    });
  return after(put({ exchange: copy, ended }), wait);
}

/** Takes over what the other route made of it, also where that stopped it, or dealt with its failure. */
function taken(exchange: Exchange, answer: Exchange): undefined {
  exchange.takeOver(answer);
  if (answer.exception !== undefined) throw answer.exception;
  return undefined;
}

const noConsumer = (uri: string) =>
  new ExchangeFailure(
    'org.apache.camel.component.seda.SedaConsumerNotAvailableException',
    `No consumers available on endpoint: ${uri}`,
  );
