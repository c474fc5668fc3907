import type { EngineServices } from '../engine-services.js';
import { cancelInstance } from '../run/cancel-instance.js';
import { instanceOperation } from '../run/instance-operation.js';

/** Input of `deleteProcessInstance`. */
export interface DeleteProcessInstance {
  readonly id: string;
  /** Accepted for the sake of the API: listeners do not run when an instance is ended from outside. */
  readonly skipCustomListeners?: boolean | null;
}

/**
 * Ends a running or suspended instance as `cancelProcessInstance` does; its history stays too. Answers true. Allowed to its starter,
 * supervisors and administrators.
 * @throws BAD_REQUEST (no such instance), FORBIDDEN, CONFLICT (it has ended)
 */
export const deleteProcessInstance = (services: EngineServices) =>
  instanceOperation<DeleteProcessInstance, boolean>(
    'deleteProcessInstance',
    (state, { id }, context) =>
      cancelInstance({ services, state, context }, { id, command: 'deleteProcessInstance', reason: null }),
    (_, { id }) => id,
  );
