import { isDuration, parseCycle, parseInstant } from '../../expression/index.js';
import type { At } from './at.js';
import { evaluate } from './evaluate.js';
import { executionFailed } from './failure.js';
import type { Repeat } from './instance-state.js';
import { textOf } from './native.js';
import type { Run } from './run.js';

/** When a timer is due, and what follows it. */
export interface Due {
  readonly at: number;
  readonly repeat?: Repeat;
}

/** The instant that a date or a duration (counted from now) means, ms; null for nothing. Both are taken for both, as in Camunda. @throws EXECUTION_FAILED */
export function instantOf(run: Run, where: At, text: string): number | null {
  const value = evaluate(run, where, text);
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'number') return value;
  const written = textOf(value)?.trim() ?? '';
  if (written === '') return null;
  return reading(where, text, () => parseInstant(written, run.context.now));
}

/** When the cycle comes for the first time; null: never. @throws EXECUTION_FAILED */
export function firstOf(run: Run, where: At, text: string): Due | null {
  const written = textOf(evaluate(run, where, text)) ?? '';
  const { now } = run.context;
  return reading(where, text, () => {
    const repeat = { text: anchored(written.trim(), now), left: parseCycle(written).repetitions };
    return nextOf(repeat, now);
  });
}

/** When the cycle comes next. Times that have passed meanwhile are made up for by one, not by many at once. Null: not any more. */
export function nextOf({ text, left }: Repeat, now: number): Due | null {
  const at = left === 0 ? null : parseCycle(text).nextAfter(now);
  return at === null ? null : { at, repeat: { text, left: left === null ? null : left - 1 } };
}

/** `R3/PT1H` counts from when the timer began; kept in the text, so that a late job does not move the later ones. */
function anchored(text: string, now: number): string {
  const [repeat, period, ...rest] = text.split('/');
  if (!/^R\d*$/.test(repeat ?? '') || period === undefined || rest.length > 0 || !isDuration(period)) return text;
  return `R/${new Date(now).toISOString()}/${period}`;
}

function reading<T>(where: At, text: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw executionFailed(where.place, { expected: `a time from '${text}'`, expression: text, cause });
  }
}
