/** A user as far as sign-in and rights are concerned. */
export interface Principal {
  readonly userId: string;
  /** Who it is: another user that has the name later has another one. */
  readonly principalId: string;
  /** A user that is not enabled cannot sign in, and its sessions end. */
  readonly enabled: boolean;
  /** Changes with the user's password, so that nothing that was verified before counts afterwards. */
  readonly credentialVersion: string;
}

/** A user or a group, as it is shown. */
export interface PrincipalInfo {
  /** Null: it has none. */
  readonly displayName: string | null;
  readonly isGroup: boolean;
}

/** The users, their groups and roles, as they are now. Reading is local and never waits; ids are compared letter by letter. */
export interface Principals {
  /** Another number whenever a user, a group or a role has changed. */
  readonly version: number;
  find(userId: string): Principal | undefined;
  /** What is shown of a user or a group; undefined: there is none of that name. */
  describe(principalId: string): PrincipalInfo | undefined;
  /** The groups of the user, `everyone` among them; none for an unknown user. */
  groupsOf(userId: string): readonly string[];
  /** The roles of the user and of its groups; none for an unknown user. */
  rolesOf(userId: string): readonly string[];
  /** When the user and its groups were made, ms, by their names; those that every server has, and has from the first, are not in it. */
  madeOf(userId: string): ReadonlyMap<string, number>;
  /**
   * Whether the user may sign in with the password. Takes the same time whether the user is unknown, cannot sign in, or has another password.
   * @throws UNAVAILABLE when too many passwords wait to be checked
   */
  verifyPassword(userId: string, password: string): Promise<boolean>;
}

/** The sources of a user's rights: its groups, its roles, and when it and its groups were made (ms, by their names). */
export interface PrincipalRights {
  readonly groups: readonly string[];
  readonly roles: readonly string[];
  readonly made: ReadonlyMap<string, number>;
}

/** The sources of the user's rights, as of now: the same object as long as nobody's has changed. */
export function rightsOf(
  principals: Pick<Principals, 'version' | 'groupsOf' | 'rolesOf' | 'madeOf'>,
  userId: string,
): PrincipalRights {
  let known = remembered.get(principals);
  if (known?.version !== principals.version || known.byUser.size >= REMEMBERED_MAX) {
    known = { version: principals.version, byUser: new Map() };
    remembered.set(principals, known);
  }
  const rights = known.byUser.get(userId) ?? {
    groups: principals.groupsOf(userId),
    roles: principals.rolesOf(userId),
    made: principals.madeOf(userId),
  };
  known.byUser.set(userId, rights);
  return rights;
}

/** Every request asks for its user's, and most come from few. */
const REMEMBERED_MAX = 10_000;
const remembered = new WeakMap<object, { readonly version: number; readonly byUser: Map<string, PrincipalRights> }>();
