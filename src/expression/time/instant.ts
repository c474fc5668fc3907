import { badTime } from '../errors.js';
import { parseDateTime } from './date-time.js';
import { addDuration, isDuration, parseDuration } from './duration.js';

const EXPECTED = "a date of ISO 8601 such as '2026-01-31T08:00:00Z', or a duration such as 'PT15M' or 'P1DT12H'";

/**
 * The instant, in ms, that a text means: a date, or a duration from `now` on. Camunda takes both for both, wherever a timer has one of them.
 * @throws BAD_REQUEST (names the text and what was expected)
 */
export function parseInstant(text: string, now: number): number {
  if (isDuration(text)) return addDuration(now, parseDuration(text));
  if (!/^\s*\d{4}-/.test(text)) throw badTime(text, EXPECTED);
  return parseDateTime(text);
}
