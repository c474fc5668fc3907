import {
  bufferedMessages,
  definitionXml,
  deployments,
  findDefinition,
  type Job,
  jobs,
  presentJob,
  presentSubscription,
  processDefinitions,
  processInstances,
  type Subscription,
  subscriptions,
  taskCounts,
  tasks,
} from '../../engine/index.js';
import { badRequest } from '../../shared/errors.js';
import { maySupervise } from '../../shared/rights/roles.js';
import { type Condition, incidents } from '../../store/index.js';
import type { ApiContext } from '../api-context.js';
import { eitherName } from '../arguments.js';
import type { QueryResolvers } from '../generated/schema.js';
import { compared, connectionOf, containing, equal, flagged, listQuery } from '../list-field.js';
import {
  activityConnection,
  instanceNow,
  listedInstance,
  listedTask,
  NONE,
  seesInstance,
  shownIncident,
  taskNow,
} from './process.js';
import { assigneeCondition, candidateConditions, dayBorders, taskConditions, taskOrder } from './task-filter.js';

type BpmQueries = Required<
  Pick<
    QueryResolvers,
    | 'processDefinition'
    | 'processDefinitions'
    | 'deployment'
    | 'processDefinitionXml'
    | 'processInstance'
    | 'processInstances'
    | 'activityHistory'
    | 'activityHistoryConnection'
    | 'task'
    | 'tasks'
    | 'taskCounts'
    | 'incident'
    | 'incidents'
    | 'jobs'
    | 'eventSubscriptions'
    | 'bufferedMessages'
  >
>;

const inTasklist = (wanted: boolean | null | undefined) =>
  wanted == null ? [] : [{ op: wanted ? 'isNull' : 'notNull', column: 'notInTasklist' } as const];

/** As the right to start has it: whom the model names, or everybody; supervisors and administrators all. */
function startable({ caller }: ApiContext, wanted: boolean | null | undefined): Condition[] {
  if (wanted == null) return [];
  const isNamed: Condition = { op: 'multi', column: 'candidateStarter', values: [caller.userId, ...caller.groups] };
  const namesNobody: Condition = { op: 'not', of: { op: 'multi', column: 'candidateStarter' } };
  const may: Condition = maySupervise(caller) ? { op: 'all', of: [] } : { op: 'any', of: [namesNobody, isNamed] };
  return [wanted ? may : { op: 'not', of: may }];
}

