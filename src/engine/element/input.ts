import { ServiceError } from '../../shared/errors.js';
import { endFollowing } from '../migration/follow.js';
import { migrate } from '../migration/migrate.js';
import { clear, dropAll } from './activity.js';
import { startChosen } from './ad-hoc.js';
import { aroundResult } from './boundary-event.js';
import { calledEscalated, returned } from './call-activity.js';
import { trigger, type Waiting, waitOf } from './catch-event.js';
import { takeBundle } from './compensation.js';
import { goOnBeside, moveCycle } from './cycle.js';
import { reported } from './error.js';
import { escalateFrom } from './escalation.js';
import { reportWork } from './external-task.js';
import { BpmnError, executionFailed } from './failure.js';
import { requireFollowed, requireInhabited } from './hollow.js';
import type { Input, Token } from './instance-state.js';
import { isAwaited } from './large-scope.js';
import { complete, endCancelled, forgetModification, leaveLate } from './leave.js';
import { notifyStored } from './listener.js';
import { modify, takeTurn, takeUpModification } from './modify.js';
import { resume } from './park.js';
import { at, type Run } from './run.js';
import { start, startUndoing, tellStarted } from './start.js';
import { leaveTask } from './user-task.js';
import { assign, assignAll, assignLocal, assignToTask, give, put, remove, unassign } from './variables.js';
import { enter } from './visit.js';

type Of<T extends Input['type']> = Extract<Input, { type: T }>;

/** Takes the input in: what it names goes on, and may set tokens in motion. @throws CONFLICT where nothing waits for it */
export function receive(run: Run, input: Input): void {
  if ('steps' in input) run.stepsBefore = input.steps ?? 0;
  switch (input.type) {
    case 'start':
      start(run, input);
      break;
    case 'undo':
      startUndoing(run, input);
      break;
    case 'completeTask':
    case 'taskError':
    case 'taskEscalation':
      doneByPeople(run, input);
      break;
    case 'job':
      goOn(run, input);
      break;
    case 'cycle':
      goOnBeside(run, input);
      break;
    case 'callDone':
      callDone(run, input);
      break;
    case 'callError':
      callError(run, input);
      break;
    case 'trigger':
      arrive(run, waiting(run, input.subscriptionId, 'subscription'), input);
      break;
    case 'completeExternalTask':
    case 'failExternalTask':
    case 'externalTaskError':
      reportWork(run, waiting(run, input.taskId, 'external').token, input);
      break;
    case 'calledEnded':
      returned(run, waiting(run, input.calledId, 'called').token, input);
      break;
    case 'calledEscalated':
      calledEscalated(run, waiting(run, input.calledId, 'called').token, input);
      break;
    case 'triggerActivity':
      startChosen(run, input);
      break;
    case 'setVariables':
      setVariables(run, input);
      break;
    case 'taskEvent':
      taskEvent(run, input);
      break;
    case 'clear':
      return clearAway(run, input);
    case 'modify':
      return modify(run, input);
    case 'cancel':
      return cancel(run, input.reason);
    case 'migrate':
      return migrate(run, input);
    case 'follow':
      return endFollowing(run, input);
  }
}

/** Who has a user task completes it, or tells what the model catches. */
function doneByPeople(run: Run, input: Of<'completeTask' | 'taskError' | 'taskEscalation'>): void {
  if (input.type === 'completeTask') completeTask(run, input);
  else if (input.type === 'taskEscalation') escalateTask(run, input);
  else throw reported(run, waiting(run, input.taskId, 'task').token, input);
}

function completeTask(run: Run, { taskId, variables, localVariables }: Of<'completeTask'>): void {
  const { token } = waiting(run, taskId, 'task');
  const place = run.placeOf(token);
  for (const [name, value] of Object.entries(localVariables)) assignLocal(run, token, name, value);
  give(run, token, variables);
  notifyStored(run, at(run, token, place), taskId, 'complete');
  leaveTask(run, token, taskId);
}

/** As in Camunda, who escalates learns that nothing catches it. */
function escalateTask(run: Run, { taskId, code, variables }: Of<'taskEscalation'>): void {
  const { token } = waiting(run, taskId, 'task');
  assignAll(run, aroundResult(run, token), variables);
  if (escalateFrom(run, token, code)) return;
  throw executionFailed(run.placeOf(token), {
    expected: `escalation '${code}' to be caught by an event around it`,
    cause: 'no event catches it',
  });
}

/** A message or a signal comes. What is the receiver's own is there before anything moves; what has its name is set around it first, as in Camunda. */
function arrive(
  run: Run,
  found: Waiting,
  { variables: given, localVariables = {}, scopeVariables }: Of<'trigger'>,
): void {
  const variables = { ...given };
  for (const [name, value] of Object.entries(localVariables)) {
    const outer = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (outer !== undefined) assign(run, found.scope?.id ?? run.innermost(found.token), name, outer);
    delete variables[name];
    if (found.scope === undefined) assignLocal(run, found.token, name, value);
    else put(run, found.scope, name, value);
  }
  if (scopeVariables === undefined || beginsMore(run, found)) return trigger(run, found, variables, scopeVariables);
  assignAll(run, run.innermost(found.token), variables);
  for (const [name, value] of Object.entries(scopeVariables)) assignLocal(run, found.token, name, value);
  trigger(run, found, {});
}

