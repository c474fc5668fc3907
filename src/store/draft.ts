import type { IdSource } from '../shared/ids.js';
import type { Collection, Document, Scalar } from './collection.js';
import type { Write } from './decision.js';
import { Entries, type Indexed, indexedOf } from './entries.js';
import { KnownCounts } from './known-counts.js';
import { layeredNth } from './layered-nth.js';
import type { AnyCollection } from './log/schema.js';
import { compareKeys, compareScalars, isAtOrBehind, isInRange } from './order.js';
import type { CountRange, FindOptions, RangeOptions, State } from './state.js';

/** A document that the draft has put or removed. */
interface Drafted extends Indexed {
  readonly collection: AnyCollection;
  /** null: removed. */
  readonly document: Document | null;
}

/**
 * A state with what a decision has changed so far on top of it, for decisions of several steps of which each sees what the ones before it did.
 * Documents that it gives are shared between the steps: they are put, never changed in place.
 */
export class Draft implements State {
  readonly #base: State;
  readonly #drafted = new Map<string, Entries<Drafted>>();
  readonly #known = new Map<string, Document | undefined>();
  readonly #found = new Map<string, Document[]>();
  readonly #counts: KnownCounts;
  readonly #writes = new Map<string, number>();

  constructor(base: State) {
    this.#base = base;
    this.#counts = new KnownCounts(base);
  }

  get now(): number {
    return this.#base.now;
  }

  get ids(): IdSource {
    return this.#base.ids;
  }

  get partition(): string {
    return this.#base.partition;
  }

  get revision(): number {
    return this.#base.revision;
  }

  get<T extends Document>(collection: Collection<T>, id: string): T | undefined {
    const drafted = this.#drafted.get(collection.name)?.get(id);
    return drafted === undefined ? this.before(collection, id) : ((drafted.document ?? undefined) as T | undefined);
  }

