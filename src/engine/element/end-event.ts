import { type EventDefinition, partsOf } from '../model/program.js';
import { clear, finish } from './activity.js';
import { failCalled } from './call-activity.js';
import { cancelTransaction } from './compensation.js';
import { raise } from './error.js';
import { textAt } from './evaluate.js';
import type { Token } from './instance-state.js';
import { complete, endPath } from './leave.js';
import type { Place } from './prepared.js';
import { at, type Run } from './run.js';
import { throwEvent } from './throw-event.js';

type ErrorEvent = Extract<EventDefinition, { kind: 'error' }>;

/** The end of a path; what is thrown is thrown first. */
export function enterEnd(run: Run, token: Token, place: Place): void {
  if (!throwEvent(run, at(run, token, place))) return;
  const last = partsOf(place.element.event).at(-1);
  if (last?.kind === 'terminate') terminate(run, token, place);
  else if (last?.kind === 'cancel') cancelTransaction(run, token);
  else if (last?.kind === 'error') fail(run, token, place, last);
  else complete(run, token, place);
}

/** BPMN 2.0 §13.5.6: ends its own scope only, with all that happens in it. */
function terminate(run: Run, token: Token, place: Place): void {
  finish(run, token, place);
  clear(run, token.scope, token);
  endPath(run, token);
}

/** An error that nothing catches ends its path as a none end event does, as in Camunda; that the instance failed is told by its end. */
function fail(run: Run, token: Token, place: Place, event: ErrorEvent): void {
  const where = at(run, token, place);
  const error = { code: textAt(run, where, event.code) ?? '', message: textAt(run, where, event.message) };
  if (run.isFormer) finish(run, token, place);
  if (raise(run, token, error)) return;
  if (run.state.called) return failCalled(run, error);
  finish(run, token, place);
  run.state.uncaught ??= { code: error.code, elementId: place.element.id };
  endPath(run, token);
}
