import { type ErrorCode, ServiceError, unavailable } from '../shared/errors.js';
import type { State } from '../store/index.js';
import { type Workspace, workspaceNamed } from './workspace.js';

/** The codes of refusals, as mutations of workspaces answer them in their `errors`. */
type WorkspaceRefusal = 'ACCESS_DENIED' | 'ALREADY_EXISTS' | 'INVALID_INPUT' | 'NOT_FOUND';

/** Details of such a refusal. */
export interface RefusalDetails {
  readonly refusal: WorkspaceRefusal;
  /** The field of the input that it is about; null: none. */
  readonly field: string | null;
}

const ERROR_CODES: Readonly<Record<WorkspaceRefusal, ErrorCode>> = {
  ACCESS_DENIED: 'FORBIDDEN',
  ALREADY_EXISTS: 'ALREADY_EXISTS',
  INVALID_INPUT: 'BAD_REQUEST',
  NOT_FOUND: 'NOT_FOUND',
};

/** A refusal of an operation on workspaces. */
export function refusal(code: WorkspaceRefusal, message: string, field: string | null = 'name'): ServiceError {
  return new ServiceError(ERROR_CODES[code], message, {
    reason: code.toLowerCase(),
    details: { refusal: code, field } satisfies RefusalDetails,
  });
}

/** Why a workspace takes no calls, by what `system` says of the name. `state`: that of `system`. */
export function workspaceAway(state: State, name: string): ServiceError {
  const known = workspaceNamed(state, name);
  if (known === undefined || known.actor.value === 'DELETED') {
    return new ServiceError('NOT_FOUND', `expected a workspace '${name.slice(0, 100)}', but there is none`, {
      reason: 'workspace_not_found',
      resourceId: name.slice(0, 100),
    });
  }
  const { is, reason } = AWAY[known.actor.value];
  return unavailable(`expected workspace '${name}' to be running, but it ${is}`, { reason });
}

const STOPPED = { is: 'is stopped', reason: 'workspace_stopped' };

/** One that is online and takes no calls is being stopped. */
const AWAY: Readonly<Record<Exclude<Workspace['actor']['value'], 'DELETED'>, typeof STOPPED>> = {
  STARTING: { is: 'is starting', reason: 'workspace_starting' },
  ONLINE: STOPPED,
  FAILED: { is: 'could not be started', reason: 'workspace_failed' },
  STOPPED,
};
