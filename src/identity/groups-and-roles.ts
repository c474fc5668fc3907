import type { ContentNode } from '../content/index.js';
import { type Nested, type NestedKind, nestedOf } from './principals.js';

/** Groups and roles as trees: worked out when it is asked for. */
interface Trees {
  /** The generation that it was worked out of. */
  readonly of: number;
  /** By the kind and the id. */
  readonly byId: ReadonlyMap<string, Nested>;
  /** What is right below a home, or at the top of a kind, in the order of the names. */
  readonly below: ReadonlyMap<string, readonly Nested[]>;
}

interface Chain {
  readonly all: readonly Nested[];
  /** The names of all with slashes between: the id of the last. */
  readonly id: string;
}

/** The groups and roles of the directory, and how they are nested. */
export class GroupsAndRoles {
  /** Another one whenever any of them is. */
  #generation = 0;
  /** By the ids of their profiles. */
  readonly #all = new Map<string, Nested>();
  readonly #groupsByName = new Map<string, Nested>();
  /** The profile of each home, and the home above it. */
  readonly #homes = new Map<string, { readonly above: string | null; readonly profileId: string | null }>();
  /** Of each that was asked for: what it is nested in, and itself, the topmost first. Of one generation. */
  readonly #chains = new Map<string, Chain>();
  #trees: Trees | undefined;

  clear(): void {
    this.#changed();
    for (const map of [this.#all, this.#groupsByName, this.#homes]) map.clear();
  }

  #changed(): void {
    this.#generation++;
    this.#chains.clear();
  }

  /** `id`: of a profile, or of a home. */
  has(id: string): boolean {
    return this.#homes.has(id) || this.#all.has(id);
  }

  putHome({ id, parent }: ContentNode): void {
    this.#changed();
    this.#homes.set(id, { above: parent, profileId: this.#homes.get(id)?.profileId ?? null });
  }

  putProfile(kind: NestedKind, node: ContentNode): void {
    this.remove(node.id);
    const nested = nestedOf(kind, node);
    this.#all.set(node.id, nested);
    if (kind === 'group') this.#groupsByName.set(nested.name, nested);
    this.#homes.set(nested.homeId, { above: this.#homes.get(nested.homeId)?.above ?? null, profileId: node.id });
  }

  /** `id`: of a profile, or of a home. */
  remove(id: string): void {
    this.#changed();
    const nested = this.#all.get(id);
    if (nested !== undefined && this.#groupsByName.get(nested.name) === nested) this.#groupsByName.delete(nested.name);
    this.#all.delete(id);
    this.#homes.delete(id);
  }

  group(name: string): Nested | undefined {
    return this.#groupsByName.get(name);
  }

  groups(): Iterable<Nested> {
    return this.#groupsByName.values();
  }

  /** Those of the profiles that there are. */
  of<K extends NestedKind>(kind: K, profileIds: readonly string[]): Nested<K>[] {
    return profileIds.flatMap((id) => {
      const nested = this.#all.get(id);
      return nested?.kind === kind ? [nested as Nested<K>] : [];
    });
  }

  /** The group or role of the id: the names from the top down to its own, with slashes between. */
  byId<K extends NestedKind>(kind: K, id: string): Nested<K> | undefined {
    return this.#tree.byId.get(`${kind}/${id}`) as Nested<K> | undefined;
  }

  idOf(nested: Nested): string {
    return this.#chainOf(nested).id;
  }

  /** What it is nested in, the topmost first. */
  above<K extends NestedKind>(nested: Nested<K>): Nested<K>[] {
    return this.#chainOf(nested).all.slice(0, -1) as Nested<K>[];
  }

  #chainOf(nested: Nested): Chain {
    const known = this.#chains.get(nested.profileId);
    if (known !== undefined) return known;
    const all = [nested];
    let home = this.#homes.get(this.#homes.get(nested.homeId)?.above ?? '');
    while (home !== undefined) {
      const one = this.#all.get(home.profileId ?? '');
      if (one !== undefined) all.unshift(one);
      home = this.#homes.get(home.above ?? '');
    }
    const chain = { all, id: all.map(({ name }) => name).join('/') };
    this.#chains.set(nested.profileId, chain);
    return chain;
  }

  /** Those of the profiles with all that they are nested in. */
  withAbove<K extends NestedKind>(kind: K, profileIds: readonly string[]): Nested<K>[] {
    // Asked of each request's caller: most are in one.
    const found = new Set<Nested>();
    for (const id of profileIds) {
      const one = this.#all.get(id);
      if (one?.kind === kind) for (const nested of this.#chainOf(one).all) found.add(nested);
    }
    return [...found] as Nested<K>[];
  }

  /** What is nested right in it, or at the top of the kind, in the order of the names. */
  below<K extends NestedKind>(of: Nested<K> | K): readonly Nested<K>[] {
    return (this.#tree.below.get(typeof of === 'string' ? of : of.homeId) ?? []) as readonly Nested<K>[];
  }

  /** What is nested in it at any depth, or all of the kind; what is above comes first. */
  allBelow<K extends NestedKind>(of: Nested<K> | K): Nested<K>[] {
    const found = [...this.below(of)];
    for (const one of found) found.push(...this.below(one));
    return found;
  }

  get #tree(): Trees {
    if (this.#trees?.of === this.#generation) return this.#trees;
    const byId = new Map<string, Nested>();
    const below = new Map<string, Nested[]>();
    for (const one of [...this.#all.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      byId.set(`${one.kind}/${this.idOf(one)}`, one);
      const above = this.#homes.get(one.homeId)?.above ?? '';
      const key = this.#homes.has(above) ? above : one.kind;
      const siblings = below.get(key);
      if (siblings === undefined) below.set(key, [one]);
      else siblings.push(one);
    }
    this.#trees = { of: this.#generation, byId, below };
    return this.#trees;
  }
}
