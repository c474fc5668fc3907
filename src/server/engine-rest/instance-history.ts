import {
  type ActivityInstance,
  activityHistory,
  type ProcessInstance,
  processDefinitions,
  tasks,
} from '../../engine/index.js';
import { badRequest } from '../../shared/errors.js';
import { NOT_HERE, rootOf, times } from './history.js';
import { visibleInstance } from './process-dto.js';
import { type Json, notThere, type RestAnswer, type RestCall, type RestRoute } from './rest-call.js';
import { among, asked, dated, type Given, like, type ToldList, told, toldRoutes } from './told-list.js';

// What has happened in an instance, as Camunda's clients look for it: its activities, and the user tasks among them.

/** How many instances one request asks about. */
const INSTANCES_MAX = 100;

/** Those that are asked about, which the caller sees; one alone has to be there. @throws BAD_REQUEST (none, too many), NOT_FOUND */
export function instancesIn(call: RestCall, given: Given): readonly ProcessInstance[] {
  const ids = [...new Set([...(given.get('processInstanceId') ?? []), ...(given.get('processInstanceIdIn') ?? [])])];
  if (ids.length === 0)
    throw badRequest('expected the id of a process instance as the parameter processInstanceId, but there is none', {
      reason: 'argument_missing',
      details: { argument: 'processInstanceId' },
    });
  if (ids.length <= INSTANCES_MAX) return ids.map((id) => visibleInstance(call, id));
  throw badRequest(`expected at most ${INSTANCES_MAX} process instances at once, but found ${ids.length}`);
}

type Shown = (call: RestCall, instance: ProcessInstance, activity: ActivityInstance) => readonly Json[];

/** What is shown of the activities of the instances, by start time. */
const shownBy = (shown: Shown) => async (call: RestCall, given: Given) => {
  const instances = instancesIn(call, given);
  const histories = await call.ask(activityHistory, { instanceIds: instances.map(({ id }) => id) });
  return instances.flatMap((instance, at) => (histories[at] ?? []).flatMap((each) => shown(call, instance, each)));
};

/** Camunda's HistoricActivityInstanceDto. */
const activityDto: Shown = (call, instance, activity) => [
  {
    id: activity.id,
    parentActivityInstanceId: activity.parentActivityInstanceId ?? instance.id,
    activityId: activity.activityId,
    activityName: activity.activityName,
    activityType: activity.activityType,
    ...definitionOf(call, instance, activity),
    processInstanceId: instance.id,
    executionId: null,
    taskId: activity.taskId,
    calledProcessInstanceId: null,
    calledCaseInstanceId: null,
    assignee: openTask(call, activity)?.actor.context.assignee ?? null,
    ...times(activity.startTime, activity.endTime),
    canceled: activity.canceled,
    completeScope: activity.completeScope,
    ...NOT_HERE,
    rootProcessInstanceId: rootOf(call.state, instance),
  },
];

/** What has ended before its instance migrated stays one of the version that it ran by. */
const definitionOf = ({ state }: RestCall, instance: ProcessInstance, { definitionId }: ActivityInstance): Json => ({
  processDefinitionKey: state.get(processDefinitions, definitionId)?.key ?? instance.definitionKey,
  processDefinitionId: definitionId,
});

/** Tasks that have ended are no documents any more. */
const openTask = ({ state }: RestCall, { taskId, endTime }: ActivityInstance) =>
  taskId === null || endTime !== null ? undefined : state.get(tasks, taskId);

/** Camunda's HistoricTaskInstanceDto. Who had a task that has ended is not kept. */
const taskDto: Shown = (call, instance, activity) => {
  if (activity.taskId === null) return [];
  const task = openTask(call, activity);
  const { startTime, endTime, durationInMillis: duration } = times(activity.startTime, activity.endTime);
  const completed = activity.canceled ? 'deleted' : 'completed';
  return [
    {
      id: activity.taskId,
      ...definitionOf(call, instance, activity),
      processInstanceId: instance.id,
      executionId: task?.executionId ?? null,
      ...{ caseDefinitionKey: null, caseDefinitionId: null, caseInstanceId: null, caseExecutionId: null },
      activityInstanceId: activity.id,
      name: task?.name ?? activity.activityName,
      description: task?.description ?? null,
      deleteReason: endTime === null ? null : completed,
      owner: task?.actor.context.owner ?? null,
      assignee: task?.actor.context.assignee ?? null,
      ...{ startTime, endTime, duration },
      taskDefinitionKey: activity.activityId,
      priority: task?.priority ?? 50,
      due: task?.due == null ? null : times(task.due, null).startTime,
      parentTaskId: null,
      followUp: task?.followUp == null ? null : times(task.followUp, null).startTime,
      ...NOT_HERE,
      rootProcessInstanceId: rootOf(call.state, instance),
      taskState: endTime === null ? 'Created' : completed.replace(/^./, (first) => first.toUpperCase()),
    },
  ];
};

const isOver = ({ endTime }: Json): boolean => endTime !== null;

const ofInstances: ToldList['filters'] = {
  processInstanceId: told,
  processInstanceIdIn: told,
  processDefinitionId: among('processDefinitionId'),
  processDefinitionKey: among('processDefinitionKey'),
  finished: asked(isOver),
  unfinished: asked((item) => !isOver(item)),
  startedBefore: dated('startTime', -1),
  startedAfter: dated('startTime', 1),
  finishedBefore: dated('endTime', -1),
  finishedAfter: dated('endTime', 1),
};

const sorts = { startTime: 'startTime', endTime: 'endTime', definitionId: 'processDefinitionId' };

const activities: ToldList = {
  path: 'history/activity-instance',
  all: shownBy(activityDto),
  filters: {
    ...ofInstances,
    activityInstanceId: among('id'),
    activityId: among('activityId'),
    activityIdIn: among('activityId'),
    activityName: among('activityName'),
    activityNameLike: like('activityName'),
    activityType: among('activityType'),
    canceled: asked(({ canceled }) => canceled === true),
    completeScope: asked(({ completeScope }) => completeScope === true),
  },
  sorts: {
    ...sorts,
    activityInstanceId: 'id',
    instanceId: 'processInstanceId',
    executionId: 'executionId',
    activityId: 'activityId',
    activityName: 'activityName',
    activityType: 'activityType',
    duration: 'durationInMillis',
    occurrence: 'startTime',
  },
};

const historicTasks: ToldList = {
  path: 'history/task',
  all: shownBy(taskDto),
  filters: {
    ...ofInstances,
    taskId: among('id'),
    taskName: among('name'),
    taskNameLike: like('name'),
    taskDefinitionKey: among('taskDefinitionKey'),
    taskDefinitionKeyIn: among('taskDefinitionKey'),
    activityInstanceIdIn: among('activityInstanceId'),
    taskAssignee: among('assignee'),
  },
  sorts: { ...sorts, taskId: 'id', taskName: 'name', activityInstanceId: 'activityInstanceId', duration: 'duration' },
};

/** The activity instance of the path: `<process instance>:<number>`. @throws NOT_FOUND */
async function activity(call: RestCall): Promise<RestAnswer> {
  const id = call.param('id');
  const [instanceId = ''] = id.split(':');
  const all = await activities.all(call, new Map([['processInstanceId', [instanceId]]]));
  const found = all.find((each) => each.id === id);
  if (found === undefined) throw notThere('activity instance', id);
  return { json: found };
}

/** What has happened in an instance. */
export const instanceHistory: readonly RestRoute[] = [
  ...toldRoutes(activities),
  { method: 'GET', path: 'history/activity-instance/:id', answer: activity },
  ...toldRoutes(historicTasks),
];
