import type { IdSource } from '../shared/ids.js';
import type { Collection, Document, Scalar } from './collection.js';
import { type Below, indexOf } from './layered-state.js';
import type { AnyCollection } from './log/schema.js';
import { compareScalars, firstOf } from './order.js';
import type { CountRange, FindOptions, RangeOptions, State } from './state.js';

/** A state upon another one: what it does not say itself is as it is there. */
export class StateUpon implements State {
  protected readonly state: State;

  constructor(state: State) {
    this.state = state;
  }

  get now(): number {
    return this.state.now;
  }

  get ids(): IdSource {
    return this.state.ids;
  }

  get partition(): string {
    return this.state.partition;
  }

  get revision(): number {
    return this.state.revision;
  }

  get<T extends Document>(collection: Collection<T>, id: string): T | undefined {
    return this.state.get(collection, id);
  }

  find<T extends Document>(
    collection: Collection<T>,
    index: string,
    prefix: readonly Scalar[],
    options?: FindOptions,
  ): T[] {
    return this.state.find(collection, index, prefix, options);
  }

  count<T extends Document>(
    collection: Collection<T>,
    index: string,
    prefix: readonly Scalar[],
    range?: CountRange,
  ): number {
    return this.state.count(collection, index, prefix, range);
  }

  nth<T extends Document>(
    collection: Collection<T>,
    index: string,
    prefix: readonly Scalar[],
    n: number,
  ): T | undefined {
    return this.state.nth(collection, index, prefix, n);
  }

  range<T extends Document>(
    collection: Collection<T>,
    index: string,
    from: readonly Scalar[],
    limit: number,
    options?: RangeOptions,
  ): T[] {
    return this.state.range(collection, index, from, limit, options);
  }

  findMulti<T extends Document>(collection: Collection<T>, column: string, value: string, limit?: number): T[] {
    return this.state.findMulti(collection, column, value, limit);
  }
}

/** A state of which what was read stays as it was: each document is read, and counts, once. */
export class RememberedState extends StateUpon implements Below<Document> {
  readonly #known = new Map<string, Map<string, Document | undefined>>();
  /** By the question: how many documents are before a key, by the keys. */
  readonly #marks = new Map<string, Mark[]>();

  override get<T extends Document>(collection: Collection<T>, id: string): T | undefined {
    const documents = this.#knownOf(collection);
    const document = documents.get(id);
    if (document !== undefined || documents.has(id)) return document as T | undefined;
    const read = this.state.get(collection, id);
    documents.set(id, read);
    return read;
  }

  /** It is known what there is of that id: this, unless another one was read before. */
  know<T extends Document>(collection: Collection<T>, id: string, document: T | undefined): void {
    const documents = this.#knownOf(collection);
    if (documents.get(id) === undefined) documents.set(id, document);
  }

  /** `limit` counts, not that of the options. */
  override find<T extends Document>(
    collection: Collection<T>,
    index: string,
    prefix: readonly Scalar[],
    options: FindOptions = {},
    limit = options.limit,
  ): T[] {
    const asked = limit === options.limit || limit === undefined ? options : { ...options, limit };
    const found = this.state.find(collection, index, prefix, asked);
    if (found.length === 0) return found;
    const documents = this.#knownOf(collection);
    for (const document of found) if (documents.get(document.id) === undefined) documents.set(document.id, document);
    return found;
  }

  /** Each count goes on from the nearest one that is known: the places of a page of neighbours cost little more than that of the first. */
  override count<T extends Document>(
    collection: Collection<T>,
    index: string,
    prefix: readonly Scalar[],
    range: CountRange = {},
  ): number {
    const { from, below } = range;
    const ask = (asked: CountRange) => this.state.count(collection, index, prefix, asked);
    if (from !== undefined || below === undefined) return ask(range);
    const name = JSON.stringify([collection.name, index, prefix]);
    const marks = this.#marks.get(name) ?? [];
    this.#marks.set(name, marks);
    const at = firstOf(marks, ({ key }) => compareScalars(key, below) > 0);
    const [mark, next] = [marks[at - 1], marks[at]];
    if (mark === undefined) return keep(marks, at, { key: below, count: ask(range) });
    if (mark.key === below || mark.count === next?.count) return mark.count;
    return keep(marks, at, { key: below, count: mark.count + ask({ from: mark.key, below }) });
  }

  keysOf(collection: AnyCollection, index: string, prefix: readonly Scalar[], ids: readonly string[]): Scalar[] {
    const columns = indexOf(collection, index).columns.map((name) => collection.columns[name]);
    const keys: Scalar[] = [];
    for (const id of ids) {
      const document: Document | undefined = this.get(collection, id);
      if (document === undefined || prefix.some((value, i) => columns[i]?.(document) !== value)) continue;
      keys.push(columns[prefix.length]?.(document) ?? null);
    }
    return keys;
  }

  #knownOf({ name }: Pick<AnyCollection, 'name'>): Map<string, Document | undefined> {
    let documents = this.#known.get(name);
    if (documents === undefined) {
      documents = new Map();
      this.#known.set(name, documents);
    }
    return documents;
  }
}

/** So many documents are before the key. */
interface Mark {
  readonly key: Scalar;
  readonly count: number;
}

function keep(marks: Mark[], at: number, mark: Mark): number {
  marks.splice(at, 0, mark);
  return mark.count;
}
