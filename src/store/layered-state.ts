import type { IdSource } from '../shared/ids.js';
import type { Collection, Document, IndexDefinition, Scalar } from './collection.js';
import type { Entries, Indexed } from './entries.js';
import type { AnyCollection } from './log/schema.js';
import { compareKeys, compareScalars, firstOf, isAtOrBehind, isInRange, textOfValues } from './order.js';
import type { CountRange, FindOptions, RangeOptions, State } from './state.js';

/** A document in the form in which a layer has it. */
interface Row {
  readonly id: string;
}

/** Documents below a layer, each as an `R`. `limit`: at most so many; undefined: all. */
export interface Below<R extends Row> {
  get(collection: AnyCollection, id: string): R | undefined;
  /** `limit` counts, not that of the options. */
  find(
    collection: AnyCollection,
    index: string,
    prefix: readonly Scalar[],
    options: FindOptions,
    limit: number | undefined,
  ): readonly R[];
  count(collection: AnyCollection, index: string, prefix: readonly Scalar[], range: CountRange): number;
  nth(collection: AnyCollection, index: string, prefix: readonly Scalar[], n: number): R | undefined;
  range(
    collection: AnyCollection,
    index: string,
    from: readonly Scalar[],
    limit: number,
    options: RangeOptions | undefined,
  ): readonly R[];
  findMulti(collection: AnyCollection, column: string, value: string, limit: number | undefined): readonly R[];
  /** What those of the documents that the prefix gives have in the column that follows it. */
  keysOf(
    collection: AnyCollection,
    index: string,
    prefix: readonly Scalar[],
    ids: readonly string[],
  ): readonly Scalar[];
}

/**
 * Documents upon documents: what was written hides what lies below, deletions too. `R`: a document as both have it; `E`: one that was written,
 * or removed.
 */
export abstract class LayeredState<R extends Row, E extends Indexed> implements State {
  abstract readonly now: number;
  abstract readonly ids: IdSource;
  abstract readonly partition: string;
  abstract readonly revision: number;

  protected abstract readonly below: Below<R>;
  /** How many more documents than wanted are asked for at once below the layer, as some of them may be hidden. */
  protected abstract readonly spare: number;
  /** What was written to the collection; undefined: nothing. */
  protected abstract above(collection: AnyCollection): Entries<E> | undefined;
  /** The document that was written; undefined: it was removed. */
  protected abstract rowOf(entry: E): R | undefined;
  /** The document itself, to see where it stands in an index. */
  protected abstract documentOf(collection: AnyCollection, row: R): Document;
  /** What a reader is given of one that was asked for, there or not. */
  protected abstract given<T extends Document>(collection: Collection<T>, row: R | undefined): T | undefined;
  protected abstract allGiven<T extends Document>(collection: Collection<T>, rows: readonly R[]): T[];

  /** How many are looked for where a reader wants so many. */
  protected wanted(limit: number | undefined): number | undefined {
    return limit;
  }

  /** Reads several things that must fit together of what lies below. */
  protected atOnce<T>(read: () => T): T {
    return read();
  }

  get<T extends Document>(collection: Collection<T>, id: string): T | undefined {
    const entry = this.above(collection)?.get(id);
    return this.given(collection, entry === undefined ? this.below.get(collection, id) : this.rowOf(entry));
  }

