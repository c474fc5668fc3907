import { badTime } from '../errors.js';
import { parseCron } from './cron.js';
import { parseDateTimeIn, parseInstant } from './date-time.js';
import { addDuration, approximateMs, type Duration, isDuration, negated, parseDuration } from './duration.js';
import { splitZone, type Zone } from './zone.js';

/** When something happens again and again. */
export interface Cycle {
  /** As it was written. */
  readonly text: string;
  /** How often it happens in all, null without end. The caller counts; start and end of an interval limit `nextAfter` besides. */
  readonly repetitions: number | null;
  /** The first time later than `ms`, or null when there is none left. */
  nextAfter(ms: number): number | null;
}

/** What is left of a cycle that has begun. */
export interface Repeat {
  /** With the instant that it counts from. */
  readonly text: string;
  /** How often it still comes after this time; null: for ever. */
  readonly left: number | null;
  /** By how much it has been moved, ms. Absent: not at all. */
  readonly shift?: number;
}

/** A time at which a cycle comes, ms, and what follows it. */
export interface CycleTime {
  readonly at: number;
  readonly repeat: Repeat;
}

const EXPECTED =
  "a repeating interval such as 'R3/PT10H', 'R/2026-01-01T00:00:00Z/P1D' or 'R3/PT1H/2026-01-01T00:00:00Z', or a cron expression such as '0 0/5 * * * ?'";
const REPETITIONS_MAX = 2 ** 31 - 1;

/**
 * Reads a `timeCycle`: ISO 8601 §5.6 (`R3/PT10H`, `R/PT1H` or `R-1/PT1H` without end, `R3/<start>/PT1H`, `R3/PT1H/<end>`, `R3/<start>/<end>`), else a cron
 * expression of six or seven fields as Quartz reads it. `[Europe/Berlin]` behind it, or behind a date in it, is the zone whose days and clock count; else it is UTC. Without start and end an interval is counted from the instant that
 * `nextAfter` is asked with. @throws BAD_REQUEST (names the text and what was expected)
 */
export function parseCycle(text: string): Cycle {
  const { plain, zone } = splitZone(text);
  const trimmed = plain.trim();
  if (!/^R(\d*|-1)(\/|$)/.test(trimmed)) {
    if (trimmed === '' || /^[-+RP]/.test(trimmed)) throw badTime(text, EXPECTED);
    return { text, repetitions: null, nextAfter: parseCron(plain, zone) };
  }
  const [repeat = '', ...rest] = trimmed.split('/');
  const repetitions = repeat === 'R' || repeat === 'R-1' ? null : Number(repeat.slice(1));
  if ((repetitions ?? 0) > REPETITIONS_MAX) throw badTime(text, `at most ${REPETITIONS_MAX} repetitions`);
  if (repetitions === 0) return { text, repetitions, nextAfter: () => null };
  const nextAfter = interval({ text, zone }, rest, repetitions ?? Number.POSITIVE_INFINITY);
  return { text, repetitions, nextAfter };
}

/** When a cycle that begins at `now` comes for the first time; null: never. @throws as {@link parseCycle} */
export const firstOfCycle = (text: string, now: number): CycleTime | null =>
  nextOfCycle({ text: anchored(text.trim(), now), left: parseCycle(text).repetitions }, now);

/**
 * When a timer's duration is over that begins at `now`: as {@link parseInstant} has it, or, as in Camunda, the end of an interval (`<start>/PT1H`, `PT1H/<end>`, `<start>/<end>`),
 * or the first time of a repeating one; of none (`R0/PT1H`) at once. @throws as {@link parseInstant} and {@link parseCycle}; BAD_REQUEST: its last time has passed
 */
export function endOfDuration(text: string, now: number): number {
  if (!/^\s*R/.test(text)) return splitZone(text).plain.includes('/') ? endOfInterval(text) : parseInstant(text, now);
  const first = firstOfCycle(text, now);
  if (first !== null) return first.at;
  if (parseCycle(text).repetitions === 0) return now;
  throw badTime(text, 'a repeating interval with a time that is still to come');
}

/** The end of an interval of ISO 8601 §5.5 that does not repeat. */
function endOfInterval(text: string): number {
  const { plain, zone } = splitZone(text);
  const [first = '', second = '', ...more] = plain.trim().split('/');
  if (more.length > 0)
    throw badTime(text, "an interval such as '2026-01-31T08:00:00Z/PT1H' or 'PT1H/2026-01-31T08:00:00Z'");
  if (isDuration(first)) {
    parseDuration(first);
    return parseDateTimeIn(second, zone);
  }
  const start = parseDateTimeIn(first, zone);
  return isDuration(second) ? addDuration(start, parseDuration(second), 1, zone) : parseDateTimeIn(second, zone);
}

/** When a cycle comes next. Times that have passed meanwhile are made up for by one, not by many at once. Null: not any more. */
export function nextOfCycle({ left, ...rest }: Repeat, now: number): CycleTime | null {
  const { text, shift = 0 } = rest;
  const at = left === 0 ? null : parseCycle(text).nextAfter(now - shift);
  return at === null ? null : { at: at + shift, repeat: { ...rest, left: left === null ? null : left - 1 } };
}

