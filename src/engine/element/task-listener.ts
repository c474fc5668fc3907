import type { At, TaskDraft } from './at.js';
import type { TaskFacts } from './instance-state.js';
import { notify } from './listener.js';
import type { Run } from './run.js';

/** Tells the task's listeners of the event; they may change the draft. */
export function notifyTask(run: Run, at: At, task: TaskDraft, event: string): void {
  const listeners = at.place.taskListeners.filter((listener) => listener.event === event);
  if (listeners.length > 0) notify(run, { ...at, task }, listeners, event);
}

/** As {@link notifyTask}, for a task that is there already, one event after the other: what the listeners change is written. */
export function notifyStored(run: Run, at: At, taskId: string, ...events: readonly string[]): void {
  if (at.place.taskListeners.length === 0) return;
  const facts = run.context.task?.(taskId) ?? { ...UNKNOWN, name: at.place.element.name };
  const formKey = () => facts.formKey ?? null;
  const task: TaskDraft = { id: taskId, facts, changed: false, formKey };
  for (const event of events) notifyTask(run, at, task, event);
  if (task.changed) run.effects.push({ type: 'updateTask', taskId, task: task.facts });
}

/** A task of which nothing is said. */
export const UNKNOWN: TaskFacts = {
  name: null,
  description: null,
  assignee: null,
  owner: null,
  candidateUsers: [],
  candidateGroups: [],
  due: null,
  followUp: null,
  priority: 50,
};
