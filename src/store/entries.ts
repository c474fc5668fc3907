import type { Document, Scalar } from './collection.js';
import type { AnyCollection } from './log/schema.js';
import { textOfValues } from './order.js';

/** The indexed values of a document that was written: those for the collection's columns, in their order; empty when it was removed. */
export interface Indexed {
  readonly id: string;
  readonly columns: readonly Scalar[];
  readonly multi: readonly (readonly string[])[];
}

/** A document as the log will write it: its text, and its values for the collection's columns. */
export interface Entry extends Indexed {
  /** null: removed. */
  readonly body: string | null;
  readonly revision: number;
  /** The body as it was read, once it was. */
  document?: Document;
}

/** The document's values for the columns of its collection. */
export function indexedOf(collection: AnyCollection, document: Document): Indexed {
  const multi = multiOf(collection);
  let values = multi.none;
  for (let i = 0; i < multi.columns.length; i++) {
    const found = multi.columns[i]?.(document) as readonly string[];
    if (found.length === 0) continue;
    // Most documents have none, and share that: it is copied to another thread once.
    if (values === multi.none) values = [...values];
    (values as (readonly string[])[])[i] = found;
  }
  return { id: document.id, columns: columnsOf(collection).map((column) => column(document)), multi: values };
}

/** A document that a decision writes or removes. Its values for the columns are looked up when they are first asked for. */
export class Written implements Indexed {
  readonly collection: AnyCollection;
  readonly id: string;
  /** null: removed. */
  readonly document: Document | null;
  #indexed: Indexed | undefined;

  constructor(collection: AnyCollection, id: string, document: Document | null) {
    this.collection = collection;
    this.id = id;
    this.document = document;
  }

  get columns(): readonly Scalar[] {
    return this.#values().columns;
  }

  get multi(): readonly (readonly string[])[] {
    return this.#values().multi;
  }

  #values(): Indexed {
    this.#indexed ??= this.document === null ? REMOVED : indexedOf(this.collection, this.document);
    return this.#indexed;
  }
}

const REMOVED: Indexed = { id: '', columns: [], multi: [] };

/** Gives what `make` gives of a collection; it is made once, as what is declared of a collection never changes. */
function once<T>(make: (collection: AnyCollection) => T): (collection: AnyCollection) => T {
  const known = new WeakMap<AnyCollection, T>();
  return (collection) => {
    let made = known.get(collection);
    if (made === undefined) {
      made = make(collection);
      known.set(collection, made);
    }
    return made;
  };
}

const columnsOf = once((collection) => Object.values(collection.columns));
const multiOf = once((collection) => {
  const columns = Object.values(collection.multi);
  return { columns, none: columns.map((): readonly string[] => []) as readonly (readonly string[])[] };
});

/** Documents of one collection in memory, found by what their columns begin with. An index is built when it is first asked for. */
export class Entries<E extends Indexed> {
  readonly #entries = new Map<string, E>();
  /** What was asked for: few collections are. */
  #indexes: Indexes | null = null;

  get size(): number {
    return this.#entries.size;
  }

  get(id: string): E | undefined {
    return this.#entries.get(id);
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  values(): Iterable<E> {
    return this.#entries.values();
  }

  put(entry: E): void {
    this.delete(entry.id);
    this.#entries.set(entry.id, entry);
    if (this.#indexes === null) return;
    for (const { positions, ids } of this.#indexes.byPrefix.values()) addTo(ids, keyOf(entry, positions), entry.id);
    for (const [position, ids] of this.#indexes.byMulti)
      for (const value of entry.multi[position] ?? []) addTo(ids, value, entry.id);
  }

  delete(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    if (this.#indexes === null) return;
    for (const { positions, ids } of this.#indexes.byPrefix.values()) removeFrom(ids, keyOf(entry, positions), id);
    for (const [position, ids] of this.#indexes.byMulti)
      for (const value of entry.multi[position] ?? []) removeFrom(ids, value, id);
  }

  /** The entries whose columns at these positions have these values. */
  *matching(positions: readonly number[], values: readonly Scalar[]): Generator<E> {
    const wanted = positions.slice(0, values.length);
    const name = wanted.join();
    const { byPrefix } = this.#indexed();
    let index = byPrefix.get(name);
    if (index === undefined) {
      index = { positions: wanted, ids: new Map() };
      for (const entry of this.#entries.values()) addTo(index.ids, keyOf(entry, wanted), entry.id);
      byPrefix.set(name, index);
    }
    yield* this.#all(index.ids.get(textOfValues(values)));
  }

  /** The entries that have the value among those of the multi column. */
  *holding(position: number, value: string): Generator<E> {
    const { byMulti } = this.#indexed();
    let ids = byMulti.get(position);
    if (ids === undefined) {
      ids = new Map();
      for (const entry of this.#entries.values())
        for (const held of entry.multi[position] ?? []) addTo(ids, held, entry.id);
      byMulti.set(position, ids);
    }
    yield* this.#all(ids.get(value));
  }

  #indexed(): Indexes {
    this.#indexes ??= { byPrefix: new Map(), byMulti: new Map() };
    return this.#indexes;
  }

  *#all(ids: ReadonlySet<string> | undefined): Generator<E> {
    for (const id of ids ?? []) {
      const entry = this.#entries.get(id);
      if (entry !== undefined) yield entry;
    }
  }
}

type Buckets = Map<string, Set<string>>;

interface Indexes {
  /** By the positions of the columns: the ids by the columns' values. */
  readonly byPrefix: Map<string, { readonly positions: readonly number[]; readonly ids: Buckets }>;
  readonly byMulti: Map<number, Buckets>;
}

const keyOf = ({ columns }: Indexed, positions: readonly number[]): string =>
  textOfValues(positions.map((position) => columns[position] ?? null));

function addTo(buckets: Buckets, key: string, id: string): void {
  const bucket = buckets.get(key);
  if (bucket === undefined) buckets.set(key, new Set([id]));
  else bucket.add(id);
}

function removeFrom(buckets: Buckets, key: string, id: string): void {
  const bucket = buckets.get(key);
  bucket?.delete(id);
  if (bucket?.size === 0) buckets.delete(key);
}

/** Documents of all collections in memory. */
export class Layer<E extends Indexed> {
  readonly #collections = new Map<string, Entries<E>>();

  /** Those of the collection; undefined where there is none. */
  of({ name }: Pick<AnyCollection, 'name'>): Entries<E> | undefined {
    const entries = this.#collections.get(name);
    return entries === undefined || entries.size === 0 ? undefined : entries;
  }

  /** By collections. */
  *all(): Generator<E> {
    for (const entries of this.#collections.values()) yield* entries.values();
  }

  /** How many there are. */
  get size(): number {
    let size = 0;
    for (const entries of this.#collections.values()) size += entries.size;
    return size;
  }

  put({ name }: Pick<AnyCollection, 'name'>, entry: E): void {
    let entries = this.#collections.get(name);
    if (entries === undefined) {
      entries = new Entries();
      this.#collections.set(name, entries);
    }
    entries.put(entry);
  }

  clear(): void {
    this.#collections.clear();
  }
}
