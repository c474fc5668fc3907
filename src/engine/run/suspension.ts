import { step } from '../../store/index.js';
import { type ProcessInstance, processInstances, tasks } from '../collections.js';
import { instanceNotIn } from '../errors.js';
import { processEvent } from '../events.js';
import { processInstanceMachine } from '../machine/process-instance.js';
import { suspendJobs } from './job-changes.js';
import { keepQuietRun, type RunScene } from './run-instance.js';

/** Suspends or activates a running instance; nothing happens where it is so already. @throws CONFLICT (it has ended) */
export function suspendInstance(
  scene: RunScene,
  command: string,
  instance: ProcessInstance,
  event: 'suspend' | 'activate',
): void {
  if (instance.endTime !== null) throw instanceNotIn(instance, event);
  const actor = step(processInstanceMachine, instance.actor, { type: event });
  if (actor !== undefined) putSuspension(scene, command, { ...instance, actor });
}

/** Writes an instance whose suspension has changed, with its tasks and jobs. */
export function putSuspension(scene: RunScene, command: string, changed: ProcessInstance): void {
  const instance = keepQuietRun(scene, command, changed);
  flagSuspension(scene, instance);
  const event = instance.actor.value === 'suspended' ? 'suspended' : 'activated';
  scene.changes.event(processEvent(event, instance, scene.state.now));
}

/** Writes an instance, and to its tasks and jobs whether it is suspended. */
export function flagSuspension({ state, changes }: RunScene, instance: ProcessInstance): void {
  const suspended = instance.actor.value === 'suspended';
  changes.put(processInstances, instance);
  for (const task of state.find(tasks, 'instance', [instance.id])) {
    if (task.suspended !== suspended) changes.put(tasks, { ...task, suspended });
  }
  suspendJobs(changes, state, instance.id, suspended);
}
