import { Headers } from '../../../expression/routes.js';
import { CONSUMER_OPTIONS, LEVELS } from '../common-options.js';
import type { Component, ComponentContext, Consumer, EndpointAddress, Intake, LogLevel } from '../component.js';
import { type Rhythm, Ticker } from '../ticker.js';
import { readTime } from './read-time.js';

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
