import { type ContentNode, instantOf, nodes, ROOT_ID } from '../content/index.js';
import type { Principal, PrincipalInfo, Principals } from '../shared/principals.js';
import type { CommitFollower, Committed, ReplicaSide, State } from '../store/index.js';
import { type Credential, credentials } from './collections.js';
import type { Passwords } from './passwords.js';
import { KINDS, nestedProfileOf, PROFILE, userProfileOf } from './profile.js';

/** The group that everybody is in. */
const EVERYONE = 'everyone';

/** A user as the directory holds it. */
export interface User {
  /** The node's. */
  readonly profileId: string;
  readonly username: string;
  readonly displayName: string | null;
  readonly mail: string | null;
  readonly enabled: boolean;
  readonly isService: boolean;
  /** ms; null: not known */
  readonly created: number | null;
  /** Ids of profiles of roles. */
  readonly roles: readonly string[];
  /** Ids of profiles of groups. */
  readonly memberOf: readonly string[];
}

/** A group or a role as the directory holds it. */
export interface Nested {
  /** The node's. */
  readonly profileId: string;
  readonly homeId: string;
  /** The last segment of its id. */
  readonly name: string;
  readonly displayName: string | null;
  /** Of a group: ids of profiles of the roles that its members have. */
  readonly roles: readonly string[];
  readonly created: number | null;
}

/** What a user has in effect: with what its groups and roles are nested in. */
interface Effective {
  readonly of: number;
  readonly groups: readonly string[];
  readonly roles: readonly string[];
}

/**
 * The users, groups and roles as they are now, in memory: filled when `system` is opened, and moved on with each of its commits before that is
 * answered. Whatever refers to a profile that is gone is passed over.
 */
export class Directory implements CommitFollower, Principals {
  readonly collections = [nodes, credentials];
  readonly #passwords: Pick<Passwords, 'verify'>;
  readonly #users = new Map<string, User>();
  readonly #nested = { group: new Map<string, Nested>(), role: new Map<string, Nested>() };
  readonly #groupsByName = new Map<string, Nested>();
  /** The profile of each home of a group or a role, and the home above it. */
  readonly #homes = new Map<string, { readonly above: string | null; profileId: string | null }>();
  readonly #usernames = new Map<string, string>();
  readonly #versions = new Map<string, string>();
  readonly #members = new Map<string, Set<User>>();
  readonly #effective = new WeakMap<User, Effective>();
  /** Another one whenever a group or a role is: what users have in effect is then worked out anew, when it is asked for. */
  #generation = 0;
  #system: Pick<ReplicaSide, 'read'> | undefined;

  constructor(passwords: Pick<Passwords, 'verify'>) {
    this.#passwords = passwords;
  }

