import type { GraphQLResolveInfo } from 'graphql';
import {
  type ActivityInstance,
  activeActivities,
  activityName,
  activityPage,
  decisionDefinitions,
  deployedResources,
  enabledActivities,
  instanceOperations,
  jobs,
  type ProcessInstance,
  presentInstance,
  presentTask,
  processDefinitions,
  processInstances,
  processVariables,
  type Resource,
  resourceText,
  startForm,
  swept,
  type Task,
  tasks,
} from '../../engine/index.js';
import type { Connection } from '../../shared/connection.js';
import { type Incident, incidents } from '../../store/index.js';
import type { ApiContext } from '../api-context.js';
import type {
  ActivityInstanceResolvers,
  DeploymentResolvers,
  DeploymentResourceResolvers,
  IncidentResolvers,
  ModelWarning,
  ProcessDefinitionResolvers,
  ProcessInstanceResolvers,
} from '../generated/schema.js';
import {
  connectionOf,
  equal,
  keysetConnection,
  keysetRequest,
  type ListOf,
  listQuery,
  type PageArguments,
} from '../list-field.js';
import type { InstanceView, TaskView } from '../views.js';
import { variableList, variablePage } from './variables.js';

export const processInstanceResolvers: ProcessInstanceResolvers = {
  state: ({ actor }) => actor.value,
  suspended: ({ actor }) => actor.value === 'suspended',
  ended: ({ endTime }) => endTime !== null,
  durationInMillis: ({ startTime, endTime }) => (endTime === null ? null : endTime - startTime),
  variables: (instance, _, context) =>
    storedOf(context, instance).flatMap((stored) => variableList(processVariables(context.reading, stored))),
  variablesConnection: (instance, args, context, info) => {
    const [stored] = storedOf(context, instance);
    return variablePage(instance.id, stored === undefined ? {} : processVariables(context.reading, stored), args, info);
  },
  availableOperations: (instance) => instanceOperations(instance),
  activeActivityIds: (instance, _, context) =>
    storedOf(context, instance).flatMap((stored) => {
      const program = context.services.programs.find(context.reading, stored.definitionId);
      return program === undefined ? [] : activeActivities(program, stored);
    }),
  enabledActivities: (instance, _, context) =>
    storedOf(context, instance).flatMap((stored) => {
      const program = context.services.programs.find(context.reading, stored.definitionId);
      return program === undefined ? [] : enabledActivities(program, stored);
    }),
  definition: ({ definitionId }, _, context) => context.find(processDefinitions, definitionId) ?? null,
  async tasks({ id }, args, context, info) {
    const page = await context.related(listQuery(relation(tasks, id, 'created'), args, info));
    return connectionOf(tasks, page, listedTask(context, info));
  },
  async incidents({ id }, args, context, info) {
    const page = await context.related(listQuery(relation(incidents, id, 'created'), args, info));
    return connectionOf(incidents, page, shownIncident(false));
  },
  async jobs({ id }, args, context, info) {
    const page = await context.related(listQuery(relation(jobs, id, 'dueAt'), args, info));
    return connectionOf(jobs, page, (job) => job);
  },
  activityInstances: (instance, _, context) =>
    storedOf(context, instance).length === 0 ? [] : context.history(instance.id),
  activityInstancesConnection: (instance, args, context, info) =>
    activityConnection(context, storedOf(context, instance).length === 0 ? NONE : instance.id, args, info),
  superProcessInstance: (instance, _, context) =>
    instance.calledBy === null ? null : (context.find(processInstances, instance.calledBy.instanceId) ?? null),
  compensatedProcessInstance: (instance, _, context) =>
    storedOf(context, instance).map(({ state }) => context.find(processInstances, state.undoes ?? NONE) ?? null)[0] ??
    null,
  async subProcessInstances({ id }, args, context, info) {
    const where = [...equal('caller', id), { op: 'notNull', column: 'startTime' } as const];
    const list = { collection: processInstances, where, order: [{ column: 'startTime', descending: true }], first: 20 };
    const page = await context.related(listQuery(list, args, info));
    return connectionOf(processInstances, page, (called) => called);
  },
  caseInstanceId: () => null,
  tenantId: () => null,
};

/** In the place of the id of an instance: there is none of that name. */
export const NONE = '';

/** The instance with its tokens and variables: as it was listed, else as it is stored now; none where it is gone, or the caller does not see it. */
function storedOf(context: ApiContext, { state, spilled, ...view }: InstanceView): ProcessInstance[] {
  if (state !== undefined && spilled !== undefined) return [{ ...view, state, spilled }];
  const stored = context.find(processInstances, view.id);
  return stored === undefined ? [] : [stored];
}

/** What belongs to an instance, oldest or earliest first. */
const relation = (collection: ListOf['collection'], instanceId: string, column: string): ListOf => ({
  collection,
  where: [...equal('instanceId', instanceId), { op: 'notNull', column }],
  order: [{ column }],
  first: 20,
});

