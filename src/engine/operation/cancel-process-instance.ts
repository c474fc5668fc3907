import type { EngineServices } from '../engine-services.js';
import { cancelInstance } from '../run/cancel-instance.js';
import { instanceOperation } from '../run/instance-operation.js';

/** Input of `cancelProcessInstance`. */
export interface CancelProcessInstance {
  readonly id: string;
  /** Kept with the instance. Default: `cancelled by <user>`. */
  readonly reason?: string | null;
}

/**
 * Ends a running or suspended instance: its tasks, jobs, subscriptions and incidents go, its history stays. Answers true. Allowed to its
 * starter, supervisors and administrators.
 * @throws BAD_REQUEST (no such instance), FORBIDDEN, CONFLICT (it has ended)
 */
export const cancelProcessInstance = (services: EngineServices) =>
  instanceOperation<CancelProcessInstance, boolean>(
    'cancelProcessInstance',
    (state, { id, reason }, context) =>
      cancelInstance({ services, state, context }, { id, command: 'cancelProcessInstance', reason: reason ?? null }),
    (_, { id }) => id,
  );
