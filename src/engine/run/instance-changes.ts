import {
  type Action,
  type Collection,
  can,
  type Document,
  type Incident,
  type IncidentEvent,
  incidents,
  type JobDomain,
  type JobEvent,
  moveIncident,
  moveJob,
  openIncident,
  type Performers,
  perform,
  type State,
  type Step,
  step,
} from '../../store/index.js';
import {
  externalTasks,
  type Job,
  jobSubject,
  jobs,
  type ProcessDefinition,
  type ProcessInstance,
  processDefinitions,
  processInstances,
  tasks,
} from '../collections.js';
import { instanceNotIn } from '../errors.js';
import { externalTaskEvent, type ProcessEventName, processEvent } from '../events.js';
import {
  type ProcessInstanceAction,
  type ProcessInstanceEvent,
  processInstanceMachine,
} from '../machine/process-instance.js';
import { tellCalled } from './called-instance.js';
import type { Changes } from './changes.js';
import { storeInstance } from './instance-store.js';
import { followingJob, isLarge, isUnheld } from './large-instance-jobs.js';
import type { LoadedInstance } from './load-instance.js';

/**
 * The instance as it is by now: a sweep over its definition (all instances suspended or activated) counts from the moment it was ordered, also
 * where it has not been written to the instance yet.
 */
export function presentInstance(state: Pick<State, 'get'>, id: string): ProcessInstance | undefined {
  const instance = state.get(processInstances, id);
  if (instance === undefined || instance.endTime !== null) return instance;
  return swept(instance, state.get(processDefinitions, instance.definitionId));
}

/** The instance with its definition's last sweep taken. */
export const swept = <I extends Swept>(instance: I, definition: ProcessDefinition | undefined): I =>
  takeSweep(instance, definition)[0];

/** The same, and what this causes: it is performed when the sweep reaches the instance. */
export function takeSweep<I extends Swept>(
  instance: I,
  definition: ProcessDefinition | undefined,
): readonly [I, readonly Action[]] {
  const sweep = definition?.sweep ?? null;
  if (sweep === null || sweep.id === instance.sweep || instance.endTime !== null) return [instance, []];
  const [actor, actions] = step(processInstanceMachine, instance.actor, { type: sweep.event });
  return [{ ...instance, actor, sweep: sweep.id }, actions];
}

type Swept = Pick<ProcessInstance, 'actor' | 'sweep' | 'endTime'>;

/** An instance, and where its changes go. */
export interface InstanceScene {
  readonly state: State;
  readonly changes: Changes;
  /** As it is by now. */
  instance: ProcessInstance;
  /** Of one that was run: its variables, as the run left them. */
  readonly loaded?: LoadedInstance;
}

/** The instance's actor after the event, and what this causes. `actor`: as it is by now. @throws CONFLICT (its state does not accept it) */
export const stepInstance = (
  instance: ProcessInstance,
  event: ProcessInstanceEvent,
  actor = instance.actor,
): Step<typeof processInstanceMachine> =>
  step(processInstanceMachine, actor, event, () => refused({ ...instance, actor }, event));

/** @throws CONFLICT (the instance's state does not accept the event) */
export function requireAccepted(instance: ProcessInstance, event: ProcessInstanceEvent): void {
  if (!can(processInstanceMachine, instance.actor, event)) throw refused(instance, event);
}

const refused = (instance: ProcessInstance, { type }: ProcessInstanceEvent) =>
  instanceNotIn(instance, type === 'step' ? 'continue' : type);

/** Turns what an instance's transition causes into documents and events; gives the instance as it is then. */
export function performOnInstance(scene: InstanceScene, actions: readonly Action[]): ProcessInstance {
  perform(instancePerformers, actions, scene);
  return scene.instance;
}

const tell =
  (name: ProcessEventName) =>
  ({ changes, state, instance }: InstanceScene) =>
    changes.event(processEvent(name, instance, state.now));

