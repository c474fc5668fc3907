import type { EngineServices } from '../engine-services.js';
import { instanceNotFound } from '../errors.js';
import { requireInstanceRight } from '../rule/rights.js';
import { typedVariables, type VariableInput } from '../rule/typed-value.js';
import { instanceOperation } from '../run/instance-operation.js';
import { namesIn } from '../run/instance-store.js';
import { sceneOf } from '../run/open-task.js';
import { presentInstance } from '../run/present-instance.js';
import { runInstance } from '../run/run-instance.js';

/** Input of `setProcessVariables`. */
export interface SetProcessVariables {
  readonly processInstanceId: string;
  readonly variables: readonly VariableInput[];
  /** What becomes of variables that are not in the list. Default REPLACE. */
  readonly mode?: VariablesMode | null;
}

/** Whether variables that are not given stay (MERGE) or go (REPLACE). */
export type VariablesMode = 'MERGE' | 'REPLACE';

/**
 * Sets variables of the process scope: what is not in the list goes, and an empty list clears them all, unless they are merged. Answers the
 * instance's id.
 * Allowed to its starter, supervisors and administrators, also while it is suspended.
 * @throws NOT_FOUND, BAD_REQUEST (a variable), FORBIDDEN, CONFLICT (it has ended)
 */
export const setProcessVariables = (services: EngineServices) =>
  instanceOperation<SetProcessVariables, string>(
    'setProcessVariables',
    (state, { processInstanceId, variables: given, mode }, context) => {
      const instance = presentInstance(state, processInstanceId);
      if (instance === undefined) throw instanceNotFound(processInstanceId);
      requireInstanceRight(context.caller, instance, 'set the variables of process instance');
      const variables = typedVariables(given);
      const process = instance.state.scopes.find((scope) => scope.parent === null);
      const removed =
        mode === 'MERGE' ? [] : namesIn(instance, process?.id).filter((it) => !Object.hasOwn(variables, it));
      const scene = sceneOf(services, state, context);
      const input = { type: 'setVariables', tokenId: null, local: true, variables, removed } as const;
      const end = runInstance(scene, { command: 'setProcessVariables', instance, event: 'modify', input });
      return 'ask' in end ? end : scene.changes.decision(processInstanceId);
    },
    (_, { processInstanceId }) => processInstanceId,
  );
