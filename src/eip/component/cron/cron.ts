import { ExchangeFailure, Headers } from '../../../expression/routes.js';
import { CONSUMER_OPTIONS } from '../common-options.js';
import type { Component, ComponentContext, Consumer, EndpointAddress, Intake } from '../component.js';
import { cronRhythm, zoneIn } from '../poller.js';
import { type Rhythm, Ticker } from '../ticker.js';

/** How many exchanges of one trigger are under way at a time: Quartz' ten threads. */
const THREADS = 10;

/** Begins an exchange by an expression of cron, in UTC: of five fields as Unix has it, of six or seven as Quartz. */
export const cron: Component = {
  schemes: ['cron'],
  syntax: 'name',
  options: { ...CONSUMER_OPTIONS, schedule: 'text' },
  endpoint(address, context) {
    const { uri, options } = address;
    if (options.schedule === undefined) throw unresolved(uri, 'expected the option schedule');
    const rhythm = cronRhythm(quartzFields(String(options.schedule)), context);
    const trigger = { group: 'Camel', name: address.path, rhythm: () => rhythm, isStateful: false };
    return { uri, consumer: (intake) => triggered(trigger, options, intake, context) };
  },
};

/** Begins an exchange by Quartz' cron, in the zone of `trigger.timeZone` (default UTC), or again and again by `trigger.repeatInterval`. */
export const quartz: Component = {
  schemes: ['quartz'],
  syntax: 'groupName/triggerName',
  options: {
    ...CONSUMER_OPTIONS,
    cron: 'text',
    stateful: 'boolean',
    deleteJob: 'boolean',
    durableJob: 'boolean',
    pauseJob: 'boolean',
    recoverableJob: 'boolean',
    autoStartScheduler: 'boolean',
    triggerStartDelay: 'duration',
    ignoreExpiredNextFireTime: 'boolean',
    prefixJobNameWithEndpointId: 'boolean',
    usingFixedCamelContextName: 'boolean',
    'trigger.*': 'text',
    'job.*': 'text',
    customCalendar: 'refused',
  },
  endpoint({ uri, path, options }, context) {
    const zone = zoneIn(options['trigger.timeZone']);
    const rhythm =
      options.cron === undefined
        ? () => intervals(options, context)
        : fixed(cronRhythm(String(options.cron).replaceAll('+', ' '), context, zone));
    const slash = path.lastIndexOf('/');
    const [group, name] = slash < 0 ? ['Camel', path] : [path.slice(0, slash), path.slice(slash + 1)];
    const trigger = { group, name, rhythm, isStateful: options.stateful === true };
    return { uri, consumer: (intake) => triggered(trigger, options, intake, context) };
  },
};

const fixed = (rhythm: Rhythm) => () => rhythm;

interface Trigger {
  readonly group: string;
  readonly name: string;
  /** A rhythm that begins now. */
  readonly rhythm: () => Rhythm;
  /** One exchange at a time. */
  readonly isStateful: boolean;
}

/** Five fields get second 0. Quartz wants `?` in one of the two that name days. */
function quartzFields(text: string): string {
  const given = text.trim().split(/\s+/);
  const fields = given.length === 5 ? ['0', ...given] : given;
  if (fields[3] !== '?' && fields[5] === '*') fields[5] = '?';
  else if (fields[5] !== '?' && fields[3] === '*') fields[3] = '?';
  return fields.join(' ');
}

/** Quartz' simple trigger: once, and `trigger.repeatCount` times more (-1: for ever) each `trigger.repeatInterval` ms. */
function intervals(options: EndpointAddress['options'], context: ComponentContext): Rhythm {
  const [interval, more] = [
    Number(options['trigger.repeatInterval'] ?? 0),
    Number(options['trigger.repeatCount'] ?? 0),
  ];
  let count = 0;
  return (previous) => {
    if (previous === undefined) return context.now() + Number(options.triggerStartDelay ?? 500);
    if (more >= 0 && ++count > more) return undefined;
    return previous.due + interval;
  };
}

function triggered(
  trigger: Trigger,
  options: EndpointAddress['options'],
  intake: Intake,
  context: ComponentContext,
): Consumer {
  const { group, name, rhythm, isStateful } = trigger;
  const its = rhythm();
  const pattern = options.exchangePattern === 'InOut' ? 'InOut' : 'InOnly';
  let inflight = 0;
  let previous: Date | undefined;
  return new Ticker(context, its, (done) => {
    const fired = new Date(context.now());
    const headers = new Headers([
      ...[['fireTime', fired] as const, ['scheduledFireTime', fired] as const, ['refireCount', 0] as const],
      ...[['triggerName', name] as const, ['triggerGroup', group] as const, ['jobRunTime', -1] as const],
    ]);
    if (previous !== undefined) headers.set('previousFireTime', previous);
    previous = fired;
    inflight++;
    const ended = () => {
      inflight--;
      done();
    };
    intake.process(intake.exchange({ headers, pattern }), ended, done);
    if (!isStateful && inflight < THREADS) done();
  });
}

const unresolved = (uri: string, why: string) =>
  new ExchangeFailure(
    'org.apache.camel.ResolveEndpointFailedException',
    `Failed to resolve endpoint: ${uri} due to: ${why}`,
  );
