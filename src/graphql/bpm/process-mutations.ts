import { deployments, processDefinitions } from '../../engine/index.js';
import type { ApiContext } from '../api-context.js';
import { required } from '../arguments.js';
import type { MutationResolvers } from '../generated/schema.js';
import { instanceNow } from './present.js';
import { itself, ofInput, sends, sendsAndSettles } from './sends.js';

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

/** An instance as its command left it; null where there is none. */
const instance = (id: string | null, context: ApiContext) => instanceNow(context, id ?? '');
const instanceThere = (id: string, context: ApiContext) => required(instanceNow(context, id), 'process instance', id);
const definition = (id: string | null, context: ApiContext) => context.find(processDefinitions, id ?? '') ?? null;
const deployment = (id: string, context: ApiContext) => required(context.find(deployments, id), 'deployment', id);

export const processMutations: ProcessMutations = {
  deployProcess: ofInput(sends((api) => api.deployProcess, deployment)),
  deleteDeployment: sendsAndSettles((api) => api.deleteDeployment, itself),
  startProcess: ofInput(sendsAndSettles((api) => api.startProcess, instanceThere)),
  correlateMessage: ofInput(sendsAndSettles((api) => api.correlateMessage, instanceThere)),
  publishSignal: ofInput(sendsAndSettles((api) => api.publishSignal, itself)),
  suspendProcessInstance: sends((api) => api.suspendProcessInstance, instance),
  activateProcessInstance: sends((api) => api.activateProcessInstance, instance),
  setProcessVariables: sends((api) => api.setProcessVariables, instance),
  cancelProcessInstance: sends((api) => api.cancelProcessInstance, itself),
  deleteProcessInstance: sends((api) => api.deleteProcessInstance, itself),
  suspendProcessDefinition: sends((api) => api.suspendProcessDefinition, definition),
  activateProcessDefinition: sends((api) => api.activateProcessDefinition, definition),
};
