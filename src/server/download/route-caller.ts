import type { IncomingMessage } from 'node:http';
import type { Caller } from '../../shared/caller.js';
import { ServiceError } from '../../shared/errors.js';
import type { Principals } from '../../shared/principals.js';
import type { SignIn } from '../session/sign-in.js';

/** Who sends a request for a file. */
export interface RouteCallers {
  readonly signIn: Pick<SignIn, 'authenticate'>;
  readonly principals: Pick<Principals, 'groupsOf' | 'rolesOf'>;
}

/** The user that everybody is who is not signed in. */
const GUEST = 'anonymous';

/** The caller; a guest where nobody is signed in. @throws UNAUTHORIZED (wrong credentials), RATE_LIMITED */
export async function callerOrGuest(parts: RouteCallers, req: IncomingMessage, workspace: string): Promise<Caller> {
  const identity = await parts.signIn.authenticate(req);
  return identity === undefined ? guest(parts, workspace) : { ...identity, workspace, cause: {} };
}

/** @throws UNAUTHORIZED also where nobody is signed in */
export async function signedInCaller(parts: RouteCallers, req: IncomingMessage, workspace: string): Promise<Caller> {
  const caller = await callerOrGuest(parts, req, workspace);
  if (!isGuest(caller)) return caller;
  throw new ServiceError('UNAUTHORIZED', 'expected a caller who is signed in', { reason: 'not_signed_in' });
}

/** What nobody in particular may see. */
export const guest = ({ principals }: Pick<RouteCallers, 'principals'>, workspace: string): Caller => ({
  userId: GUEST,
  groups: principals.groupsOf(GUEST),
  roles: principals.rolesOf(GUEST),
  sessionId: null,
  workspace,
  cause: {},
});

export const isGuest = ({ userId }: Caller): boolean => userId === GUEST;
