import {
  compileExpression,
  dateBean,
  firstOfCycle,
  inZone,
  parseInstant,
  type Repeat,
} from '../../expression/index.js';
import { textOf } from '../element/native.js';
import type { TimerEvent } from '../model/program.js';

/** A timer that starts instances: what is left of it after the time it is due. */
export interface StartTimer {
  /** ms */
  readonly at: number;
  /** null: it comes once. */
  readonly repeat: Repeat | null;
}

/** When a timer start event is due for the first time after its deployment, in its own zone, else in that of the program; null: never. @throws BAD_REQUEST, EXECUTION_FAILED (its text) */
export function firstStart({ timer, text }: TimerEvent, now: number, timeZone?: string): StartTimer | null {
  const written = inZone(evaluated(text, now), timeZone);
  return timer === 'cycle' ? firstOfCycle(written, now) : { at: parseInstant(written, now), repeat: null };
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
