import { timeOfId } from '../../shared/ids.js';
import { seesTask, type TaskPeople } from '../../shared/rights/processes.js';
import { maySupervise } from '../../shared/rights/roles.js';
import { type ActorOf, collection, type Document } from '../../store/documents.js';
import type { Path } from '../element/large-scope.js';
import type { userTaskMachine } from '../machine/user-task.js';
import { keyOfDefinition } from './deployed.js';
import { leavingBehind, outermost } from './gone.js';

/** An open user task. Ended ones are removed; the runs of the instance know them. */
export interface Task extends Document {
  readonly instanceId: string;
  readonly definitionId: string;
  readonly definitionKey: string;
  readonly businessKey: string | null;
  /** `taskDefinitionKey` of the API. */
  readonly elementId: string;
  readonly element: number;
  readonly tokenId: number;
  readonly activity: number;
  readonly executionId: string;
  /** Where its token is, if that is in a large scope. */
  readonly within?: Path;
  readonly name: string | null;
  readonly description: string | null;
  /** ms */
  readonly created: number;
  readonly due: number | null;
  readonly followUp: number | null;
  readonly priority: number;
  readonly formKey: string | null;
  readonly candidateUsers: readonly string[];
  readonly candidateGroups: readonly string[];
  /** Whether its instance is suspended; the instance's own state is what counts. */
  readonly suspended: boolean;
  readonly actor: ActorOf<typeof userTaskMachine>;
}

export const tasks = collection<Task>({
  name: 'task',
  packed: true,
  copy: (it) => ({
    id: it.id,
    instanceId: it.instanceId,
    definitionId: it.definitionId,
    definitionKey: it.definitionKey,
    businessKey: it.businessKey,
    elementId: it.elementId,
    element: it.element,
    tokenId: it.tokenId,
    activity: it.activity,
    executionId: it.executionId,
    within: it.within,
    name: it.name,
    description: it.description,
    created: it.created,
    due: it.due,
    followUp: it.followUp,
    priority: it.priority,
    formKey: it.formKey,
    candidateUsers: it.candidateUsers,
    candidateGroups: it.candidateGroups,
    suspended: it.suspended,
    actor: it.actor,
  }),
  implied: {
    definitionKey: (it) => keyOfDefinition(it.definitionId),
    businessKey: () => null,
    executionId: (it) => `${it.instanceId}:${it.tokenId}`,
    name: () => null,
    description: () => null,
    created: (it) => timeOfId(it.id),
    due: () => null,
    followUp: () => null,
    priority: () => 50,
    formKey: () => null,
    candidateUsers: () => [],
    candidateGroups: () => [],
    suspended: () => false,
    actor: () => UNASSIGNED,
  },
  steady: [
    'instanceId',
    'definitionId',
    'definitionKey',
    'elementId',
    'scope',
    'name',
    'created',
    'due',
    'followUp',
    'priority',
  ],
  columns: {
    assignee: (it) => it.actor.context.assignee,
    owner: (it) => it.actor.context.owner,
    unassigned: (it) => (it.actor.context.assignee === null ? 1 : null),
    instanceId: (it) => it.instanceId,
    definitionId: (it) => it.definitionId,
    definitionKey: (it) => it.definitionKey,
    elementId: (it) => it.elementId,
    name: (it) => it.name,
    created: (it) => it.created,
    due: (it) => it.due,
    followUp: (it) => it.followUp,
    priority: (it) => it.priority,
    scope: (it) => outermost(it.within),
  },
  multi: { candidateUser: (it) => it.candidateUsers, candidateGroup: (it) => it.candidateGroups },
  principals: {
    'actor.context.assignee': 'assignee',
    'actor.context.owner': 'owner',
    'candidateUsers[]': 'candidateUser',
    'candidateGroups[]': 'candidateGroup',
  },
  indexes: {
    created: { columns: ['created'], seldomTied: true },
    due: { columns: ['due'] },
    priority: { columns: ['priority', 'created'], seldomTied: true },
    name: { columns: ['name', 'created'], seldomTied: true },
    assignee: { columns: ['assignee', 'created'], seldomTied: true },
    owner: { columns: ['owner'] },
    unassigned: { columns: ['unassigned', 'created'], seldomTied: true },
    instance: { columns: ['instanceId', 'created'], seldomTied: true, few: true },
    definition: { columns: ['definitionId', 'created'], seldomTied: true },
    key: { columns: ['definitionKey', 'created'], seldomTied: true },
  },
  visible: (caller, it) => seesTask(caller, peopleOf(it)),
  seesAll: maySupervise,
  leftBehind: leavingBehind((it) => it),
});

/** Who has to do with the task, as rights ask it. */
export const peopleOf = ({ actor, candidateUsers: users, candidateGroups: groups }: Task): TaskPeople => ({
  assignee: actor.context.assignee,
  owner: actor.context.owner,
  candidates: { users, groups },
});

const UNASSIGNED: Task['actor'] = Object.freeze({
  value: 'created',
  context: Object.freeze({ assignee: null, owner: null }),
});

/** A comment on a task; kept as long as the instance's history. */
export interface TaskComment extends Document {
  readonly taskId: string;
  readonly instanceId: string;
  readonly userId: string;
  /** ms */
  readonly time: number;
  readonly message: string;
}

export const taskComments = collection<TaskComment>({
  name: 'taskComment',
  columns: { taskId: (it) => it.taskId, instanceId: (it) => it.instanceId, time: (it) => it.time },
  indexes: { task: { columns: ['taskId', 'time'], few: true }, instance: { columns: ['instanceId', 'time'] } },
});
