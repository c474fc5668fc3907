import { limitExceeded } from '../../shared/errors.js';
import type { ChunkContent, FrozenEntry, FrozenName } from './version.js';

/** The most entries of a chunk on average; when there are more, the number of buckets doubles, and all chunks are written anew. */
const AVERAGE_MAX = 128;

/** How many nodes a version may freeze: as many as have chunks that one decision can read. */
const FROZEN_MAX = 50_000;

/** @throws LIMIT_EXCEEDED the tree of the node has too many nodes for a version */
export function requireFreezable({ history }: { readonly history: string }, entries: number): void {
  if (entries <= FROZEN_MAX) return;
  throw limitExceeded(`expected at most ${FROZEN_MAX} nodes to be frozen, but there are ${entries}`, {
    reason: 'subtree_too_large',
    resourceId: history,
  });
}

/**
 * The number of buckets for so many entries: a power of two. Where there are `present` ones already they stay as long as they are neither too
 * full nor nearly empty, so that a tree that grows and shrinks a little keeps its chunks.
 */
export function bucketCount(entries: number, present = 0): number {
  const isKept = present > 0 && entries >= (present * AVERAGE_MAX) / 16;
  let count = isKept ? present : 1;
  while (count * AVERAGE_MAX < entries) count *= 2;
  return count;
}

/** Changes of a frozen tree: entries to put in, and ids of those to take out. */
interface EntryChanges {
  readonly put: readonly FrozenEntry[];
  readonly gone: readonly string[];
}

/** The chunks of a tree, by their buckets; null: it is as it was. */
export interface Chunked {
  readonly chunks: readonly (ChunkContent | null)[];
  readonly entries: number;
}

/**
 * The chunks of a tree of `buckets` chunks and `entries` entries once it is changed. `read` gives a bucket as it is. Only
 * chunks that become others are told, unless the number of buckets changes.
 */
export function changedChunks(
  layout: { readonly buckets: number; readonly entries: number },
  changes: EntryChanges,
  read: (bucket: number) => ChunkContent,
): Chunked {
  const { buckets } = layout;
  const renamed = new NameChanges(buckets);
  let { entries } = layout;
  const chunks: (ChunkContent | null)[] = Array.from({ length: buckets }, () => null);
  for (const [bucket, change] of grouped(changes, buckets)) {
    const before = read(bucket);
    const after = applied(before.entries, change);
    entries += after.length - before.entries.length;
    if (isSame(before.entries, after)) continue;
    chunks[bucket] = { ...before, entries: after };
    const known = new Map(before.entries.map((entry) => [entry.id, entry]));
    for (const [id, entry] of change) renamed.note(known.get(id), entry);
  }
  const count = bucketCount(entries, buckets);
  if (count !== buckets) {
    const all = chunks.flatMap((chunk, bucket) => (chunk ?? read(bucket)).entries);
    return { chunks: spread(all, count), entries };
  }
  for (const [bucket, change] of renamed.all()) {
    const { names, ...rest } = chunks[bucket] ?? read(bucket);
    if (names !== undefined) chunks[bucket] = { ...rest, ...changedNames(names, change) };
  }
  return { chunks, entries };
}

/** The entries in as many buckets as they need. */
export const newChunks = (entries: readonly FrozenEntry[]): ChunkContent[] =>
  spread(entries, bucketCount(entries.length));

function spread(entries: readonly FrozenEntry[], count: number): ChunkContent[] {
  const chunks = Array.from({ length: count }, () => ({ entries: [] as FrozenEntry[], names: [] as FrozenName[] }));
  for (const entry of entries) {
    chunks[bucketOf(entry.id, count)]?.entries.push(entry);
    chunks[nameBucket(entry.parent, entry.name, count)]?.names.push(nameOf(entry));
  }
  return chunks.map(({ entries: some, names }) => ({ entries: some.sort(byId), ...keptNames(names) }));
}

const byId = (a: FrozenEntry, b: FrozenEntry): number => compare(a.id, b.id);

function grouped({ put, gone }: EntryChanges, buckets: number): Map<number, Map<string, FrozenEntry | null>> {
  const groups = new Map<number, Map<string, FrozenEntry | null>>();
  const add = (id: string, entry: FrozenEntry | null) => {
    const bucket = bucketOf(id, buckets);
    const group = groups.get(bucket) ?? new Map<string, FrozenEntry | null>();
    groups.set(bucket, group.set(id, entry));
  };
  for (const id of gone) add(id, null);
  for (const entry of put) add(entry.id, entry);
  return groups;
}

function applied(entries: readonly FrozenEntry[], change: ReadonlyMap<string, FrozenEntry | null>): FrozenEntry[] {
  const kept = entries.filter(({ id }) => !change.has(id));
  const put = [...change.values()].filter((entry) => entry !== null);
  return [...kept, ...put].sort(byId);
}

const isSame = (a: readonly FrozenEntry[], b: readonly FrozenEntry[]): boolean =>
  a.length === b.length && a.every((entry, at) => sameEntry(entry, b[at]));

/** Whether the two say the same. */
export const sameEntry = (a: FrozenEntry | undefined, b: FrozenEntry | undefined): boolean =>
  a !== undefined &&
  b !== undefined &&
  a.id === b.id &&
  a.body === b.body &&
  a.kind === b.kind &&
  a.parent === b.parent &&
  a.name === b.name &&
  a.order === b.order &&
  a.sns === b.sns &&
  a.type === b.type &&
  a.mixins.join() === b.mixins.join();

/** The bucket in which the children of a frozen node that have the name are known. */
export const nameBucket = (parent: string, name: string, count: number): number => bucketOf(`${parent}/${name}`, count);

const nameOf = ({ id, parent, name, order }: FrozenEntry): FrozenName => ({ id, parent, name, order });

/** The order of siblings: theirs where they have one, else by name. */
export const inOrder = (a: Omit<FrozenName, 'parent'>, b: Omit<FrozenName, 'parent'>): number =>
  compare(a.order ?? '', b.order ?? '') || compare(a.name, b.name) || compare(a.id, b.id);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Changes of the names in one bucket. */
interface NameChange {
  readonly gone: Set<string>;
  readonly put: FrozenName[];
}

/** Changes of names that come with those of entries, by the buckets that know them. */
class NameChanges {
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
const keptNames = (names: readonly FrozenName[]): Pick<ChunkContent, 'names'> =>
  names.length > NAMES_MAX ? {} : { names: [...names].sort(inOrder) };

/** The names of a bucket once they are changed. */
const changedNames = (names: readonly FrozenName[], { gone, put }: NameChange): Pick<ChunkContent, 'names'> =>
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
