import type { Bean } from '../../expression/index.js';
import { badRequest } from '../../shared/errors.js';
import { isSoundText, SOUND_TEXT } from '../../shared/sound-text.js';
import { callOnVariables, ExecutionBean } from './execution-bean.js';
import type { TaskDraft, TaskFacts } from './instance-state.js';
import { textOf } from './native.js';
import type { At, Run } from './run.js';

/** `task` in an expression: Camunda's DelegateTask. What a listener sets is the task's from then on. */
export class TaskBean implements Bean {
  readonly #run: Run;
  readonly #at: At;
  readonly #task: TaskDraft;

  constructor(run: Run, at: At, task: TaskDraft) {
    this.#run = run;
    this.#at = at;
    this.#task = task;
  }

  property(name: string): unknown {
    const { facts, id } = this.#task;
    const { context } = this.#run;
    switch (name) {
      case 'id':
        return id;
      case 'dueDate':
        return dateOf(facts.due);
      case 'followUpDate':
        return dateOf(facts.followUp);
      case 'taskDefinitionKey':
        return this.#at.place.element.id;
      case 'eventName':
        return this.#at.event ?? null;
      case 'candidates':
        return candidatesOf(this.#task);
      case 'createTime':
        return new Date(facts.created ?? context.now);
      case 'formKey':
        return this.#task.formKey();
      case 'execution':
        return new ExecutionBean(this.#run, this.#at);
      case 'executionId':
        return `${context.instanceId}:${this.#at.token.id}`;
      case 'processInstanceId':
        return context.instanceId;
      case 'processDefinitionId':
        return context.definitionId;
      default:
        return PLAIN.has(name) ? facts[name as 'name'] : undefined;
    }
  }

  call(method: string, args: readonly unknown[]): unknown {
    const found = callOnVariables(this.#run, this.#at, method, args);
    if (found !== undefined) return found;
    if (method === 'complete' ? args.length === 0 : args.length === 1 && isTaskChange(method)) {
      changeTask(this.#task, method, args[0], this.#at.event);
      return null;
    }
    if (args.length > 0 || !method.startsWith('get')) return undefined;
    return this.property(method.charAt(3).toLowerCase() + method.slice(4));
  }
}

const PLAIN = new Set(['name', 'description', 'assignee', 'owner', 'priority']);

const dateOf = (ms: number | null) => (ms === null ? null : new Date(ms));

/** Camunda's IdentityLink, of a candidate. */
class CandidateBean implements Bean {
  readonly #facts: Readonly<Record<string, string | null>>;

  constructor(taskId: string, who: { readonly userId: string } | { readonly groupId: string }) {
    this.#facts = { userId: null, groupId: null, type: 'candidate', taskId, ...who };
  }

  property(name: string): unknown {
    return Object.hasOwn(this.#facts, name) ? this.#facts[name] : undefined;
  }

  call(method: string, args: readonly unknown[]): unknown {
    if (args.length > 0 || !method.startsWith('get')) return undefined;
    return this.property(method.charAt(3).toLowerCase() + method.slice(4));
  }
}

const candidatesOf = ({ id, facts }: TaskDraft): CandidateBean[] => [
  ...facts.candidateUsers.map((userId) => new CandidateBean(id, { userId })),
  ...facts.candidateGroups.map((groupId) => new CandidateBean(id, { groupId })),
];

/** Whether {@link changeTask} knows the method. */
const isTaskChange = (method: string): boolean => SETTERS.has(method);

/** Does what a listener to the event calls on Camunda's DelegateTask to change it. @throws BAD_REQUEST (no such method, not such a value, or nothing to complete) */
export function changeTask(task: TaskDraft, method: string, value: unknown, event: string | undefined): void {
  if (method === 'complete') {
    completeIn(task, event);
    return;
  }
  const set = SETTERS.get(method);
  if (set === undefined) throw badRequest(`expected a method that changes a task, but found '${method}'`);
  const given = (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
  if (!given.every(isSoundText))
    throw badRequest(`expected ${SOUND_TEXT} for '${method}', but found ${JSON.stringify(value)}`);
  task.facts = { ...task.facts, ...set(value, task.facts) };
  task.changed = true;
}

const COMPLETING = new Set<string | undefined>(['create', 'assignment', 'update', 'timeout']);

function completeIn(task: TaskDraft, event: string | undefined): void {
  if (!COMPLETING.has(event) || task.completed)
    throw badRequest(`expected a task that can be completed, but a listener of event '${event}' finds it ended`);
  task.completed = true;
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

/** A task as a script's `task` shows it: read only. */
export type TaskView = Readonly<Record<string, string | number | null | readonly string[]>>;

/** Task as a task listener's script sees it. */
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