export const activityInstanceResolvers: ActivityInstanceResolvers = {
  lanes: ({ lanes }) => lanes ?? [],
  durationInMillis: ({ startTime, endTime }) => (endTime === null ? null : endTime - startTime),
};

/** A page of what a process instance did and does. */
export async function activityConnection(
  context: ApiContext,
  instanceId: string,
  args: PageArguments,
  info: GraphQLResolveInfo,
): Promise<Connection<ActivityInstance> & { readonly totalCount: number }> {
  return keysetConnection(await context.query(activityPage, { instanceId, ...keysetRequest(args, 20, info) }));
}

export const incidentResolvers: IncidentResolvers = {
  incidentTimestamp: ({ created }) => created,
  activityName: (incident, _, { services, reading }) => activityName(services.programs, reading, incident),
  processInstanceId: ({ instanceId }) => instanceId,
  processDefinitionId: ({ definitionId }) => definitionId,
  processDefinitionKey: ({ definitionKey }) => definitionKey,
  jobRetries: ({ jobId }, _, context) => context.find(jobs, jobId ?? '')?.actor.context.retries ?? 0,
  annotation: ({ actor }) => actor.context.annotation,
  tenantId: () => null,
};

/** The incident with or without its stack trace. */
export const shownIncident =
  (withStackTrace: boolean) =>
  (incident: Incident): Incident =>
    withStackTrace ? incident : { ...incident, stackTrace: null };

export const processDefinitionResolvers: ProcessDefinitionResolvers = {
  diagramResourceName: () => null,
  isStartableInTasklist: (definition) => definition.isStartableInTasklist !== false,
  startForm: (definition, _, { reading, state, services }) =>
    startForm(state, services.programs.find(reading, definition.id), definition),
  tenantId: () => null,
  async instances({ id }, args, context, info) {
    const where = equal('definitionId', id);
    const order = [{ column: 'startTime', descending: true }];
    const list = listQuery({ collection: processInstances, where, order, first: 20 }, args, info);
    return connectionOf(processInstances, await context.related(list), listedInstance(context, info));
  },
};

export const deploymentResolvers: DeploymentResolvers = {
  deploymentTime: ({ time }) => time,
  tenantId: () => null,
  processDefinitions: ({ definitionIds }, _, context) =>
    definitionIds.flatMap((id) => context.find(processDefinitions, id) ?? []),
  decisionDefinitions: ({ decisionDefinitionIds = [] }, _, context) =>
    decisionDefinitionIds.flatMap((id) => context.find(decisionDefinitions, id) ?? []),
  resources: (deployment, _, { reading }) => deployedResources(reading, deployment),
  warnings: (deployment, _, { reading }) => deployedResources(reading, deployment).flatMap(warningsOf),
};

export const deploymentResourceResolvers: DeploymentResourceResolvers = {
  content: (resource, _, { reading }) => resourceText(reading, resource),
  warnings: warningsOf,
};

function warningsOf({ name, warnings = [] }: Resource): ModelWarning[] {
  return warnings.map((warning) => ({ resourceName: name, rule: null, ...warning }));
}

/** The instance as it is now, for who sees something that belongs to it; null when there is none. */
export const instanceNow = ({ reading }: ApiContext, id: string): InstanceView | null =>
  presentInstance(reading, id) ?? null;

/** The instance as a command on it left it: without its tokens and variables for who has just sent it a message. */
export function instanceLeft(context: ApiContext, id: string): InstanceView | null {
  const now = instanceNow(context, id);
  if (now === null || context.find(processInstances, id) !== undefined) return now;
  const { state: _, spilled: __, ...view } = now;
  return view;
}

/** Whether the caller sees the instance: as such, or by an open task of it. */
export async function seesInstance(context: ApiContext, id: string, info: GraphQLResolveInfo): Promise<boolean> {
  if (context.find(processInstances, id) !== undefined) return true;
  if (context.reading.get(processInstances, id) === undefined) return false;
  const list = { collection: tasks, where: equal('instanceId', id), order: [{ column: 'created' }], first: 1 };
  return (await context.list(listQuery(list, {}, info))).rows.length > 0;
}

/** The open task as it is now; null when there is none that the caller sees. */
export function taskNow(context: ApiContext, id: string): TaskView | null {
  const task = context.find(tasks, id);
  return task === undefined ? null : (presentTask(context.reading, task) ?? null);
}

/** An instance of a list, with what was ordered for all instances of its definition; nothing where that is damaged. */
export const listedInstance = (context: ApiContext, info: GraphQLResolveInfo) =>
  context.leavingOut(
    info,
    (instance: ProcessInstance): InstanceView =>
      swept(instance, context.find(processDefinitions, instance.definitionId)),
  );

/** A task of a list, with what was ordered for all instances of its definition; nothing where that is damaged. */
export const listedTask = (context: ApiContext, info: GraphQLResolveInfo) =>
  context.leavingOut(info, (task: Task): TaskView | undefined => presentTask(context.reading, task));
