import type { EngineServices } from '../engine-services.js';
import { type Restart, restartProcessInstance } from '../operation/restart-process-instance.js';
import { typedInstructions } from '../rule/given-instruction.js';
import { requireSupervisor } from '../rule/rights.js';
import { batchOperation, meant } from './batch.js';
import type { BatchType } from './batch-type.js';
import { findInstances, type InstanceFilter } from './find-instances.js';

/** How each begins anew. */
interface RestartOfMany extends Restart {
  /** Null: those alone that are named. */
  readonly filter: InstanceFilter | null;
}

/** Those that have ended. */
const ENDED = ['completed', 'cancelled', 'failed'] as const;

export const restartBatch = (services: EngineServices): BatchType<RestartOfMany> => {
  const operation = restartProcessInstance(services);
  return {
    type: 'restart-instances',
    prepare: (_, parameters, caller) => {
      requireSupervisor(caller, 'restart process instances');
      if (parameters.instructions?.length) typedInstructions(parameters.instructions, null);
      return parameters;
    },
    find: (state, { filter }, page) =>
      filter && findInstances(state, { ...filter, states: filter.states ?? ENDED }, page),
    command: (processInstanceId, { filter: _filter, ...restart }) => ({
      operation,
      input: { processInstanceId, ...restart },
    }),
  };
};

/** Input of `restartProcessInstances`. */
interface RestartProcessInstances extends Restart {
  readonly processInstanceIds?: readonly string[] | null;
  readonly processInstances?: InstanceFilter | null;
}

/** Starts many instances anew that have ended, each as `restartProcessInstance` does. Allowed to supervisors and administrators. @throws FORBIDDEN, BAD_REQUEST (an instruction, nothing named) */
export const restartProcessInstances = (services: EngineServices) =>
  batchOperation(
    'restartProcessInstances',
    restartBatch(services),
    ({ processInstanceIds, processInstances: filter, ...restart }: RestartProcessInstances) =>
      meant({ argument: 'processInstanceIds', ids: processInstanceIds, filter }, restart),
  );
