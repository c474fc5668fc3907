import { eventName } from './arm.js';
import { type At, at } from './evaluate.js';
import type { Token } from './instance-state.js';
import { complete } from './leave.js';
import type { Place } from './prepared.js';
import type { Run } from './run.js';
import { work } from './work.js';

/** An intermediate throw event, or a send task: throws, and goes on. */
export function enterThrow(run: Run, token: Token, place: Place): void {
  if (throwEvent(run, at(run, token, place))) complete(run, token, place);
}

/** Throws the place's message or signal: others get it after the commit. Gives whether it is done; else a handler was called for it. */
export function throwEvent(run: Run, where: At): boolean {
  const { event, id, work: own } = where.place.element;
  const definition = own ?? (event?.kind === 'message' ? event.work : null);
  if (definition !== null) return work(run, where, definition);
  if (event?.kind !== 'message' && event?.kind !== 'signal') return true;
  const name = eventName(run, where, event.name);
  const type = event.kind === 'message' ? 'throwMessage' : 'throwSignal';
  run.effects.push({ type, name, elementId: id, steps: run.stepsUnwaited });
  return true;
}
