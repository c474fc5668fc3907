import { type Operation, operation } from '../../store/index.js';
import {
  jobs,
  type ProcessDefinition,
  type ProcessInstance,
  processDefinitions,
  processInstances,
  type Sweep,
} from '../collections.js';
import type { EngineServices } from '../engine-services.js';
import { definitionEvent } from '../events.js';
import type { ProcessInstanceAction } from '../machine/process-instance.js';
import { requireSupervisor } from '../rule/rights.js';
import { performOnInstance, presentInstance, stepInstance, takeSweep } from '../run/instance-changes.js';
import { instanceOperation, sceneOf } from '../run/instance-operation.js';
import { instanceWork, partitionJob } from '../run/job-operation.js';
import { jobNow, jobOfInstance } from '../run/new-job.js';
import { keepQuietRun } from '../run/run-instance.js';
import type { RunScene } from '../run/told-context.js';

/** Input of `suspendProcessInstance` and `activateProcessInstance`. */
interface NamedInstance {
  readonly id: string;
}

/** Input of `suspendProcessDefinition` and `activateProcessDefinition`. */
interface NamedDefinition {
  readonly id: string;
  /** Whether its running instances follow. Default false. */
  readonly includeInstances?: boolean | null;
}

/**
 * Holds an instance with its tasks and jobs where they are, and what it has called; timers do not fire until it is active again. Answers its id, or null where
 * there is none; no error where it is so already. Allowed to supervisors and administrators.
 * @throws FORBIDDEN, CONFLICT (it has ended)
 */
export const suspendProcessInstance = ofInstance('suspendProcessInstance', 'suspend');

/** Lets a suspended instance go on; timers that came due meanwhile fire now. Else as {@link suspendProcessInstance}. */
export const activateProcessInstance = ofInstance('activateProcessInstance', 'activate');

/**
 * No instance of the definition can be started, by nobody and no timer, until it is active again. Its instances follow at
 * once where they are included: the definition says so, a job writes it to each. Answers the id, or null where there is none. Allowed to
 * supervisors and administrators. @throws FORBIDDEN
 */
export const suspendProcessDefinition = ofDefinition('suspendProcessDefinition', 'suspend');

/** Instances of the definition can be started again. Else as {@link suspendProcessDefinition}. */
export const activateProcessDefinition = ofDefinition('activateProcessDefinition', 'activate');

function ofInstance(
  name: string,
  event: Sweep['event'],
): (services: EngineServices) => Operation<NamedInstance, string | null> {
  return (services) =>
    instanceOperation<NamedInstance, string | null>(
      name,
      (state, { id }, context) => {
        requireSupervisor(context.caller, `${event} process instances`);
        const instance = presentInstance(state, id);
        if (instance === undefined) return { answer: null };
        const [actor, actions] = stepInstance(instance, { type: event });
        const scene = sceneOf(services, state, context);
        const changed = { ...instance, actor, heldByCaller: undefined };
        if (actions.length > 0) {
          performOnInstance({ ...scene, instance: keepQuietRun(scene, name, changed) }, actions);
        } else if (instance.heldByCaller) scene.changes.put(processInstances, changed);
        return scene.changes.decision(id);
      },
      (_, { id }) => id,
    );
}

function ofDefinition(
  name: string,
  event: Sweep['event'],
): (services: EngineServices) => Operation<NamedDefinition, string | null> {
  return (services) =>
    operation<NamedDefinition, string | null>(name, (state, { id, includeInstances }, context) => {
      requireSupervisor(context.caller, `${event} process definitions`);
      const scene = sceneOf(services, state, context);
      const definition = state.get(processDefinitions, id);
      if (definition === undefined || definition.deleting) return scene.changes.decision(null);
      suspendDefinition(scene, definition, { event, includeInstances: includeInstances ?? false });
      return scene.changes.decision(id);
    });
}

