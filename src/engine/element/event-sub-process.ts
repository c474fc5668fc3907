import { begin, dropAll, settle } from './activity.js';
import { endChoice } from './ad-hoc.js';
import { arm, disarm, disarmScope, isWhole } from './arm.js';
import { awaitedAgain } from './boundary-event.js';
import type { Armed, Scope, Token, Variables } from './instance-state.js';
import { type Catchers, NOTHING } from './prepared.js';
import type { Run } from './run.js';
import { assignAll, putAll } from './variables.js';

// BPMN 2.0 §10.3.5 and §13.4.4: event sub-processes.

/** Start events of the event sub-processes of the scope. The body of a loop has none: its instances have. */
export const insideOf = (run: Run, scope: Scope): Catchers =>
  scope.repeats === undefined ? run.place(scope.element).inside : NOTHING;

/** The scope that the token opened awaits what the event sub-processes in it begin by. */
export function awaitInside(run: Run, token: Token): void {
  const scope = run.scope(run.innermost(token));
  const { armed, conditional } = insideOf(run, scope);
  if (armed.length + conditional.length === 0) return;
  const events = [...armed, ...conditional].flatMap((start) => arm(run, token, run.place(start)));
  if (events.length > 0) scope.events = events;
}

/** An event for which a scope waits, with the token that opened the scope. */
interface Inside {
  readonly scope: Scope;
  readonly token: Token;
  readonly armed: Armed;
}

/** The start event of an event sub-process happens, or a part of it. `own`: for the event sub-process itself. */
export function happenInside(run: Run, { scope, token, armed }: Inside, variables: Variables, own?: Variables): void {
  const all = scope.events ?? [];
  if (!isWhole(run, armed, all)) {
    assignAll(run, scope.id, variables);
    return;
  }
  if (run.place(armed.element).element.interrupting) {
    scope.events = all.filter((each) => each !== armed);
    if (armed.wait.kind !== 'job') disarm(run, armed.wait);
  } else {
    const left = awaitedAgain(run, token, armed, all);
    scope.events = left.length === 0 ? undefined : left;
  }
  beginInside(run, scope, armed.element, variables, own);
}

/**
 * An event sub-process begins at its start event. An interrupting one ends all else that happens in its scope, and no other one begins there any more,
 * as in Camunda. `own`: variables of its own scope.
 */
export function beginInside(run: Run, scope: Scope, start: number, variables: Variables, own: Variables = {}): Token {
  const { element } = run.place(start);
  if (element.interrupting) {
    scope.interrupted = true;
    endChoice(run, scope);
    dropAll(run, run.within(scope.id));
    disarmScope(run, scope);
  }
  const place = run.place(element.parent);
  const token = run.spawn(place.index, scope.id, null);
  begin(run, token, place);
  token.wait = { kind: 'scope' };
  settle(run, token, place);
  const inner = run.innermost(token);
  if (element.io?.keeps !== true) assignAll(run, inner, variables);
  putAll(run, run.scope(inner), own);
  awaitInside(run, token);
  const first = run.spawn(start, inner, null);
  if (element.io?.keeps === true) first.given = variables;
  run.moving.push(first);
  return token;
}
