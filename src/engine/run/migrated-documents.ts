import { incidents, type State } from '../../store/index.js';
import { externalTasks, jobs, type ProcessInstance, subscriptions, tasks } from '../collections.js';
import type { Effect } from '../element/instance-state.js';
import { taskEvent } from '../events.js';
import type { Program } from '../model/program.js';
import { lookForBuffered } from './buffered-messages.js';
import type { Changes } from './changes.js';
import { causeOf } from './new-job.js';

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

/** What waits for a token is another element's from now on; locks and retries are as they were, so are due dates and names unless it waits anew. */
export function moveWaiting(scene: MovingScene, moved: Moved): void {
  const { definitionId, definitionKey } = scene.instance;
  const elementId = scene.program.elements[moved.element]?.id ?? '';
  MOVERS[moved.wait](scene, moved, { definitionId, definitionKey, element: moved.element, elementId });
}

const moveJob: Mover = ({ state, changes }, { id, dueAt }, place) => {
  const { definitionId, definitionKey, elementId: activityId } = place;
  const job = changes.current(state, jobs, id);
  if (job === undefined) return;
  const moved = { ...job, definitionId, definitionKey, activityId };
  if (dueAt === undefined) return changes.put(jobs, moved);
  // Later times of its cycle are counted from the new one.
  const { shift: _, ...input } = job.input as { readonly shift?: number };
  changes.put(jobs, { ...moved, dueAt, input });
};

const moveSubscription: Mover = ({ state, changes, instance }, { id, eventName }, { element: _, ...place }) => {
  const found = changes.current(state, subscriptions, id);
  if (found === undefined) return;
  if (eventName === undefined) return changes.put(subscriptions, { ...found, ...place });
  const moved = { ...found, ...place, eventName, revision: state.revision };
  changes.put(subscriptions, moved);
  lookForBuffered({ state, changes }, moved, causeOf(instance));
};

type Mover = (scene: MovingScene, moved: Moved, place: NewPlace) => void;

const MOVERS: Readonly<Record<Moved['wait'], Mover>> = {
  task({ state, changes, instance }, { id }, place) {
    const task = changes.current(state, tasks, id);
    if (task === undefined) return;
    const moved = { ...task, ...place };
    changes.put(tasks, moved);
    changes.event(taskEvent('updated', moved, instance, state.now));
  },
  external({ state, changes }, { id }, place) {
    const task = changes.current(state, externalTasks, id);
    if (task !== undefined) changes.put(externalTasks, { ...task, ...place });
  },
  subscription: moveSubscription,
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
