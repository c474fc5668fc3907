import { incidents, type State } from '../../store/index.js';
import { externalTasks, jobs, type ProcessInstance, processInstances, subscriptions, tasks } from '../collections.js';
import type { Effect } from '../element/instance-state.js';
import type { Path } from '../element/large-scope.js';
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
  /** Where a token is, if that is in a large scope. */
  readonly pathOf: (tokenId: number) => Path | undefined;
}

type Moved = Extract<Effect, { type: 'moved' }>;

/** What a document says of its place. */
interface NewPlace {
  readonly definitionId: string;
  readonly definitionKey: string;
  readonly element: number;
  readonly elementId: string;
  readonly within: Path | undefined;
}

/** Moves the document of a token's wait to another element; locks and retries are as they were, so are due dates and names unless it waits anew. */
export function moveWaiting(scene: MovingScene, moved: Moved): void {
  const { definitionId, definitionKey } = scene.instance;
  const elementId = scene.program.elements[moved.element]?.id ?? '';
  const within = scene.pathOf(moved.tokenId);
  MOVERS[moved.wait](scene, moved, { definitionId, definitionKey, element: moved.element, elementId, within });
}

/** The document at its place in large scopes, or in none. */
function placed<T extends object>(document: T & { readonly within?: Path }, within: Path | undefined): T {
  const { within: _, ...rest } = document;
  return { ...rest, ...(within && { within }) } as T;
}

const moveJob: Mover = ({ state, changes }, { id, dueAt }, place) => {
  const { definitionId, definitionKey, elementId: activityId, within } = place;
  const job = changes.current(state, jobs, id);
  if (job === undefined) return;
  const input = placed(job.input as object, within);
  const moved = { ...job, definitionId, definitionKey, activityId, input };
  if (dueAt === undefined) return changes.put(jobs, moved);
  // Later times of its cycle are counted from the new one.
  const { shift: _, ...renewed } = input as { readonly shift?: number };
  changes.put(jobs, { ...moved, dueAt, input: renewed });
};

const moveSubscription: Mover = ({ state, changes, instance }, { id, eventName }, { element: _, within, ...place }) => {
  const found = changes.current(state, subscriptions, id);
  if (found === undefined) return;
  if (eventName === undefined) return changes.put(subscriptions, placed({ ...found, ...place }, within));
  const moved = placed({ ...found, ...place, eventName, revision: state.revision }, within);
  changes.put(subscriptions, moved);
  lookForBuffered({ state, changes }, moved, causeOf(instance));
};

type Mover = (scene: MovingScene, moved: Moved, place: NewPlace) => void;

const MOVERS: Readonly<Record<Moved['wait'], Mover>> = {
  task({ state, changes, instance }, { id }, { within, ...place }) {
    const task = changes.current(state, tasks, id);
    if (task === undefined) return;
    const moved = placed({ ...task, ...place }, within);
    changes.put(tasks, moved);
    changes.event(taskEvent('updated', moved, instance, state.now));
  },
  external({ state, changes }, { id }, { within, ...place }) {
    const task = changes.current(state, externalTasks, id);
    if (task !== undefined) changes.put(externalTasks, placed({ ...task, ...place }, within));
  },
  subscription: moveSubscription,
  job: moveJob,
  // A process that was called and has not started yet has a job of its id.
  called(scene, moved, place) {
    const { state, changes } = scene;
    const called = changes.current(state, processInstances, moved.id);
    if (called?.calledBy == null) return moveJob(scene, moved, place);
    if (JSON.stringify(called.calledBy.within) === JSON.stringify(place.within)) return;
    changes.put(processInstances, { ...called, calledBy: placed(called.calledBy, place.within) });
  },
};

/** The incidents of an instance that has migrated are at the activities that theirs migrated to. */
export function moveIncidents(
  { state, changes, instance }: Pick<MovingScene, 'state' | 'changes' | 'instance'>,
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
