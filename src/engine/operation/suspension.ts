import type { EngineServices } from '../engine-services.js';
import { requireSupervisor } from '../rule/rights.js';
import { instanceOperation } from '../run/instance-operation.js';
import { sceneOf } from '../run/open-task.js';
import { presentInstance } from '../run/present-instance.js';
import { suspendInstance } from '../run/suspension.js';

/** Input of `suspendProcessInstance`. */
export interface SuspendProcessInstance {
  readonly id: string;
}

/**
 * Holds an instance with its tasks and jobs where they are; timers do not fire until it is active again. Answers its id, or null where
 * there is none; no error where it is so already. Allowed to supervisors and administrators.
 * @throws FORBIDDEN, CONFLICT (it has ended)
 */
export const suspendProcessInstance = (services: EngineServices) =>
  instanceOperation<SuspendProcessInstance, string | null>(
    'suspendProcessInstance',
    (state, { id }, context) => {
      requireSupervisor(context.caller, 'suspend process instances');
      const instance = presentInstance(state, id);
      if (instance === undefined) return { answer: null };
      const scene = sceneOf(services, state, context);
      suspendInstance(scene, 'suspendProcessInstance', instance, 'suspend');
      return scene.changes.decision(id);
    },
    (_, { id }) => id,
  );
