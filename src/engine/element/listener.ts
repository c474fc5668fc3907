import type { Listener } from '../model/program.js';
import { executionFailed } from './failure.js';
import type { TaskDraft, TaskFacts } from './instance-state.js';
import { askHandler, handlerKind } from './outcome.js';
import type { At, Run } from './run.js';
import { evaluateSource } from './source.js';

/** Tells the listeners, in document order. What they give back is not used. @throws EXECUTION_FAILED */
export function notify(run: Run, at: At, listeners: readonly Listener[], event: string): void {
  if (run.silent) return;
  for (const { source } of listeners) {
    const where = { ...at, event };
    if (source.kind === 'handler') tell(run, where, source.name, source.fields ?? {});
    else evaluateSource(run, where, source);
  }
}

/** A listener happens within the step, so only a handler that may be repeated can be one. */
function tell(run: Run, at: At, name: string, fields: Readonly<Record<string, string>>): void {
  if (handlerKind(run, at, name) === 'call') {
    throw executionFailed(at.place, {
      expected: `listener '${name}'`,
      cause: 'its handler is not registered as inline, and a listener cannot wait',
    });
  }
  askHandler(run, at, name, fields);
}

/** Tells the task's listeners of the event; they may change the draft. */
export function notifyTask(run: Run, at: AtTask, event: string): void {
  const listeners = at.place.taskListeners.filter((listener) => listener.event === event);
  notify(run, at, listeners, event);
}

type AtTask = At & { readonly task: TaskDraft };

/**
 * As {@link notifyTask}, for a task that is there already, one event after the other: what the listeners change is written. Gives whether one of them has
 * completed the task: then those of `complete` are told instead of what would have been next.
 */
export function notifyStored(run: Run, at: At, taskId: string, ...events: readonly string[]): boolean {
  if (at.place.taskListeners.length === 0) return false;
  const facts = run.context.task?.(taskId) ?? { ...UNKNOWN, name: at.place.element.name };
  const formKey = () => facts.formKey ?? null;
  const task: TaskDraft = { id: taskId, facts, changed: false, formKey };
  for (const event of events) if (!task.completed) notifyTask(run, { ...at, task }, event);
  // As in Camunda: who is given the task by a listener to updates is told of.
  const isGiven = events.at(-1) === 'update' && task.facts.assignee !== facts.assignee;
  if (isGiven && !task.completed && run.rules >= 8) notifyTask(run, { ...at, task }, 'assignment');
  if (task.completed) notifyTask(run, { ...at, place: run.placeOf(at.token), task }, 'complete');
  if (task.changed) run.effects.push({ type: 'updateTask', taskId, task: task.facts });
  return task.completed === true;
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
