import { ServiceError } from '../../shared/errors.js';
import { abandonHusks, begin, finish } from './activity.js';
import { endsByChoice, staysForChoice } from './ad-hoc.js';
import { disarmScope } from './arm.js';
import { executionFailed } from './failure.js';
import type { Token, Wait } from './instance-state.js';
import { noteThrough } from './large-scope.js';
import { notify } from './listener.js';
import { park } from './park.js';
import type { Place, Way } from './prepared.js';
import { type At, at, type Run } from './run.js';
import { holds } from './source.js';

/** The activity has done its work: it ends, and the token goes on, now or (asyncAfter) in a transaction of its own. */
export function complete(run: Run, token: Token, place: Place): void {
  if (run.observe === null) end(run, token, place);
  else completeObserved(run, token, place);
}

/** What it did may have made conditions true, one of which may interrupt it. */
function completeObserved(run: Run, token: Token, place: Place): void {
  const before = new Set(run.moving);
  if (!goesOn(run, token)) return;
  const begun = run.moving.filter((each) => !before.has(each));
  end(run, token, place);
  // As in Camunda: what a condition has begun goes first.
  for (const each of begun) run.moving.push(...run.moving.splice(run.moving.indexOf(each), 1));
}

/** Whether the token is still in its activity once the conditions have been looked at that what it did may have made true. */
export function goesOn(run: Run, token: Token): boolean {
  const { activity } = token;
  run.observe?.(run);
  return token.activity === activity;
}

function end(run: Run, token: Token, place: Place): void {
  const chosen = chosenFirst(run, token, place);
  finish(run, token, place);
  if (place.isChosen && endsByChoice(run, token, place)) {
    run.close(token);
    return endPath(run, token);
  }
  if (!place.element.asyncAfter) leave(run, token, place, chosen);
  // An instance of a loop leaves by no flow, but its body has to be told.
  else if (run.isFormer || place.isInstance) park(run, token, place, 'after');
  else parkWays(run, token, place, chosen);
}

/**
 * As in Camunda 7 flows are chosen before end listeners and outputs change what their conditions read. undefined: nothing does; or none can be chosen yet, as where a condition reads an output:
 * Camunda fails there. In Camunda 8 (`keeps`), and among what is chosen ad hoc, outputs come first.
 */
function chosenFirst(run: Run, token: Token, place: Place): readonly Way[] | undefined {
  const { outputs = [], keeps = false } = place.element.io ?? {};
  const isChanging = place.endListeners.length > 0 || outputs.length > 0;
  if (!isChanging || keeps || place.isInstance || place.isChosen || run.rules < 8) return undefined;
  try {
    return outOf(run, token, place);
  } catch (thrown) {
    if (thrown instanceof ServiceError && thrown.code === 'EXECUTION_FAILED') return undefined;
    throw thrown;
  }
}

/** The token passes the element by these flows. */
export function passBy(run: Run, token: Token, place: Place, ways: readonly Way[]): void {
  begin(run, token, place);
  finish(run, token, place);
  if (place.element.asyncAfter) parkEach(run, token, place, ways);
  else take(run, token, place, ways);
}

/** asyncAfter: the flows are chosen now, and each is taken in a transaction of its own. So is the end of the path, where there is none. */
function parkWays(run: Run, token: Token, place: Place, chosen?: readonly Way[]): void {
  const ways = chosen ?? outOf(run, token, place);
  run.close(token);
  if (ways.length === 0) park(run, token, place, 'after');
  parkEach(run, token, place, ways);
}

function parkEach(run: Run, token: Token, place: Place, ways: readonly Way[]): void {
  ways.forEach((way, index) => {
    const going = index === 0 ? token : run.spawn(place.index, token.scope, token.via);
    park(run, going, place, 'after', way.index);
  });
}

/** The transaction that asyncAfter asked for: the token leaves by the flow that was chosen when it was parked. */
export function leaveLate(run: Run, token: Token, place: Place, wait: Wait): void {
  const chosen = wait.kind === 'job' ? wait.way : undefined;
  const ways = place.ways.filter(({ index }) => index === chosen);
  if (ways.length === 0) leave(run, token, place);
  else take(run, token, place, ways);
}

/** The token passes an event that happened. */
export function passEvent(run: Run, token: Token, place: Place): void {
  if (place.element.asyncBefore) {
    park(run, token, place, 'before');
    return;
  }
  begin(run, token, place);
  complete(run, token, place);
}

/** A boundary event has happened. As in Camunda, what it does not interrupt goes on first. */
export function goOnFrom(run: Run, token: Token, place: Place): void {
  if (place.element.interrupting || run.rules < 5) passEvent(run, token, place);
  else run.moving.push(token);
}

/** The token leaves the element by the flows that are to be taken; where there is none, its path ends. */
function leave(run: Run, token: Token, place: Place, chosen?: readonly Way[]): void {
  if (place.isInstance) return step(run, token);
  const ways = chosen ?? outOf(run, token, place);
  run.close(token);
  if (ways.length === 0) endPath(run, token);
  else take(run, token, place, ways);
}

/** Its body takes it from there, as a step of its own. */
function step(run: Run, token: Token): void {
  token.left = true;
  run.moving.push(token);
}

/** One token for each way: the first keeps the token, and goes on first. */
function take(run: Run, token: Token, place: Place, ways: readonly Way[]): void {
  for (const way of ways) {
    if (way.listeners.length > 0) notify(run, { ...at(run, token, place), flow: way.flow.id }, way.listeners, 'take');
  }
  const [only] = ways;
  if (ways.length === 1 && only !== undefined) {
    token.element = only.flow.target;
    token.via = only.index;
    run.moving.push(token);
    return;
  }
  const tokens = ways.map((way, index) => {
    if (index > 0) return run.spawn(way.flow.target, token.scope, way.index);
    token.element = way.flow.target;
    token.via = way.index;
    return token;
  });
  for (let index = tokens.length - 1; index >= 0; index--) run.moving.push(tokens[index] ?? token);
}

