import { type Action, can, type Performers, perform, type State, type Step, step } from '../../store/index.js';
import { type ProcessInstance, processInstances, tasks } from '../collections.js';
import { instanceNotIn } from '../errors.js';
import { type ProcessEventName, processEvent } from '../events.js';
import {
  type ProcessInstanceAction,
  type ProcessInstanceEvent,
  processInstanceMachine,
} from '../machine/process-instance.js';
import type { Changes } from './changes.js';
import { closeIncidentsOf, counted } from './incident-changes.js';
import { type LoadedInstance, storeInstance } from './instance-store.js';
import { dropHeldJobs, suspendJobs } from './job-changes.js';

/** An instance, and where its changes go. */
export interface InstanceScene {
  readonly state: State;
  readonly changes: Changes;
  /** As it is by now. */
  instance: ProcessInstance;
  /** Of one that was run: its variables, as the run left them. */
  readonly loaded?: LoadedInstance;
}

/** The instance's actor after the event, and what this causes. @throws CONFLICT (its state does not accept it) */
export const stepInstance = (
  instance: ProcessInstance,
  event: ProcessInstanceEvent,
): Step<typeof processInstanceMachine> =>
  step(processInstanceMachine, instance.actor, event, () => refused(instance, event));

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
  suspendTasks: ({ changes, state, instance }, { suspended }) => {
    for (const task of state.find(tasks, 'instance', [instance.id])) {
      if (task.suspended !== suspended) changes.put(tasks, { ...task, suspended });
    }
  },
  suspendJobs: (scene, { suspended }) => suspendJobs(scene, scene.instance.id, suspended),
  dropHeldJobs: (scene) => dropHeldJobs(scene, scene.instance.id),
  tellStarted: tell('started'),
  tellSuspended: tell('suspended'),
  tellActivated: tell('activated'),
  tellEnded: tell('ended'),
};