  find<T extends Document>(
    collection: Collection<T>,
    index: string,
    prefix: readonly Scalar[],
    options: FindOptions = NO_OPTIONS,
  ): T[] {
    const declared = indexOf(collection, index);
    const limit = this.wanted(options.limit);
    const read = (wanted: number | undefined) => this.below.find(collection, index, prefix, options, wanted);
    const entries = this.above(collection);
    if (entries === undefined) return this.allGiven(collection, read(limit));
    const { descending = false, from } = options;
    const positions = positionsOf(collection, declared);
    const written = this.#keyed(entries.matching(positions, prefix), positions, ({ key }) => {
      if (from === undefined) return true;
      const order = compareScalars(key[prefix.length] ?? null, from);
      return descending ? order <= 0 : order >= 0;
    });
    return this.#merged(collection, { index: declared, read, hides: entries, written, limit, descending });
  }

  range<T extends Document>(
    collection: Collection<T>,
    index: string,
    from: readonly Scalar[],
    most: number,
    options?: RangeOptions,
  ): T[] {
    const declared = indexOf(collection, index);
    const limit = this.wanted(most) ?? most;
    const read = (wanted = limit) => this.below.range(collection, index, from, wanted, options);
    const entries = this.above(collection);
    if (entries === undefined) return this.allGiven(collection, read());
    const isWanted = ({ key, row }: Keyed<R>) => isAtOrBehind(key, row.id, from);
    const written = this.#keyed(entries.values(), positionsOf(collection, declared), isWanted);
    return this.#merged(collection, { index: declared, read, hides: entries, written, limit, descending: false });
  }

  findMulti<T extends Document>(collection: Collection<T>, column: string, value: string, most?: number): T[] {
    const limit = this.wanted(most);
    const read = (wanted: number | undefined) => this.below.findMulti(collection, column, value, wanted);
    const entries = this.above(collection);
    if (entries === undefined) return this.allGiven(collection, read(limit));
    const held = entries.holding(Object.keys(collection.multi).indexOf(column), value);
    const written = this.#keyed(held, [], () => true);
    return this.#merged(collection, { index: BY_ID, read, hides: entries, written, limit, descending: false });
  }

  count<T extends Document>(
    collection: Collection<T>,
    index: string,
    prefix: readonly Scalar[],
    range: CountRange = {},
  ): number {
    const entries = this.above(collection);
    if (entries === undefined) return this.below.count(collection, index, prefix, range);
    return this.atOnce(() => {
      const below = this.below.count(collection, index, prefix, range);
      const added = this.#added(entries, collection, index, prefix).filter(({ key }) => isInRange(key, range));
      const hidden = below === 0 ? [] : this.#hidden(entries, collection, index, prefix);
      return below + added.length - hidden.filter((key) => isInRange(key, range)).length;
    });
  }

  nth<T extends Document>(
    collection: Collection<T>,
    index: string,
    prefix: readonly Scalar[],
    n: number,
  ): T | undefined {
    const entries = this.above(collection);
    const nth = (place: number) => this.below.nth(collection, index, prefix, place);
    if (entries === undefined) return this.given(collection, nth(n));
    const found = this.atOnce(() => {
      const added = this.#added(entries, collection, index, prefix);
      const hidden = this.#hidden(entries, collection, index, prefix);
      const countBelow = (below: Scalar) => this.below.count(collection, index, prefix, { below });
      return nthOfBoth({ added, hidden, countBelow, nth }, n);
    });
    return this.given(collection, found);
  }

  /** What the layer adds where the prefix leads, by the column that follows it. */
  #added(entries: Entries<E>, collection: AnyCollection, index: string, prefix: readonly Scalar[]): Added<R>[] {
    const positions = positionsOf(collection, indexOf(collection, index));
    const added: Added<R>[] = [];
    for (const { key, row } of this.#keyed(entries.matching(positions, prefix), positions, () => true))
      added.push({ key: key[prefix.length] ?? null, row });
    return added.sort((a, b) => compareScalars(a.key, b.key));
  }

  /** The keys of what it hides there. */
  #hidden(entries: Entries<E>, collection: AnyCollection, index: string, prefix: readonly Scalar[]): Scalar[] {
    const ids = Array.from(entries.values(), ({ id }) => id);
    return [...this.below.keysOf(collection, index, prefix, ids)].sort(compareScalars);
  }

  /** What was written, those that are still there, are in an index of these columns, and are asked for. */
  #keyed(entries: Iterable<E>, positions: readonly number[], isWanted: (found: Keyed<R>) => boolean): Keyed<R>[] {
    const found: Keyed<R>[] = [];
    for (const entry of entries) {
      const row = this.rowOf(entry);
      if (row === undefined) continue;
      const one = { row, key: positions.map((position) => entry.columns[position] ?? null) };
      if ((positions.length === 0 || one.key[0] !== null) && isWanted(one)) found.push(one);
    }
    return found;
  }

  #merged<T extends Document>(collection: Collection<T>, walk: Walk<R>): T[] {
    const { index, read, hides, written, limit, descending } = walk;
    let rows = shownOf(read, limit, this.spare, ({ id }) => !hides.has(id));
    if (written.length > 0) {
      const sign = descending ? -1 : 1;
      const below = rows.map((row) => ({ row, key: this.#keyOf(collection, index, row) }));
      const all = [...below, ...written].sort((a, b) => sign * compareKeyed(a, b));
      rows = all.map(({ row }) => row);
    }
    return this.allGiven(collection, limit !== undefined && rows.length > limit ? rows.slice(0, limit) : rows);
  }

  #keyOf(collection: AnyCollection, { columns }: IndexDefinition, row: R): readonly Scalar[] {
    if (columns.length === 0) return [];
    const document = this.documentOf(collection, row);
    return columns.map((column) => collection.columns[column]?.(document) ?? null);
  }
}

