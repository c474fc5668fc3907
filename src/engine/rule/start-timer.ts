import {
  endOfDuration,
  evaluateAlone,
  firstOfCycle,
  inZone,
  parseInstant,
  parseRetryCycle,
  quartzOf,
  type Repeat,
} from '../../expression/index.js';
import type { NewJob } from '../../store/index.js';
import { textOf } from '../element/native.js';
import type { Element, TimerEvent } from '../model/program.js';

/** A timer that starts instances: what is left of it after the time it is due. */
export interface StartTimer {
  /** ms */
  readonly at: number;
  /** null: it comes once. */
  readonly repeat: Repeat | null;
}

/** When a timer start event is due for the first time after its deployment, in its own zone, else in that of the program; null: never. @throws BAD_REQUEST, EXECUTION_FAILED (its text) */
export function firstStart({ timer, text, cron }: TimerEvent, now: number, timeZone?: string): StartTimer | null {
  const given = evaluated(text, now);
  const written = inZone(cron === 'spring' ? quartzOf(given) : given, timeZone);
  if (timer === 'cycle') return firstOfCycle(written, now);
  return { at: (timer === 'duration' ? endOfDuration : parseInstant)(written, now), repeat: null };
}

/** Priority and retries of the job of a timer start event, by its model. What cannot be told before there is an instance is left out. */
export function startJobOf(
  { jobPriority, retryCycle }: Pick<Element, 'jobPriority' | 'retryCycle'>,
  now: number,
): Pick<NewJob, 'priority' | 'retryCycle' | 'retries'> {
  const priority = told(jobPriority, now, (text) => (/^\s*-?\d+\s*$/.test(text) ? Number(text) : undefined));
  const cycle = told(retryCycle, now, (text) => ({ text, retries: parseRetryCycle(text).retries }));
  return {
    ...(priority !== undefined && { priority }),
    ...(cycle !== undefined && { retryCycle: cycle.text, retries: cycle.retries }),
  };
}

function told<T>(source: string | null | undefined, now: number, read: (text: string) => T): T | undefined {
  if (source == null) return undefined;
  try {
    return read(evaluated(source, now));
  } catch {
    return undefined;
  }
}

/** No instance is there yet: an expression sees the time and nothing else. */
const evaluated = (text: string, now: number): string => textOf(evaluateAlone(text, now))?.trim() ?? '';
