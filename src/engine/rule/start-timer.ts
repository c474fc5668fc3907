import { compileExpression, dateBean, parseCycle, parseInstant } from '../../expression/index.js';
import { textOf } from '../element/native.js';
import type { EventDefinition } from '../model/program.js';

/** A timer that starts instances: what is left of it after the time it is due. */
export interface StartTimer {
  /** ms */
  readonly at: number;
  /** null: it comes once. */
  readonly repeat: { readonly text: string; readonly left: number | null } | null;
}

type TimerDefinition = Extract<EventDefinition, { kind: 'timer' }>;

/** When a timer start event is due for the first time after its deployment; null: never. @throws BAD_REQUEST, EXECUTION_FAILED (its text) */
export function firstStart({ timer, text }: TimerDefinition, now: number): StartTimer | null {
  const written = evaluated(text, now);
  if (timer !== 'cycle') {
    return { at: parseInstant(written, now), repeat: null };
  }
  return nextStart({ text: anchored(written, now), left: parseCycle(written).repetitions }, now);
}

/** When a repeating one is due next. What was missed while the server was away is made up for once. Null: not any more. */
export function nextStart({ text, left }: { text: string; left: number | null }, now: number): StartTimer | null {
  const at = left === 0 ? null : parseCycle(text).nextAfter(now);
  return at === null ? null : { at, repeat: { text, left: left === null ? null : left - 1 } };
}

/** No instance is there yet: an expression sees the time and nothing else. */
function evaluated(text: string, now: number): string {
  const clock = () => dateBean(now);
  const value = compileExpression(text).evaluate({
    variable: () => undefined,
    bean: (name) => (name === 'now' || name === 'dateTime' ? clock : undefined),
  });
  return textOf(value)?.trim() ?? '';
}

/** `R3/PT1H` counts from the deployment; kept in the text, so that a late job does not move the later ones. */
function anchored(text: string, now: number): string {
  const period = /^R\d*\/([-+]?P[^/]*)$/.exec(text)?.[1];
  return period === undefined ? text : `R/${new Date(now).toISOString()}/${period}`;
}
