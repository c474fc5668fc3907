import type { Principal, PrincipalInfo, Principals } from '../../shared/principals.js';
import type { Passwords } from './passwords.js';

/** A user that is there from the start. */
export interface FixedUser {
  readonly userId: string;
  /** Default: none. */
  readonly displayName?: string;
  /** Without one the user cannot sign in. */
  readonly password?: string;
  /** Beside `everyone`. */
  readonly groups?: readonly string[];
  readonly roles?: readonly string[];
}

/** What the fixed principals are made of. */
interface FixedPrincipalsOptions {
  readonly passwords: Passwords;
  readonly adminPassword: string;
  /** Users beside `admin` and `anonymous`; one of these names replaces the user. */
  readonly users?: readonly FixedUser[];
}

/** The principals of a server whose users cannot be changed: `admin`, `anonymous` (who never signs in) and the given ones; group `everyone`. */
export function fixedPrincipals({ passwords, adminPassword, users = [] }: FixedPrincipalsOptions): Principals {
  const admin: FixedUser = { userId: 'admin', password: adminPassword, roles: ['administrator', 'supervisor'] };
  const known = new Map(
    [admin, { userId: 'anonymous' }, ...users].map((user) => [user.userId, entryOf(user, passwords)]),
  );
  const groups = new Set([...known.values()].flatMap((entry) => entry.groups));
  return {
    find: (userId) => known.get(userId)?.principal,
    describe: (id) => known.get(id)?.info ?? (groups.has(id) ? { displayName: null, isGroup: true } : undefined),
    groupsOf: (userId) => known.get(userId)?.groups ?? [],
    rolesOf: (userId) => known.get(userId)?.roles ?? [],
    verifyPassword: async (userId, password) => passwords.verify(await known.get(userId)?.hash(), password),
  };
}

interface Entry {
  readonly info: PrincipalInfo;
  readonly principal: Principal;
  readonly groups: readonly string[];
  readonly roles: readonly string[];
  readonly hash: () => Promise<string | undefined>;
}

function entryOf({ userId, displayName, password, groups = [], roles = [] }: FixedUser, passwords: Passwords): Entry {
  // Hashed at once, beside the start, so that the first sign-in takes as long as any other.
  const hash = password === undefined ? Promise.resolve(undefined) : passwords.hash(password);
  hash.catch(() => {}); // whoever signs in sees the failure
  return {
    info: { displayName: displayName ?? null, isGroup: false },
    principal: { userId, enabled: true, credentialVersion: 'fixed' },
    groups: [...new Set(['everyone', ...groups])],
    roles,
    hash: () => hash,
  };
}
