import { ExchangeFailure, Headers } from '../../../expression/routes.js';
import { CONSUMER_OPTIONS, LEVELS } from '../common-options.js';
import type { Component, ComponentContext, Consumer, EndpointAddress, Intake, LogLevel } from '../component.js';
import { type Rhythm, Ticker } from '../ticker.js';

/** Begins an exchange again and again. Its body is null. */
export const timer: Component = {
  schemes: ['timer'],
  syntax: 'timerName',
  options: {
    ...CONSUMER_OPTIONS,
    delay: 'duration',
    period: 'duration',
    fixedRate: 'boolean',
    repeatCount: 'number',
    includeMetadata: 'boolean',
    time: 'text',
    pattern: 'text',
    daemon: 'boolean',
    synchronous: 'boolean',
    runLoggingLevel: LEVELS,
    timer: 'refused',
  },
  endpoint(address, context) {
    const { uri, options } = address;
    const time = options.time === undefined ? undefined : readTime(uri, String(options.time), options.pattern);
    return { uri, consumer: (intake) => consumer(address, time, intake, context) };
  },
};

function consumer(
  { uri, path, options }: EndpointAddress,
  time: number | undefined,
  intake: Intake,
  context: ComponentContext,
): Consumer {
  const { repeatCount = 0, includeMetadata = false, synchronous = false, runLoggingLevel = 'TRACE' } = options;
  const period = Number(options.period ?? 1000);
  const pattern = options.exchangePattern === 'InOut' ? 'InOut' : 'InOnly';
  let count = 0;
  const rhythm = timerRhythm({ ...options, period, time }, context);
  const limited: Rhythm = (previous) =>
    Number(repeatCount) > 0 && count >= Number(repeatCount) ? undefined : rhythm(previous);
  const log = (what: string) => context.log(runLoggingLevel as LogLevel, 'timer', `Timer task ${what} ${uri}`);
  return new Ticker(context, limited, (done) => {
    count++;
    const isLogged = runLoggingLevel !== 'TRACE';
    if (isLogged) log('started on:  ');
    const ended = () => {
      if (isLogged) log('completed on:');
      done();
    };
    const parts = includeMetadata === true ? metadata(path, count, period, time, context.now()) : {};
    intake.process(intake.exchange({ ...parts, pattern }), ended, synchronous === true ? undefined : ended);
  });
}

/** Java's Timer: by a period counted from the beginning of the run before, or at a fixed rate, which makes up for what was missed. */
function timerRhythm(
  options: { readonly [name: string]: unknown; readonly period: number; readonly time: number | undefined },
  context: ComponentContext,
): Rhythm {
  const { period, time, fixedRate = false } = options;
  const delay = Number(options.delay ?? 1000);
  return (previous) => {
    if (delay < 0) return context.now();
    if (previous === undefined) return time ?? context.now() + delay;
    if (period <= 0) return undefined;
    return (fixedRate === true ? previous.due : previous.began) + period;
  };
}

function metadata(name: string, count: number, period: number, time: number | undefined, now: number) {
  const fired = new Date(now);
  const properties = new Map<string, unknown>([
    ['CamelTimerCounter', count],
    ['CamelTimerName', name],
    ['CamelTimerPeriod', period],
    ['CamelTimerFiredTime', fired],
  ]);
  if (time !== undefined) properties.set('CamelTimerTime', new Date(time));
  const headers = new Headers([
    ['CamelTimerFiredTime', fired],
    ['CamelMessageTimestamp', now],
  ]);
  return { properties, headers };
}

/** What each letter of a pattern stands for, as a part of a date: [index in Date.UTC's arguments, what is taken from the number]. */
const LETTERS: Record<string, readonly [part: number, less: number]> = {
  y: [0, 0],
  M: [1, 1],
  d: [2, 0],
  H: [3, 0],
  m: [4, 0],
  s: [5, 0],
  S: [6, 0],
};

/**
 * An instant in ms by a pattern of Java's SimpleDateFormat (`yyyy MM dd HH mm ss SSS` and quoted text), in UTC. Default: `yyyy-MM-dd'T'HH:mm:ss`, or with a blank.
 * @throws ExchangeFailure where text and pattern do not fit
 */
function readTime(uri: string, text: string, given?: unknown): number {
  const pattern = String(given ?? (text.includes('T') ? "yyyy-MM-dd'T'HH:mm:ss" : 'yyyy-MM-dd HH:mm:ss'));
  const parts = [1970, 0, 1, 0, 0, 0, 0];
  let at = 0;
  const failed = () =>
    new ExchangeFailure(
      'org.apache.camel.ResolveEndpointFailedException',
      `Failed to resolve endpoint: ${uri} due to: expected time to be written as ${pattern}, got '${text}'`,
    );
  for (const [token] of pattern.matchAll(/'(?:[^']|'')*'|([a-zA-Z])\1*|[^a-zA-Z']/g)) {
    const letter = LETTERS[token[0] ?? ''];
    const rest = text.slice(at);
    const found = letter === undefined ? literal(token, rest) : digits(token, rest);
    if (found === undefined) throw failed();
    if (letter !== undefined) parts[letter[0]] = Number(found) - letter[1];
    at += found.length;
  }
  const [year = 0, month = 0, ...rest] = parts;
  return Date.UTC(year, month, ...rest);
}

/** The text that a token of a pattern stands for, where what is read begins with it. */
function literal(token: string, text: string): string | undefined {
  const meant = token.startsWith("'") ? token.slice(1, -1).replace(/''/g, "'") || "'" : token;
  return /^[a-zA-Z]/.test(token) || !text.startsWith(meant) ? undefined : meant;
}

const digits = (token: string, text: string) => /^\d+/.exec(text.slice(0, Math.max(token.length, 2)))?.[0];
