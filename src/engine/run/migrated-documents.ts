import { incidents, type State } from '../../store/index.js';
import { externalTasks, jobs, type ProcessInstance, subscriptions, tasks } from '../collections.js';
import type { Effect } from '../element/instance-state.js';
import { taskEvent } from '../events.js';
import type { Program } from '../model/program.js';
import type { Changes } from './changes.js';

/** Where what waits for an instance's tokens is written. */
interface MovingScene {
  readonly state: State;
  readonly changes: Changes;
  /** As it is after the run. */
  readonly instance: ProcessInstance;
  readonly program: Program;
}

type Moved = Extract<Effect, { type: 'moved' }>;

/** What a document says of its place. */
interface NewPlace {
  readonly definitionId: string;
  readonly definitionKey: string;
  readonly element: number;
  readonly elementId: string;
}

/** What waits for a token is another element's from now on; locks, retries and due dates are as they were. */
export function moveWaiting(scene: MovingScene, { wait, id, element }: Moved): void {
  const { definitionId, definitionKey } = scene.instance;
  const elementId = scene.program.elements[element]?.id ?? '';
  MOVERS[wait](scene, id, { definitionId, definitionKey, element, elementId });
}

const moveJob = ({ state, changes }: MovingScene, id: string, place: NewPlace): void => {
  const { definitionId, definitionKey, elementId: activityId } = place;
  const job = changes.current(state, jobs, id);
  if (job !== undefined) changes.put(jobs, { ...job, definitionId, definitionKey, activityId });
};

const MOVERS: Readonly<Record<Moved['wait'], (scene: MovingScene, id: string, place: NewPlace) => void>> = {
  task({ state, changes, instance }, id, place) {
    const task = changes.current(state, tasks, id);
    if (task === undefined) return;
    const moved = { ...task, ...place };
    changes.put(tasks, moved);
    changes.event(taskEvent('updated', moved, instance, state.now));
  },
  external({ state, changes }, id, place) {
    const task = changes.current(state, externalTasks, id);
    if (task !== undefined) changes.put(externalTasks, { ...task, ...place });
  },
  subscription({ state, changes }, id, { element: _, ...place }) {
    const found = changes.current(state, subscriptions, id);
    if (found !== undefined) changes.put(subscriptions, { ...found, ...place });
  },
  job: moveJob,
  // A process that was called and has not started yet has a job of its id.
  called: moveJob,
};

/** The incidents of an instance that has migrated are at the activities that theirs migrated to. */
export function moveIncidents(
  { state, changes, instance }: MovingScene,
  idOf: (activityId: string) => string | undefined,
): void {
  if (instance.incidentCount === 0) return;
  const { id, definitionId, definitionKey } = instance;
  for (const { id: incidentId } of state.find(incidents, 'instance', [id])) {
    const incident = changes.current(state, incidents, incidentId);
    if (incident === undefined) continue;
    const { activityId: before } = incident;
    const activityId = before === null ? null : (idOf(before) ?? before);
    changes.put(incidents, { ...incident, definitionId, definitionKey, activityId });
  }
}
