import { type ContentNode, nodes } from '../content/index.js';
import type { Principal, PrincipalInfo, Principals } from '../shared/principals.js';
import type { CommitFollower, Committed, ReplicaSide, State } from '../store/index.js';
import { type PrincipalChange, principalChanges } from './collections.js';
import { type Credential, credentials } from './credential.js';
import { type ExternalIdentity, externalIdentities } from './external-identity.js';
import { GroupsAndRoles } from './groups-and-roles.js';
import { isReserved } from './names.js';
import type { Passwords } from './passwords.js';
import { allPrincipals, type Nested, PRINCIPAL_TYPES, type User, userOf } from './principals.js';
import { KINDS } from './profile.js';
import { type LastSignIn, lastSignIns } from './session.js';

/** The group that everybody is in. */
const EVERYONE = 'everyone';

/** A user or a group, as it is found by a part of its name. */
export interface Found {
  readonly identifier: string;
  readonly displayName: string | null;
  readonly isGroup: boolean;
  readonly isService: boolean;
}

/**
 * The users, groups and roles as they are now, in memory: filled when `system` is opened, and moved on with each of its commits before that is
 * answered. Whatever refers to a profile that is gone is passed over.
 */
export class Directory implements CommitFollower, Principals {
  readonly collections = [nodes, credentials, externalIdentities, lastSignIns, principalChanges];
  readonly nested = new GroupsAndRoles();
  readonly #passwords: Pick<Passwords, 'verify'>;
  readonly #users = new Map<string, User>();
  readonly #usernames = new Map<string, string>();
  readonly #versions = new Map<string, string>();
  readonly #lastSignIns = new Map<string, number>();
  /** Ids of the users' profiles, by the ids of identities that providers know them by. */
  readonly #external = new Map<string, string>();
  /** Users that the commit which is being followed is about. */
  readonly #touched = new Set<string>();
  /** Who is in a group or has a role itself, by the id of its profile. */
  readonly #members = new Map<string, Set<User>>();
  /** The names that groups had, as long as they are not changed everywhere: by the change, of which profile and which name. */
  readonly #renames = new Map<string, PrincipalChange>();
  readonly #listeners = new Set<(usernames: ReadonlySet<string>) => void>();
  #system: Pick<ReplicaSide, 'read'> | undefined;
  #version = 0;

  constructor(passwords: Pick<Passwords, 'verify'>) {
    this.#passwords = passwords;
  }

  get version(): number {
    return this.#version;
  }

