import { processInstances, type Task } from '../../engine/index.js';
import { systemCaller } from '../../shared/caller.js';
import { isShown } from '../../shared/connection.js';
import { limitExceeded } from '../../shared/errors.js';
import { seesGroupsOf } from '../../shared/rights/roles.js';
import { type Condition, documentOf, PAGE_MAX } from '../../store/index.js';
import {
  type Filter,
  flag,
  is,
  isDate,
  isInAnyCase,
  isLike,
  isNoneOf,
  isNumber,
  isOneOf,
  type ListedResource,
  nothing,
} from './list-route.js';
import { flagIn, type RestCall, unfit } from './rest-call.js';

/** Instances of one business key that are looked at. */
const INSTANCES_MAX = 1_000;

/** Those of the instances that run and have one of the keys. */
const ofBusinessKeys: Filter = (_, __, keys, { state }) => {
  const found = keys.flatMap((key) => state.find(processInstances, 'business', [key], { limit: INSTANCES_MAX }));
  return [
    { op: 'in', column: 'instanceId', values: found.filter(({ endTime }) => endTime === null).map(({ id }) => id) },
  ];
};

/** How many suspended instances are looked at. */
const SUSPENDED_MAX = PAGE_MAX;

/** Those of suspended instances, or of the others. */
const suspended =
  (isWanted: boolean): Filter =>
  async (value, name, _, call) => {
    if (value !== 'true' && value !== 'false') throw unfit(name, 'true or false', value);
    if (value === 'false') return [];
    const where: Condition[] = [{ op: 'eq', column: 'suspended', value: 1 }];
    const { rows, hasNextPage } = await call.services.reader.list(call.partition.id, {
      ...{ collection: processInstances.name, where, order: [{ column: 'startTime' }], field: `engine-rest/${name}` },
      ...{ first: SUSPENDED_MAX, after: null, count: false, caller: systemCaller(call.caller.workspace) },
    });
    if (hasNextPage) throw limitExceeded(`expected at most ${SUSPENDED_MAX} suspended instances to look at`);
    const ids = rows.flatMap((row) => (isShown(row) ? documentOf(processInstances, row).id : []));
    const held: Condition = { op: 'in', column: 'instanceId', values: ids };
    return [isWanted ? held : { op: 'not', of: held }];
  };

/** Of suspended instances, and of those that are not. */
export const bySuspension: Readonly<Record<'active' | 'suspended', Filter>> = {
  active: suspended(false),
  suspended: suspended(true),
};

const isUnassigned: Condition = { op: 'notNull', column: 'unassigned' };

/** Candidates are told of what nobody has, unless tasks that somebody has are asked for, too. */
const offered = (call: RestCall, condition: Condition): readonly Condition[] => {
  const given = { ...Object.fromEntries(call.query), ...call.json() };
  return flagIn(given, 'includeAssignedTasks') ? [condition] : [isUnassigned, condition];
};

const ofGroups: Filter = (_, __, values, call) => offered(call, { op: 'multi', column: 'candidateGroup', values });

/** By the user's name, or by a group of the user's; which groups these are is not told to everybody. */
const ofCandidate: Filter = (userId, _, __, call) => {
  const groups = seesGroupsOf(call.caller, userId) ? call.services.principals.groupsOf(userId) : [];
  const byGroup: Condition = { op: 'multi', column: 'candidateGroup', values: groups };
  return offered(call, { op: 'any', of: [{ op: 'multi', column: 'candidateUser', values: [userId] }, byGroup] });
};

const ofInvolved: Filter = (userId) => [
  {
    op: 'any',
    of: [
      { op: 'in', column: 'assignee', values: [userId] },
      { op: 'in', column: 'owner', values: [userId] },
      { op: 'multi', column: 'candidateUser', values: [userId] },
    ],
  },
];

const dates = (parameter: string, column: string): Readonly<Record<string, Filter>> => ({
  [`${parameter}Before`]: isDate(column, 'lt'),
  [`${parameter}After`]: isDate(column, 'gt'),
});

/** There is none, or it is before the date. */
const beforeOrNone =
  (column: string): Filter =>
  (value, name, values) => [
    { op: 'any', of: [{ op: 'isNull', column }, ...isDate(column, 'lt')(value, name, values)] },
  ];

const has = (column: string): Condition => ({ op: 'multi', column });
const hasNone = (column: string): Condition => ({ op: 'not', of: has(column) });

/** How user tasks are looked for. */
export const taskQuery: Pick<ListedResource<Task>, 'filters' | 'variables' | 'sorts' | 'sorted'> = {
  filters: {
    taskId: is('id'),
    taskIdIn: isOneOf('id'),
    processInstanceId: is('instanceId'),
    processInstanceIdIn: isOneOf('instanceId'),
    processInstanceBusinessKey: ofBusinessKeys,
    processInstanceBusinessKeyIn: ofBusinessKeys,
    processDefinitionId: is('definitionId'),
    processDefinitionKey: is('definitionKey'),
    processDefinitionKeyIn: isOneOf('definitionKey'),
    taskDefinitionKey: is('elementId'),
    taskDefinitionKeyIn: isOneOf('elementId'),
    taskDefinitionKeyNotIn: isNoneOf('elementId'),
    taskDefinitionKeyLike: isLike('elementId'),
    name: isInAnyCase('name'),
    nameLike: isLike('name', true),
    assignee: is('assignee'),
    assigneeIn: isOneOf('assignee'),
    assigneeLike: isLike('assignee'),
    owner: is('owner'),
    assigned: flag([{ op: 'isNull', column: 'unassigned' }]),
    unassigned: flag([isUnassigned]),
    candidateUser: ofCandidate,
    candidateGroup: ofGroups,
    candidateGroups: ofGroups,
    includeAssignedTasks: flag([]),
    involvedUser: ofInvolved,
    withCandidateGroups: flag([has('candidateGroup')]),
    withoutCandidateGroups: flag([hasNone('candidateGroup')]),
    withCandidateUsers: flag([has('candidateUser')]),
    withoutCandidateUsers: flag([hasNone('candidateUser')]),
    ...bySuspension,
    priority: isNumber('priority'),
    minPriority: isNumber('priority', 'ge'),
    maxPriority: isNumber('priority', 'le'),
    ...dates('created', 'created'),
    ...dates('due', 'due'),
    ...dates('followUp', 'followUp'),
    followUpBeforeOrNotExistent: beforeOrNone('followUp'),
    withoutDueDate: flag([{ op: 'isNull', column: 'due' }]),
    tenantIdIn: nothing,
    withoutTenantId: flag([]),
  },
  variables: { processVariables: 'process', taskVariables: 'task' },
  sorts: {
    id: 'id',
    name: 'name',
    assignee: 'assignee',
    created: 'created',
    dueDate: 'due',
    followUpDate: 'followUp',
    priority: 'priority',
    instanceId: 'instanceId',
  },
  sorted: 'created',
};