  /** Reads all of it anew. */
  fill(system: Pick<ReplicaSide, 'read'>): void {
    this.#system = system;
    for (const map of [this.#users, ...Object.values(this.#nested), this.#groupsByName, this.#homes]) map.clear();
    for (const map of [this.#usernames, this.#versions, this.#members]) map.clear();
    this.#generation++;
    const state = system.read({ readMax: READ_MAX });
    for (const { root } of Object.values(KINDS)) {
      for (const node of identityNodesBelow(state, root)) this.#put(node);
    }
    for (const username of this.#users.keys()) {
      const credential = state.get(credentials, username);
      if (credential !== undefined) this.#versions.set(username, credential.version);
    }
  }

  renewed(): void {
    if (this.#system !== undefined) this.fill(this.#system);
  }

  /** A commit of `system` has landed. */
  committed({ writes }: Pick<Committed, 'writes'>): void {
    for (const { collection, id, document } of writes) {
      if (collection.name === credentials.name) this.#note(id, document as Credential | null);
      else if (collection.name === nodes.name) this.#follow(id, document as ContentNode | null);
    }
  }

  find(userId: string): Principal | undefined {
    const user = this.#users.get(userId);
    if (user === undefined) return undefined;
    return { userId, enabled: user.enabled, credentialVersion: this.#versions.get(userId) ?? '' };
  }

  describe(principalId: string): PrincipalInfo | undefined {
    const user = this.#users.get(principalId);
    if (user !== undefined) return { displayName: user.displayName, isGroup: false };
    const group = this.#groupsByName.get(principalId);
    return group && { displayName: group.displayName, isGroup: true };
  }

  groupsOf(userId: string): readonly string[] {
    return this.#effectiveOf(userId)?.groups ?? [];
  }

  rolesOf(userId: string): readonly string[] {
    return this.#effectiveOf(userId)?.roles ?? [];
  }

  async verifyPassword(userId: string, password: string): Promise<boolean> {
    const credential = this.#users.has(userId) ? this.#system?.read().get(credentials, userId) : undefined;
    return this.#passwords.verify(credential?.hash, password);
  }

  user(username: string): User | undefined {
    return this.#users.get(username);
  }

  users(): Iterable<User> {
    return this.#users.values();
  }

  /** Who is in the group, or has the role, itself. */
  membersOf(profileId: string): Iterable<User> {
    return this.#members.get(profileId) ?? [];
  }

  /** The group or role; `profileId`: of its profile. */
  nested(kind: 'group' | 'role', profileId: string): Nested | undefined {
    return this.#nested[kind].get(profileId);
  }

  allNested(kind: 'group' | 'role'): Iterable<Nested> {
    return this.#nested[kind].values();
  }

  /** Its id: the names from the top, with slashes between. */
  idOf(kind: 'group' | 'role', nested: Nested): string {
    return [...this.above(kind, nested), nested].map(({ name }) => name).join('/');
  }

  /** The groups or roles that it is nested in, the topmost first. */
  above(kind: 'group' | 'role', { homeId }: Nested): readonly Nested[] {
    const found: Nested[] = [];
    let home = this.#homes.get(this.#homes.get(homeId)?.above ?? '');
    while (home !== undefined) {
      const one = this.#nested[kind].get(home.profileId ?? '');
      if (one !== undefined) found.unshift(one);
      home = this.#homes.get(home.above ?? '');
    }
    return found;
  }

  #effectiveOf(userId: string): Effective | undefined {
    const user = this.#users.get(userId);
    if (user === undefined) return undefined;
    const known = this.#effective.get(user);
    if (known?.of === this.#generation) return known;
    const groups = this.#withAbove('group', user.memberOf);
    const roles = this.#withAbove('role', [...user.roles, ...groups.flatMap((group) => group.roles)]);
    const effective = {
      of: this.#generation,
      groups: [...new Set([EVERYONE, ...groups.map(({ name }) => name)])],
      roles: [...new Set(roles.map((role) => this.idOf('role', role)))],
    };
    this.#effective.set(user, effective);
    return effective;
  }

  #withAbove(kind: 'group' | 'role', profileIds: readonly string[]): readonly Nested[] {
    const found = new Set<Nested>();
    for (const profileId of profileIds) {
      const one = this.#nested[kind].get(profileId);
      if (one === undefined) continue;
      for (const nested of [...this.above(kind, one), one]) found.add(nested);
    }
    return [...found];
  }

  #note(username: string, credential: Credential | null): void {
    if (credential === null) this.#versions.delete(username);
    else this.#versions.set(username, credential.version);
  }

  #follow(id: string, node: ContentNode | null): void {
    const isInTree = node !== null && node.parent !== null;
    if (isInTree && TYPES.has(node.type)) this.#put(node);
    else if (this.#usernames.has(id) || this.#homes.has(id) || this.#isNested(id)) this.#remove(id);
  }

  #isNested(profileId: string): boolean {
    return this.#nested.group.has(profileId) || this.#nested.role.has(profileId);
  }

  #put(node: ContentNode): void {
    const { type, id, parent } = node;
    if (type === KINDS.user.profile) return this.#putUser(node);
    if (type === KINDS.group.profile) return this.#putNested('group', node);
    if (type === KINDS.role.profile) return this.#putNested('role', node);
    if (type === KINDS.user.home) return;
    this.#generation++;
    this.#homes.set(id, { above: parent, profileId: this.#homes.get(id)?.profileId ?? null });
  }

  #putUser(node: ContentNode): void {
    this.#remove(node.id);
    const { username, displayName, mail, enabled, isService, roles, memberOf } = userProfileOf(node);
    const user = { profileId: node.id, username, displayName, mail, enabled, isService, roles, memberOf };
    const entered: User = { ...user, created: createdOf(node) };
    this.#users.set(username, entered);
    this.#usernames.set(node.id, username);
    for (const id of [...roles, ...memberOf])
      this.#members.set(id, (this.#members.get(id) ?? new Set<User>()).add(entered));
  }

  #putNested(kind: 'group' | 'role', node: ContentNode): void {
    this.#remove(node.id);
    const homeId = node.parent ?? '';
    const { name, displayName, roles } = nestedProfileOf(node);
    const nested = { profileId: node.id, homeId, name, displayName, roles, created: createdOf(node) };
    this.#nested[kind].set(node.id, nested);
    if (kind === 'group') this.#groupsByName.set(name, nested);
    this.#homes.set(homeId, { above: this.#homes.get(homeId)?.above ?? null, profileId: node.id });
  }