export const bpmQueries: BpmQueries = {
  processDefinition: (_, name, context) => findDefinition(context.state, name) ?? null,

  async processDefinitions(_, args, context, info) {
    const where = [
      ...containing('key', args.key),
      ...containing('name', args.name),
      ...(args.latestVersion ? equal('latest', 1) : []),
      ...flagged('suspended', args.suspended),
      ...inTasklist(args.isStartableInTasklist),
      ...startable(context, args.startable),
      { op: 'notNull', column: 'key' } as const,
    ];
    const order = [{ column: 'key' }, { column: 'age' }];
    const page = await context.list(
      listQuery({ collection: processDefinitions, where, order, first: 100 }, args, info),
    );
    return connectionOf(processDefinitions, page, (definition) => definition);
  },

  deployment: (_, { id }, context) => context.find(deployments, id) ?? null,

  processDefinitionXml(_, { id }, context) {
    const definition = findDefinition(context.state, { id });
    return definition === undefined ? null : definitionXml(context.state, definition.id);
  },

  processInstance: async (_, { id }, context, info) =>
    (await seesInstance(context, id, info)) ? instanceNow(context, id) : null,

  async processInstances(_, args, context, info) {
    const where = [
      ...equal('definitionKey', args.definitionKey),
      ...equal('definitionId', eitherName(args, 'definition', 'definitionId')),
      ...equal('businessKey', args.businessKey),
      ...flagged('active', args.active),
      ...flagged('suspended', args.suspended),
      ...(args.withIncidents ? equal('withIncidents', 1) : []),
      ...compared('startTime', 'le', args.startedBefore),
      ...compared('startTime', 'ge', args.startedAfter),
    ];
    const order = [{ column: 'startTime', descending: true }];
    const page = await context.list(listQuery({ collection: processInstances, where, order, first: 20 }, args, info));
    return connectionOf(processInstances, page, listedInstance(context, info));
  },

  activityHistory: async (_, { processInstanceId }, context, info) => {
    const id = given('processInstanceId', processInstanceId);
    return (await seesInstance(context, id, info)) ? context.history(id) : [];
  },

  activityHistoryConnection: async (_, { processInstanceId, ...page }, context, info) => {
    const id = given('processInstanceId', processInstanceId);
    return activityConnection(context, (await seesInstance(context, id, info)) ? id : NONE, page, info);
  },

  task: (_, { id }, context) => taskNow(context, id),

  async tasks(_, args, context, info) {
    const where = taskConditions(args, context);
    const list = { collection: tasks, where, order: taskOrder(args), first: 20 };
    const page = await context.list(listQuery(list, args, info));
    return connectionOf(tasks, page, listedTask(context, info));
  },

  taskCounts(_, args, context) {
    const now = context.services.now();
    const due = assigneeCondition(args);
    const scope = [...due, ...candidateConditions(args, context)];
    return context.query(taskCounts, { scope, due, now, ...dayBorders(now, args.timeZone) });
  },

  incident(_, { id, includeStackTrace }, context) {
    const incident = context.find(incidents, id);
    return incident === undefined ? null : shownIncident(includeStackTrace ?? true)(incident);
  },

  async incidents(_, args, context, info) {
    const where = [
      ...equal('instanceId', args.processInstanceId),
      ...equal('definitionId', eitherName(args, 'definitionId', 'processDefinitionId')),
      ...equal('definitionKey', eitherName(args, 'definitionKey', 'processDefinitionKey')),
      ...equal('type', eitherName(args, 'type', 'incidentType')),
      ...equal('activityId', args.activityId),
      { op: 'notNull', column: 'created' } as const,
    ];
    const list = { collection: incidents, where, order: [{ column: 'created' }], first: 50 };
    const page = await context.list(listQuery(list, args, info));
    return connectionOf(incidents, page, shownIncident(args.includeStackTrace ?? false));
  },

  async jobs(_, args, context, info) {
    const where = [
      ...equal('instanceId', args.processInstanceId),
      ...equal('definitionKey', args.definitionKey),
      ...equal('activityId', args.activityId),
      ...equal('type', args.type),
      ...equal('state', args.state),
      ...compared('dueAt', 'lt', args.dueBefore),
      ...compared('dueAt', 'gt', args.dueAfter),
      { op: 'notNull', column: 'dueAt' } as const,
    ];
    const list = { collection: jobs, where, order: [{ column: 'dueAt' }], first: 50 };
    const now = context.leavingOut(info, (job: Job) => presentJob(context.reading, job));
    return connectionOf(jobs, await context.list(listQuery(list, args, info)), now);
  },

  async eventSubscriptions(_, args, context, info) {
    const where = [
      ...equal('instanceId', args.processInstanceId),
      ...equal('eventType', eitherName(args, 'waitsFor', 'eventType')),
      ...equal('eventName', args.eventName),
    ];
    const list = { collection: subscriptions, where, order: [], first: 50 };
    const page = await context.list(listQuery(list, args, info));
    const now = context.leavingOut(info, (one: Subscription) => presentSubscription(context.reading, one));
    return connectionOf(subscriptions, page, now);
  },

  async bufferedMessages(_, args, context, info) {
    const where = [{ op: 'notNull', column: 'waits' } as const, ...equal('messageName', args.messageName)];
    const list = { collection: bufferedMessages, where, order: [{ column: 'created' }], first: 50 };
    return connectionOf(bufferedMessages, await context.list(listQuery(list, args, info)), (message) => message);
  },
};

/** @throws BAD_REQUEST when the argument is empty */
function given(argument: string, value: string): string {
  if (value.trim() !== '') return value;
  throw badRequest(`expected an id as '${argument}', but found an empty text`, {
    reason: 'argument_missing',
    details: { argument },
  });
}
