import type { Homes } from '../homes.js';
import { refusal } from '../refusal.js';
import { administratorOperation, requireOther, type UserAnswer } from './identity-operation.js';
import { changeUser } from './users.js';

/** How many users one call takes into a group, or out of it. */
const USERS_MAX = 200;

interface RolesInput {
  readonly username: string;
  /** Ids of roles; those that there are not are passed over. */
  readonly roles: readonly string[];
}

/** Gives a user roles beside its own. @throws SELF_MODIFICATION_FORBIDDEN, NOT_FOUND */
export const assignRoles = administratorOperation(
  'assignRoles',
  (homes, { username, roles }: RolesInput, { caller }) => {
    requireOther(caller, username);
    return changeRoles(homes, username, (own) => [...own, ...profileIds(homes, 'role', roles)]);
  },
);

/** Takes roles from a user; those of its groups stay. @throws SELF_MODIFICATION_FORBIDDEN, NOT_FOUND, CONFLICT (the last administrator) */
export const revokeRoles = administratorOperation(
  'revokeRoles',
  (homes, { username, roles }: RolesInput, { caller }) => {
    requireOther(caller, username);
    const revoked = new Set(profileIds(homes, 'role', roles));
    return changeRoles(homes, username, (own) => own.filter((id) => !revoked.has(id)));
  },
);

function changeRoles(
  homes: Homes,
  username: string,
  change: (own: readonly string[]) => readonly string[],
): UserAnswer {
  changeUser(homes, homes.require('user', username, 'username'), (profile) => ({
    ...profile,
    roles: [...new Set(change(profile.roles))],
  }));
  return { username };
}

const profileIds = (homes: Homes, kind: 'group' | 'role', ids: readonly string[]): string[] =>
  homes.profilesOf(kind, ids).map(({ id }) => id);

interface MembersInput {
  readonly groupId: string;
  /** Those that there are not are passed over. At most {@link USERS_MAX}. */
  readonly usernames: readonly string[];
}

/** @throws NOT_FOUND, INVALID_INPUT */
export const addGroupMembers = administratorOperation('addGroupMembers', (homes, input: MembersInput) =>
  changeMembers(homes, input, (memberOf, groupId) => [...memberOf, groupId]),
);

/** @throws NOT_FOUND, INVALID_INPUT, CONFLICT (the last administrator) */
export const removeGroupMembers = administratorOperation('removeGroupMembers', (homes, input: MembersInput) =>
  changeMembers(homes, input, (memberOf, groupId) => memberOf.filter((id) => id !== groupId)),
);

function changeMembers(
  homes: Homes,
  { groupId, usernames }: MembersInput,
  change: (memberOf: readonly string[], groupId: string) => readonly string[],
): { readonly id: string } {
  if (usernames.length > USERS_MAX)
    throw refusal('INVALID_INPUT', `expected at most ${USERS_MAX} users, but found ${usernames.length}`, 'usernames');
  const { profile } = homes.require('group', groupId, 'groupId');
  for (const username of new Set(usernames)) {
    const user = homes.find('user', username);
    if (user === undefined) continue;
    changeUser(homes, user, (before) => ({ ...before, memberOf: [...new Set(change(before.memberOf, profile.id))] }));
  }
  return { id: groupId };
}
