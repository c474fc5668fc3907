import { type ProcessInstance, presentInstance, processInstances } from '../../engine/index.js';
import { mayWork } from '../../shared/rights/processes.js';
import { type Json, notThere, type RestCall } from './rest-call.js';

/** A process instance as Camunda's ProcessInstanceDto. */
export function instanceDto({ services, partition }: RestCall, instance: ProcessInstance): Json {
  const href = `${services.baseUrl(partition.workspace)}/process-instance/${instance.id}`;
  return {
    links: [{ method: 'GET', href, rel: 'self' }],
    id: instance.id,
    definitionId: instance.definitionId,
    definitionKey: instance.definitionKey,
    businessKey: instance.businessKey,
    caseInstanceId: null,
    ended: instance.endTime !== null,
    suspended: instance.actor.value === 'suspended',
    tenantId: null,
  };
}

/** The instance, which the caller sees as such. @throws NOT_FOUND */
export function visibleInstance({ state, caller }: RestCall, id: string): ProcessInstance {
  const instance = presentInstance(state, id);
  if (instance !== undefined && (processInstances.visible?.(caller, instance) ?? true)) return instance;
  throw notThere('process instance', id);
}

/** The instance, which the caller sees: as such, or as a worker. @throws NOT_FOUND */
export function seenInstance(call: RestCall, id: string): ProcessInstance {
  const instance = mayWork(call.caller) ? presentInstance(call.state, id) : undefined;
  return instance ?? visibleInstance(call, id);
}
