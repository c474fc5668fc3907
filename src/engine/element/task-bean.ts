import type { Bean } from '../../expression/index.js';
import { badRequest } from '../../shared/errors.js';
import type { At, TaskDraft } from './evaluate.js';
import { ExecutionBean } from './execution-bean.js';
import type { TaskFacts } from './instance-state.js';
import { textOf } from './native.js';
import type { Run } from './run.js';
import { callOnVariables } from './variable-bean.js';

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
    const set = args.length === 1 ? SETTERS.get(method) : undefined;
    if (set !== undefined) return this.#change(set(args[0], this.#task.facts));
    if (args.length > 0 || !method.startsWith('get')) return undefined;
    return this.property(method.charAt(3).toLowerCase() + method.slice(4));
  }

  #change(changes: Partial<TaskFacts>): null {
    this.#task.facts = { ...this.#task.facts, ...changes };
    this.#task.changed = true;
    return null;
  }
}

const PLAIN = new Set(['name', 'description', 'assignee', 'owner', 'priority']);

type Setter = (value: unknown, task: TaskFacts) => Partial<TaskFacts>;

const SETTERS: ReadonlyMap<string, Setter> = new Map<string, Setter>([
  ['setName', (value) => ({ name: textOf(value) })],
  ['setDescription', (value) => ({ description: textOf(value) })],
  ['setAssignee', (value) => ({ assignee: textOf(value) })],
  ['setOwner', (value) => ({ owner: textOf(value) })],
  ['setPriority', (value) => ({ priority: Number(value) })],
  ['setDueDate', (value) => ({ due: msOf(value) })],
  ['setFollowUpDate', (value) => ({ followUp: msOf(value) })],
  ['addCandidateUser', (value, task) => ({ candidateUsers: withItem(task.candidateUsers, value) })],
  ['addCandidateUsers', (value, task) => ({ candidateUsers: withItem(task.candidateUsers, value) })],
  ['deleteCandidateUser', (value, task) => ({ candidateUsers: withoutItem(task.candidateUsers, value) })],
  ['addCandidateGroup', (value, task) => ({ candidateGroups: withItem(task.candidateGroups, value) })],
  ['addCandidateGroups', (value, task) => ({ candidateGroups: withItem(task.candidateGroups, value) })],
  ['deleteCandidateGroup', (value, task) => ({ candidateGroups: withoutItem(task.candidateGroups, value) })],
]);

const dateOf = (ms: number | null) => (ms === null ? null : new Date(ms));

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
