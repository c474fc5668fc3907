import type { ServerResponse } from 'node:http';
import { httpStatus, TransportError } from '../../graphql/index.js';
import { messageOf, ServiceError } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import { setRetryAfter } from '../http/reply.js';
import { jsonText } from './variable-value.js';

/** Answers with JSON. Camunda's client in JavaScript compares the type letter by letter: there is no charset in it. */
export function replyRest(res: ServerResponse, status: number, body: unknown): void {
  const text = jsonText(body);
  res.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  });
  res.end(text);
}

/** Answers with what went wrong, as Camunda tells it: `{ type, message, code }`. What is no ServiceError is a bug, of which nothing is told. */
export function replyRestError(res: ServerResponse, thrown: unknown): void {
  if (res.headersSent || res.destroyed) {
    res.destroy();
    return;
  }
  const error = thrown instanceof ServiceError ? thrown : bug(thrown, res);
  setRetryAfter(res, error);
  if (error.code === 'UNAUTHORIZED') res.setHeader('WWW-Authenticate', 'Basic realm="millrace", charset="UTF-8"');
  const given = thrown instanceof TransportError ? thrown : undefined;
  for (const [name, value] of Object.entries(given?.headers ?? {})) res.setHeader(name, value);
  const status = given?.status ?? statusOf(error);
  replyRest(res, status, { ...asCamunda(error, status), code: isOfRequest(error) ? null : 0 });
}

/** What is wrong with a request before it comes to the engine: Camunda's errors of that kind have no code of the engine. */
const isOfRequest = (error: ServiceError): boolean =>
  error instanceof TransportError || REASONS_OF_REQUESTS.has(error.info.reason) || namedBy(error) !== undefined;

/** How a path has named what is not there; undefined: it is something else, or the engine has missed it. */
const namedBy = ({ info: { details } }: ServiceError): 'id' | 'key' | undefined =>
  (details as { readonly by?: 'id' | 'key' } | undefined)?.by;

const REASONS_OF_REQUESTS: ReadonlySet<unknown> = new Set([
  'argument_invalid',
  'argument_missing',
  'body_unreadable',
  'resource_not_found',
]);

/** A message that nobody waits for, or several do. */
const MISMATCHES: ReadonlySet<unknown> = new Set(['message_not_correlated', 'message_ambiguous']);
/** Another worker has the task: Camunda calls that a bad request. What waits for no message, too. */
const BAD_REQUESTS: ReadonlySet<unknown> = new Set(['external_task_not_locked', ...MISMATCHES]);

/** Never 409, which Camunda does not know. */
function statusOf({ code, info }: ServiceError): number {
  if (BAD_REQUESTS.has(info.reason)) return 400;
  if (code === 'CONFLICT' || code === 'EXECUTION_FAILED') return 500;
  if (code === 'LIMIT_EXCEEDED') return 400;
  return httpStatus[code];
}

interface CamundaError {
  readonly type: string;
  readonly message: string;
  readonly details?: unknown;
}

function asCamunda(error: ServiceError, status: number): CamundaError {
  const { code, message, info } = error;
  if (info.reason === 'model_invalid' || info.reason === 'model_not_parsed') return parseError(message, info);
  if (MISMATCHES.has(info.reason)) return mismatch(message, info);
  const known = TYPES_OF_CODES[code] ?? TYPES_OF_REASONS.get(info.reason) ?? TYPES[status];
  if (known !== undefined) return { type: known, message };
  if (status === 400 || namedBy(error) === 'id') return { type: 'InvalidRequestException', message };
  return {
    type: code === 'EXECUTION_FAILED' || code === 'CONFLICT' ? 'ProcessEngineException' : 'RestException',
    message,
  };
}

const TYPES_OF_CODES: Partial<Record<ServiceError['code'], string>> = {
  UNAUTHORIZED: 'AuthenticationException',
  FORBIDDEN: 'AuthorizationException',
};
const TYPES_OF_REASONS: ReadonlyMap<unknown, string> = new Map([
  ['external_task_not_locked', 'RestException'],
  ['resource_not_found', 'NotFoundException'],
  ['migration_plan_invalid', 'MigrationPlanValidationException'],
  ['migration_hindered', 'MigratingProcessInstanceValidationException'],
]);

/** Exceptions of requests that no resource takes, by status. */
const TYPES: Readonly<Record<number, string>> = { 405: 'NotAllowedException', 415: 'NotSupportedException' };

/** As clients know it: they look for these words. */
const mismatch = (message: string, { resourceId = '' }: ServiceError['info']): CamundaError => ({
  type: 'RestException',
  message: `org.camunda.bpm.engine.MismatchingMessageCorrelationException: Cannot correlate message '${resourceId}': ${message}`,
});

interface ModelProblem {
  readonly line: number | null;
  readonly column: number | null;
  readonly elementId: string | null;
  readonly message: string;
}

/** As Camunda Modeler shows it: with the places of all problems. */
function parseError(message: string, { resourceId = '', details }: ServiceError['info']): CamundaError {
  const { problems = [] } = (details ?? {}) as { readonly problems?: readonly ModelProblem[] };
  const errors = problems.map(({ message: text, line, column, elementId }) => ({
    message: text,
    line: line ?? 0,
    column: column ?? 0,
    mainElementId: elementId,
    elementIds: elementId === null ? [] : [elementId],
  }));
  return {
    type: 'ParseException',
    message: `ENGINE-09005 Could not parse BPMN process. Errors: ${message}`,
    details: { [resourceId]: { errors, warnings: [] } },
  };
}

function bug(thrown: unknown, res: ServerResponse): ServiceError {
  const requestId = String(res.getHeader('X-Request-Id') ?? '');
  log.error({ err: thrown instanceof Error ? thrown : new Error(messageOf(thrown)), requestId }, 'a request failed');
  return new ServiceError(
    'INTERNAL_ERROR',
    `something went wrong here; the log tells more under the request id ${requestId}`,
  );
}
