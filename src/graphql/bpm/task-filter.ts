import type { Condition, OrderTerm } from '../../store/index.js';
import type { ApiServices } from '../api-context.js';
import { eitherName } from '../arguments.js';
import type { QuerytaskCountsArgs, QuerytasksArgs, TaskSortField } from '../generated/schema.js';
import { compared, equal } from '../list-field.js';

/** The groups of users, for candidate filters. */
type Groups = ApiServices['principals'];

/** What the tasks of a list must fulfil. */
export const taskConditions = (filter: QuerytasksArgs, principals: Groups): Condition[] => [
  ...assigneeCondition(filter),
  ...(filter.assigneeIn ? [{ op: 'in', column: 'assignee', values: filter.assigneeIn } as const] : []),
  ...candidateConditions(filter, principals),
  ...(filter.unassigned ? [UNASSIGNED] : []),
  ...equal('instanceId', eitherName(filter, 'processInstance', 'processInstanceId')),
  ...equal('definitionId', eitherName(filter, 'definitionId', 'processDefinitionId')),
  ...equal('definitionKey', eitherName(filter, 'definitionKey', 'processDefinitionKey')),
  ...equal('elementId', filter.taskDefinitionKey),
  ...compared('due', 'lt', filter.dueBefore),
  ...compared('due', 'gt', filter.dueAfter),
  ...compared('created', 'lt', filter.createdBefore),
  ...compared('created', 'gt', filter.createdAfter),
  ...equal('priority', filter.priority),
  ...compared('priority', 'ge', filter.priorityHigherThanOrEquals),
  ...compared('priority', 'le', filter.priorityLowerThanOrEquals),
];

export const assigneeCondition = ({ assignee }: Pick<QuerytasksArgs, 'assignee'>): Condition[] =>
  equal('assignee', assignee);

/** Unassigned tasks that the user, by itself or by its groups, or members of one of the groups may claim. */
export function candidateConditions(
  { candidateUser, candidateGroup, candidateGroups }: QuerytaskCountsArgs & Pick<QuerytasksArgs, 'candidateGroup'>,
  principals: Groups,
): Condition[] {
  const isGiven = [candidateUser, candidateGroup, candidateGroups].some((filter) => filter != null);
  if (!isGiven) return [];
  const users = candidateUser == null ? [] : [candidateUser];
  const groups = [
    ...(candidateGroups ?? []),
    ...(candidateGroup == null ? [] : [candidateGroup]),
    ...users.flatMap((userId) => principals.groupsOf(userId)),
  ];
  const candidates: Condition[] = [
    { op: 'multi', column: 'candidateUser', values: users },
    { op: 'multi', column: 'candidateGroup', values: [...new Set(groups)] },
  ];
  return [UNASSIGNED, { op: 'any', of: candidates }];
}

const UNASSIGNED: Condition = { op: 'eq', column: 'unassigned', value: 1 };

const COLUMNS: Readonly<Record<TaskSortField, string>> = {
  ID: 'id',
  NAME: 'name',
  ASSIGNEE: 'assignee',
  CREATED: 'created',
  DUE: 'due',
  FOLLOW_UP: 'followUp',
  PRIORITY: 'priority',
  PROCESS_INSTANCE_ID: 'instanceId',
};

/** The order of a list of tasks. */
export const taskOrder = ({ sortBy, sortOrder }: QuerytasksArgs): OrderTerm[] => [
  { column: COLUMNS[sortBy ?? 'CREATED'], descending: sortOrder !== 'ASC' },
];