  #remove(id: string): void {
    const user = this.#users.get(this.#usernames.get(id) ?? '');
    if (user !== undefined) {
      this.#users.delete(user.username);
      this.#usernames.delete(id);
      for (const of of [...user.roles, ...user.memberOf]) this.#members.get(of)?.delete(user);
      return;
    }
    this.#generation++;
    const group = this.#nested.group.get(id);
    if (group !== undefined && this.#groupsByName.get(group.name) === group) this.#groupsByName.delete(group.name);
    this.#nested.group.delete(id);
    this.#nested.role.delete(id);
    this.#homes.delete(id);
  }
}

const TYPES: ReadonlySet<string> = new Set(Object.values(KINDS).flatMap(({ home, profile }) => [home, profile]));

const HOMES: ReadonlySet<string> = new Set(Object.values(KINDS).map(({ home }) => home));

const READ_MAX = Number.MAX_SAFE_INTEGER - 1;
const PAGE = 200;

const createdOf = ({ properties }: ContentNode): number | null => {
  const created = properties['jcr:created'];
  return created !== undefined && 'value' in created ? instantOf(String(created.value)) : null;
};

/** The homes and profiles below the path, each home before what is in it. */
function* identityNodesBelow(state: Pick<State, 'find'>, path: string): Generator<ContentNode, void, void> {
  let at: string | undefined = ROOT_ID;
  for (const name of path.slice(1).split('/')) {
    if (at === undefined) return;
    at = state.find(nodes, 'name', [at, name], { limit: 1 })[0]?.id;
  }
  if (at !== undefined) yield* homesIn(state, at);
}

/** What is in a home, page by page: the profiles, and the homes with all that is in them. */
function* homesIn(state: Pick<State, 'find'>, homeId: string): Generator<ContentNode, void, void> {
  for (const node of childrenOf(state, homeId)) {
    if (!TYPES.has(node.type)) continue;
    yield node;
    if (node.type === KINDS.user.home) yield* state.find(nodes, 'name', [node.id, PROFILE], { limit: 1 });
    else if (HOMES.has(node.type)) yield* homesIn(state, node.id);
  }
}

function* childrenOf(state: Pick<State, 'find'>, parentId: string): Generator<ContentNode, void, void> {
  let page = state.find(nodes, 'name', [parentId], { limit: PAGE });
  while (page.length > 0) {
    yield* page;
    const last = page.at(-1)?.name ?? '';
    page = state.find(nodes, 'name', [parentId], { limit: PAGE, from: last }).filter(({ name }) => name !== last);
  }
}