/** Suspends or activates a definition. Its instances, where they are included, follow by a job, and count as if they had from now on. */
function suspendDefinition(
  scene: RunScene,
  definition: ProcessDefinition,
  { event, includeInstances }: { readonly event: Sweep['event']; readonly includeInstances: boolean },
): void {
  const { state, changes } = scene;
  const suspended = event === 'suspend';
  const ordered: Sweep | undefined = includeInstances ? { id: state.ids.next(), event } : undefined;
  const changed: ProcessDefinition = { ...definition, suspended, sweep: ordered ?? definition.sweep };
  changes.put(processDefinitions, changed);
  for (const jobId of definition.timerJobIds) {
    const job = state.get(jobs, jobId);
    if (job !== undefined && job.actor.value !== 'running') changes.put(jobs, { ...job, suspended });
  }
  if (ordered !== undefined) sweepOn(scene, changed, { sweepId: ordered.id, after: '' });
  if (definition.suspended !== suspended) {
    changes.event(definitionEvent(suspended ? 'suspended' : 'activated', changed, state.now));
  }
}

/** Input of the job of a sweep. */
interface SweepInput {
  readonly sweepId: string;
  /** The last instance that was reached; '': none was. */
  readonly after: string;
  /** When that was started, ms. Absent: none was, or a former version reached it, and all are gone through once more. */
  readonly started?: number;
}

/** The job that takes a sweep to the next instances. */
function sweepOn({ state, changes }: RunScene, definition: ProcessDefinition, input: SweepInput): void {
  const { id: definitionId, key: definitionKey } = definition;
  changes.job({ ...jobNow(state), type: 'sweep', definitionId, definitionKey, input });
}

/** Instances that one decision looks at. */
const SWEEP_PAGE = 200;

/** A sweep goes to the next 200 running instances of its definition, by a job for each. A newer sweep takes its place. Sent by the job. */
export const sweepInstances = (services: EngineServices) =>
  partitionJob(services, 'sweepInstances', (scene, job) => {
    const { state, changes } = scene;
    const { sweepId, after, started } = job.input as SweepInput;
    const definition = state.get(processDefinitions, job.definitionId ?? '');
    if (definition?.sweep?.id !== sweepId) return 'gone';
    const found = state
      .range(
        processInstances,
        'running',
        [definition.id, ...(started === undefined ? [] : [started, after])],
        SWEEP_PAGE,
      )
      .filter((instance) => instance.definitionId === definition.id && instance.id !== after);
    for (const instance of found)
      changes.job({ ...jobOfInstance(state, instance), type: 'suspension', input: { sweepId } });
    const last = found.at(-1);
    if (last !== undefined) sweepOn(scene, definition, { sweepId, after: last.id, started: last.startTime });
    return 'done';
  });

/** A sweep reaches an instance, its tasks and its jobs. Sent by the job. */
export const applySweep = (services: EngineServices) =>
  instanceWork(services, 'applySweep', (scene, job) => {
    const { state } = scene;
    const instance = state.get(processInstances, job.instanceId ?? '');
    if (instance?.endTime !== null) return 'gone';
    const definition = state.get(processDefinitions, instance.definitionId);
    const [present, actions] = takeSweep(instance, definition);
    if (actions.length > 0) {
      const command = definition?.sweep?.event === 'suspend' ? 'suspendProcessDefinition' : 'activateProcessDefinition';
      performOnInstance({ ...scene, instance: keepQuietRun(scene, command, present) }, actions);
    } else performOnInstance({ ...scene, instance: present }, followed(present));
    return 'done';
  });

/** Another command has written the instance meanwhile, but not what hangs on it. */
function followed({ actor }: ProcessInstance): ProcessInstanceAction[] {
  const params = { suspended: actor.value === 'suspended' };
  return [{ type: 'store' }, { type: 'suspendTasks', params }, { type: 'suspendJobs', params }, { type: 'tellCalled' }];
}
