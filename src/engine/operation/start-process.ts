import { badRequest } from '../../shared/errors.js';
import type { EngineServices } from '../engine-services.js';
import { bounded } from '../rule/bounded-text.js';
import { requireStartRight } from '../rule/rights.js';
import { typedVariables, type VariableInput } from '../rule/typed-value.js';
import { startOperation } from '../run/instance-operation.js';
import { sceneOf } from '../run/open-task.js';
import { definitionOf, latestOf, startInstance } from '../run/start-instance.js';

/** Input of `startProcess`: one of key and id; with both, the id counts. */
export interface StartProcess {
  /** The newest version of this key. */
  readonly definitionKey?: string | null;
  readonly definitionId?: string | null;
  readonly businessKey?: string | null;
  readonly variables?: readonly VariableInput[] | null;
}

/**
 * Starts an instance as the caller and runs it to where every token waits; answers its id. Allowed to everyone signed in; where the model
 * declares candidate starters, to those, supervisors and administrators.
 * @throws BAD_REQUEST (neither key nor id; a variable), NOT_FOUND, FORBIDDEN, CONFLICT (the definition is suspended), EXECUTION_FAILED
 */
export const startProcess = (services: EngineServices) =>
  startOperation<StartProcess, string>('startProcess', (state, input, context) => {
    const { definitionId, definitionKey } = input;
    if (!definitionId && !definitionKey) {
      throw badRequest("expected 'definitionKey' or 'definitionId' to start a process, but found neither");
    }
    const definition = definitionId ? definitionOf(state, definitionId) : latestOf(state, definitionKey ?? '');
    requireStartRight(context.caller, definition);
    const scene = sceneOf(services, state, context);
    const end = startInstance(scene, {
      command: 'startProcess',
      definition,
      element: null,
      businessKey: bounded('businessKey', input.businessKey, 'name'),
      variables: typedVariables(input.variables),
    });
    return 'ask' in end ? end : scene.changes.decision(end.instance.id);
  });
