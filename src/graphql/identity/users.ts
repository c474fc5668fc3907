import { type ContentNode, ContentView, nodes } from '../../content/index.js';
import {
  type Directory,
  externalIdentities,
  type Found,
  type Nested,
  SYSTEM_WORKSPACE,
  type User,
  userProfileOf,
} from '../../identity/index.js';
import type { Caller } from '../../shared/caller.js';
import { mayManageOf } from '../../shared/rights/roles.js';
import type { State } from '../../store/index.js';
import type { ApiContext } from '../api-context.js';
import type { QueryResolvers, UserResolvers } from '../generated/schema.js';
import { keysetConnection } from '../list-field.js';
import { type EitherPage, firstOf, type MemoryList, memoryPage } from '../memory-page.js';

/** The directory, where the request's workspace is the one that users live in. */
export const directoryOf = (context: ApiContext): Directory | undefined =>
  isHome(context) ? context.services.identity.directory : undefined;

const isHome = ({ caller }: ApiContext): boolean => caller.workspace === SYSTEM_WORKSPACE;

/** The state of `system`, in whichever workspace the request is. */
export const homeState = (context: ApiContext): State =>
  isHome(context) ? context.state : context.services.system().replica.read();

/** Whether the caller sees who the user is. */
const sees =
  (caller: Caller) =>
  ({ username }: User): boolean =>
    mayManageOf(caller, username);

export const userQueries: Required<Pick<QueryResolvers, 'me' | 'user' | 'users' | 'searchPrincipals'>> = {
  me: (_, __, context) => directoryOf(context)?.user(context.caller.userId) ?? null,

  user: (_, { username }, context) => {
    const user = context.services.identity.directory.user(username);
    return user !== undefined && sees(context.caller)(user) ? user : null;
  },

  users: async (_, { roleId, groupId, includeDescendants, orderBy, orderDirection, ...args }, context) => {
    const { directory } = context.services.identity;
    const order = orderBy ?? 'USERNAME';
    const filter = { query: args.query ?? '', roleId: roleId ?? null, groupId: groupId ?? null, includeDescendants };
    const named = `users/${order}/${orderDirection ?? 'ASC'}/${JSON.stringify(filter)}`;
    const isSeen = sees(context.caller);
    const page = {
      ...usersIn(named, candidates(directory, filter)),
      isWanted: (user: User) => isSeen(user) && matches(user, filter.query),
      value: order === 'LAST_LOGIN' ? ({ username }: User) => directory.lastSignIn(username) : VALUES[order],
      descending: orderDirection === 'DESC',
    };
    return keysetConnection(await memoryPage(page, args, 20));
  },

  searchPrincipals: (_, { keyword, offset, limit }, { services }) => {
    const part = (keyword ?? '').toLowerCase();
    const list = {
      ...{ name: '', descending: false },
      all: services.identity.directory.all(),
      isWanted: ({ identifier, displayName }: Found) =>
        part === '' || [identifier, displayName].some((text) => text?.toLowerCase().includes(part)),
      value: ({ identifier }: Found) => identifier,
      id: ({ identifier }: Found) => identifier,
    };
    return firstOf(list, offset ?? 0, limit ?? 20);
  },
};

/** Users by their names, none left out. */
const usersIn = (name: string, all: Iterable<User>): MemoryList<User> => ({
  name,
  all,
  isWanted: () => true,
  value: ({ username }) => username,
  id: ({ username }) => username,
  descending: false,
});

interface Members {
  /** Whether those of what is nested in it count, too. */
  readonly isNested: boolean;
  readonly page: EitherPage;
}

/** One page of users who are in a group or have a role, as far as the caller sees them. */
export async function memberPage(of: Nested, { isNested, page }: Members, { caller, services }: ApiContext) {
  const members = services.identity.directory.members(of, isNested);
  const list = { ...usersIn(`members/${of.profileId}/${isNested}`, members), isWanted: sees(caller) };
  return keysetConnection(await memoryPage(list, page, 20));
}

const VALUES = {
  USERNAME: ({ username }: User) => username,
  DISPLAY_NAME: ({ displayName }: User) => displayName,
  MAIL: ({ mail }: User) => mail,
  CREATED: ({ created }: User) => created,
} as const;

interface UserFilter {
  readonly roleId: string | null;
  readonly groupId: string | null;
  readonly includeDescendants?: boolean | null;
}

function candidates(directory: Directory, { roleId, groupId, includeDescendants }: UserFilter): Iterable<User> {
  const role = roleId === null ? null : directory.nested.byId('role', roleId);
  const group = groupId === null ? null : directory.nested.byId('group', groupId);
  if (role === undefined || group === undefined) return [];
  if (group === null) return role === null ? directory.users() : directory.members(role);
  const members = directory.members(group, includeDescendants === true);
  return role === null ? members : [...members].filter(({ roles }) => roles.includes(role.profileId));
}

const matches = ({ username, displayName, mail }: User, part: string): boolean =>
  part === '' || [username, displayName, mail].some((text) => text?.includes(part));

export const userResolvers: UserResolvers = {
  sn: (user, _, context) => profileOf(context, user)?.sn ?? null,
  givenName: (user, _, context) => profileOf(context, user)?.givenName ?? null,
  hasAvatar: (user, _, context) => avatarOf(context, user) !== undefined,
  avatarUrl: (user, _, context) => {
    const avatar = avatarOf(context, user);
    return avatar === undefined ? null : `/bin/download.cgi/${SYSTEM_WORKSPACE}${homeOf(user)}/avatar`;
  },
  lastLogin: ({ username }, _, { services }) => services.identity.directory.lastSignIn(username),
  lastModified: (user, _, context) => modifiedOf(context, user.profileId),
  roles: ({ roles }, _, { services }) => services.identity.directory.nested.of('role', roles),
  memberOf: ({ memberOf }, _, { services }) => services.identity.directory.nested.of('group', memberOf),
  effectiveGroups: ({ memberOf }, _, { services }) => services.identity.directory.nested.withAbove('group', memberOf),
  // Users are shown to administrators and to themselves alone, and so is this.
  externalIdentities: ({ profileId }, _, context) => homeState(context).find(externalIdentities, 'user', [profileId]),
};

const nodeOf = (context: ApiContext, id: string): ContentNode | undefined => homeState(context).get(nodes, id);

function profileOf(context: ApiContext, { profileId }: User) {
  const node = nodeOf(context, profileId);
  return node && userProfileOf(node);
}

const homeOf = ({ username }: User): string => `/home/users/${encodeURIComponent(username)}`;

function avatarOf(context: ApiContext, { username }: User): ContentNode | undefined {
  const caller = { ...context.caller, workspace: SYSTEM_WORKSPACE };
  const homes = isHome(context) ? context.content : new ContentView(homeState(context), caller);
  return homes.at(`/home/users/${username}/avatar`);
}

/** When a profile was changed last, ms. */
export function modifiedOf(context: ApiContext, profileId: string): number | null {
  const modified = nodeOf(context, profileId)?.properties['jcr:lastModified'];
  return modified !== undefined && 'value' in modified ? Date.parse(String(modified.value)) : null;
}
