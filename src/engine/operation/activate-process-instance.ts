import type { EngineServices } from '../engine-services.js';
import { requireSupervisor } from '../rule/rights.js';
import { instanceOperation } from '../run/instance-operation.js';
import { sceneOf } from '../run/open-task.js';
import { presentInstance } from '../run/present-instance.js';
import { suspendInstance } from '../run/suspension.js';

/** Input of `activateProcessInstance`. */
export interface ActivateProcessInstance {
  readonly id: string;
}

/**
 * Lets a suspended instance go on; timers that came due meanwhile fire now. Answers its id, or null where
 * there is none; no error where it is so already. Allowed to supervisors and administrators.
 * @throws FORBIDDEN, CONFLICT (it has ended)
 */
export const activateProcessInstance = (services: EngineServices) =>
  instanceOperation<ActivateProcessInstance, string | null>(
    'activateProcessInstance',
    (state, { id }, context) => {
      requireSupervisor(context.caller, 'activate process instances');
      const instance = presentInstance(state, id);
      if (instance === undefined) return { answer: null };
      const scene = sceneOf(services, state, context);
      suspendInstance(scene, 'activateProcessInstance', instance, 'activate');
      return scene.changes.decision(id);
    },
    (_, { id }) => id,
  );