const NO_OPTIONS: FindOptions = {};
/** Of what is in the order of ids alone. */
const BY_ID: IndexDefinition = { columns: [] };

/** A document with its values for the columns of an index. */
interface Keyed<R> {
  readonly key: readonly Scalar[];
  readonly row: R;
}

/** A document with its value for the column that follows a prefix. */
interface Added<R> {
  readonly key: Scalar;
  readonly row: R;
}

/** A walk over an index: what lies below, what was written, and how many of both are wanted. */
interface Walk<R extends Row> {
  readonly index: IndexDefinition;
  readonly read: (wanted: number | undefined) => readonly R[];
  readonly hides: { has(id: string): boolean };
  readonly written: readonly Keyed<R>[];
  readonly limit: number | undefined;
  readonly descending: boolean;
}

const compareKeyed = <R extends Row>(a: Keyed<R>, b: Keyed<R>): number =>
  compareKeys(a.key, b.key) || compareScalars(a.row.id, b.row.id);

/** The first rows that are shown: at least as many as are wanted, or all. `spare`: how many more are asked for at once. */
export function shownOf<R>(
  read: (wanted: number | undefined) => readonly R[],
  wanted: number | undefined,
  spare: number,
  isShown: (row: R) => boolean,
): readonly R[] {
  if (wanted === undefined) return read(undefined).filter(isShown);
  for (let asked = wanted + spare; ; asked = asked * 4 + 4) {
    const rows = read(asked);
    const shown = rows.filter(isShown);
    if (shown.length >= wanted || rows.length < asked) return shown;
  }
}

/** Rows in the order of keys that do not repeat, of which a layer above hides some and to which it adds others. */
interface Both<R> {
  /** In order. */
  readonly added: readonly Added<R>[];
  /** The keys of the rows that the layer hides, in order. */
  readonly hidden: readonly Scalar[];
  /** How many rows below the layer have a lesser key. */
  readonly countBelow: (key: Scalar) => number;
  /** The n-th row below the layer. */
  readonly nth: (n: number) => R | undefined;
}

/** The n-th row, from 0, of both together: asks for few counts and for one row, however many there are. */
function nthOfBoth<R>({ added, hidden, countBelow, nth }: Both<R>, n: number): R | undefined {
  const hiddenBelow = (key: Scalar) => firstOf(hidden, (one) => compareScalars(one, key) >= 0);
  const placeOf = (key: Scalar, addedBefore: number) => countBelow(key) - hiddenBelow(key) + addedBefore;
  const addedBefore = firstOf(added, ({ key }, i) => placeOf(key, i) >= n);
  const candidate = added[addedBefore];
  if (candidate !== undefined && placeOf(candidate.key, addedBefore) === n) return candidate.row;
  const shown = n - addedBefore;
  const hiddenBefore = firstOf(hidden, (key, i) => countBelow(key) - i > shown);
  return nth(shown + hiddenBefore);
}

/** A question of an index, as a text; nothing else that is asked of its collection has the same. */
export const questionOf = (
  index: string,
  prefix: readonly Scalar[],
  { descending = false, from }: FindOptions,
  limit: number | undefined,
): string =>
  `${index} ${limit} ${descending ? 'down' : 'up'} ${from === undefined ? '' : textOfValues([from])}| ${textOfValues(prefix)}`;

const positions = new WeakMap<IndexDefinition, readonly number[]>();

/** Where the columns of an index stand among those of its collection; they are looked up once. */
export function positionsOf(collection: AnyCollection, index: IndexDefinition): readonly number[] {
  let known = positions.get(index);
  if (known === undefined) {
    const names = Object.keys(collection.columns);
    known = index.columns.map((column) => names.indexOf(column));
    positions.set(index, known);
  }
  return known;
}

export function indexOf(collection: AnyCollection, index: string): IndexDefinition {
  const declared = collection.indexes[index];
  if (declared === undefined) throw new Error(`collection '${collection.name}' has no index '${index}'`);
  return declared;
}
