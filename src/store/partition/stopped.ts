import { type ServiceError, unavailable } from '../../shared/errors.js';

/** Answer of a workspace whose partition is closed, or is closing, to whoever uses it all the same. */
export const workspaceStopped = (workspace: string): ServiceError =>
  unavailable(`expected workspace '${workspace}' to be running, but it is stopped`, { reason: 'workspace_stopped' });
