import { addDuration, parseRetryCycle } from '../expression/index.js';
import {
  type AnyJobType,
  type Incident,
  type JobAttempt,
  type JobChanges,
  type JobOutcome,
  type Operation,
  put,
  type State,
} from '../store/index.js';
import { type Job, type NewJob, processInstances } from './collections.js';
import type { Variables } from './element/instance-state.js';
import type { EngineServices } from './engine-services.js';
import type { CallInput, CallOutcome, Handlers } from './handlers.js';
import { cycleBeside } from './operation/cycle.js';
import type { CompleteCall, FailCall } from './operation/job-outcome.js';
import type { JobOperations } from './operations.js';
import { counted } from './run/instance-changes.js';
import { tokenVariables } from './run/seen-variables.js';

/** The engine's kinds of jobs: timers, continuations, calls, starts, deliveries, sweeps, deletions, and what large instances leave for later. */
export function engineJobTypes({ handlers }: EngineServices, operations: JobOperations): AnyJobType[] {
  const { runJob, startByTimer, startByEvent, triggerSubscription } = operations;
  return [
    { ...decided('timer', runJob), failed },
    decided('continuation', runJob),
    {
      ...common,
      type: 'call',
      destination: (job: Job) => (job.input as CallInput).handler,
      waits: (job: Job) => handlers.waits((job.input as CallInput).handler),
      run: (job: Job, state: State) => call({ handlers, operations, state }, job),
    },
    { ...decided('timerStart', startByTimer), failed },
    decided('cycle', operations.goOnCycle),
    decided('startCycle', operations.goOnStartCycle),
    decided('eventStart', startByEvent),
    decided('delivery', triggerSubscription),
    decided('startCalled', operations.startCalled),
    decided('undoCalled', operations.undoCalled),
    decided('returnCalled', operations.returnCalled),
    decided('escalateCalled', operations.escalateCalled),
    decided('cancelCalled', operations.cancelCalled),
    decided('followCaller', operations.followCaller),
    decided('signal', operations.broadcastSignal),
    decided('message', operations.deliverMessage),
    decided('spreadMessage', operations.broadcastMessage),
    decided('messageEnd', operations.endMessage),
    decided('placeMessage', operations.placeMessage),
    {
      ...common,
      type: 'takeMessage',
      untaken: true,
      run: (job: Job) => ({
        operation: job.instanceId === null ? operations.startByMessage : operations.takeMessage,
        input: attemptOf(job),
      }),
    },
    decided('sweep', operations.sweepInstances),
    decided('suspension', operations.applySweep),
    decided('deletion', operations.deleteDeploymentPart),
    decided('clearing', operations.clearScope),
    decided('forgetting', operations.forgetBundles),
    decided('following', operations.followInstance),
    decided('followingMove', operations.followMigration),
  ];
}

const common = { retryAt, dead };

/** A job without work outside: its command does all. */
const decided = (type: string, operation: Operation<JobAttempt, unknown>): AnyJobType => ({
  ...common,
  type,
  untaken: true,
  run: (job: Job) => ({ operation, input: attemptOf(job) }),
});

const attemptOf = (job: Job): JobAttempt => ({ jobId: job.id, attempt: job.actor.context.attempt });

/** When a failed attempt is followed by the next: as `camunda:failedJobRetryTimeCycle` says, else at once. */
function retryAt(job: Job, now: number): number {
  if (job.retryCycle === null) return now;
  return addDuration(now, parseRetryCycle(job.retryCycle).delays(job.actor.context.retries));
}

/** A dead job shows in its instance. */
function dead(state: State, _job: Job, { instanceId }: Incident): JobChanges {
  const instance = instanceId === null ? undefined : state.get(processInstances, instanceId);
  return instance === undefined ? {} : { write: [put(processInstances, counted(instance, 1))] };
}

/** The cycle of a timer whose first attempt has failed goes on beside it. */
const failed = (state: State, job: Job): readonly NewJob[] =>
  job.actor.context.attempt === 1 ? cycleBeside(state, job) : [];

type CallOperations = Pick<JobOperations, 'completeCall' | 'failCall'>;

interface CallScene {
  readonly handlers: Handlers;
  readonly operations: CallOperations;
  readonly state: State;
}

/** Calls a handler; its outcome, a BPMN error included, becomes a command. Anything else that it throws is a failed attempt. */
async function call(scene: CallScene, job: Job): Promise<JobOutcome<CompleteCall> | JobOutcome<FailCall>> {
  const { completeCall, failCall } = scene.operations;
  const input = job.input as CallInput;
  const attempt = attemptOf(job);
  const { result, error, variables } = input.outcome ?? (await perform(scene, job, input));
  if (error !== undefined) return { operation: failCall, input: { ...attempt, ...error, variables } };
  return { operation: completeCall, input: { ...attempt, result: result ?? null, variables } };
}

function perform({ handlers, state }: CallScene, job: Job, input: CallInput): Promise<CallOutcome> {
  const { handler, fields, businessKey } = input;
  const variables = input.variables ?? variablesNow(state, job, input);
  const { id, instanceId: processInstanceId, activityId } = job;
  const { partition: workspaceId } = state;
  return handlers.call(handler, { id, fields, variables, workspaceId, processInstanceId, businessKey, activityId });
}

function variablesNow(state: State, { instanceId }: Job, { tokenId, within }: CallInput): Variables {
  const instance = state.get(processInstances, instanceId ?? '');
  return instance === undefined ? {} : tokenVariables(state, instance, { tokenId, within }).visible;
}
