import type { ChunkContent, FrozenEntry, FrozenName } from './version.js';

/** The bucket in which the children of a frozen node that have the name are known. */
export const nameBucket = (parent: string, name: string, count: number): number => bucketOf(`${parent}/${name}`, count);

export const nameOf = ({ id, parent, name, order }: FrozenEntry): FrozenName => ({ id, parent, name, order });

/** The order of siblings: theirs where they have one, else by name. */
export const inOrder = (a: Omit<FrozenName, 'parent'>, b: Omit<FrozenName, 'parent'>): number =>
  compare(a.order ?? '', b.order ?? '') || compare(a.name, b.name) || compare(a.id, b.id);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** What happens to the names in one bucket. */
export interface NameChange {
  readonly gone: Set<string>;
  readonly put: FrozenName[];
}

/** What happens to names when entries change, by the buckets that know them. */
export class NameChanges {
  readonly #count: number;
  readonly #changes = new Map<number, NameChange>();

  constructor(count: number) {
    this.#count = count;
  }

  /** Undefined: there was no such entry; null: there is none any more. */
  note(before: FrozenEntry | undefined, after: FrozenEntry | null): void {
    if (before !== undefined && after !== null && isSameName(before, after)) return;
    if (before !== undefined) this.#of(before).gone.add(before.id);
    if (after !== null) this.#of(after).put.push(nameOf(after));
  }

  all(): Iterable<[number, NameChange]> {
    return this.#changes;
  }

  #of({ parent, name }: FrozenEntry): NameChange {
    const bucket = nameBucket(parent, name, this.#count);
    const known = this.#changes.get(bucket) ?? { gone: new Set<string>(), put: [] };
    this.#changes.set(bucket, known);
    return known;
  }
}

/** More names of one bucket are not kept: there are so many siblings of one name that they would not fit into a document. */
const NAMES_MAX = 400;

/** The names of a bucket, as far as they are kept. */
export const keptNames = (names: readonly FrozenName[]): Pick<ChunkContent, 'names'> =>
  names.length > NAMES_MAX ? {} : { names: [...names].sort(inOrder) };

/** The names of a bucket once they are changed. */
export const changedNames = (names: readonly FrozenName[], { gone, put }: NameChange): Pick<ChunkContent, 'names'> =>
  keptNames([...names.filter(({ id }) => !gone.has(id)), ...put]);

const isSameName = (a: FrozenEntry, b: FrozenEntry): boolean =>
  a.parent === b.parent && a.name === b.name && a.order === b.order;

/** The bucket of a node by its identifier alone, or of another text: what happens to others never moves it. `count`: a power of two. */
export function bucketOf(id: string, count: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) & (count - 1);
}
