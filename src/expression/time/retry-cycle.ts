import { badTime } from '../errors.js';
import { addDuration, type Duration, parseDuration } from './duration.js';

/** `camunda:failedJobRetryTimeCycle`: how often a job is tried, and how long it rests in between. */
export interface RetryCycle {
  /** Attempts in all, the first one included. */
  readonly retries: number;
  /** How long to wait after failed attempt `attempt`, which counts from 1. */
  delays(attempt: number): Duration;
}

const EXPECTED = "a retry cycle such as 'R3/PT5M' or 'PT1M,PT5M,PT1H'";
const RETRIES_MAX = 2 ** 31 - 1;
const LENGTH_MAX = 1024;

/**
 * Reads `R3/PT5M` (three attempts, five minutes apart) or a list `PT1M,PT5M` (one attempt more than it has entries). `R/PT5M` tries
 * 2,147,483,647 times, as Camunda does. @throws BAD_REQUEST (names the text and what was expected)
 */
export function parseRetryCycle(text: string): RetryCycle {
  if (text.length > LENGTH_MAX) throw badTime(text, EXPECTED);
  const repeated = /^\s*R(?<times>\d*)\/(?<period>[^/,]+)$/.exec(text)?.groups;
  if (repeated !== undefined) {
    const delay = waitingTime(text, repeated.period ?? '');
    // `R0`, too, tries once.
    const retries = repeated.times === '' ? RETRIES_MAX : Math.max(1, Number(repeated.times));
    if (retries > RETRIES_MAX) throw badTime(text, `${EXPECTED}, with at most ${RETRIES_MAX} attempts`);
    return { retries, delays: () => delay };
  }
  const list = text.split(',').map((entry) => waitingTime(text, entry));
  const last = list[list.length - 1];
  if (last === undefined) throw badTime(text, EXPECTED);
  return { retries: list.length + 1, delays: (attempt) => list[Math.max(1, attempt) - 1] ?? last };
}

function waitingTime(text: string, entry: string): Duration {
  if (!/^\s*P/.test(entry)) throw badTime(text, EXPECTED);
  const duration = parseDuration(entry);
  addDuration(0, duration);
  return duration;
}
