import { ExchangeFailure } from '../../expression/routes.js';

/** The classes of failures, by the codes of errors; `''`: of all others. */
export type FailureClasses = Readonly<Record<string, string>>;

/** A refusal of the workspace as a failure, by its reason or else its code. Whatever else was thrown stays as it is. */
export function workspaceFailure(thrown: unknown, classes: FailureClasses): unknown {
  if (!(thrown instanceof Error) || thrown instanceof ExchangeFailure) return thrown;
  const { code, info } = thrown as { readonly code?: unknown; readonly info?: { readonly reason?: string } };
  if (typeof code !== 'string') return thrown;
  const type = classes[info?.reason || code] ?? classes[code] ?? classes[''] ?? 'java.lang.RuntimeException';
  return new ExchangeFailure(type, `${code}: ${thrown.message}`, { cause: thrown });
}

/** Of `cms:`, as JCR names them. */
export const NODE_FAILURES: FailureClasses = {
  node_not_found: 'javax.jcr.PathNotFoundException',
  locked: 'javax.jcr.lock.LockException',
  checked_in: 'javax.jcr.version.VersionException',
  NOT_FOUND: 'javax.jcr.PathNotFoundException',
  FORBIDDEN: 'javax.jcr.AccessDeniedException',
  UNAUTHORIZED: 'javax.jcr.LoginException',
  ALREADY_EXISTS: 'javax.jcr.ItemExistsException',
  CONFLICT: 'javax.jcr.InvalidItemStateException',
  BAD_REQUEST: 'javax.jcr.nodetype.ConstraintViolationException',
  '': 'javax.jcr.RepositoryException',
};

/** Of `bpm:`, as Camunda names them. */
export const PROCESS_FAILURES: FailureClasses = {
  NOT_FOUND: 'org.camunda.bpm.engine.exception.NotFoundException',
  FORBIDDEN: 'org.camunda.bpm.engine.AuthorizationException',
  UNAUTHORIZED: 'org.camunda.bpm.engine.AuthorizationException',
  CONFLICT: 'org.camunda.bpm.engine.OptimisticLockingException',
  BAD_REQUEST: 'org.camunda.bpm.engine.BadUserRequestException',
  '': 'org.camunda.bpm.engine.ProcessEngineException',
};
