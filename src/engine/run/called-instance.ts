import type { State } from '../../store/index.js';
import {
  type CalledBy,
  type Job,
  jobs,
  type ProcessInstance,
  pathOfJob,
  processInstances,
  type StoredText,
} from '../collections.js';
import type { CalledOutcome, CalledProcess, Wait } from '../element/instance-state.js';
import type { Changes } from './changes.js';
import { causeOf, jobOfInstance } from './new-job.js';
import { dropText, storeText } from './stored-text.js';

// An instance reaches another one only by a job that becomes that one's command: nothing is lost, whenever the server ends.

/** Input of the job that starts a called process. Its id is the instance's. */
export interface StartCalledInput extends Omit<CalledProcess, 'variables'> {
  /** As JSON, in pieces where it is large. */
  readonly variables: StoredText;
}

/** Input of the job that tells the caller how the instance ended. */
export interface ReturnInput extends CalledOutcome {
  readonly calledId: string;
  readonly steps: number;
}

/** Input of the job that tells the caller of an escalation. */
export interface EscalationInput {
  readonly calledId: string;
  readonly code: string;
  readonly steps: number;
}

/** Where calls are made and taken back. */
interface CallScene {
  readonly state: State;
  readonly changes: Changes;
  /** The one whose run it was. */
  readonly instance: ProcessInstance;
}

/** The input of the job with this id. */
export function startInput({ changes }: CallScene, id: string, called: CalledProcess): StartCalledInput {
  return { ...called, variables: storeText(changes, id, JSON.stringify(called.variables)) };
}

/** The instance that was called is not wanted any more: its job goes, or it is cancelled. */
export function dropCalled({ state, changes, instance }: CallScene, id: string): void {
  const called = changes.current(state, processInstances, id);
  if (called === undefined) {
    const job = state.get(jobs, id);
    if (job?.type === 'startCalled') dropText(changes, id, (job.input as StartCalledInput).variables);
    changes.dropJob(id);
  } else if (called.endTime === null) {
    changes.job({
      ...jobFor(state, called),
      type: 'cancelCalled',
      input: { reason: `cancelled by calling process instance '${instance.id}'` },
    });
  }
}

/** Suspends the called instances that the instance waits for with it, and lets them go on with it. */
export function tellCalled(scene: Omit<CallScene, 'instance'>, waits: readonly (Wait | undefined)[]): void {
  for (const wait of waits) {
    const called = wait?.kind === 'called' ? scene.state.get(processInstances, wait.id) : undefined;
    if (called !== undefined) followCaller(scene, called);
  }
}

/** An instance is to be as its caller is by then. */
export function followCaller({ state, changes }: Omit<CallScene, 'instance'>, called: ProcessInstance): void {
  if (called.endTime === null) changes.job({ ...jobFor(state, called), type: 'followCaller', input: {} });
}

/** Who called the instance is told, if it is there still. */
export function tellCaller(
  { state, changes, instance }: CallScene,
  type: 'returnCalled' | 'escalateCalled',
  told: Omit<ReturnInput, 'calledId'> | Omit<EscalationInput, 'calledId'>,
): void {
  const { calledBy } = instance;
  const caller = calledBy === null ? undefined : changes.current(state, processInstances, calledBy.instanceId);
  if (caller === undefined || caller.endTime !== null) return;
  const { activityId, executionId } = calledBy ?? {};
  const input = { ...told, calledId: instance.id };
  changes.job({
    ...jobFor(state, caller),
    type,
    input,
    ...(activityId && { activityId }),
    ...(executionId && { executionId }),
  });
}

const jobFor = (state: State, instance: ProcessInstance) => ({
  ...jobOfInstance(state, instance),
  cause: causeOf(instance),
});

/** The caller's place of a start job. */
export const callerOf = (
  { instanceId, activityId, executionId, input }: Job,
  within = pathOfJob({ input }),
): CalledBy => ({
  instanceId: instanceId ?? '',
  activityId: activityId ?? '',
  executionId: executionId ?? '',
  ...(within && { within }),
});
