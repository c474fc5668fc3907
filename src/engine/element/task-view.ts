import type { At, TaskDraft } from './evaluate.js';
import type { Run } from './run.js';

/** A task as a script's `task` shows it: read only. */
export type TaskView = Readonly<Record<string, string | number | null | readonly string[]>>;

/** What a task listener's script sees of its task. */
export function taskView(run: Run, { place, event }: At, task: TaskDraft): TaskView {
  const { id, facts } = task;
  const { name, description, assignee, owner, priority, due, followUp } = facts;
  const eventName = event ?? null;
  const dates = { dueDate: iso(due), followUpDate: iso(followUp) };
  const taskDefinitionKey = place.element.id;
  const view = { id, name, description, assignee, owner, priority, ...dates, taskDefinitionKey, eventName };
  if (run.rules < 3) return view;
  const { candidateUsers, candidateGroups, created = run.context.now } = facts;
  return { ...view, createTime: iso(created), formKey: task.formKey(), candidateUsers, candidateGroups };
}

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
