import type { ProcessInstance } from '../collections.js';
import { performOnInstance, stepInstance } from './instance-changes.js';
import { keepQuietRun, type RunScene } from './run-instance.js';

/** Suspends or activates a running instance; nothing happens where it is so already. @throws CONFLICT (it has ended) */
export function suspendInstance(
  scene: RunScene,
  command: string,
  instance: ProcessInstance,
  event: 'suspend' | 'activate',
): void {
  const [actor, actions] = stepInstance(instance, { type: event });
  if (actions.length === 0) return;
  performOnInstance({ ...scene, instance: keepQuietRun(scene, command, { ...instance, actor }) }, actions);
}
