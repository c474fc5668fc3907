import { type ASTNode, GraphQLError, type GraphQLFormattedError, Kind } from 'graphql';
import { type ErrorCode, type ErrorInfo, ServiceError } from '../shared/errors.js';
import { log } from '../shared/log.js';

/** Where an error came up. */
interface ErrorFacts {
  readonly requestId: string;
  /** What was going on: `execution` unless it was the document itself. */
  readonly phase: 'parse' | 'validation' | 'execution';
}

/** Turns whatever was thrown into what a client may see. */
export type FormatError = (thrown: unknown, facts: ErrorFacts) => GraphQLFormattedError;

/** The HTTP status of a refusal, where it is the answer to the whole request. */
export const httpStatus: Readonly<Record<ErrorCode, number>> = {
  GRAPHQL_PARSE_FAILED: 400,
  GRAPHQL_VALIDATION_FAILED: 400,
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  CONFLICT: 409,
  EXECUTION_FAILED: 422,
  LIMIT_EXCEEDED: 400,
  RATE_LIMITED: 429,
  RESYNC_REQUIRED: 410,
  UNAVAILABLE: 503,
  DATA_DAMAGED: 500,
  INTERNAL_ERROR: 500,
};

/** The HTTP status for an error as a client sees it. */
export const statusOf = (error: GraphQLFormattedError | undefined): number => {
  const code = error?.extensions?.code;
  return isErrorCode(code) ? httpStatus[code] : httpStatus.INTERNAL_ERROR;
};

/** The value of `Retry-After` for a refusal that may pass, in s; undefined for any other. `details.retryAfterSeconds` sets it; default 5. */
export function retryAfterSeconds(error: GraphQLFormattedError | undefined): number | undefined {
  const { code, details } = error?.extensions ?? {};
  if (code !== 'RATE_LIMITED' && code !== 'UNAVAILABLE') return undefined;
  const given = (details as { retryAfterSeconds?: unknown } | undefined)?.retryAfterSeconds;
  return typeof given === 'number' && given >= 0 ? Math.ceil(given) : 5;
}

/** The one translation of errors: a refusal with its code and reason, a bug as INTERNAL_ERROR that discloses nothing and is logged. */
export const formatError: FormatError = (thrown, facts) => {
  const root = rootCause(thrown);
  if (root instanceof ServiceError && root.code !== 'INTERNAL_ERROR') {
    return shown(thrown, root.message, root.code, root.info);
  }
  if (thrown instanceof GraphQLError && root instanceof GraphQLError) {
    if (facts.phase === 'parse') return shown(thrown, root.message, 'GRAPHQL_PARSE_FAILED');
    if (facts.phase === 'validation') return shown(thrown, root.message, 'GRAPHQL_VALIDATION_FAILED');
    if (isAboutInput(thrown)) return shown(thrown, thrown.message, 'BAD_REQUEST');
  }
  logBug(root, thrown, facts);
  return shown(thrown, 'Internal server error', 'INTERNAL_ERROR');
};

function shown(thrown: unknown, message: string, code: ErrorCode, info: ErrorInfo = {}): GraphQLFormattedError {
  const { locations, path } = thrown instanceof GraphQLError ? thrown : {};
  const extensions = {
    code,
    reason: info.reason ?? code.toLowerCase(),
    ...(info.resourceId !== undefined && { resourceId: shortened(info.resourceId, RESOURCE_ID_MAX) }),
    ...(info.details !== undefined && { details: info.details }),
  };
  return {
    message: shortened(message, MESSAGE_MAX),
    ...(locations && { locations }),
    ...(path && { path }),
    extensions,
  };
}

/** A sentence names what was given, however long that is: nobody reads more than this of it. */
const MESSAGE_MAX = 2_000;
const RESOURCE_ID_MAX = 1_000;

const shortened = (text: string, max: number) => (text.length <= max ? text : `${text.slice(0, max - 1)}…`);

/** What was thrown first: graphql-js wraps it to say where. */
function rootCause(thrown: unknown): unknown {
  let cause = thrown;
  while (cause instanceof GraphQLError && cause.originalError !== undefined && cause.originalError !== cause) {
    cause = cause.originalError;
  }
  return cause;
}

/**
 * Whether graphql-js complains about what the client sent. Its errors of coercion name a variable or a value of the document; those about
 * what a resolver gave (no such enum value, not iterable, no such type) name a field or nothing.
 */
function isAboutInput(error: GraphQLError): boolean {
  const node: ASTNode | undefined = error.nodes?.[0];
  return node !== undefined && node.kind !== Kind.FIELD;
}

function logBug(root: unknown, thrown: unknown, facts: ErrorFacts): void {
  const path = thrown instanceof GraphQLError ? thrown.path?.join('.') : undefined;
  log.error({ err: root, path, requestId: facts.requestId }, 'unexpected error in the execution of a request');
}

const isErrorCode = (code: unknown): code is ErrorCode => typeof code === 'string' && Object.hasOwn(httpStatus, code);
