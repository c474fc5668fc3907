import { ExchangeFailure } from '../../../expression/routes.js';
import { LEVELS, PRODUCER_OPTIONS } from '../common-options.js';
import type { Component, LogLevel, OptionKind } from '../component.js';
import { formatExchange } from './format-exchange.js';
import { Throughput } from './throughput.js';

const SHOWS = [
  ...['showAll', 'showAllProperties', 'showBody', 'showBodyType', 'showCachedStreams', 'showCaughtException'],
  ...['showException', 'showExchangeId', 'showExchangePattern', 'showFiles', 'showFuture', 'showHeaders'],
  ...['showProperties', 'showRouteGroup', 'showRouteId', 'showStackTrace', 'showStreams', 'showVariables'],
];

/** Writes a line of each exchange to the log, or how many came by. */
export const log: Component = {
  schemes: ['log'],
  syntax: 'loggerName',
  options: {
    ...PRODUCER_OPTIONS,
    ...Object.fromEntries(SHOWS.map((name): [string, OptionKind] => [name, 'boolean'])),
    level: LEVELS,
    marker: 'text',
    plain: 'boolean',
    multiline: 'boolean',
    maxChars: 'number',
    skipBodyLineSeparator: 'boolean',
    style: ['Default', 'Tab', 'Fixed'],
    logMask: 'boolean',
    sourceLocationLoggerName: 'boolean',
    groupSize: 'number',
    groupInterval: 'duration',
    groupDelay: 'duration',
    groupActiveOnly: 'boolean',
    exchangeFormatter: 'refused',
  },
  endpoint({ uri, path, options }, context) {
    const level = (options.level ?? 'INFO') as LogLevel;
    const marker = options.marker === undefined ? undefined : String(options.marker);
    if (options.groupSize !== undefined || options.groupInterval !== undefined) {
      positive(options, 'groupSize');
      positive(options, 'groupInterval');
      const throughput = new Throughput(options, context, (line) => context.log(level, path, line, undefined, marker));
      const count = () => throughput.count();
      return { uri, producer: () => count as () => undefined, close: () => throughput.close() };
    }
    const format = formatExchange(options);
    return {
      uri,
      producer: () => (exchange) => {
        if (level !== 'OFF') context.log(level, path, format(exchange), exchange, marker);
        return undefined;
      },
    };
  },
};

function positive(options: Readonly<Record<string, unknown>>, name: string): void {
  if (options[name] === undefined || Number(options[name]) > 0) return;
  throw new ExchangeFailure('java.lang.IllegalArgumentException', `${name} must be positive, was: ${options[name]}`);
}
