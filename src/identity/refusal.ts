import { type ErrorCode, ServiceError } from '../shared/errors.js';

/** The codes of refusals of identity, as its mutations answer them in their `errors`. */
export type RefusalCode =
  | 'ACCESS_DENIED'
  | 'ALREADY_EXISTS'
  | 'CIRCULAR_REFERENCE'
  | 'CONFLICT'
  | 'HAS_CHILDREN'
  | 'INVALID_CREDENTIALS'
  | 'INVALID_INPUT'
  | 'NOT_FOUND'
  | 'SELF_MODIFICATION_FORBIDDEN';

const ERROR_CODES: Readonly<Record<RefusalCode, ErrorCode>> = {
  ACCESS_DENIED: 'FORBIDDEN',
  ALREADY_EXISTS: 'ALREADY_EXISTS',
  CIRCULAR_REFERENCE: 'CONFLICT',
  CONFLICT: 'CONFLICT',
  HAS_CHILDREN: 'CONFLICT',
  INVALID_CREDENTIALS: 'FORBIDDEN',
  INVALID_INPUT: 'BAD_REQUEST',
  NOT_FOUND: 'NOT_FOUND',
  SELF_MODIFICATION_FORBIDDEN: 'FORBIDDEN',
};

/** Details of a refusal of identity, beside code and sentence: a mutation's `errors` are made of them. */
export interface RefusalDetails {
  readonly refusal: RefusalCode;
  /** The field of the input that it is about. */
  readonly field: string | null;
  /** The long job that keeps it from being done, in `system`; null: none does. */
  readonly jobId: string | null;
}

/** A refusal of an operation on users, groups and roles. */
export function refusal(
  code: RefusalCode,
  message: string,
  field: string | null = null,
  jobId: string | null = null,
): ServiceError {
  const details: RefusalDetails = { refusal: code, field, jobId };
  return new ServiceError(ERROR_CODES[code], message, { reason: code.toLowerCase(), details });
}
