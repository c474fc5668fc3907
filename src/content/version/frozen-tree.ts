import { unavailable } from '../../shared/errors.js';
import type { State } from '../../store/index.js';
import { bucketOf, inOrder, nameBucket } from './frozen-chunks.js';
import {
  type ChunkContent,
  chunkId,
  type FrozenEntry,
  type FrozenLayout,
  type FrozenTree,
  frozenChunks,
  frozenTrees,
} from './version.js';

type Reading = Pick<State, 'get'>;

/** The chunk of a frozen tree that one bucket of identifiers falls into. */
export function chunkOf(reading: Reading, { writers }: FrozenLayout, bucket: number): ChunkContent {
  const chunk = reading.get(frozenChunks, chunkId(writers[bucket] ?? '', bucket));
  if (chunk === undefined) return { entries: [] };
  const { entries, names } = chunk;
  return { entries, ...(names && { names }) };
}

/** All entries of a frozen tree, in no order. */
export const entriesOf = (reading: Reading, layout: FrozenLayout): readonly FrozenEntry[] =>
  layout.writers.flatMap((_, bucket) => chunkOf(reading, layout, bucket).entries);

/** The frozen tree of a version, read as far as it is asked for. */
export class FrozenContent {
  readonly tree: FrozenTree;
  readonly #reading: Reading;
  readonly #buckets = new Map<number, ChunkContent>();
  #children: ReadonlyMap<string, readonly FrozenEntry[]> | undefined;

  constructor(reading: Reading, tree: FrozenTree) {
    this.#reading = reading;
    this.tree = tree;
  }

  /** The entry of a node; one chunk is read. */
  entry(id: string): FrozenEntry | undefined {
    return this.#bucket(bucketOf(id, this.tree.writers.length)).entries.find((entry) => entry.id === id);
  }

  /** The identifiers of a frozen node's children of the name, in their order; one chunk is read. */
  named(parent: string, name: string): readonly string[] {
    const { names } = this.#bucket(nameBucket(parent, name, this.tree.writers.length));
    const all = names?.filter((one) => one.parent === parent) ?? this.children(parent);
    return all.filter((one) => one.name === name).map(({ id }) => id);
  }

  /** The children of a frozen node: in their order where they have one, else by name. All chunks are read. */
  children(id: string): readonly FrozenEntry[] {
    this.#children ??= byParent(this.tree.writers.flatMap((_, bucket) => this.#bucket(bucket).entries));
    return this.#children.get(id) ?? [];
  }

  #bucket(bucket: number): ChunkContent {
    const known = this.#buckets.get(bucket) ?? chunkOf(this.#reading, this.tree, bucket);
    this.#buckets.set(bucket, known);
    return known;
  }
}

/** In place of what is kept for a version. @throws UNAVAILABLE */
export function versionLost(): never {
  throw unavailable('expected the version to be whole, but it is being deleted');
}

/** What is read of it stays in mind as long as what it is read from. */
const read = new WeakMap<Reading, Map<string, FrozenContent>>();

/** The frozen tree of the version; undefined: it has none, as the root version. */
export function frozenContent(reading: Reading, versionId: string): FrozenContent | undefined {
  const contents = read.get(reading) ?? new Map<string, FrozenContent>();
  read.set(reading, contents);
  const known = contents.get(versionId);
  if (known !== undefined) return known;
  const tree = reading.get(frozenTrees, versionId);
  if (tree === undefined) return undefined;
  const content = new FrozenContent(reading, tree);
  contents.set(versionId, content);
  return content;
}

function byParent(entries: readonly FrozenEntry[]): ReadonlyMap<string, readonly FrozenEntry[]> {
  const groups = new Map<string, FrozenEntry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.parent);
    if (group === undefined) groups.set(entry.parent, [entry]);
    else group.push(entry);
  }
  for (const group of groups.values()) group.sort(inOrder);
  return groups;
}