/** Whether something begins by it beside what waits: an event sub-process, or what follows a boundary event. */
const beginsMore = (run: Run, { armed, scope }: Waiting): boolean =>
  armed !== undefined && (scope !== undefined || run.place(armed.element).element.attachedTo !== null);

function goOn(run: Run, { jobId, shift }: Of<'job'>): void {
  if (takeTurn(run, jobId)) return;
  const found = waiting(run, jobId, 'job');
  const { of, steps = 0 } = found.wait.kind === 'job' ? found.wait : ({ of: 'call' } as const);
  run.stepsBefore = steps;
  switch (of) {
    case 'cut':
      takeUpModification(run);
      resume(run, jobId);
      break;
    case 'timer':
      if (shift !== undefined) moveCycle(found, shift);
      trigger(run, found, {});
      break;
    case 'bundle':
      takeBundle(run, found.token);
      break;
    case 'call':
      throw notWaiting(run, jobId, 'job other than a call');
    default:
      continued(run, found, of);
  }
}

/** The transaction that asyncBefore or asyncAfter asked for. */
function continued(run: Run, { token, wait }: Waiting, of: 'before' | 'after'): void {
  token.wait = undefined;
  run.steps++;
  const place = run.placeOf(token);
  if (of === 'before') {
    tellStarted(run, token);
    enter(run, token, place);
  } else leaveLate(run, token, place, wait);
}

function callDone(run: Run, { jobId, result, variables }: Of<'callDone'>): void {
  const token = calling(run, jobId);
  const place = run.placeOf(token);
  const { work, event } = place.element;
  const { resultVariable } = work ?? (event?.kind === 'message' ? event.work : null) ?? { resultVariable: null };
  token.wait = undefined;
  give(run, token, variables);
  if (resultVariable !== null) give(run, token, { [resultVariable]: result });
  complete(run, token, place);
}

function callError(run: Run, { jobId, code, message, variables }: Of<'callError'>): void {
  const token = calling(run, jobId);
  token.wait = undefined;
  assignAll(run, run.innermost(token), variables);
  throw new BpmnError(token, code, message);
}

function calling(run: Run, jobId: string): Token {
  const { token, wait } = waiting(run, jobId, 'job');
  if (wait.kind !== 'job' || wait.of !== 'call') throw notWaiting(run, jobId, 'call');
  return token;
}

function setVariables(run: Run, input: Of<'setVariables'>): void {
  const { tokenId, variables, removed, taskId } = input;
  if (tokenId === null) {
    requireInhabited(run, 0);
    assignAll(run, 0, variables);
    for (const name of removed) unassign(run, 0, name);
    return;
  }
  const token = tokenOf(run, tokenId);
  requireInhabited(run, token.opens);
  const isOwn = changesOwn(run, token, input);
  setAt(run, token, input);
  if (taskId !== undefined && isOwn) taskEvent(run, { type: 'taskEvent', taskId, event: 'update' });
}

/** Whether one of the variables is the token's own. */
function changesOwn(run: Run, { opens }: Token, { local, variables }: Of<'setVariables'>): boolean {
  const own = opens === undefined ? {} : run.scope(opens).variables;
  return local || Object.keys(variables).some((name) => Object.hasOwn(own, name));
}

function setAt(run: Run, token: Token, { local, ofTask, variables, removed }: Of<'setVariables'>): void {
  if (local) {
    if (ofTask) assignToTask(run, token, variables);
    else for (const [name, value] of Object.entries(variables)) assignLocal(run, token, name, value);
    for (const name of removed) remove(run, run.scope(run.innermost(token)), name);
    return;
  }
  assignAll(run, run.innermost(token), variables);
  for (const name of removed) unassign(run, run.innermost(token), name);
}

function taskEvent(run: Run, { taskId, event, variables }: Of<'taskEvent'>): void {
  const { token } = waiting(run, taskId, 'task');
  if (variables !== undefined) assignAll(run, run.innermost(token), variables);
  // As in Camunda: an assignment is an update too, and is told of as one first.
  const events = event === 'assignment' && !run.isFormer ? ['update', event] : [event];
  if (notifyStored(run, at(run, token, run.placeOf(token)), taskId, ...events)) leaveTask(run, token, taskId);
}

/** The next of those that rested in a scope as it was left. With the last of them it is gone. */
function clearAway(run: Run, { scope: id, tokens, silent }: Of<'clear'>): void {
  const scope = run.scope(id);
  if (silent === true || scope.abandoned === 'silent') run.hush();
  dropAll(
    run,
    tokens.map((token) => tokenOf(run, token)),
  );
  if (scope.size === 0 && !isAwaited(run.state, id)) run.vacate(scope);
}

function cancel(run: Run, reason: string): void {
  run.hush();
  forgetModification(run);
  clear(run, 0);
  endCancelled(run, reason);
}

function tokenOf(run: Run, id: number): Token {
  const token = run.state.tokens.find((each) => each.id === id);
  if (token !== undefined) return token;
  requireFollowed(run);
  throw notWaiting(run, String(id), 'token');
}

function waiting(run: Run, id: string, kind: 'called' | 'external' | 'job' | 'subscription' | 'task'): Waiting {
  const found = waitOf(run, id);
  if (found?.wait.kind === kind) return found;
  requireFollowed(run);
  throw notWaiting(run, id, kind);
}

const notWaiting = (run: Run, id: string, kind: string) =>
  new ServiceError(
    'CONFLICT',
    `expected instance '${run.context.instanceId}' to wait for ${kind} '${id}', but it does not`,
    {
      resourceId: id,
    },
  );
