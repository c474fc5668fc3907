import {
  type Action,
  incidents,
  newIncident,
  type Performers,
  perform,
  type State,
  start,
  step,
} from '../../store/index.js';
import { type ExternalTask, externalTasks, type ProcessInstance } from '../collections.js';
import type { NewExternalTask } from '../element/external-facts.js';
import type { Path } from '../element/large-scope.js';
import { externalTaskNotIn } from '../errors.js';
import { type ExternalTaskEventName, externalTaskEvent } from '../events.js';
import { type ExternalTaskAction, type ExternalTaskEvent, externalTaskMachine } from '../machine/external-task.js';
import type { Element } from '../model/program.js';
import type { Changes } from './changes.js';
import { changeIncident, countIncidents, reportIncident } from './instance-changes.js';

/** Where an external task's changes go. */
interface ExternalScene {
  readonly changes: Changes;
  readonly state: State;
}

interface Performed extends ExternalScene {
  /** As it is after the transition. */
  task: ExternalTask;
  /** How many more incidents its instance has; whoever moves it lets the instance count. */
  incidents: number;
}

/** What became of an external task. */
interface Moved {
  readonly task: ExternalTask;
  readonly incidents: number;
}

/**
 * Takes an external task through an event, with all that this causes; `task` has what the event says of it. Its instance counts its incidents by itself.
 * @throws CONFLICT (its state does not accept it)
 */
export function stepExternalTask(scene: ExternalScene, task: ExternalTask, event: ExternalTaskEvent): Moved {
  const [actor, actions] = step(externalTaskMachine, task.actor, event, () => externalTaskNotIn(task, event.type));
  return performed(scene, { ...task, actor }, actions);
}

/** As {@link stepExternalTask}; its instance, which no run of the decision writes, counts its incidents. */
export function moveExternalTask(scene: ExternalScene, task: ExternalTask, event: ExternalTaskEvent): ExternalTask {
  const moved = stepExternalTask(scene, task, event);
  if (moved.incidents !== 0) countIncidents(scene.changes, scene.state, task.instanceId, moved.incidents);
  return moved.task;
}

function performed(scene: ExternalScene, task: ExternalTask, actions: readonly Action[]): Moved {
  const done: Performed = { ...scene, task, incidents: 0 };
  perform(externalTaskPerformers, actions, done);
  return done;
}

const tell =
  (name: ExternalTaskEventName) =>
  ({ changes, state, task }: Performed) =>
    changes.event(externalTaskEvent(name, task, state.now));

/** One performer for each action that the machine names. */
export const externalTaskPerformers: Performers<ExternalTaskAction, Performed> = {
  store: ({ changes, task }) => changes.put(externalTasks, task),
  remove: ({ changes, task }) => changes.remove(externalTasks, task.id),
  openIncident,
  closeIncident,
  tellOpened: tell('opened'),
  tellUpdated: tell('updated'),
  tellEnded: tell('ended'),
};

function openIncident(scene: Performed): void {
  const { changes, state, task } = scene;
  const { id: configuration, instanceId, definitionId, definitionKey, elementId: activityId } = task;
  const id = state.ids.next();
  const incident = newIncident(state, {
    ...{ id, type: 'failedExternalTask', message: task.errorMessage, stackTrace: task.errorDetails },
    ...{ instanceId, definitionId, definitionKey, activityId, executionId: executionOf(task) },
    ...{ causeIncidentId: id, rootCauseIncidentId: id, configuration },
  });
  reportIncident(changes, incident);
  scene.task = { ...task, incidentId: id };
  scene.incidents++;
}

function closeIncident(scene: Performed): void {
  const { changes, state, task } = scene;
  const incident = task.incidentId === null ? undefined : changes.current(state, incidents, task.incidentId);
  scene.task = { ...task, incidentId: null };
  if (incident === undefined) return;
  changeIncident(changes, incident, { type: 'resolve' });
  scene.incidents--;
}

/** `executionId` of the API: the token's; what the process itself waits for is the instance's. */
export const executionOf = ({ instanceId, tokenId }: Pick<ExternalTask, 'instanceId' | 'tokenId'>): string =>
  tokenId === 0 ? instanceId : `${instanceId}:${tokenId}`;

interface NewTaskScene extends ExternalScene {
  readonly instance: ProcessInstance;
  /** Where a token is, if that is in a large scope. */
  readonly pathOf: (tokenId: number) => Path | undefined;
}

/** An external task that the interpreter made. */
export function createExternalTask(
  { changes, state, instance, pathOf }: NewTaskScene,
  element: Element,
  made: NewExternalTask,
): void {
  const within = pathOf(made.tokenId);
  const created: ExternalTask = {
    id: made.id,
    topic: made.topic,
    priority: made.priority,
    instanceId: instance.id,
    definitionId: instance.definitionId,
    definitionKey: instance.definitionKey,
    businessKey: instance.businessKey,
    elementId: element.id,
    element: made.element,
    tokenId: made.tokenId,
    activity: made.activity,
    ...(within && { within }),
    created: state.now,
    lock: null,
    notBefore: null,
    retries: null,
    errorMessage: null,
    errorDetails: null,
    incidentId: null,
    suspended: instance.actor.value === 'suspended',
    actor: start(externalTaskMachine, {}),
  };
  changes.create(externalTasks, created);
  changes.event(externalTaskEvent('opened', created, state.now));
}