/** The cycle, all of whose later times are moved by `ms`. */
export const shifted = (repeat: Repeat, ms: number): Repeat => ({ ...repeat, shift: (repeat.shift ?? 0) + ms });

/** `R3/PT1H` counts from when it began; kept in the text, so that a late job does not move the later ones. */
function anchored(text: string, now: number): string {
  const { plain, suffix } = splitZone(text);
  const period = /^R(?:\d*|-1)\/([-+]?P[^/]*)$/.exec(plain.trim())?.[1];
  return period === undefined ? text : `R/${new Date(now).toISOString()}/${period}${suffix}`;
}

/** A cycle's text, and the zone that it is in. */
interface Zoned {
  readonly text: string;
  readonly zone: Zone;
}

function interval(zoned: Zoned, [first, second, ...more]: readonly string[], times: number): Cycle['nextAfter'] {
  const { text, zone } = zoned;
  if (first === undefined || more.length > 0) throw badTime(text, EXPECTED);
  if (isDuration(first)) {
    const period = positivePeriod(text, parseDuration(first));
    if (second === undefined) return (ms) => within(() => addDuration(ms, period, 1, zone));
    return beforeEnd(parseDateTimeIn(second, zone), period, times, zone);
  }
  if (second === undefined) throw badTime(text, EXPECTED);
  const start = parseDateTimeIn(first, zone);
  if (isDuration(second)) return afterStart(start, positivePeriod(text, parseDuration(second)), times, zone);
  const ms = parseDateTimeIn(second, zone) - start;
  return afterStart(start, positivePeriod(text, { months: 0, days: 0, ms }), times, zone);
}

/** start, start + period, … start + times · period. */
function afterStart(start: number, period: Duration, times: number, zone: Zone): Cycle['nextAfter'] {
  return (ms) => {
    if (start > ms) return start;
    let count = Math.max(1, Math.floor((ms - start) / approximateMs(period)) - 1);
    for (;;) {
      if (count > times) return null;
      const next = within(() => addDuration(start, period, count, zone));
      if (next === null || next > ms) return next;
      count++;
    }
  };
}

/** end − times · period, … end − period, end. */
function beforeEnd(end: number, period: Duration, times: number, zone: Zone): Cycle['nextAfter'] {
  const back = negated(period);
  return (ms) => {
    if (end <= ms) return null;
    const atLeast = Math.max(0, Math.ceil((end - ms) / approximateMs(period)) + 1);
    for (let count = Math.min(atLeast, times); ; count--) {
      const next = within(() => addDuration(end, back, count, zone));
      if (next !== null && next > ms) return next;
    }
  };
}

/** A period of no length would be due again at once, for ever. */
function positivePeriod(text: string, period: Duration): Duration {
  if (!(approximateMs(period) > 0)) throw badTime(text, 'a repeating interval with a period longer than zero');
  return period;
}

/** null instead of an instant that no Date can hold. */
function within(instant: () => number): number | null {
  try {
    return instant();
  } catch {
    return null;
  }
}

/** `camunda:failedJobRetryTimeCycle`: how often a job is tried, and how long it rests in between. */
export interface RetryCycle {
  /** Attempts in all, the first one included. */
  readonly retries: number;
  /** How long to wait for the next attempt while so many are left: as in Camunda the last one waits for the last entry of a list, also where somebody has given others. */
  delays(left: number): Duration;
}

const RETRIES_EXPECTED = "a retry cycle such as 'R3/PT5M' or 'PT1M,PT5M,PT1H'";
const RETRIES_MAX = 2 ** 31 - 1;
const LENGTH_MAX = 1024;

/**
 * Reads `R3/PT5M` (three attempts, five minutes apart) or a list `PT1M,PT5M` (one attempt more than it has entries). `R/PT5M` tries
 * 2,147,483,647 times, as Camunda does. @throws BAD_REQUEST (names the text and what was expected)
 */
export function parseRetryCycle(text: string): RetryCycle {
  if (text.length > LENGTH_MAX) throw badTime(text, RETRIES_EXPECTED);
  const repeated = /^\s*R(?<times>\d*)\/(?<period>[^/,]+)$/.exec(text)?.groups;
  if (repeated !== undefined) {
    const delay = waitingTime(text, repeated.period ?? '');
    // `R0`, too, tries once.
    const retries = repeated.times === '' ? RETRIES_MAX : Math.max(1, Number(repeated.times));
    if (retries > RETRIES_MAX) throw badTime(text, `${RETRIES_EXPECTED}, with at most ${RETRIES_MAX} attempts`);
    return { retries, delays: () => delay };
  }
  const list = text.split(',').map((entry) => waitingTime(text, entry));
  const [first] = list;
  if (first === undefined) throw badTime(text, RETRIES_EXPECTED);
  return { retries: list.length + 1, delays: (left) => list[list.length - Math.max(1, left)] ?? first };
}

function waitingTime(text: string, entry: string): Duration {
  if (!/^\s*P/.test(entry)) throw badTime(text, RETRIES_EXPECTED);
  const duration = parseDuration(entry);
  addDuration(0, duration);
  return duration;
}
