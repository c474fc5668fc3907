/** The codes an error of the API may carry (`extensions.code`). Added to, never renamed. */
export type ErrorCode =
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'BAD_REQUEST'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'ALREADY_EXISTS'
  | 'CONFLICT'
  | 'EXECUTION_FAILED'
  | 'LIMIT_EXCEEDED'
  | 'RATE_LIMITED'
  | 'RESYNC_REQUIRED'
  | 'UNAVAILABLE'
  | 'DATA_DAMAGED'
  | 'INTERNAL_ERROR';

/** Details that a refusal may tell besides code and sentence. */
export interface ErrorInfo {
  /** A stable word for the case, e.g. `task_not_claimable`. Default: the code in lower case. */
  readonly reason?: string;
  /** The id of the thing that the refusal is about. */
  readonly resourceId?: string;
  /** Facts a client may show or use: plain JSON. */
  readonly details?: unknown;
}

/** A refusal: the caller asked for something that cannot be had. Anything else that is thrown is a bug. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  readonly info: ErrorInfo;

  constructor(code: ErrorCode, message: string, info: ErrorInfo = {}) {
    super(message);
    this.code = code;
    this.info = info;
  }
}

/** Throws the refusal; reads well behind `??`. */
export function refuse(error: ServiceError): never {
  throw error;
}

export const badRequest = (message: string, info?: ErrorInfo) => new ServiceError('BAD_REQUEST', message, info);
export const unavailable = (message: string, info?: ErrorInfo) => new ServiceError('UNAVAILABLE', message, info);
export const limitExceeded = (message: string, info?: ErrorInfo) => new ServiceError('LIMIT_EXCEEDED', message, info);

/** The message of anything that was thrown. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
