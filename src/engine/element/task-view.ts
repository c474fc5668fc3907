import type { At, TaskDraft } from './evaluate.js';

/** A task as a script's `task` shows it: read only. */
export type TaskView = Readonly<Record<string, string | number | null>>;

/** What a task listener's script sees of its task. */
export function taskView({ place, event }: At, { id, facts }: TaskDraft): TaskView {
  const { name, description, assignee, owner, priority, due, followUp } = facts;
  const eventName = event ?? null;
  const dates = { dueDate: iso(due), followUpDate: iso(followUp) };
  return { id, name, description, assignee, owner, priority, ...dates, taskDefinitionKey: place.element.id, eventName };
}

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
