import type { ContentNode, Property } from '../content/index.js';

/** The kinds of principals, and their nodes' types: a home, and in it the profile that says who it is. */
export const KINDS = {
  user: { root: '/home/users', home: 'mi:userHome', profile: 'mi:userProfile' },
  group: { root: '/home/groups', home: 'mi:groupHome', profile: 'mi:groupProfile' },
  role: { root: '/home/roles', home: 'mi:roleHome', profile: 'mi:roleProfile' },
} as const;

export type Kind = keyof typeof KINDS;

/** The name of the profile in its home. */
export const PROFILE = 'profile';

/** A user's profile, as its node says it. */
export interface UserProfile {
  readonly username: string;
  readonly displayName: string | null;
  readonly sn: string | null;
  readonly givenName: string | null;
  readonly mail: string | null;
  readonly enabled: boolean;
  /** A service account: it never signs in by a password. */
  readonly isService: boolean;
  /** Ids of profiles of roles. */
  readonly roles: readonly string[];
  /** Ids of profiles of groups. */
  readonly memberOf: readonly string[];
}

/** A group's or a role's profile, as its node says it. */
export interface NestedProfile {
  /** The last segment of its id. */
  readonly name: string;
  readonly displayName: string | null;
  readonly description: string | null;
  /** Of a group: ids of profiles of the roles that all its members have. */
  readonly roles: readonly string[];
}

export const userProfileOf = ({ properties }: ContentNode): UserProfile => ({
  username: textOf(properties.identifier) ?? '',
  displayName: textOf(properties.displayName),
  sn: textOf(properties.sn),
  givenName: textOf(properties.givenName),
  mail: textOf(properties.mail),
  enabled: flagOf(properties.enabled),
  isService: flagOf(properties.isService),
  roles: idsOf(properties.roles),
  memberOf: idsOf(properties.memberOf),
});

export const nestedProfileOf = ({ properties }: ContentNode): NestedProfile => ({
  name: textOf(properties.identifier) ?? '',
  displayName: textOf(properties.displayName),
  description: textOf(properties.description),
  roles: idsOf(properties.roles),
});

type Properties = Readonly<Record<string, Property>>;

/** The properties of a user's profile node; what it does not have is left out. */
export const userProperties = (profile: UserProfile): Properties => ({
  identifier: text(profile.username),
  isGroup: flag(false),
  isService: flag(profile.isService),
  enabled: flag(profile.enabled),
  ...texts({
    displayName: profile.displayName,
    sn: profile.sn,
    givenName: profile.givenName,
    mail: profile.mail,
  }),
  ...references({ roles: profile.roles, memberOf: profile.memberOf }),
});

/** The properties of a group's or a role's profile node; what it does not have is left out. */
export const nestedProperties = (kind: 'group' | 'role', profile: NestedProfile): Properties => ({
  identifier: text(profile.name),
  ...(kind === 'group' && { isGroup: flag(true) }),
  ...texts({ displayName: profile.displayName, description: profile.description }),
  ...references({ roles: profile.roles }),
});

const text = (value: string): Property => ({ type: 'String', value });
const flag = (value: boolean): Property => ({ type: 'Boolean', value });

const texts = (values: Readonly<Record<string, string | null>>): Properties =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, text(value)]])));

const references = (values: Readonly<Record<string, readonly string[]>>): Properties =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, ids]): [string, Property][] =>
      ids.length === 0 ? [] : [[name, { type: 'WeakReference', values: ids }]],
    ),
  );

const textOf = (property: Property | undefined): string | null => {
  const value = property !== undefined && 'value' in property ? property.value : undefined;
  return typeof value === 'string' ? value : null;
};

const flagOf = (property: Property | undefined): boolean =>
  property !== undefined && 'value' in property && property.value === true;

const idsOf = (property: Property | undefined): readonly string[] =>
  property !== undefined && 'values' in property ? property.values.map(String) : [];
