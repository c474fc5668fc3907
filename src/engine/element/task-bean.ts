import type { Bean } from '../../expression/index.js';
import type { At, TaskDraft } from './evaluate.js';
import { ExecutionBean } from './execution-bean.js';
import type { Run } from './run.js';
import { changeTask, isTaskChange } from './task-change.js';
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
    if (args.length === 1 && isTaskChange(method)) {
      changeTask(this.#task, method, args[0]);
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
