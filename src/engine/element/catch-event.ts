import { arm, isWhole, subscribe } from './arm.js';
import { forget, happen } from './boundary-event.js';
import { happenBehind } from './event-based-gateway.js';
import { happenInside } from './event-sub-process.js';
import { executionFailed } from './failure.js';
import { requireInhabited } from './hollow.js';
import type { Armed, Scope, Token, Variables, Wait } from './instance-state.js';
import { complete } from './leave.js';
import type { Place } from './prepared.js';
import { at, type Run } from './run.js';
import { timeOut } from './user-task.js';
import { give } from './variables.js';

/** An intermediate catch event waits for its timer, message or signal. A none event, which the standard does not know, passes. */
export function enterCatch(run: Run, token: Token, place: Place): void {
  if (place.element.event === null || token.part !== undefined) {
    token.part = undefined;
    complete(run, token, place);
    return;
  }
  if (place.element.event.kind === 'link') return complete(run, token, place);
  const armed = arm(run, token, place);
  const [first] = armed;
  if (first === undefined) throw executionFailed(place, { expected: 'a timer that comes', cause: 'it never comes' });
  if (first.part === undefined) token.wait = first.wait;
  else awaitParts(token, armed);
}

function awaitParts(token: Token, armed: Armed[]): void {
  token.wait = { kind: 'events' };
  token.boundaries = armed;
}

/** A start event that waits for several together waits for those that have not come. */
export function enterStart(run: Run, token: Token, place: Place): void {
  const first = token.part;
  token.part = undefined;
  const armed = first === undefined ? [] : arm(run, token, place, first);
  if (armed.length === 0) complete(run, token, place);
  else awaitParts(token, armed);
}

/** A receive task waits for its message, unless that has started the instance; one without any for a message with the name of its own id. */
export function enterReceiveTask(run: Run, token: Token, place: Place): void {
  if (token.part !== undefined) {
    token.part = undefined;
    complete(run, token, place);
    return;
  }
  if (place.element.event !== null) enterCatch(run, token, place);
  else token.wait = subscribe(run, at(run, token, place), { eventType: 'message', eventName: place.element.id });
}

/** A token with what it waits for. */
export interface Waiting {
  readonly token: Token;
  readonly wait: Wait;
  /** The boundary event, or the event behind an event-based gateway, that waits; absent where the token itself does. */
  readonly armed?: Armed;
  /** Of the start event of an event sub-process: the scope that holds it. The token is the one that opened it. */
  readonly scope?: Scope;
}

/** The token that waits for the task, the job or the subscription of this id. */
export function waitOf(run: Run, id: string): Waiting | undefined {
  for (const token of run.state.tokens) {
    if (token.wait !== undefined && isFor(token.wait, id)) return { token, wait: token.wait };
    const armed = token.boundaries?.find(({ wait }) => isFor(wait, id));
    if (armed !== undefined) return { token, wait: armed.wait, armed };
  }
  for (const scope of run.state.scopes) {
    const armed = scope.events?.find(({ wait }) => isFor(wait, id));
    if (armed !== undefined) return { token: run.owner(scope.id) ?? run.root, wait: armed.wait, armed, scope };
  }
  return undefined;
}

/** All that waits and is wanted, outer scopes first. */
export function waitsWhere(run: Run, wanted: (wait: Wait) => boolean): Waiting[] {
  return [...waitsInside(run), ...waitsOfTokens(run)].filter(({ wait }) => wanted(wait));
}

function* waitsInside(run: Run): Iterable<Waiting> {
  for (const scope of run.state.scopes) {
    if (scope.events === undefined) continue;
    const token = run.owner(scope.id) ?? run.root;
    for (const armed of scope.events) yield { token, wait: armed.wait, armed, scope };
  }
}

function* waitsOfTokens(run: Run): Iterable<Waiting> {
  for (const token of run.state.tokens) {
    if (token.wait !== undefined) yield { token, wait: token.wait };
    for (const armed of token.boundaries ?? []) yield { token, wait: armed.wait, armed };
  }
}

const isFor = (wait: Wait, id: string) => 'id' in wait && wait.id === id;

/** An event came: for the token itself, for one of its boundary events, or for one behind its gateway. `own`: for what begins by it. */
export function trigger(run: Run, { token, wait, armed, scope }: Waiting, variables: Variables, own?: Variables): void {
  if (armed !== undefined) {
    requireInhabited(run, scope?.id ?? token.opens);
    if (armed.listener !== undefined) timeOut(run, token, armed);
    else if (scope !== undefined) happenInside(run, { scope, token, armed }, variables, own);
    else if (token.element === armed.element) partHappens(run, token, armed, variables);
    else if (token.wait?.kind === 'events') happenBehind(run, token, armed, variables);
    else happen(run, { token, armed }, variables, own);
    return;
  }
  if (wait.kind === 'subscription') run.effects.push({ type: 'unsubscribe', subscriptionId: wait.id });
  token.wait = undefined;
  give(run, token, variables);
  complete(run, token, run.placeOf(token));
}

/** A part of the event at which the token waits has come. */
function partHappens(run: Run, token: Token, armed: Armed, variables: Variables): void {
  give(run, token, variables);
  if (!isWhole(run, armed, token.boundaries ?? [])) return;
  forget(run, token, armed);
  token.wait = undefined;
  complete(run, token, run.placeOf(token));
}
