import type { Exchange } from '../../../expression/routes.js';
import { PRODUCER_OPTIONS } from '../common-options.js';
import type { Component, EndpointAddress } from '../component.js';
import { formatExchange } from '../log/format-exchange.js';
import { Throughput } from '../log/throughput.js';

/** Exchanges that a mock endpoint got, in order: copies, as they were when they came. */
export interface Received {
  readonly exchanges: Exchange[];
  /** How many came in all: `exchanges` keeps some of them alone. */
  counter: number;
}

/** How many exchanges a mock keeps, as memory has an end: the first ones. */
const KEPT = 1000;

/** Records what is sent to it, and answers nothing. What is expected of it is for whoever asks it. */
export const mock: Component = {
  schemes: ['mock'],
  syntax: 'name',
  isLenient: true,
  options: {
    ...PRODUCER_OPTIONS,
    retainFirst: 'number',
    retainLast: 'number',
    log: 'boolean',
    copyOnExchange: 'boolean',
    reportGroup: 'number',
    failFast: 'boolean',
    expectedCount: 'number',
    assertPeriod: 'duration',
    resultMinimumWaitTime: 'duration',
    resultWaitTime: 'duration',
    sleepForEmptyTest: 'duration',
    browseLimit: 'number',
  },
  endpoint({ uri, path, options }, context) {
    const mocks = context.shared('mock', () => new Map<string, Received>());
    const received: Received = mocks.get(path) ?? { exchanges: [], counter: 0 };
    mocks.set(path, received);
    const keep = keeping(received, options);
    const isCopied = options.copyOnExchange !== false;
    const tell = (line: string) => context.log('INFO', 'mock', line);
    const report =
      options.reportGroup === undefined ? undefined : new Throughput({ groupSize: options.reportGroup }, context, tell);
    const format = options.log === true ? formatExchange({}) : undefined;
    return {
      uri,
      producer: () => (exchange) => {
        keep(isCopied ? () => exchange.copy() : () => exchange);
        report?.count();
        if (format !== undefined) tell(`${uri} received #${received.counter} -> ${format(exchange)}`);
        return undefined;
      },
    };
  },
};

/** Keeps the first, the last, or both, as the options say: all of them up to a limit where they say nothing. */
function keeping(received: Received, options: EndpointAddress['options']) {
  const { exchanges } = received;
  const [first, last] = [Number(options.retainFirst ?? -1), Number(options.retainLast ?? -1)];
  const keepsAll = first < 0 && last < 0;
  const head = keepsAll ? KEPT : Math.min(Math.max(first, 0), KEPT);
  const tail = Math.min(Math.max(last, 0), KEPT);
  return (copied: () => Exchange) => {
    const at = received.counter++;
    if (at < head) exchanges.push(copied());
    else if (tail > 0) {
      const oldest = exchanges.length - tail;
      if (oldest >= head) exchanges.splice(oldest, 1);
      exchanges.push(copied());
    }
  };
}