/** One performer for each action that the instance's machine names. */
export const instancePerformers: Performers<ProcessInstanceAction, InstanceScene> = {
  store: (scene) => {
    const { changes, state, loaded, instance } = scene;
    if (loaded === undefined) changes.put(processInstances, instance);
    else scene.instance = storeInstance(changes, state, loaded, instance);
  },
  closeIncidents: (scene) => {
    const closed = closeIncidentsOf(scene.changes, scene.state, scene.instance);
    scene.instance = counted(scene.instance, -closed);
  },
  suspendTasks: (scene, { suspended }) => {
    const { changes, state } = scene;
    for (const task of hangingOn(scene, tasks, 'tasks')) {
      if (task.suspended !== suspended) changes.put(tasks, { ...task, suspended });
    }
    for (const task of hangingOn(scene, externalTasks, 'externalTasks')) {
      if (task.suspended === suspended) continue;
      changes.put(externalTasks, { ...task, suspended });
      if (!suspended && task.actor.value === 'open') changes.event(externalTaskEvent('opened', task, state.now));
    }
  },
  suspendJobs: (scene, { suspended }) => suspendJobs(scene, hangingOn(scene, jobs, 'jobs'), suspended),
  dropHeldJobs: (scene) => {
    // Of a large one they go when the rest is cleared away.
    if (!isLarge(scene.instance)) dropHeldJobs(scene, scene.instance.id);
  },
  tellCalled: (scene) => {
    const { changes, state, instance } = scene;
    if (isLarge(instance)) changes.job(followingJob(state, instance, { of: 'called', after: null }));
    else
      tellCalled(
        scene,
        instance.state.tokens.map(({ wait }) => wait),
      );
  },
  tellStarted: tell('started'),
  tellSuspended: tell('suspended'),
  tellActivated: tell('activated'),
  tellEnded: tell('ended'),
};

/** What hangs on the instance; of a large one what hangs on tokens that are not away: the rest follows by a job. */
function hangingOn<T extends Document>(
  { changes, state, instance }: InstanceScene,
  of: Collection<T>,
  name: 'tasks' | 'externalTasks' | 'jobs',
): T[] {
  if (!isLarge(instance)) return state.find(of, 'instance', [instance.id]);
  changes.job(followingJob(state, instance, { of: name, after: null }));
  const { tokens, scopes } = instance.state;
  const armed = [
    ...tokens.flatMap(({ boundaries = [] }) => boundaries),
    ...scopes.flatMap(({ events = [] }) => events),
  ];
  const waits = [...tokens.map(({ wait }) => wait), ...armed.map(({ wait }) => wait)];
  return waits.flatMap((wait) => (wait !== undefined && 'id' in wait ? (state.get(of, wait.id) ?? []) : []));
}

/** Takes an incident through an event, with all that this causes; its instance counts by itself. @throws CONFLICT (it is resolved) */
export function changeIncident(changes: Changes, incident: Incident, event: IncidentEvent): void {
  const { write, events } = moveIncident(incident, event);
  changes.add(write);
  changes.event(...events);
}

/** Opens an incident; its instance counts by itself. */
export function reportIncident(changes: Changes, incident: Incident): void {
  changes.create(incidents, incident);
  changes.event(...openIncident(incident).events);
}

/** Adds to the incidents that an instance shows; nothing where there is no such instance. */
export function countIncidents(changes: Changes, state: State, instanceId: string | null, by: number): void {
  const instance = instanceId === null ? undefined : changes.current(state, processInstances, instanceId);
  if (instance !== undefined) changes.put(processInstances, counted(instance, by));
}

export const counted = (instance: ProcessInstance, by: number): ProcessInstance =>
  by === 0 ? instance : { ...instance, incidentCount: Math.max(0, instance.incidentCount + by) };

/** Removes all incidents of an instance that ended, and the dead jobs behind them. Gives how many there were. */
function closeIncidentsOf(changes: Changes, state: State, instance: ProcessInstance): number {
  if (instance.incidentCount === 0) return 0;
  const open = state.find(incidents, 'instance', [instance.id]);
  for (const incident of open) {
    if (changes.current(state, incidents, incident.id) === undefined) continue;
    changeIncident(changes, incident, { type: 'resolve' });
    if (incident.jobId !== null) changes.remove(jobs, incident.jobId);
  }
  return open.length;
}

/** Takes a job through an event, with all that this causes. @throws CONFLICT (its state does not accept it) */
export function changeJob({ changes, state }: JobScene, job: Job, event: JobEvent, domain?: JobDomain): void {
  const { write, events } = moveJob(state, job, event, jobSubject, domain);
  changes.add(write);
  changes.event(...events);
}

interface JobScene {
  readonly changes: Changes;
  readonly state: State;
}

/** Gives a running job back without counting a failure: it waits until its instance or definition is active again. */
export const holdJob = (scene: JobScene, job: Job, input: unknown = job.input): void =>
  changeJob(scene, { ...job, input, suspended: true }, { type: 'release' });

/** Suspends or wakes the jobs of an instance. Running ones go on; their outcome is kept until the instance is active again. */
function suspendJobs({ changes }: JobScene, all: readonly Job[], suspended: boolean): void {
  for (const job of all) {
    if (job.suspended !== suspended && job.actor.value !== 'running' && !isUnheld(job))
      changes.put(jobs, { ...job, suspended });
  }
}

/** Removes the jobs that nobody would ever wake: what reached an instance while it was suspended. */
function dropHeldJobs({ changes, state }: JobScene, instanceId: string): void {
  for (const job of state.find(jobs, 'instance', [instanceId])) if (job.suspended) changes.dropJob(job.id);
}
