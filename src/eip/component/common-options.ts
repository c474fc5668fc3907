import type { OptionKind } from './component.js';

/** Options that every consumer of Camel's takes. */
export const CONSUMER_OPTIONS = {
  bridgeErrorHandler: 'boolean',
  exceptionHandler: 'refused',
  exchangePattern: ['InOnly', 'InOut'],
} as const satisfies Record<string, OptionKind>;

/** Options that every producer of Camel's takes. Producers here are made when their route starts, and start by themselves. */
export const PRODUCER_OPTIONS = { lazyStartProducer: 'boolean' } as const satisfies Record<string, OptionKind>;

export const LEVELS = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'OFF'] as const;
