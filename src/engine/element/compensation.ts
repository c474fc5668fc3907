import type { CompensateEvent } from '../model/program.js';
import { dropAll, interrupt } from './activity.js';
import { disarmScope } from './arm.js';
import { opened } from './compensated.js';
import { beginInside, insideOf } from './event-sub-process.js';
import type { Compensated, Token } from './instance-state.js';
import { complete, endPath, passEvent, wake } from './leave.js';
import { createJob } from './park.js';
import type { At, Run } from './run.js';

/**
 * BPMN 2.0 §10.7.2: compensates what has completed in the thrower's scope, the last one first, one after the other. Gives whether the thrower goes on at
 * once; else it does when all of it is done.
 */
export function compensate(run: Run, { token, place }: At, event: CompensateEvent): boolean {
  const compensation = taken(run, token, event.activity);
  if (compensation.length === 0) return true;
  const waiter = event.wait ? token : run.spawn(place.index, token.scope, null);
  wait(run, waiter, compensation);
  return !event.wait;
}

/** A cancel end event: all else in the transaction ends, what has completed in it is compensated, then its cancel boundary event happens. */
export function cancelTransaction(run: Run, token: Token): void {
  const scope = run.scope(token.scope);
  dropAll(
    run,
    run.within(scope.id).filter((other) => other !== token),
  );
  disarmScope(run, scope);
  scope.interrupted = true;
  const compensation = taken(run, token, null);
  if (compensation.length === 0) leaveTransaction(run, token);
  else wait(run, token, compensation);
}

/** The token that waits moves on: the next one is compensated, or all is done. */
export function goOnCompensating(run: Run, token: Token): void {
  if (token.compensation?.length) {
    next(run, token);
    return;
  }
  token.compensation = undefined;
  const place = run.placeOf(token);
  if (token.compensates !== undefined) {
    run.close(token);
    endPath(run, token);
  } else if (token.activity === null) {
    endPath(run, token);
  } else if (place.element.event?.kind === 'cancel') {
    leaveTransaction(run, token);
  } else {
    complete(run, token, place);
  }
}

function wait(run: Run, token: Token, compensation: Compensated[]): void {
  run.writeBegun(token);
  token.compensation = compensation;
  next(run, token);
}

/** What is to be compensated, the last one first to be taken. An event sub-process compensates what has completed around it, too. */
function taken(run: Run, token: Token, activity: string | null): Compensated[] {
  const found: Compensated[] = [];
  for (let within: number | null = token.scope; within !== null; ) {
    const scope = run.scope(within);
    const isWanted = ({ element }: { readonly element: number }) =>
      activity === null || run.place(element).element.id === activity;
    const { id } = scope;
    const done = scope.done ?? [];
    found.unshift(...done.filter(isWanted).map((each) => ({ ...each, within: id })));
    const left = done.filter((each) => !isWanted(each));
    scope.done = left.length === 0 ? undefined : left;
    within = run.place(scope.element).element.triggeredByEvent ? scope.parent : null;
  }
  return found;
}

/** A job brings back what is in the bundle: it is the next to be compensated. */
function bringBack(run: Run, waiter: Token, { element, within }: Compensated): void {
  const token = run.spawn(element, within, null);
  token.compensates = waiter.id;
  token.wait = createJob(run, token, run.placeOf(token), { of: 'bundle', dueAt: run.context.now });
}

/** What is in the bundle is there: it is compensated next. */
export function takeBundle(run: Run, token: Token): void {
  const { compensation } = run.state.tokens.find(({ id }) => id === token.compensates) ?? {};
  const bundle = compensation?.pop();
  const inside = bundle === undefined ? [] : opened(run, bundle);
  compensation?.push(...inside);
  // However many there are, they come to an end: the steps to each of them and back count as no steps without a wait.
  run.stepsBefore -= 2 * inside.length;
  run.drop(token);
  wake(run, token.compensates ?? 0);
}

/** The next one is compensated: by its handler, by its event sub-process, be it that of a process that it called, or by compensating what has completed in it. */
function next(run: Run, waiter: Token): void {
  const compensated = waiter.compensation?.at(-1);
  if (compensated === undefined) return;
  waiter.wait = { kind: 'compensation' };
  if (compensated.bundle !== undefined) return bringBack(run, waiter, compensated);
  waiter.compensation?.pop();
  const place = run.place(compensated.element);
  const { compensation } = place.element;
  if (compensation === undefined && compensated.called !== undefined) undoCalled(run, waiter, compensated);
  else if (compensation === undefined) restore(run, waiter, compensated);
  else {
    const token = run.spawn(compensation, compensated.within, null);
    token.compensates = waiter.id;
    if (compensated.scope !== undefined) token.recalls = compensated.scope;
    run.moving.push(token);
  }
}

/** An instance that was called has completed: a job starts another one, which compensates it. It has the job's id. */
function undoCalled(run: Run, waiter: Token, { element, called = '', within }: Compensated): void {
  const token = run.spawn(element, within, null);
  token.compensates = waiter.id;
  const undoes = { undoes: called, steps: run.stepsUnwaited };
  const { id } = createJob(run, token, run.placeOf(token), { of: 'undo', dueAt: run.context.now, undoes });
  token.wait = { kind: 'called', id };
}

/** A sub-process that has completed is there again, as it was then. */
function restore(run: Run, waiter: Token, { element, scope: id = 0, within }: Compensated): void {
  const scope = run.scope(id);
  const token = run.spawn(element, within, null);
  token.opens = id;
  token.compensates = waiter.id;
  token.wait = { kind: 'compensation' };
  scope.kept = undefined;
  const { undoing } = insideOf(run, scope);
  if (undoing === null) {
    scope.interrupted = true;
    token.compensation = (scope.done ?? []).map((each) => ({ ...each, within: id }));
    scope.done = undefined;
    token.wait = undefined;
    run.moving.push(token);
  } else {
    token.compensation = [];
    beginInside(run, scope, undoing, {}).compensates = token.id;
  }
}

/** The transaction is compensated: it is left by its cancel boundary event. */
function leaveTransaction(run: Run, token: Token): void {
  for (let holder = run.owner(token.scope); holder !== undefined; holder = run.owner(holder.scope)) {
    const { undoing } = run.placeOf(holder).boundary;
    if (undoing === null) continue;
    interrupt(run, holder);
    holder.element = undoing;
    holder.via = null;
    passEvent(run, holder, run.place(undoing));
    return;
  }
}
