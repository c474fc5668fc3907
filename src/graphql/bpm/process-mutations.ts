import { deployments, processDefinitions } from '../../engine/index.js';
import type { Operation } from '../../store/index.js';
import type { ApiContext } from '../api-context.js';
import { required } from '../arguments.js';
import type { MutationResolvers } from '../generated/schema.js';
import { mutate, mutateAndSettle } from '../mutate.js';
import type { InstanceView } from '../views.js';
import { instanceNow } from './present.js';

type ProcessMutations = Required<
  Pick<
    MutationResolvers,
    | 'deployProcess'
    | 'deleteDeployment'
    | 'startProcess'
    | 'correlateMessage'
    | 'publishSignal'
    | 'suspendProcessInstance'
    | 'activateProcessInstance'
    | 'cancelProcessInstance'
    | 'deleteProcessInstance'
    | 'setProcessVariables'
    | 'suspendProcessDefinition'
    | 'activateProcessDefinition'
  >
>;

export const processMutations: ProcessMutations = {
  async deployProcess(_, { input }, context, info) {
    const { answer } = await mutate(context, info, context.services.engine.api.deployProcess, input);
    return required(context.find(deployments, answer), 'deployment', answer);
  },

  async deleteDeployment(_, args, context, info) {
    const { answer } = await mutateAndSettle(context, info, context.services.engine.api.deleteDeployment, args);
    return answer;
  },

  async startProcess(_, { input }, context, info) {
    const { answer } = await mutateAndSettle(context, info, context.services.engine.api.startProcess, input);
    return required(instanceNow(context, answer), 'process instance', answer);
  },

  async correlateMessage(_, { input }, context, info) {
    const { answer } = await mutateAndSettle(context, info, context.services.engine.api.correlateMessage, input);
    return required(instanceNow(context, answer), 'process instance', answer);
  },

  async publishSignal(_, { input }, context, info) {
    const { answer } = await mutateAndSettle(context, info, context.services.engine.api.publishSignal, input);
    return answer;
  },

  suspendProcessInstance: (_, args, context, info) =>
    changed(context, info, context.services.engine.api.suspendProcessInstance, args),
  activateProcessInstance: (_, args, context, info) =>
    changed(context, info, context.services.engine.api.activateProcessInstance, args),
  setProcessVariables: (_, args, context, info) =>
    changed(context, info, context.services.engine.api.setProcessVariables, args),

  async cancelProcessInstance(_, args, context, info) {
    const { answer } = await mutate(context, info, context.services.engine.api.cancelProcessInstance, args);
    return answer;
  },

  async deleteProcessInstance(_, args, context, info) {
    const { answer } = await mutate(context, info, context.services.engine.api.deleteProcessInstance, args);
    return answer;
  },

  async suspendProcessDefinition(_, args, context, info) {
    const { answer } = await mutate(context, info, context.services.engine.api.suspendProcessDefinition, args);
    return context.find(processDefinitions, answer ?? '') ?? null;
  },

  async activateProcessDefinition(_, args, context, info) {
    const { answer } = await mutate(context, info, context.services.engine.api.activateProcessDefinition, args);
    return context.find(processDefinitions, answer ?? '') ?? null;
  },
};

/** Sends a command that changes an instance; gives the instance as it is then, null where there is none. */
async function changed<I, A extends string | null>(
  context: ApiContext,
  info: Parameters<typeof mutate>[1],
  operation: Operation<I, A>,
  input: I,
): Promise<InstanceView | null> {
  const { answer } = await mutate(context, info, operation, input);
  return instanceNow(context, answer ?? '');
}
