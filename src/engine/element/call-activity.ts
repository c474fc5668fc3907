import { dropAll, interrupt } from './activity.js';
import { disarmScope } from './arm.js';
import { raise } from './error.js';
import { escalateFrom } from './escalation.js';
import { textAt } from './evaluate.js';
import { executionFailed } from './failure.js';
import type { CalledOutcome, Input, Token, Variables } from './instance-state.js';
import { complete, endPath, forgetDone, forgetModification } from './leave.js';
import { createJob } from './park.js';
import type { Place } from './prepared.js';
import { at, type Run } from './run.js';
import { transferred } from './transferred.js';
import { aside, assign, assignLocal } from './variables.js';

/** Calls a process: a job starts it, and the token waits until it tells how it ended. The instance has the job's id. */
export function enterCall(run: Run, token: Token, place: Place): void {
  const { call } = place.element;
  if (call == null) throw executionFailed(place, { expected: 'a process to call', cause: 'it names none' });
  const where = at(run, token, place);
  const process = textAt(run, where, call.process)?.trim() ?? '';
  if (process === '')
    throw executionFailed(place, { expected: `a process from '${call.process}'`, cause: 'it gives nothing' });
  const { id } = createJob(run, token, place, {
    of: 'called',
    dueAt: run.context.now,
    called: {
      process,
      binding: call.binding,
      version: textAt(run, where, call.version),
      businessKey: textAt(run, where, call.businessKey),
      variables: transferred(run, where, call.inputs),
      steps: run.stepsUnwaited,
    },
  });
  token.wait = { kind: 'called', id };
}

/** The called instance has ended: what it gives back is taken, whatever its end, and the activity completes, or fails as that did. @throws EXECUTION_FAILED */
export function returned(run: Run, token: Token, { calledId, outcome, error, variables, undoable }: CalledEnded): void {
  const place = run.placeOf(token);
  token.wait = undefined;
  if (!compensatesCalled(token)) takeOutputs(run, token, place, variables);
  if (undoable && token.activity !== null) run.undoable = { activity: token.activity, called: calledId };
  if (outcome === 'completed' && compensatesCalled(token)) endPath(run, token);
  else if (outcome === 'completed') complete(run, token, place);
  else if (error === null) {
    throw executionFailed(place, { expected: 'the called process instance to complete', cause: 'it was cancelled' });
  } else if (!raise(run, token, error)) {
    leaveUncaught(run, token, place, error);
  }
}

type CalledEnded = Extract<Input, { type: 'calledEnded' }>;

/** Whether it waits for the compensation of what its activity called, rather than for the activity: nothing is taken from there. */
const compensatesCalled = ({ compensates, activity }: Token): boolean => compensates !== undefined && activity === null;

/** An escalation that nothing in the called instance catches: what that gives back is taken, whether it is caught here or not. */
export function calledEscalated(run: Run, token: Token, { code, variables }: CalledEscalated): void {
  if (variables !== undefined && !compensatesCalled(token)) takeOutputs(run, token, run.placeOf(token), variables);
  escalateFrom(run, token, code);
}

type CalledEscalated = Extract<Input, { type: 'calledEscalated' }>;

/** An error that nothing catches ends its path as that of an error end event does, or the instance, where another one has called it. */
function leaveUncaught(run: Run, token: Token, place: Place, error: NonNullable<CalledOutcome['error']>): void {
  if (run.state.called) return failCalled(run, error);
  run.state.uncaught ??= { code: error.code, elementId: place.element.id };
  interrupt(run, token);
  endPath(run, token);
}

/** An error that nothing in this instance catches ends it: whoever called it catches it, or not. */
export function failCalled(run: Run, { code, message }: NonNullable<CalledOutcome['error']>): void {
  run.hush();
  forgetModification(run);
  dropAll(run, run.within(0));
  disarmScope(run, run.scope(0));
  forgetDone(run);
  run.effects.push({
    type: 'ended',
    outcome: 'failed',
    reason: `error '${code}' goes to the instance that called it`,
  });
  run.effects.push({ type: 'return', outcome: 'failed', error: { code, message }, steps: run.stepsUnwaited });
}

/** `camunda:out`: evaluated where the called process has its variables, set here. */
function takeOutputs(run: Run, token: Token, place: Place, variables: Variables): void {
  const outputs = place.element.call?.outputs ?? [];
  if (outputs.length === 0) return;
  const taken = aside(run, { parent: null, variables }, (scope) =>
    outputs.map((each) => ({ each, values: transferred(run, { token, place, scope }, [each]) })),
  );
  for (const { each, values } of taken) {
    for (const [name, value] of Object.entries(values)) {
      if (each.local) assignLocal(run, token, name, value);
      else assign(run, run.innermost(token), name, value);
    }
  }
}
