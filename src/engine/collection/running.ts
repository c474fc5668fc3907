import { timeOfId } from '../../shared/ids.js';
import { mayManageInstance, seesTask, type TaskPeople } from '../../shared/rights/processes.js';
import { maySupervise } from '../../shared/rights/roles.js';
import { type ActorOf, collection, type Document } from '../../store/documents.js';
import type { InstanceState, TypedValue } from '../element/instance-state.js';
import type { Path } from '../element/large-scope.js';
import type { processInstanceMachine } from '../machine/process-instance.js';
import type { userTaskMachine } from '../machine/user-task.js';
import { keyOfDefinition, type StoredText } from './deployed.js';
import { soughtValues } from './sought-values.js';

/** A process instance, running or ended. */
export interface ProcessInstance extends Document {
  readonly definitionId: string;
  readonly definitionKey: string;
  readonly businessKey: string | null;
  readonly startUserId: string;
  /** ms */
  readonly startTime: number;
  readonly endTime: number | null;
  /** Why it was cancelled. */
  readonly deleteReason: string | null;
  readonly incidentCount: number;
  /** The call activity that called it; null: it was started by itself. */
  readonly calledBy: CalledBy | null;
  /** It is suspended because its caller is, and goes on with that one. Absent: it is not. */
  readonly heldByCaller?: true | undefined;
  /** How many commands it has taken: the number of its newest {@link runs}. */
  readonly runs: number;
  /** The last sweep of its definition that it has taken. */
  readonly sweep: string | null;
  readonly actor: ActorOf<typeof processInstanceMachine>;
  /** Tokens, scopes and small variables. */
  readonly state: InstanceState;
  /** The variables that are documents of their own. */
  readonly spilled: readonly SpilledVariable[];
  /** How many tokens are away ({@link instanceParts}), by the number of the outermost large scope, and by element. Absent: none is. */
  readonly away?: Away;
  /** The number of the newest of its runs that brought something to another definition. Absent: none did. */
  readonly migrated?: number;
}

export type Away = Readonly<Record<string, Readonly<Record<string, number>>>>;
/** Place of a call activity. */
export interface CalledBy {
  /** Where its token is, if that is in a large scope. */
  readonly within?: Path;
  readonly instanceId: string;
  readonly activityId: string;
  readonly executionId: string;
}

export interface SpilledVariable {
  readonly scope: number;
  readonly name: string;
  /** What its type does not say; absent: it says all. */
  readonly info?: TypedValue['info'];
}

export const processInstances = collection<ProcessInstance>({
  name: 'processInstance',
  mutable: true, // The interpreter moves the tokens where they are.
  packed: true,
  copy: (it) => ({
    id: it.id,
    definitionId: it.definitionId,
    definitionKey: it.definitionKey,
    businessKey: it.businessKey,
    startUserId: it.startUserId,
    startTime: it.startTime,
    endTime: it.endTime,
    deleteReason: it.deleteReason,
    incidentCount: it.incidentCount,
    calledBy: it.calledBy,
    heldByCaller: it.heldByCaller,
    runs: it.runs,
    sweep: it.sweep,
    actor: it.actor,
    state: it.state,
    spilled: it.spilled,
    away: it.away,
    migrated: it.migrated,
  }),
  implied: {
    definitionKey: (it) => keyOfDefinition(it.definitionId),
    businessKey: () => null,
    startTime: (it) => timeOfId(it.id),
    endTime: () => null,
    deleteReason: () => null,
    incidentCount: () => 0,
    calledBy: () => null,
    sweep: () => null,
    actor: () => RUNNING,
    spilled: () => [],
  },
  steady: ['definitionId', 'definitionKey', 'businessKey', 'startTime', 'starter'],
  principals: { startUserId: 'starter' },
  columns: {
    id: (it) => it.id,
    definitionId: (it) => it.definitionId,
    definitionKey: (it) => it.definitionKey,
    businessKey: (it) => it.businessKey,
    startTime: (it) => it.startTime,
    endTime: (it) => it.endTime,
    state: (it) => it.actor.value,
    active: (it) => (it.endTime === null ? 1 : 0),
    suspended: (it) => (it.actor.value === 'suspended' ? 1 : 0),
    withIncidents: (it) => (it.incidentCount > 0 ? 1 : null),
    starter: (it) => it.startUserId,
    caller: (it) => it.calledBy?.instanceId ?? null,
    /** The definition, while the instance runs. */
    runningOf: (it) => (it.endTime === null ? it.definitionId : null),
  },
  /** Its variables, where a message may come for one of its tokens. */
  multi: { sought: (it) => soughtValues(it.state, it.spilled, it.away !== undefined) },
  indexes: {
    started: { columns: ['startTime'], seldomTied: true },
    active: { columns: ['active', 'startTime'], seldomTied: true },
    definition: { columns: ['definitionId', 'startTime'], seldomTied: true },
    key: { columns: ['definitionKey', 'startTime'], seldomTied: true },
    business: { columns: ['businessKey', 'startTime'], seldomTied: true, few: true },
    incidents: { columns: ['withIncidents', 'startTime'], seldomTied: true },
    ended: { columns: ['endTime'], seldomTied: true },
    starter: { columns: ['starter'] },
    caller: { columns: ['caller', 'startTime'], seldomTied: true },
    /** For work over all instances of a definition, page by page. */
    running: { columns: ['runningOf', 'startTime'], seldomTied: true },
  },
  visible: mayManageInstance,
  seesAll: maySupervise,
});

const RUNNING: ProcessInstance['actor'] = Object.freeze({
  value: 'active',
  context: Object.freeze({ started: true }),
});

/** A variable too large for its instance's document. Id: `<instance>/<scope>/<name>`. */
export interface LargeVariable extends Document, StoredText {
  readonly instanceId: string;
  readonly type: TypedValue['type'];
}

export const largeVariables = collection<LargeVariable>({
  name: 'variable',
  columns: { instanceId: (it) => it.instanceId },
  indexes: { instance: { columns: ['instanceId'] } },
});

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
