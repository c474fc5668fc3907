import { type Collection, type Document, incidents, type Operation, operation, type State } from '../../store/index.js';
import {
  completedBundles,
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

/** Instances that one decision passes over, because they may still be compensated. */
const KEPT_MAX = 300;

/** Decisions that one decision erases. */
const DECISIONS_MAX = 200;

/**
 * Erases ended instances whose history has been kept long enough, oldest first, but those that may still be compensated. Answers whether there may be more.
 */
export const cleanHistory: Operation<{ readonly endedBefore: number }, boolean> = {
  ...operation('cleanHistory', clean),
  limits: { reads: 3_000, writes: 500 },
};

function clean(state: State, { endedBefore }: { readonly endedBefore: number }) {
  const changes = new Changes();
  const old = oldest(state, endedBefore);
  const gone = old.filter((instance) => eraseInstance(state, changes, instance));
  erasePrograms(state, changes, gone);
  // Decisions that no process instance keeps.
  const alone = state.range(decisionInstances, 'alone', [0], DECISIONS_MAX, { skipDamaged: true });
  for (const { id, time } of alone) if (time < endedBefore) changes.remove(decisionInstances, id);
  const timed = state.range(decisionInstances, 'ends', [0], DECISIONS_MAX, { skipDamaged: true });
  for (const { id, ends } of timed) if (ends !== undefined && ends <= state.now) changes.remove(decisionInstances, id);
  return changes.decision(old.length === INSTANCES_MAX || changes.size > 0);
}

function oldest(state: State, endedBefore: number): ProcessInstance[] {
  const first = state.range(processInstances, 'ended', [0], INSTANCES_MAX, { skipDamaged: true });
  const isKept = (instance: ProcessInstance) => mayBeCompensated(state, instance);
  const all = first.some(isKept) ? state.range(processInstances, 'ended', [0], KEPT_MAX, { skipDamaged: true }) : first;
  return all
    .filter((instance) => instance.endTime !== null && instance.endTime < endedBefore && !isKept(instance))
    .slice(0, INSTANCES_MAX);
}

/** Whether it was called, and what called it goes on, or may be compensated itself. */
function mayBeCompensated(state: State, { calledBy, state: { undoable } }: ProcessInstance): boolean {
  if (calledBy === null || !undoable) return false;
  const caller = state.get(processInstances, calledBy.instanceId);
  return caller !== undefined && (caller.endTime === null || mayBeCompensated(state, caller));
}

/** Documents of one kind that one decision takes from an instance. */
const KIND_MAX = 20;
/** Runs likewise. */
const RUNS_MAX = 100;

/**
 * Removes an instance with all that is known of it but programs (`erasePrograms`); no listener runs. Gives whether it is gone: of one with much, a part goes, it is
 * cancelled, and the rest is left for the next decision. Reads up to 300 documents.
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
    all(completedBundles, ({ id }) => changes.remove(completedBundles, id)),
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
