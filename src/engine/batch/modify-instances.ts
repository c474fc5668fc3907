import type { EngineServices } from '../engine-services.js';
import { type Modification, modifyProcessInstance } from '../operation/modify-process-instance.js';
import { typedInstructions } from '../rule/given-instruction.js';
import { requireSupervisor } from '../rule/rights.js';
import { batchOperation, meant } from './batch.js';
import type { BatchType } from './batch-type.js';
import { findInstances, type InstanceFilter } from './find-instances.js';

/** Modification of each instance of a batch. */
interface ModificationOfMany extends Modification {
  /** Null: those alone that are named. */
  readonly filter: InstanceFilter | null;
}

export const modificationBatch = (services: EngineServices): BatchType<ModificationOfMany> => {
  const operation = modifyProcessInstance(services);
  return {
    type: 'modify-instances',
    prepare: (_, parameters, caller) => {
      requireSupervisor(caller, 'modify process instances');
      typedInstructions(parameters.instructions, null);
      return parameters;
    },
    find: (state, { filter }, page) => filter && findInstances(state, filter, page),
    command: (processInstanceId, { filter: _filter, ...modification }) => ({
      operation,
      input: { processInstanceId, ...modification },
    }),
  };
};

/** Input of `modifyProcessInstances`. */
interface ModifyProcessInstances extends Modification {
  readonly processInstanceIds?: readonly string[] | null;
  readonly processInstances?: InstanceFilter | null;
}

/** Modifies many instances, each as `modifyProcessInstance` does. Allowed to supervisors and administrators. @throws FORBIDDEN, BAD_REQUEST (an instruction, nothing named) */
export const modifyProcessInstances = (services: EngineServices) =>
  batchOperation(
    'modifyProcessInstances',
    modificationBatch(services),
    ({ processInstanceIds, processInstances: filter, ...modification }: ModifyProcessInstances) =>
      meant({ argument: 'processInstanceIds', ids: processInstanceIds, filter }, modification),
  );
