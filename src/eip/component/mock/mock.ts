import type { Exchange } from '../../../expression/index.js';
import type { Component } from '../component.js';

/** What a mock endpoint got, in order: copies, as they were when they came. */
export interface Received {
  readonly exchanges: Exchange[];
  /** How many came in all: `exchanges` keeps the first ones alone. */
  counter: number;
}

/** How many exchanges a mock keeps, as memory has an end. */
const KEPT = 1000;

/** Records what is sent to it, and answers nothing. */
export const mock: Component = {
  schemes: ['mock'],
  syntax: 'name',
  options: {
    retainFirst: 'number',
    retainLast: 'number',
    log: 'boolean',
    copyOnExchange: 'boolean',
    reportGroup: 'number',
    failFast: 'boolean',
  },
  endpoint({ uri, path, options }, context) {
    const mocks = context.shared('mock', () => new Map<string, Received>());
    const received: Received = mocks.get(path) ?? { exchanges: [], counter: 0 };
    mocks.set(path, received);
    const kept = Math.min(KEPT, Number(options.retainFirst ?? KEPT));
    return {
      uri,
      producer: () => (exchange) => {
        received.counter++;
        if (received.exchanges.length < kept) received.exchanges.push(exchange.copy());
        return undefined;
      },
    };
  },
};
