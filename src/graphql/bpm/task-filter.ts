import type { Caller } from '../../shared/caller.js';
import { seesGroupsOf } from '../../shared/rights/roles.js';
import type { Condition, OrderTerm } from '../../store/index.js';
import type { ApiServices } from '../api-services.js';
import { eitherName } from '../arguments.js';
import type { QuerytaskCountsArgs, QuerytasksArgs, TaskSortField } from '../generated/schema.js';
import { compared, equal } from '../list-field.js';

/** Who asks, and the groups of users, for candidate filters. */
interface Asking {
  readonly caller: Caller;
  readonly services: { readonly principals: Pick<ApiServices['principals'], 'groupsOf'> };
}

/** Conditions of a list of tasks, by its filter. */
export const taskConditions = (filter: QuerytasksArgs, asking: Asking): Condition[] => [
  ...assigneeCondition(filter),
  ...(filter.assigneeIn ? [{ op: 'in', column: 'assignee', values: filter.assigneeIn } as const] : []),
  ...candidateConditions(filter, asking),
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

/**
 * Unassigned tasks that the user, by itself or by its groups, or members of one of the groups may claim. By which groups another user may is not told
 * to everybody.
 */
export function candidateConditions(
  { candidateUser, candidateGroup, candidateGroups }: QuerytaskCountsArgs & Pick<QuerytasksArgs, 'candidateGroup'>,
  { caller, services }: Asking,
): Condition[] {
  const isGiven = [candidateUser, candidateGroup, candidateGroups].some((filter) => filter != null);
  if (!isGiven) return [];
  const users = candidateUser == null ? [] : [candidateUser];
  const groups = [
    ...(candidateGroups ?? []),
    ...(candidateGroup == null ? [] : [candidateGroup]),
    ...users.flatMap((userId) => (seesGroupsOf(caller, userId) ? services.principals.groupsOf(userId) : [])),
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
export function taskOrder({ sortBy, sortOrder }: QuerytasksArgs): OrderTerm[] {
  const descending = sortOrder !== 'ASC';
  const first = { column: COLUMNS[sortBy ?? 'CREATED'], descending };
  // Many have one name: the index goes on with when they were made.
  return sortBy === 'NAME' ? [first, { column: 'created', descending }] : [first];
}

const DAY_MS = 86_400_000;

/** When days begin around an instant, in ms. */
interface DayBorders {
  readonly today: number;
  readonly tomorrow: number;
  /** The start of the day in seven days. */
  readonly nextWeek: number;
}

/** The borders of the day that holds `now`, in an IANA time zone; in UTC when it is missing or unknown. */
export function dayBorders(now: number, timeZone: string | null | undefined): DayBorders {
  const format = formatOf(timeZone);
  const day = localOf(format, now).day;
  const border = (days: number) => startOf(format, day + days * DAY_MS);
  return { today: border(0), tomorrow: border(1), nextWeek: border(7) };
}

/** A local time as if it were UTC, and the start of its day. */
interface Local {
  readonly time: number;
  readonly day: number;
}

/**
 * The first instant of a local day. Where the clock is set at midnight, the two offsets around it give two candidates: the right one is the
 * earliest that lies in the day.
 */
function startOf(format: Intl.DateTimeFormat, day: number): number {
  const offsets = [day - DAY_MS, day + DAY_MS].map((at) => localOf(format, at).time - at);
  const candidates = offsets.map((offset) => day - offset).sort((a, b) => a - b);
  const inDay = candidates.find((at) => localOf(format, at).day === day);
  // A day that the zone left out altogether begins where the next one does.
  return inDay ?? Math.max(...candidates);
}

function localOf(format: Intl.DateTimeFormat, at: number): Local {
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const start = Date.UTC(year, month - 1, day);
  return { time: start + ((hour * 60 + minute) * 60 + second) * 1_000, day: start };
}

function formatOf(timeZone: string | null | undefined): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', { ...FORMAT, timeZone: timeZone ?? 'UTC' });
  } catch {
    return new Intl.DateTimeFormat('en-US', { ...FORMAT, timeZone: 'UTC' });
  }
}

const FORMAT: Intl.DateTimeFormatOptions = {
  calendar: 'gregory',
  numberingSystem: 'latn',
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
};
