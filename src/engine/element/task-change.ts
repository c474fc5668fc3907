import { badRequest } from '../../shared/errors.js';
import { isSoundText, SOUND_TEXT } from '../../shared/sound-text.js';
import type { TaskDraft } from './evaluate.js';
import type { TaskFacts } from './instance-state.js';
import { textOf } from './native.js';

/** Whether {@link changeTask} knows the method. */
export const isTaskChange = (method: string): boolean => SETTERS.has(method);

/** Does what a listener calls on Camunda's DelegateTask to change it. @throws BAD_REQUEST (no such method, or not such a value) */
export function changeTask(task: TaskDraft, method: string, value: unknown): void {
  const set = SETTERS.get(method);
  if (set === undefined) throw badRequest(`expected a method that changes a task, but found '${method}'`);
  const given = (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
  if (!given.every(isSoundText))
    throw badRequest(`expected ${SOUND_TEXT} for '${method}', but found ${JSON.stringify(value)}`);
  task.facts = { ...task.facts, ...set(value, task.facts) };
  task.changed = true;
}

type Setter = (value: unknown, task: TaskFacts) => Partial<TaskFacts>;

const SETTERS: ReadonlyMap<string, Setter> = new Map<string, Setter>([
  ['setName', (value) => ({ name: textOf(value) })],
  ['setDescription', (value) => ({ description: textOf(value) })],
  ['setAssignee', (value) => ({ assignee: textOf(value) })],
  ['setOwner', (value) => ({ owner: textOf(value) })],
  ['setPriority', (value) => ({ priority: wholeOf(value) })],
  ['setDueDate', (value) => ({ due: msOf(value) })],
  ['setFollowUpDate', (value) => ({ followUp: msOf(value) })],
  ['addCandidateUser', (value, task) => ({ candidateUsers: withItem(task.candidateUsers, value) })],
  ['addCandidateUsers', (value, task) => ({ candidateUsers: withItem(task.candidateUsers, value) })],
  ['deleteCandidateUser', (value, task) => ({ candidateUsers: withoutItem(task.candidateUsers, value) })],
  ['addCandidateGroup', (value, task) => ({ candidateGroups: withItem(task.candidateGroups, value) })],
  ['addCandidateGroups', (value, task) => ({ candidateGroups: withItem(task.candidateGroups, value) })],
  ['deleteCandidateGroup', (value, task) => ({ candidateGroups: withoutItem(task.candidateGroups, value) })],
]);

function msOf(value: unknown): number | null {
  if (value === null) return null;
  const ms = value instanceof Date ? value.getTime() : Date.parse(String(value));
  if (Number.isNaN(ms)) throw badRequest(`expected a date, but found '${String(value)}'`);
  return ms;
}

const withItem = (list: readonly string[], value: unknown) => [
  ...new Set([...list, ...(Array.isArray(value) ? value : [value]).map(String)]),
];

const withoutItem = (list: readonly string[], value: unknown) => list.filter((each) => each !== String(value));

function wholeOf(value: unknown): number {
  const number = typeof value === 'bigint' ? Number(value) : Number(textOf(value) || Number.NaN);
  if (!Number.isInteger(number)) throw badRequest(`expected a whole number as priority, but found '${String(value)}'`);
  return number;
}
