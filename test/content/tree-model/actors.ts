import type { Caller } from '../../../src/shared/caller.js';

/** Who takes the steps: one user in two sessions, two who share a group, one whom nothing but `everyone` names. */
export const ACTORS: readonly Caller[] = [
  actor('root', null, [], ['administrator']),
  actor('ann', 's1', ['editors']),
  actor('ann', 's2', ['editors']),
  actor('bob', null, ['editors', 'authors']),
  actor('eve', 's3', []),
];

/** One actor for each user. */
export const USERS: readonly Caller[] = ACTORS.filter(
  ({ userId }, at) => ACTORS.findIndex((other) => other.userId === userId) === at,
);

/** Whom access control lists name. */
export const PRINCIPALS = ['everyone', 'ann', 'bob', 'eve', 'editors', 'authors', 'nobody'];

function actor(userId: string, sessionId: string | null, groups: string[], roles: string[] = []): Caller {
  return { userId, sessionId, groups, roles, workspace: 'test', cause: {} };
}
