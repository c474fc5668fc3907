import {
  type AccessEntry,
  type Change,
  type ContentNode,
  nodes,
  type Property,
  placeNode,
  ROOT_ID,
} from '../content/index.js';
import type { FeedEvent } from '../store/index.js';
import { takenNames } from './collections.js';
import { DEPTH_MAX, requireName, requireNewName } from './names.js';
import {
  KINDS,
  type Kind,
  type NestedProfile,
  nestedProperties,
  PROFILE,
  type UserProfile,
  userProperties,
} from './profile.js';
import { refusal } from './refusal.js';

/** A principal's nodes: its home, and the profile in it. */
export interface Principal {
  readonly home: ContentNode;
  readonly profile: ContentNode;
}

/** The homes of users, groups and roles, as one change finds and changes them. Rights were asked before. */
export class Homes {
  readonly change: Change;
  /** Of what it has made beside nodes. */
  readonly events: FeedEvent[] = [];

  constructor(change: Change) {
    this.change = change;
  }

  /** The folder of all homes of the kind. */
  root(kind: Kind): ContentNode {
    const { tree } = this.change;
    const found = KINDS[kind].root
      .slice(1)
      .split('/')
      .reduce<ContentNode | undefined>((node, name) => node && tree.child(node, name), tree.get(ROOT_ID));
    if (found === undefined) throw new Error(`expected '${KINDS[kind].root}' to be there`);
    return found;
  }

  find(kind: Kind, id: string): Principal | undefined {
    const { tree } = this.change;
    const names = kind === 'user' ? [id] : id.split('/');
    let home: ContentNode | undefined = this.root(kind);
    for (const name of names) home = home && this.#homeIn(kind, home, name);
    const profile = home && tree.child(home, PROFILE);
    return home === undefined || profile === undefined ? undefined : { home, profile };
  }

  /** @throws NOT_FOUND */
  require(kind: Kind, id: string, field: string): Principal {
    const found = this.find(kind, id);
    if (found === undefined)
      throw refusal('NOT_FOUND', `expected a ${kind} '${id}' in '${field}', but there is none`, field);
    return found;
  }

  /** The profiles of those that there are; others are passed over. */
  profilesOf(kind: Kind, ids: readonly string[]): ContentNode[] {
    return ids.flatMap((id) => this.find(kind, id)?.profile ?? []);
  }

  /**
   * Makes a user with its home, which it may do anything with. `adopted`: a folder that is there and becomes the home.
   * @throws ALREADY_EXISTS
   */
  addUser(profile: UserProfile, adopted?: ContentNode): Principal {
    const { username } = profile;
    const { tree } = this.change;
    this.#requireFree(username);
    const made = adopted ?? this.#addHome('user', this.root('user'), username);
    const home = this.change.put({ ...made, type: KINDS.user.home, mixins: [], acl: [ownAll(username)] });
    const written = this.#addProfile('user', home, userProperties(profile));
    for (const name of ['preferences', 'Desktop'])
      if (tree.child(home, name) === undefined)
        placeNode(this.change, home, { name, type: 'nt:folder', mixins: ['mi:anyChildren'] });
    this.take('user', username, written.id);
    return { home, profile: written };
  }

  /** Makes a group or a role in the home above it. @throws INVALID_INPUT, ALREADY_EXISTS */
  addNested(kind: 'group' | 'role', above: ContentNode, profile: NestedProfile): Principal {
    const { tree } = this.change;
    if ((tree.chainOf(above) ?? []).length >= DEPTH_MAX)
      throw refusal('INVALID_INPUT', `expected ${kind}s to be nested at most ${DEPTH_MAX - 3} levels deep`, 'name');
    const home = this.#addHome(kind, above, profile.name);
    const made = this.#addProfile(kind, home, nestedProperties(kind, profile));
    if (kind === 'group') this.take('group', profile.name, made.id);
    return { home, profile: made };
  }

  /** Writes what a profile says now, but for groups and roles that are gone: whoever was in them, or had them, is written as all others. */
  write(profile: ContentNode, properties: ContentNode['properties']): ContentNode {
    const { change } = this;
    // What the repository notes by itself stays: when it was made and changed.
    const noted = Object.entries(profile.properties).filter(([name]) => name.startsWith('jcr:'));
    const next = { ...profile, properties: { ...Object.fromEntries(noted), ...this.#withoutGone(properties) } };
    return change.put(change.types.touched(change, next));
  }

  #withoutGone(properties: ContentNode['properties']): ContentNode['properties'] {
    const { tree } = this.change;
    const isThere = (id: string) => {
      const node = tree.get(id);
      return node !== undefined && tree.chainOf(node) !== undefined;
    };
    const left = Object.entries(properties).flatMap(([name, property]): [string, Property][] => {
      if (property.type !== 'WeakReference' || !('values' in property)) return [[name, property]];
      const values = property.values.filter((id) => isThere(String(id)));
      return values.length === 0 ? [] : [[name, { type: 'WeakReference', values: values.map(String) }]];
    });
    return Object.fromEntries(left);
  }

  /** The homes of groups or roles right below, at most so many. */
  below(kind: 'group' | 'role', home: ContentNode, limit: number): ContentNode[] {
    return this.change.draft
      .find(nodes, 'name', [home.id], { limit: limit + 1 })
      .filter(({ type }) => type === KINDS[kind].home);
  }

  /** Takes a name for a user or a group. @throws ALREADY_EXISTS */
  take(kind: 'user' | 'group', name: string, profileId: string): void {
    this.#requireFree(name);
    this.change.draft.put(takenNames, { id: name, kind, profileId });
  }

  /** @throws ALREADY_EXISTS */
  #requireFree(name: string): void {
    const taken = this.change.draft.get(takenNames, name);
    if (taken?.leaving !== undefined)
      throw refusal(
        'ALREADY_EXISTS',
        `expected a name that nobody has, but ${taken.kind} '${name}' is only just being removed, or renamed, by job '${taken.leaving}'`,
        null,
        taken.leaving,
      );
    if (taken !== undefined)
      throw refusal('ALREADY_EXISTS', `there is a ${taken.kind} '${name}' already: users and groups share their names`);
  }

  #homeIn(kind: Kind, above: ContentNode, name: string): ContentNode | undefined {
    const child = this.change.tree.child(above, name);
    return child?.type === KINDS[kind].home ? child : undefined;
  }

  /** @throws ALREADY_EXISTS something else lies there */
  #addHome(kind: Kind, above: ContentNode, name: string): ContentNode {
    const { tree } = this.change;
    if (tree.child(above, name) !== undefined)
      throw refusal(
        'ALREADY_EXISTS',
        `expected nothing at '${tree.pathOf(above)}/${name}', but there is a node already`,
      );
    return placeNode(this.change, above, { name, type: KINDS[kind].home, isOnlyOfName: true });
  }

  #addProfile(kind: Kind, home: ContentNode, properties: ContentNode['properties']): ContentNode {
    return placeNode(this.change, home, { name: PROFILE, type: KINDS[kind].profile, properties });
  }
}

/** That a user may do anything. */
export const ownAll = (username: string): AccessEntry => ({
  principal: username,
  privileges: ['jcr:all'],
  allow: true,
});

/** Requires a name for what is to be made. @throws INVALID_INPUT */
export function requireNameOf(kind: Kind, name: string, field: string): void {
  if (kind === 'role') requireName(name, field);
  else requireNewName(name, field);
}