  /** The document as it was before the draft. */
  before<T extends Document>(collection: Collection<T>, id: string): T | undefined {
    const key = keyOf(collection, id);
    if (!this.#known.has(key)) this.#known.set(key, this.#base.get(collection, id));
    return this.#known.get(key) as T | undefined;
  }

  find<T extends Document>(
    collection: Collection<T>,
    index: string,
    prefix: readonly Scalar[],
    options: FindOptions = {},
  ): T[] {
    const { limit, descending = false, from } = options;
    const columns = collection.indexes[index]?.columns ?? [];
    const positions = positionsOf(collection, columns);
    const keyIn = ({ columns: values }: Indexed) => positions.map((position) => values[position] ?? null);
    const isWanted = (entry: Indexed) => {
      if (from === undefined) return true;
      const order = compareScalars(keyIn(entry)[prefix.length] ?? null, from);
      return descending ? order <= 0 : order >= 0;
    };
    const compare = (a: Indexed, b: Indexed) => compareKeys(keyIn(a), keyIn(b)) || compareScalars(a.id, b.id);
    return this.#merge(collection, {
      limit,
      base: (wanted) =>
        this.#find(collection, index, prefix, wanted === undefined ? options : { ...options, limit: wanted }),
      drafted: (entries) =>
        [...entries.matching(positions, prefix)].filter((it) => keyIn(it)[0] !== null && isWanted(it)),
      compare: descending ? (a, b) => compare(b, a) : compare,
    });
  }

  count<T extends Document>(
    collection: Collection<T>,
    index: string,
    prefix: readonly Scalar[],
    range: CountRange = {},
  ): number {
    const below = this.countBefore(collection, index, prefix, range);
    const isCounted = ({ key }: { readonly key: Scalar }) => isInRange(key, range);
    const hidden = below === 0 ? [] : this.#hidden(collection, index, prefix).filter((key) => isCounted({ key }));
    return below - hidden.length + this.#added(collection, index, prefix).filter(isCounted).length;
  }

  /** The {@link count} as it was before the draft. */
  countBefore<T extends Document>(
    collection: Collection<T>,
    index: string,
    prefix: readonly Scalar[],
    range: CountRange = {},
  ): number {
    return this.#counts.count(collection, index, prefix, range);
  }

  nth<T extends Document>(
    collection: Collection<T>,
    index: string,
    prefix: readonly Scalar[],
    n: number,
  ): T | undefined {
    const layers = {
      added: this.#added(collection, index, prefix),
      hidden: this.#hidden(collection, index, prefix),
      countBelow: (below: Scalar) => this.countBefore(collection, index, prefix, { below }),
      nth: (place: number) => this.#base.nth(collection, index, prefix, place),
    };
    return layeredNth<Document>(layers, n) as T | undefined;
  }

  range<T extends Document>(
    collection: Collection<T>,
    index: string,
    from: readonly Scalar[],
    limit: number,
    options?: RangeOptions,
  ): T[] {
    const positions = positionsOf(collection, collection.indexes[index]?.columns ?? []);
    const keyIn = ({ columns: values }: Indexed) => positions.map((position) => values[position] ?? null);
    return this.#merge(collection, {
      limit,
      base: (wanted = limit) => this.#base.range(collection, index, from, wanted, options),
      drafted: (entries) =>
        [...entries.values()].filter((it) => keyIn(it)[0] !== null && isAtOrBehind(keyIn(it), it.id, from)),
      compare: (a, b) => compareKeys(keyIn(a), keyIn(b)) || compareScalars(a.id, b.id),
    });
  }

  findMulti<T extends Document>(collection: Collection<T>, column: string, value: string, limit?: number): T[] {
    const at = Object.keys(collection.multi).indexOf(column);
    return this.#merge(collection, {
      limit,
      base: (wanted) => this.#base.findMulti(collection, column, value, wanted),
      drafted: (entries) => [...entries.holding(at, value)],
      compare: (a, b) => compareScalars(a.id, b.id),
    });
  }

  put<T extends Document>(collection: Collection<T>, document: T): void {
    const { id, columns, multi } = indexedOf(collection as AnyCollection, document);
    this.#put({ collection, id, document, columns, multi });
  }

  /** Puts a document of which it is known that there has not been any with its id. */
  add<T extends Document>(collection: Collection<T>, document: T): void {
    this.#known.set(keyOf(collection, document.id), undefined);
    this.put(collection, document);
  }

  remove<T extends Document>(collection: Collection<T>, id: string): void {
    this.#put({ collection, document: null, id, columns: [], multi: [] });
  }

  /** How often something was put into the collection, or removed. */
  writesTo({ name }: Pick<AnyCollection, 'name'>): number {
    return this.#writes.get(name) ?? 0;
  }

  /** The ids of the documents of the collection that were put or removed, in that order. */
  changed(collection: Pick<AnyCollection, 'name'>): string[] {
    return [...(this.#drafted.get(collection.name)?.values() ?? [])].map(({ id }) => id);
  }

  /** What was changed, as a decision writes it; what came and went within the draft is not in it. */
  writes(): Write[] {
    const writes: Write[] = [];
    for (const entries of this.#drafted.values()) {
      for (const drafted of entries.values()) {
        const { collection, id, document } = drafted;
        const isNothing = document === null && this.before(collection, id) === undefined;
        if (!isNothing) writes.push({ collection, id, document, indexed: drafted });
      }
    }
    return writes;
  }

  /** What lies below does not change meanwhile: each question is asked, and counts, once. */
  #find<T extends Document>(
    collection: Collection<T>,
    index: string,
    prefix: readonly Scalar[],
    options: FindOptions,
  ): T[] {
    const question = JSON.stringify([collection.name, index, prefix, options]);
    const known = this.#found.get(question);
    if (known !== undefined) return [...known] as T[];
    const found = this.#base.find(collection, index, prefix, options);
    this.#found.set(question, [...found]);
    for (const document of found) {
      const key = keyOf(collection, document.id);
      if (!this.#known.has(key)) this.#known.set(key, document);
    }
    return found;
  }

  /** What the draft puts where the prefix leads, by the column that follows it. */
  #added(collection: AnyCollection, index: string, prefix: readonly Scalar[]): { key: Scalar; row: Document }[] {
    const positions = positionsOf(collection, collection.indexes[index]?.columns ?? []);
    const added: { key: Scalar; row: Document }[] = [];
    for (const { columns, document } of this.#drafted.get(collection.name)?.matching(positions, prefix) ?? []) {
      if (document !== null) added.push({ key: columns[positions[prefix.length] ?? -1] ?? null, row: document });
    }
    return added.sort((a, b) => compareScalars(a.key, b.key));
  }

  /** The keys there of what the draft changes. */
  #hidden(collection: AnyCollection, index: string, prefix: readonly Scalar[]): Scalar[] {
    const columns = (collection.indexes[index]?.columns ?? []).map((name) => collection.columns[name]);
    const hidden: Scalar[] = [];
    for (const { id } of this.#drafted.get(collection.name)?.values() ?? []) {
      const before = this.before(collection, id);
      if (before === undefined || prefix.some((value, i) => columns[i]?.(before) !== value)) continue;
      hidden.push(columns[prefix.length]?.(before) ?? null);
    }
    return hidden.sort(compareScalars);
  }

  #put(drafted: Drafted): void {
    const { name } = drafted.collection;
    this.#writes.set(name, this.writesTo(drafted.collection) + 1);
    let entries = this.#drafted.get(name);
    if (entries === undefined) {
      entries = new Entries();
      this.#drafted.set(name, entries);
    }
    entries.put(drafted);
  }

  #merge<T extends Document>(collection: Collection<T>, walk: Walk<T>): T[] {
    const entries = this.#drafted.get(collection.name);
    if (entries === undefined) return walk.base(walk.limit);
    const shown = shownOf(walk, entries);
    const own = walk.drafted(entries);
    const rows = own.length === 0 ? shown : merged(collection, shown, own, walk.compare);
    return walk.limit === undefined ? rows : rows.slice(0, walk.limit);
  }
}

/** A walk over an index: what the base gives of it, what the draft does, and how they are ordered. */
interface Walk<T> {
  readonly limit: number | undefined;
  readonly base: (wanted: number | undefined) => T[];
  readonly drafted: (entries: Entries<Drafted>) => Drafted[];
  readonly compare: (a: Indexed, b: Indexed) => number;
}

/** What the base gives and the draft does not hide: as many as are wanted, or all. */
function shownOf<T extends Document>({ base, limit }: Walk<T>, entries: Entries<Drafted>): T[] {
  if (limit === undefined) return base(undefined).filter(({ id }) => !entries.has(id));
  for (let asked = limit; ; asked = asked * 4 + 4) {
    const rows = base(asked);
    const shown = rows.filter(({ id }) => !entries.has(id));
    if (shown.length >= limit || rows.length < asked) return shown;
  }
}

function merged<T extends Document>(
  collection: Collection<T>,
  shown: readonly T[],
  own: readonly Drafted[],
  compare: Walk<T>['compare'],
): T[] {
  const rows = shown.map((document) => ({
    ...indexedOf(collection as AnyCollection, document),
    document: document as Document,
  }));
  return [...rows, ...own].sort(compare).map(({ document }) => document as T);
}

const positionsOf = (collection: AnyCollection, columns: readonly string[]): number[] => {
  const names = Object.keys(collection.columns);
  return columns.map((column) => names.indexOf(column));
};

const keyOf = (collection: Pick<AnyCollection, 'name'>, id: string): string => `${collection.name}/${id}`;
