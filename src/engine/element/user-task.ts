import { ServiceError } from '../../shared/errors.js';
import { armTimeouts, instantOf } from './arm.js';
import { again } from './boundary-event.js';
import { evaluate, priorityAt, sound, textAt } from './evaluate.js';
import { BpmnError } from './failure.js';
import type { Armed, TaskDraft, TaskFacts, Token } from './instance-state.js';
import { complete } from './leave.js';
import { notifyStored, notifyTask, UNKNOWN } from './listener.js';
import { textOf } from './native.js';
import type { Place } from './prepared.js';
import { type At, at, type Run } from './run.js';

/** Creates the task, tells `create` and (where someone is assigned) `assignment` listeners, and waits for its completion. */
export function enterUserTask(run: Run, token: Token, place: Place): void {
  const formKey = () => formKeyOf(run, where);
  const task: TaskDraft = { id: run.context.ids.next(), facts: UNKNOWN, changed: false, formKey };
  const where = { token, place, scope: run.innermost(token), task };
  namesOf(run, where);
  task.facts = factsOf(run, where);
  tellOfNew(run, where);
  const { id } = task;
  token.wait = { kind: 'task', id };
  if (!task.completed) armTimeouts(run, token, place);
  run.effects.push({
    type: 'createTask',
    task: {
      id,
      tokenId: token.id,
      activity: token.activity ?? 0,
      element: place.index,
      ...task.facts,
      formKey: formKey(),
    },
  });
  if (!task.completed) return;
  run.writeBegun(token);
  leaveTask(run, token, id);
}

/** The task is completed, as its listeners know: the token goes on. */
export function leaveTask(run: Run, token: Token, taskId: string): void {
  run.effects.push({ type: 'endTask', taskId, outcome: 'completed' });
  token.wait = undefined;
  complete(run, token, run.placeOf(token));
}

/** As in Camunda a task whose listener ends with an error of the model has been there, and is deleted. */
function tellOfNew(run: Run, where: At & { readonly task: TaskDraft }): void {
  try {
    notifyTask(run, where, 'create');
    if (where.task.facts.assignee !== null && !where.task.completed) notifyTask(run, where, 'assignment');
    if (where.task.completed) notifyTask(run, where, 'complete');
  } catch (thrown) {
    if (thrown instanceof BpmnError && run.rules >= 7) notifyTask(run, where, 'delete');
    throw thrown;
  }
}

/** What it shall show needs not be known when the task begins: null where its expression cannot be evaluated. */
function formKeyOf(run: Run, where: At): string | null {
  try {
    return textAt(run, where, where.place.element.userTask?.formKey);
  } catch (thrown) {
    if (thrown instanceof ServiceError && thrown.code === 'EXECUTION_FAILED') return null;
    throw thrown;
  }
}

/** It is time for a `timeout` listener. */
export function timeOut(run: Run, token: Token, armed: Armed): void {
  const { wait } = token;
  if (wait?.kind !== 'task') throw new Error('expected a token that waits for its task');
  again(run, token, armed);
  const place = run.placeOf(token);
  const taskListeners = place.taskListeners.filter((_, listener) => listener === armed.listener);
  const { id } = wait;
  if (notifyStored(run, at(run, token, { ...place, taskListeners }), id, 'timeout')) leaveTask(run, token, id);
}

/** Both come first, so that the rest may refer to `task.name`. */
function namesOf(run: Run, where: At & { readonly task: TaskDraft }): void {
  const { name, documentation } = where.place.element;
  where.task.facts = { ...UNKNOWN, name: textAt(run, where, name), description: textAt(run, where, documentation) };
}

function factsOf(run: Run, where: At & { readonly task: TaskDraft }): TaskFacts {
  const { userTask } = where.place.element;
  // All of them are named: what is spread and then overwritten takes several times as long.
  const { name, description } = where.task.facts;
  const text = (source: string | null | undefined) => textAt(run, where, source);
  const instant = (source: string | null | undefined) => (source == null ? null : instantOf(run, where, source));
  return {
    name,
    description,
    assignee: emptyAsNull(text(userTask?.assignee)),
    owner: emptyAsNull(text(userTask?.owner)),
    candidateUsers: candidates(run, where, userTask?.candidateUsers ?? []),
    candidateGroups: candidates(run, where, userTask?.candidateGroups ?? []),
    due: instant(userTask?.dueDate),
    followUp: instant(userTask?.followUpDate),
    priority: userTask?.priority == null ? UNKNOWN.priority : priorityAt(run, where, userTask.priority),
  };
}

const emptyAsNull = (text: string | null) => (text === '' ? null : text);

/** Each entry is an id, or gives a list, or ids with commas in between. */
function candidates(run: Run, where: At, entries: readonly string[]): readonly string[] {
  if (entries.length === 0) return [];
  const found = entries.flatMap((entry) => {
    const value = evaluate(run, where, entry);
    if (Array.isArray(value)) return value.map((each) => sound(where, entry, textOf(each) ?? ''));
    return sound(where, entry, textOf(value) ?? '').split(',');
  });
  return [...new Set(found.map((id) => id.trim()).filter((id) => id !== ''))];
}
