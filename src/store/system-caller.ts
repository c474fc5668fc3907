import type { Caller, Cause } from '../shared/caller.js';

/** The user that acts where nobody asked: recovery, takes, reactions. */
export const SYSTEM_USER = 'system';

/** The system itself as a caller: what nobody asked for is done in its name. */
export const systemCaller = (workspace: string, cause: Cause = {}): Caller => ({
  userId: SYSTEM_USER,
  groups: [],
  roles: ['administrator'],
  sessionId: null,
  workspace,
  cause,
});