  /** Calls the listener after each commit that changed a user, a group or a role. Returns how to stop it. */
  onChange(listener: (usernames: ReadonlySet<string>) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reads all of it anew. */
  fill(system: Pick<ReplicaSide, 'read'>): void {
    this.#system = system;
    const maps = [this.#users, this.#usernames, this.#versions, this.#lastSignIns, this.#external, this.#members];
    for (const map of [...maps, this.#renames]) map.clear();
    this.nested.clear();
    const state = system.read({ readMax: READ_MAX });
    for (const node of allPrincipals(state)) this.#put(node);
    for (const one of state.range(principalChanges, 'order', [''], READ_MAX)) this.#noteChange(one.id, one);
    this.#touched.clear();
    for (const username of this.#users.keys()) {
      const credential = state.get(credentials, username);
      if (credential !== undefined) this.#versions.set(username, credential.version);
      const lastSignIn = state.get(lastSignIns, username);
      if (lastSignIn !== undefined) this.#lastSignIns.set(username, lastSignIn.at);
    }
    for (const { id, profileId } of allExternal(state)) this.#external.set(id, profileId);
    this.#changed();
  }

  renewed(): void {
    if (this.#system !== undefined) this.fill(this.#system);
  }

  /** A commit of `system` has landed. */
  committed({ writes }: Pick<Committed, 'writes'>): void {
    let isChanged = false;
    for (const { collection, id, document } of writes) {
      if (collection.name === lastSignIns.name) this.#noteSignIn(id, document as LastSignIn | null);
      else isChanged = this.#followed(collection.name, id, document) || isChanged;
    }
    if (isChanged) this.#changed();
  }

  /** When the user signed in last, ms; null: never. */
  lastSignIn(username: string): number | null {
    return this.#lastSignIns.get(username) ?? null;
  }

  /** The user whom a provider knows by the identity of that id. */
  externalUser(externalId: string): User | undefined {
    return this.#users.get(this.#usernames.get(this.#external.get(externalId) ?? '') ?? '');
  }

  find(userId: string): Principal | undefined {
    const user = this.#users.get(userId);
    if (user === undefined) return undefined;
    const { profileId: principalId, enabled } = user;
    return { userId, principalId, enabled, credentialVersion: this.#versions.get(userId) ?? '' };
  }

  describe(principalId: string): PrincipalInfo | undefined {
    const user = this.#users.get(principalId);
    if (user !== undefined) return { displayName: user.displayName, isGroup: false };
    const group = this.nested.group(principalId);
    return group && { displayName: group.displayName, isGroup: true };
  }

  groupsOf(userId: string): readonly string[] {
    const user = this.#users.get(userId);
    if (user === undefined) return [];
    const groups = this.nested.withAbove('group', user.memberOf);
    const names = groups.map(({ name }) => name);
    if (this.#renames.size > 0) names.push(...this.#formerNames(groups).map(([name]) => name));
    return names.includes(EVERYONE) ? names : [EVERYONE, ...names];
  }

  madeOf(userId: string): ReadonlyMap<string, number> {
    const made = new Map<string, number>();
    const user = this.#users.get(userId);
    if (user === undefined) return made;
    for (const [name, { created }] of [[userId, user] as const, ...this.#groupsByName(user)])
      if (created !== null && !isReserved(name)) made.set(name, created);
    return made;
  }

  /** The user's groups, by their names, those that they had among them. */
  #groupsByName({ memberOf }: User): (readonly [string, Nested])[] {
    const groups = this.nested.withAbove('group', memberOf);
    return [...groups.map((group) => [group.name, group] as const), ...this.#formerNames(groups)];
  }

  /** Names that these groups had, and still have where it is not known yet that they have others: what is denied to one is denied to the other. */
  #formerNames(groups: readonly Nested[]): (readonly [string, Nested])[] {
    return [...this.#renames.values()].flatMap(({ from, profileId }) =>
      groups.filter((one) => one.profileId === profileId).map((group) => [from, group] as const),
    );
  }

  rolesOf(userId: string): readonly string[] {
    const user = this.#users.get(userId);
    if (user === undefined) return [];
    const ofGroups = this.nested.withAbove('group', user.memberOf).flatMap(({ roles }) => roles);
    return this.nested.withAbove('role', [...user.roles, ...ofGroups]).map((role) => this.nested.idOf(role));
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

  /** Users and groups, as they are looked for. */
  *all(): Generator<Found, void, void> {
    for (const { username, displayName, isService } of this.#users.values())
      yield { identifier: username, displayName, isGroup: false, isService };
    for (const { name, displayName } of this.nested.groups())
      yield { identifier: name, displayName, isGroup: true, isService: false };
  }

  /** Who is in the group, or has the role, itself; with `isNested`: or one that is nested in it. Each once. */
  *members(nested: Nested, isNested = false): Generator<User, void, void> {
    const seen = new Set<User>();
    for (const { profileId } of isNested ? [nested, ...this.nested.allBelow(nested)] : [nested]) {
      for (const user of this.#members.get(profileId) ?? []) {
        if (!seen.has(user)) yield user;
        seen.add(user);
      }
    }
  }

  /** How many are in the group, or have the role, themselves. */
  memberCount({ profileId }: Nested): number {
    return this.#members.get(profileId)?.size ?? 0;
  }

  #changed(): void {
    const touched = new Set(this.#touched);
    this.#touched.clear();
    this.#version += 1;
    for (const listener of this.#listeners) listener(touched);
  }

  #noteSignIn(username: string, signIn: LastSignIn | null): void {
    if (signIn === null) this.#lastSignIns.delete(username);
    else this.#lastSignIns.set(username, signIn.at);
  }

  /** Whether what was written is about a principal. */
  #followed(collection: string, id: string, document: object | null): boolean {
    if (collection === nodes.name) return this.#follow(id, document as ContentNode | null);
    if (collection === externalIdentities.name) return this.#link(id, document as ExternalIdentity | null);
    if (collection === principalChanges.name) return this.#noteChange(id, document as PrincipalChange | null);
    this.#note(id, document as Credential | null);
    return true;
  }

  #link(id: string, external: ExternalIdentity | null): true {
    const profileId = external?.profileId ?? this.#external.get(id) ?? '';
    if (external === null) this.#external.delete(id);
    else this.#external.set(id, profileId);
    const username = this.#usernames.get(profileId);
    if (username !== undefined) this.#touched.add(username);
    return true;
  }

  /** Whether members of a group have one name more, or less, by it. */
  #noteChange(id: string, change: PrincipalChange | null): boolean {
    if (change === null || change.to === null || change.jobId === null) return this.#renames.delete(id);
    this.#renames.set(id, change);
    return true;
  }

  #note(username: string, credential: Credential | null): void {
    this.#touched.add(username);
    if (credential === null) this.#versions.delete(username);
    else this.#versions.set(username, credential.version);
  }

  /** Whether the node is, or was, one of identity's. */
  #follow(id: string, node: ContentNode | null): boolean {
    const isInTree = node !== null && node.parent !== null;
    if (isInTree && PRINCIPAL_TYPES.has(node.type)) this.#put(node);
    else if (this.#usernames.has(id)) this.#removeUser(id);
    else if (this.nested.has(id)) this.nested.remove(id);
    else return false;
    return true;
  }

  #put(node: ContentNode): void {
    const { type } = node;
    if (type === KINDS.user.profile) this.#putUser(node);
    else if (type === KINDS.group.profile) this.nested.putProfile('group', node);
    else if (type === KINDS.role.profile) this.nested.putProfile('role', node);
    else if (type !== KINDS.user.home) this.nested.putHome(node);
  }

  #putUser(node: ContentNode): void {
    this.#removeUser(node.id);
    const user = userOf(node);
    this.#users.set(user.username, user);
    this.#touched.add(user.username);
    this.#usernames.set(node.id, user.username);
    for (const id of [...user.roles, ...user.memberOf])
      this.#members.set(id, (this.#members.get(id) ?? new Set<User>()).add(user));
  }

  #removeUser(profileId: string): void {
    const user = this.#users.get(this.#usernames.get(profileId) ?? '');
    if (user === undefined) return;
    this.#users.delete(user.username);
    this.#touched.add(user.username);
    this.#usernames.delete(profileId);
    for (const id of [...user.roles, ...user.memberOf]) this.#members.get(id)?.delete(user);
  }
}

function* allExternal(state: Pick<State, 'range'>): Generator<ExternalIdentity, void, void> {
  let from: string[] = [''];
  for (;;) {
    const page = state.range(externalIdentities, 'user', from, PAGE, { skipDamaged: true });
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    from = [last.profileId, `${last.id} `];
  }
}

const PAGE = 1_000;
const READ_MAX = Number.MAX_SAFE_INTEGER - 1;
