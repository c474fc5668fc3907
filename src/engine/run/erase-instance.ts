import { type Collection, type Document, incidents, jobs, type State } from '../../store/index.js';
import {
  largeVariables,
  type ProcessInstance,
  processInstances,
  runs,
  subscriptions,
  taskComments,
  tasks,
} from '../collections.js';
import type { Changes } from './changes.js';
import { performOnInstance, stepInstance } from './instance-changes.js';
import { dropVariable } from './instance-store.js';
import { dropText } from './stored-text.js';
import { moveTask } from './task-changes.js';

/** Documents of one kind that one decision takes from an instance. */
const KIND_MAX = 20;
/** Runs likewise. */
const RUNS_MAX = 100;

/**
 * Removes an instance with all that is known of it; no listener runs. Gives whether it is gone: of one with much, a part goes, it is
 * cancelled, and the rest is left for the next decision. Reads up to 220 documents.
 */
export function eraseInstance(state: State, changes: Changes, instance: ProcessInstance): boolean {
  const ended = endOf(state, changes, instance);
  const all = <T extends Document & { readonly instanceId: string | null }>(
    of: Collection<T>,
    each: (it: T) => void,
  ) => {
    const found = state.range(of, 'instance', [instance.id], KIND_MAX).filter((it) => it.instanceId === instance.id);
    found.forEach(each);
    return found.length < KIND_MAX;
  };
  const parts = [
    all(tasks, (task) => moveTask({ changes, instance: ended, now: state.now }, task, { type: 'cancel' })),
    all(jobs, ({ id }) => changes.remove(jobs, id)),
    all(incidents, ({ id }) => changes.remove(incidents, id)),
    all(subscriptions, ({ id }) => changes.remove(subscriptions, id)),
    all(taskComments, ({ id }) => changes.remove(taskComments, id)),
    all(largeVariables, ({ id }) => dropVariable(changes, state, id)),
  ];
  const left = eraseRuns(state, changes, ended);
  if (parts.every((complete) => complete) && left === 0) {
    changes.remove(processInstances, instance.id);
    return true;
  }
  changes.put(processInstances, { ...ended, runs: left });
  return false;
}

/** The newest runs first; gives how many are left. */
function eraseRuns(state: State, changes: Changes, { id, runs: newest }: ProcessInstance): number {
  const left = Math.max(0, newest - RUNS_MAX);
  for (let n = newest; n > left; n--) {
    const run = state.get(runs, `${id}:${n}`);
    if (run === undefined) continue;
    dropText(changes, run.id, { text: null, pieces: run.pieces });
    changes.remove(runs, run.id);
  }
  return left;
}

/** A running instance ends first, so that subscribers hear of it. */
function endOf(state: State, changes: Changes, instance: ProcessInstance): ProcessInstance {
  if (instance.endTime !== null) return instance;
  const [actor, actions] = stepInstance(instance, { type: 'erase' });
  const ended = { ...instance, actor, endTime: state.now, deleteReason: 'its deployment was deleted' };
  return performOnInstance({ state, changes, instance: ended }, actions);
}
