import { type Collection, type Document, incidents, operation, type State } from '../../store/index.js';
import {
  decisionInstances,
  externalTasks,
  instanceParts,
  jobs,
  largeVariables,
  type ProcessInstance,
  processInstances,
  runId,
  runs,
  subscriptions,
  taskComments,
  tasks,
} from '../collections.js';
import { Changes } from '../run/changes.js';
import { stepExternalTask } from '../run/external-task-changes.js';
import { performOnInstance, stepInstance } from '../run/instance-changes.js';
import { dropVariable } from '../run/instance-store.js';
import { erasePrograms } from '../run/kept-programs.js';
import { dropText } from '../run/stored-text.js';
import { moveTask } from '../run/task-changes.js';

/** Instances that one decision erases: what they hold is read and removed with it. */
const INSTANCES_MAX = 3;

/** Decisions that one decision erases. */
const DECISIONS_MAX = 200;

/** Erases ended instances whose history has been kept long enough, oldest first. Answers whether there may be more. */
export const cleanHistory = operation('cleanHistory', (state, { endedBefore }: { readonly endedBefore: number }) => {
  const changes = new Changes();
  const oldest = state.range(processInstances, 'ended', [0], INSTANCES_MAX, { skipDamaged: true });
  const old = oldest.filter(({ endTime }) => endTime !== null && endTime < endedBefore);
  const gone = old.filter((instance) => eraseInstance(state, changes, instance));
  erasePrograms(state, changes, gone);
  // Decisions that no process instance keeps.
  const alone = state.range(decisionInstances, 'alone', [0], DECISIONS_MAX, { skipDamaged: true });
  for (const { id, time } of alone) if (time < endedBefore) changes.remove(decisionInstances, id);
  const timed = state.range(decisionInstances, 'ends', [0], DECISIONS_MAX, { skipDamaged: true });
  for (const { id, ends } of timed) if (ends !== undefined && ends <= state.now) changes.remove(decisionInstances, id);
  return changes.decision(old.length === INSTANCES_MAX || changes.size > 0);
});

/** Documents of one kind that one decision takes from an instance. */
const KIND_MAX = 20;
/** Runs likewise. */
const RUNS_MAX = 100;

/**
 * Removes an instance with all that is known of it but programs (`erasePrograms`); no listener runs. Gives whether it is gone: of one with much, a part goes, it is
 * cancelled, and the rest is left for the next decision. Reads up to 280 documents.
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
    all(externalTasks, (task) => stepExternalTask({ changes, state }, task, { type: 'cancel' })),
    all(jobs, ({ id }) => changes.remove(jobs, id)),
    all(incidents, ({ id }) => changes.remove(incidents, id)),
    all(subscriptions, ({ id }) => changes.remove(subscriptions, id)),
    all(instanceParts, ({ id }) => changes.remove(instanceParts, id)),
    all(taskComments, ({ id }) => changes.remove(taskComments, id)),
    all(decisionInstances, ({ id }) => changes.remove(decisionInstances, id)),
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
    const run = state.get(runs, runId(id, n));
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
