import {
  type ExternalTask,
  executionOf,
  externalTasks,
  presentTask,
  processDefinitions,
  type Task,
  tasks,
} from '../../engine/index.js';
import { isShown } from '../../shared/connection.js';
import { type Condition, documentOf } from '../../store/index.js';
import { flag, is, isDate, isNumber, isOneOf, listRoutes, nothing } from './list-route.js';
import { named, plainText } from './named.js';
import { instant, type Json, type RestAnswer, type RestCall, type RestRoute, unfit, wholeIn } from './rest-call.js';
import { bySuspension, taskQuery } from './task-query.js';

/** An external task as Camunda's ExternalTaskDto. */
export const externalTaskDto = ({ state }: RestCall, task: ExternalTask): Json => ({
  activityId: task.elementId,
  activityInstanceId: `${task.instanceId}:${task.activity}`,
  errorMessage: task.errorMessage,
  executionId: executionOf(task),
  id: task.id,
  lockExpirationTime: task.lock === null ? null : instant(task.lock.until),
  processDefinitionId: task.definitionId,
  processDefinitionKey: task.definitionKey,
  processDefinitionVersionTag: state.get(processDefinitions, task.definitionId)?.versionTag ?? null,
  processInstanceId: task.instanceId,
  retries: task.retries,
  suspended: task.suspended,
  workerId: task.lock?.workerId ?? null,
  topicName: task.topic,
  tenantId: null,
  priority: task.priority,
  businessKey: task.businessKey,
});

const inState = (value: string): Condition => ({ op: 'eq', column: 'state', value });

/** Somebody has it, or it is to be tried again later. */
const isTaken: Condition = { op: 'gt', column: 'freeFrom', value: 0 };

const externals = listRoutes({
  path: 'external-task',
  collection: externalTasks,
  always: [{ op: 'notNull', column: 'created' }],
  filters: {
    externalTaskId: is('id'),
    externalTaskIdIn: isOneOf('id'),
    topicName: is('topic'),
    workerId: is('workerId'),
    locked: flag([inState('locked')]),
    notLocked: flag([{ op: 'not', of: inState('locked') }]),
    noRetriesLeft: flag([inState('failed')]),
    withRetriesLeft: flag([{ op: 'not', of: inState('failed') }]),
    activityId: is('elementId'),
    activityIdIn: isOneOf('elementId'),
    processInstanceId: is('instanceId'),
    processInstanceIdIn: isOneOf('instanceId'),
    processDefinitionId: is('definitionId'),
    ...bySuspension,
    lockExpirationBefore: (value, name, values) => [isTaken, ...isDate('freeFrom', 'lt')(value, name, values)],
    lockExpirationAfter: isDate('freeFrom', 'gt'),
    priorityHigherThanOrEquals: isNumber('priority', 'ge'),
    priorityLowerThanOrEquals: isNumber('priority', 'le'),
    tenantIdIn: nothing,
  },
  sorts: {
    id: 'id',
    lockExpirationTime: 'freeFrom',
    processInstanceId: 'instanceId',
    processDefinitionId: 'definitionId',
    processDefinitionKey: 'definitionKey',
    taskPriority: 'priority',
    createTime: 'created',
  },
  sorted: 'created',
  present: presentTask,
  dto: externalTaskDto,
});

/** Camunda's TaskDto. */
const taskDto = (task: Task): Json => ({
  id: task.id,
  name: task.name,
  assignee: task.actor.context.assignee,
  created: instant(task.created),
  due: instantOrNull(task.due),
  followUp: instantOrNull(task.followUp),
  lastUpdated: null,
  delegationState: DELEGATIONS[task.actor.value] ?? null,
  description: task.description,
  executionId: task.executionId,
  owner: task.actor.context.owner,
  parentTaskId: null,
  priority: task.priority,
  processDefinitionId: task.definitionId,
  processInstanceId: task.instanceId,
  taskDefinitionKey: task.elementId,
  caseExecutionId: null,
  caseInstanceId: null,
  caseDefinitionId: null,
  suspended: task.suspended,
  formKey: task.formKey,
  camundaFormRef: null,
  tenantId: null,
  taskState: 'Created',
});

/** Camunda's names of the states of a delegated task. */
export const DELEGATIONS: Readonly<Record<string, string>> = { delegated: 'PENDING', resolved: 'RESOLVED' };

const instantOrNull = (ms: number | null): string | null => (ms === null ? null : instant(ms));

const userTasks = listRoutes<Task>({
  path: 'task',
  collection: tasks,
  always: [{ op: 'notNull', column: 'created' }],
  ...taskQuery,
  present: presentTask,
  dto: (_, task) => taskDto(task),
});

/** The open user task that the path names. @throws NOT_FOUND */
export const seenTask = (call: RestCall): Task => named(call, tasks, 'task', presentTask);

const externalTask = (call: RestCall): ExternalTask => named(call, externalTasks, 'external task', presentTask);

/** Why it failed last: the text alone. */
function errorDetails(call: RestCall): RestAnswer {
  const { errorDetails: details } = externalTask(call);
  return details === null ? null : plainText(details);
}

async function setRetries(call: RestCall): Promise<RestAnswer> {
  const retries = wholeIn(call.json(), 'retries');
  if (retries === undefined) throw unfit('retries', 'a number', retries);
  await call.send(call.services.api.setExternalTaskRetries, { taskId: call.param('id'), retries });
  return null;
}

/** How many topics are told. */
const TOPICS_MAX = 1_000;

/** What `topic-names` may be asked for; `false` asks for all. */
const OF_TOPICS: Readonly<Record<string, Condition>> = {
  withLockedTasks: inState('locked'),
  withUnlockedTasks: { op: 'not', of: inState('locked') },
  withRetriesLeft: { op: 'not', of: inState('failed') },
};

/** Each topic of open tasks, by name. */
async function topicNames(call: RestCall): Promise<RestAnswer> {
  const wanted = [...call.query].flatMap(([name, value]) => {
    const condition = Object.hasOwn(OF_TOPICS, name) ? OF_TOPICS[name] : undefined;
    if (condition === undefined) throw unfit(name, `one of ${Object.keys(OF_TOPICS).join(', ')}`, name);
    return value === 'true' ? [condition] : [];
  });
  const names: string[] = [];
  const asked = { collection: externalTasks.name, order: [{ column: 'topic' }], field: 'engine-rest/topic-names' };
  while (names.length < TOPICS_MAX) {
    const last = names.at(-1);
    const beyond: readonly Condition[] = last === undefined ? [] : [{ op: 'gt', column: 'topic', value: last }];
    const where: readonly Condition[] = [{ op: 'notNull', column: 'topic' }, ...beyond, ...wanted];
    const { rows } = await call.list({ ...asked, where, first: 1, after: null, count: false });
    const [row] = rows.filter(isShown);
    if (row === undefined) break;
    names.push(documentOf(externalTasks, row).topic);
  }
  return { json: names };
}

/** Open tasks, of workers and of users, as Camunda's clients look for them. */
export const taskLists: readonly RestRoute[] = [
  ...externals,
  { method: 'GET', path: 'external-task/topic-names', answer: topicNames },
  { method: 'GET', path: 'external-task/:id', answer: (call) => ({ json: externalTaskDto(call, externalTask(call)) }) },
  { method: 'GET', path: 'external-task/:id/errorDetails', answer: errorDetails },
  { method: 'PUT', path: 'external-task/:id/retries', answer: setRetries },
  ...userTasks,
  { method: 'GET', path: 'task/:id', answer: (call) => ({ json: taskDto(seenTask(call)) }) },
];