/** The token is consumed. With the last one in its scope, the scope's activity is complete. */
export function endPath(run: Run, token: Token): void {
  const { scope, compensates } = token;
  run.drop(token);
  if (compensates !== undefined && (wake(run, compensates) || run.rules < 7)) return;
  if (!run.isEmpty(scope)) return noteThrough(run, run.scope(scope));
  const owner = run.owner(scope);
  if (owner === undefined) {
    const { modifying } = run.state;
    if (modifying === undefined) endInstance(run, token);
    else Object.assign(modifying, { over: 'completed', ...(run.rules >= 8 && { last: token.element }) });
  } else if (!staysForChoice(run, owner)) {
    owner.wait = undefined;
    complete(run, owner, run.placeOf(owner));
  }
}

/** Wakes the token that waits for a compensation, which is done. Gives whether it is there: former versions may have cancelled it alone. */
export function wake(run: Run, id: number): boolean {
  const waiter = run.state.tokens.find((token) => token.id === id);
  if (waiter === undefined) return false;
  waiter.wait = undefined;
  run.moving.push(waiter);
  return true;
}

/** Nothing happens in the process any more. */
export function endInstance(run: Run, last: Token): void {
  tellEnded(run, last);
  abandonHusks(run, 0);
  disarmScope(run, run.scope(0));
  if (isUndoable(run)) run.state.undoable = true;
  else forgetDone(run);
  if (run.state.called)
    run.effects.push({ type: 'return', outcome: 'completed', error: null, steps: run.stepsUnwaited });
  const { uncaught } = run.state;
  if (uncaught === undefined) run.effects.push({ type: 'ended', outcome: 'completed', reason: null });
  else run.effects.push({ type: 'ended', outcome: 'failed', reason: reasonOf(uncaught) });
}

/** Whether its caller may compensate it: what it has left behind stays as it is. */
const isUndoable = (run: Run): boolean =>
  run.state.called === true && run.state.undoes === undefined && run.place(0).inside.undoing !== null;

/** The instance is ended before its end, and nothing happens in it any more. */
export function endCancelled(run: Run, reason: string): void {
  tellEnded(run, run.root, run.rules >= 8);
  abandonHusks(run, 0);
  disarmScope(run, run.scope(0));
  forgetDone(run);
  run.effects.push({ type: 'ended', outcome: 'cancelled', reason });
  if (run.state.called)
    run.effects.push({ type: 'return', outcome: 'cancelled', error: null, steps: run.stepsUnwaited });
}

/** Of one that compensates another one they were told when that ended. */
function tellEnded(run: Run, last: Token, canceled = false): void {
  if (run.state.undoes !== undefined) return;
  const place = run.place(0);
  notify(run, { token: last, place, scope: 0, canceled }, place.endListeners, 'end');
}

/** Nothing is compensated any more. */
export function forgetDone(run: Run): void {
  const scope = run.scope(0);
  run.forgetDone(scope.done);
  scope.done = undefined;
}

/** What a modification has still to do is not to be done any more. */
export function forgetModification(run: Run): void {
  const { job } = run.state.modifying ?? {};
  if (job !== undefined) run.effects.push({ type: 'removeJob', jobId: job });
  delete run.state.modifying;
}

const reasonOf = ({ code, elementId }: { readonly code: string; readonly elementId: string }): string =>
  `error '${code}' of end event '${elementId}' was not caught`;

/** The flows that the token leaves by, each as often as the activity gives tokens (BPMN 2.0 §13.3.2). */
function outOf(run: Run, token: Token, place: Place): readonly Way[] {
  const ways = waysOf(run, token, place);
  const { gives } = place;
  return gives === 1 ? ways : ways.flatMap((way) => Array.from({ length: gives }, () => way));
}

const NONE: readonly Way[] = [];

/** The flows by which the token leaves. @throws EXECUTION_FAILED where there are some, but none is open */
function waysOf(run: Run, token: Token, place: Place): readonly Way[] {
  const { ways, defaultWay } = place;
  const [first] = ways;
  if (first === undefined) return NONE;
  if (place.element.type === 'parallelGateway') return ways;
  if (ways.length === 1 && first.flow.condition === null) return ways;
  const where = at(run, token, place);
  const { type } = place.element;
  const chosen = type === 'exclusiveGateway' ? firstOf(run, where) : allOf(run, where);
  if (chosen.length > 0) return chosen;
  if (defaultWay !== null) return [defaultWay];
  if (run.isFormer && type !== 'exclusiveGateway' && type !== 'inclusiveGateway') return NONE;
  throw stuck(place);
}

/** BPMN 2.0 §13.4.2: the first flow, in document order, that has no condition, or one that holds; those behind it are not looked at. */
function firstOf(run: Run, where: At): readonly Way[] {
  for (const way of where.place.ways) {
    if (way !== where.place.defaultWay && isOpen(run, where, way)) return [way];
  }
  return NONE;
}

/** BPMN 2.0 §13.4.3 and §13.3.1: every flow that has no condition, or one that holds. */
const allOf = (run: Run, where: At): readonly Way[] =>
  where.place.ways.filter((way) => way !== where.place.defaultWay && isOpen(run, where, way));

const isOpen = (run: Run, where: At, { flow }: Way) => flow.condition === null || holds(run, where, flow.condition);

const stuck = (place: Place) =>
  executionFailed(place, {
    expected: 'an outgoing flow to take',
    cause: 'no condition holds and there is no default flow',
  });
