import { type ErrorCode, ServiceError } from '../shared/errors.js';

/** The codes of refusals, as mutations of workspaces answer them in their `errors`. */
export type WorkspaceRefusal = 'ACCESS_DENIED' | 'ALREADY_EXISTS' | 'INVALID_INPUT' | 'NOT_FOUND';

const ERROR_CODES: Readonly<Record<WorkspaceRefusal, ErrorCode>> = {
  ACCESS_DENIED: 'FORBIDDEN',
  ALREADY_EXISTS: 'ALREADY_EXISTS',
  INVALID_INPUT: 'BAD_REQUEST',
  NOT_FOUND: 'NOT_FOUND',
};

/** A refusal of an operation on workspaces. `field`: the field of the input that it is about. */
export function refusal(code: WorkspaceRefusal, message: string, field: string | null = 'name'): ServiceError {
  return new ServiceError(ERROR_CODES[code], message, {
    reason: code.toLowerCase(),
    details: { refusal: code, field },
  });
}
