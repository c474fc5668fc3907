import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import type { Caller } from '../../shared/caller.js';
import { badRequest, ServiceError } from '../../shared/errors.js';
import { type Principals, rightsOf } from '../../shared/principals.js';
import { requireScope } from '../../shared/scope.js';
import type { SignIn } from '../session/sign-in.js';
import type { FileAccess, NoFile } from './file-access.js';

/** Who sends a request for a file. */
export interface RouteCallers {
  readonly signIn: Pick<SignIn, 'authenticate'>;
  readonly principals: Pick<Principals, 'version' | 'groupsOf' | 'rolesOf' | 'madeOf'>;
  /** The id of a workspace's partition; undefined: there is none that takes calls. */
  readonly workspaceId: (name: string) => string | undefined;
}

/** The user that everybody is who is not signed in. */
const GUEST = 'anonymous';

/** The caller of a request for a file; a guest where nobody is signed in. @throws UNAUTHORIZED (wrong credentials), RATE_LIMITED, FORBIDDEN (out of scope) */
export async function callerOrGuest(parts: RouteCallers, req: IncomingMessage, workspace: string): Promise<Caller> {
  const identity = await parts.signIn.authenticate(req);
  if (identity === undefined) return guest(parts, workspace);
  const caller = { ...identity, workspace, cause: {} };
  requireScope(caller, { access: 'READ', workspace: parts.workspaceId(workspace), domain: 'CONTENT' });
  return caller;
}

/** @throws UNAUTHORIZED also where nobody is signed in */
export async function signedInCaller(parts: RouteCallers, req: IncomingMessage, workspace: string): Promise<Caller> {
  const caller = await callerOrGuest(parts, req, workspace);
  if (!isGuest(caller)) return caller;
  throw new ServiceError('UNAUTHORIZED', 'expected a caller who is signed in', { reason: 'not_signed_in' });
}

/** The caller that is nobody in particular. */
export const guest = ({ principals }: Pick<RouteCallers, 'principals'>, workspace: string): Caller => ({
  userId: GUEST,
  ...rightsOf(principals, GUEST),
  sessionId: null,
  workspace,
  cause: {},
});

export const isGuest = ({ userId }: Caller): boolean => userId === GUEST;

const notFound = (what: string, path: string) =>
  new ServiceError('NOT_FOUND', `expected ${what} at '${path}', but there is none`, { reason: 'file_not_found' });

/** Requires a workspace that is there and open. @throws NOT_FOUND, UNAVAILABLE */
export function refuseAway(files: Pick<FileAccess, 'refusal'>, workspace: string): void {
  const away = files.refusal(workspace);
  if (away !== undefined) throw away;
}

export const forbidden = (path: string) =>
  new ServiceError('FORBIDDEN', `expected a caller who may read '${path}', but the caller may not`, {
    reason: 'access_denied',
  });

/** A worker of its origin would answer for every page of it, and stay when the file is gone. @throws FORBIDDEN */
export function refuseServiceWorker({ headers }: Request): void {
  if (headers['service-worker'] === undefined) return;
  throw new ServiceError('FORBIDDEN', 'expected a file to be no service worker, but a browser asks for it as one', {
    reason: 'service_worker',
  });
}

export const fileNotFound = (path: string) => notFound('a file', path);

/** The refusal of a download where there is no file. */
export function noFile(found: NoFile | 'not binary', path: string): ServiceError {
  if (found === 'forbidden') return forbidden(path);
  if (found === 'missing') return fileNotFound(path);
  const what = found === 'not binary' ? 'a binary property' : 'a file';
  return badRequest(`expected ${what} at '${path}', but found something else`, { reason: 'not_a_file' });
}
