import type { EngineServices } from '../engine-services.js';
import { badArgument } from '../errors.js';
import { setProcessVariables } from '../operation/set-variables.js';
import { typedVariables, type VariableInput } from '../rule/given-value.js';
import { batchOperation, meant } from './batch.js';
import type { BatchType } from './batch-type.js';
import { findInstances, type InstanceFilter } from './find-instances.js';

/** Variables that are set on each instance of a batch. */
interface VariablesOfMany {
  readonly variables: readonly VariableInput[];
  /** Null: those alone that are named. */
  readonly filter: InstanceFilter | null;
}

export const variablesBatch = (services: EngineServices): BatchType<VariablesOfMany> => {
  const operation = setProcessVariables(services);
  return {
    type: 'set-variables',
    prepare: (_, parameters) => {
      const typed = Object.entries(typedVariables(parameters.variables));
      const [gone] = typed.find(([, { transient }]) => transient) ?? [];
      if (gone !== undefined) throw badArgument('variables', 'variables that stay', `'${gone}', which is transient`);
      return parameters;
    },
    find: (state, { filter }, page) => filter && findInstances(state, filter, page),
    command: (processInstanceId, { variables }) => ({
      operation,
      input: { processInstanceId, variables, mode: 'MERGE' },
    }),
  };
};

/** Input of `setVariablesAsync`. */
interface SetVariablesAsync {
  readonly processInstanceIds?: readonly string[] | null;
  readonly processInstances?: InstanceFilter | null;
  readonly variables: readonly VariableInput[];
}

/**
 * Sets variables of the process scope of many instances; others stay as they are. Each as by `setProcessVariables`, with its rights.
 * @throws BAD_REQUEST (a variable, nothing named)
 */
export const setVariablesAsync = (services: EngineServices) =>
  batchOperation(
    'setVariablesAsync',
    variablesBatch(services),
    ({ processInstanceIds, processInstances: filter, variables }: SetVariablesAsync) =>
      meant({ argument: 'processInstanceIds', ids: processInstanceIds, filter }, { variables }),
  );
