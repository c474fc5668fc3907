import type { State } from '../../store/index.js';
import {
  chunkId,
  type FrozenEntry,
  type FrozenLayout,
  type FrozenTree,
  frozenChunks,
  frozenTrees,
} from '../collection/version.js';
import { bucketOf } from './frozen-chunks.js';

type Reading = Pick<State, 'get'>;

/** The entries of one bucket. */
export const chunkOf = (reading: Reading, { writers }: FrozenLayout, bucket: number): readonly FrozenEntry[] =>
  reading.get(frozenChunks, chunkId(writers[bucket] ?? '', bucket))?.entries ?? [];

/** All entries, in no order. */
export const entriesOf = (reading: Reading, layout: FrozenLayout): readonly FrozenEntry[] =>
  layout.writers.flatMap((_, bucket) => chunkOf(reading, layout, bucket));

/** What a version has frozen, read as far as it is asked for. */
export class FrozenContent {
  readonly tree: FrozenTree;
  readonly #reading: Reading;
  readonly #buckets = new Map<number, readonly FrozenEntry[]>();
  readonly #places = new Map<string, ReadonlyMap<string, number>>();
  #children: ReadonlyMap<string, readonly FrozenEntry[]> | undefined;

  constructor(reading: Reading, tree: FrozenTree) {
    this.#reading = reading;
    this.tree = tree;
  }

  /** The entry of a node; one chunk is read. */
  entry(id: string): FrozenEntry | undefined {
    return this.#bucket(bucketOf(id, this.tree.writers.length)).find((entry) => entry.id === id);
  }

  /** The children of a frozen node: in their order where they have one, else by name. All chunks are read. */
  children(id: string): readonly FrozenEntry[] {
    this.#children ??= byParent(this.tree.writers.flatMap((_, bucket) => this.#bucket(bucket)));
    return this.#children.get(id) ?? [];
  }

  /** Of each child of a frozen node, by its identifier: which of its siblings of the same name it is, from 1. */
  places(id: string): ReadonlyMap<string, number> {
    const known = this.#places.get(id) ?? placesIn(this.children(id));
    this.#places.set(id, known);
    return known;
  }

  #bucket(bucket: number): readonly FrozenEntry[] {
    const known = this.#buckets.get(bucket) ?? chunkOf(this.#reading, this.tree, bucket);
    this.#buckets.set(bucket, known);
    return known;
  }
}

/** What is read of it stays in mind as long as what it is read from. */
const read = new WeakMap<Reading, Map<string, FrozenContent>>();

/** What the version has frozen; undefined: nothing, as the root version. */
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

function placesIn(children: readonly FrozenEntry[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  return new Map(
    children.map(({ id, name }) => {
      const place = (counts.get(name) ?? 0) + 1;
      counts.set(name, place);
      return [id, place];
    }),
  );
}

const inOrder = (a: FrozenEntry, b: FrozenEntry): number =>
  compare(a.order ?? '', b.order ?? '') || compare(a.name, b.name) || compare(a.id, b.id);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
