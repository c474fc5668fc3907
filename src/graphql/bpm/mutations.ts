import {
  type ApiOperations,
  deployments,
  jobs,
  presentTask,
  processDefinitions,
  type Task,
  taskComments,
  withoutNote,
} from '../../engine/index.js';
import { incidents, type Operation } from '../../store/index.js';
import type { ApiContext } from '../api-context.js';
import type { MutationResolvers } from '../generated/schema.js';
import { mutate, mutateAndSettle, required, settled } from '../mutate.js';
import type { TaskView } from '../views.js';
import { instanceLeft } from './process.js';

type Info = Parameters<typeof mutate>[1];

/** Which operation of the engine a mutation sends. */
type Chosen<I, A> = (api: ApiOperations) => Operation<I, A>;
/** What a mutation answers, of what its command answered. */
type Shown<A, R> = (answer: A, context: ApiContext) => R;

/** The resolver of a mutation that sends its arguments to an operation of the engine. */
const sends =
  <I, A, R>(chosen: Chosen<I, A>, shown: Shown<A, R>) =>
  async (_: unknown, args: I, context: ApiContext, info: Info): Promise<R> =>
    shown((await mutate(context, info, chosen(context.services.engine.api), args)).answer, context);

/** As {@link sends}; answers when no call or continuation is running that the command set off. */
const sendsAndSettles =
  <I, A, R>(chosen: Chosen<I, A>, shown: Shown<A, R>) =>
  async (_: unknown, args: I, context: ApiContext, info: Info): Promise<R> =>
    shown((await mutateAndSettle(context, info, chosen(context.services.engine.api), args)).answer, context);

/** The resolver, for a mutation whose one argument is `input`. */
const ofInput =
  <I, R>(resolve: (parent: unknown, input: I, context: ApiContext, info: Info) => R) =>
  (parent: unknown, { input }: { readonly input: I }, context: ApiContext, info: Info): R =>
    resolve(parent, input, context, info);

/** The command's own answer. */
const itself = <A>(answer: A): A => answer;

type ProcessMutations = Required<
  Pick<
    MutationResolvers,
    | 'deployProcess'
    | 'deleteDeployment'
    | 'startProcess'
    | 'correlateMessage'
    | 'correlateMessages'
    | 'evaluateConditions'
    | 'publishSignal'
    | 'suspendProcessInstance'
    | 'activateProcessInstance'
    | 'cancelProcessInstance'
    | 'deleteProcessInstance'
    | 'setProcessVariables'
    | 'modifyProcessInstance'
    | 'restartProcessInstance'
    | 'triggerActivity'
    | 'suspendProcessDefinition'
    | 'activateProcessDefinition'
  >
>;

/** An instance as its command left it; null where there is none. */
const instance = (id: string | null, context: ApiContext) => instanceLeft(context, id ?? '');
const instanceThere = (id: string, context: ApiContext) => required(instanceLeft(context, id), 'process instance', id);
const definition = (id: string | null, context: ApiContext) => context.find(processDefinitions, id ?? '') ?? null;
const deployment = (id: string, context: ApiContext) => required(context.find(deployments, id), 'deployment', id);

export const processMutations: ProcessMutations = {
  deployProcess: ofInput(sends((api) => api.deployProcess, deployment)),
  deleteDeployment: sendsAndSettles((api) => api.deleteDeployment, itself),
  startProcess: ofInput(sendsAndSettles((api) => api.startProcess, instanceThere)),
  correlateMessage: ofInput(sendsAndSettles((api) => api.correlateMessage, instance)),
  correlateMessages: ofInput(sendsAndSettles((api) => api.correlateMessages, itself)),
  evaluateConditions: ofInput(
    sendsAndSettles(
      (api) => api.evaluateConditions,
      (ids: readonly string[], context: ApiContext) => ids.map((id) => instanceThere(id, context)),
    ),
  ),
  publishSignal: ofInput(sendsAndSettles((api) => api.publishSignal, itself)),
  suspendProcessInstance: sends((api) => api.suspendProcessInstance, instance),
  activateProcessInstance: sends((api) => api.activateProcessInstance, instance),
  setProcessVariables: sends((api) => api.setProcessVariables, instance),
  restartProcessInstance: ofInput(sendsAndSettles((api) => api.restartProcessInstance, instanceThere)),
  modifyProcessInstance: ofInput(sendsAndSettles((api) => api.modifyProcessInstance, instanceThere)),
  triggerActivity: ofInput(sendsAndSettles((api) => api.triggerActivity, instanceThere)),
  cancelProcessInstance: sends((api) => api.cancelProcessInstance, itself),
  deleteProcessInstance: sends((api) => api.deleteProcessInstance, itself),
  suspendProcessDefinition: sends((api) => api.suspendProcessDefinition, definition),
  activateProcessDefinition: sends((api) => api.activateProcessDefinition, definition),
};

type TaskMutations = Required<
  Pick<
    MutationResolvers,
    | 'claimTask'
    | 'unclaimTask'
    | 'assignTask'
    | 'setTaskAssignee'
    | 'delegateTask'
    | 'resolveTask'
    | 'completeTask'
    | 'setTaskVariables'
    | 'updateTask'
    | 'taskBpmnError'
    | 'taskEscalation'
    | 'addTaskComment'
  >
>;

/** An open task as its command left it, also when its key comes again. */
const asLeft = (task: Task, { reading }: ApiContext): TaskView => presentTask(reading, task) ?? task;

export const taskMutations: TaskMutations = {
  claimTask: sends((api) => api.claimTask, asLeft),
  unclaimTask: sends((api) => api.unclaimTask, asLeft),
  assignTask: sends((api) => api.assignTask, asLeft),
  setTaskAssignee: sends((api) => api.setTaskAssignee, asLeft),
  delegateTask: sends((api) => api.delegateTask, asLeft),
  resolveTask: sends((api) => api.resolveTask, asLeft),
  setTaskVariables: sends((api) => api.setTaskVariables, asLeft),
  completeTask: ofInput(sendsAndSettles((api) => api.completeTask, itself)),
  updateTask: ofInput(sends((api) => api.updateTask, asLeft)),
  taskBpmnError: ofInput(sendsAndSettles((api) => api.taskBpmnError, itself)),
  taskEscalation: ofInput(sendsAndSettles((api) => api.taskEscalation, asLeft)),
  addTaskComment: sends(
    (api) => api.addTaskComment,
    (id, context) => required(context.find(taskComments, id), 'task comment', id),
  ),
};

type OperatorMutations = Required<
  Pick<
    MutationResolvers,
    | 'setJobRetries'
    | 'setRetriesOfJob'
    | 'setJobDueDate'
    | 'resolveIncident'
    | 'setIncidentAnnotation'
    | 'createIncident'
    | 'executeJob'
    | 'advanceClock'
  >
>;

export const operatorMutations: OperatorMutations = {
  async setJobRetries(_, { input }, context, info) {
    // It is resolved by the command, and gone behind it.
    const incident = context.find(incidents, input.incidentId);
    await mutate(context, info, context.services.engine.api.setJobRetries, input);
    if (incident === undefined) return null;
    return input.clearAnnotation ? withoutNote(incident) : incident;
  },

  resolveIncident: sends((api) => api.resolveIncident, itself),

  setIncidentAnnotation: ofInput(
    sends(
      (api) => api.setIncidentAnnotation,
      (id, context) => context.find(incidents, id) ?? null,
    ),
  ),

  createIncident: ofInput(
    sends(
      (api) => api.createIncident,
      (id, context) => required(context.find(incidents, id), 'incident', id),
    ),
  ),

  async setRetriesOfJob(_, args, context, info) {
    const job = context.find(jobs, args.id);
    const { answer } = await mutate(context, info, context.services.engine.api.setRetriesOfJob, args);
    return required(context.find(jobs, answer) ?? job, 'job', answer);
  },

  async setJobDueDate(_, args, context, info) {
    const job = context.find(jobs, args.id);
    const { answer } = await mutate(context, info, context.services.engine.api.setJobDueDate, args);
    return required(context.find(jobs, answer) ?? job, 'job', answer);
  },

  async executeJob(_, args, context, info) {
    const job = context.find(jobs, args.id);
    const sent = await mutate(context, info, context.services.engine.api.executeJob, args);
    // What a job sets off is known by the command that the job itself came from.
    await settled(context, job?.cause.commandId ?? sent.commandId);
    context.changed(sent.revision);
    return context.find(jobs, args.id) ?? null;
  },

  async advanceClock(_, { by, to }, context) {
    context.aside(true);
    return context.services.advanceClock({ by: by ?? null, to: to ?? null }, context.caller);
  },
};
