import { limitExceeded } from '../../src/shared/errors.js';
import { idSource } from '../../src/shared/ids.js';
import type { Collection, CountRange, Document, FindOptions, Scalar, State, Write } from '../../src/store/index.js';
import { READ_DOCUMENTS_MAX } from '../../src/store/merged-state.js';
import { compareKeys, compareScalars, isAtOrBehind, isInRange } from '../../src/store/order.js';

/** Documents by collection and id, as JSON text, so that nobody changes one by accident. */
export class MemoryDocuments {
  readonly #collections = new Map<string, Map<string, string>>();

  /** @throws where a document is larger than a store takes, or breaks a unique index */
  apply(writes: readonly Write[]): void {
    for (const { collection, id, document } of writes) {
      const documents = this.of(collection.name);
      if (document === null) documents.delete(id);
      else {
        const text = JSON.stringify(document);
        if (Buffer.byteLength(text) > 262_144)
          throw new Error(`${collection.name} '${id}' has ${text.length} characters`);
        documents.set(id, text);
      }
    }
    for (const collection of new Set(writes.map((write) => write.collection))) this.#checkUnique(collection);
  }

  of(name: string): Map<string, string> {
    let documents = this.#collections.get(name);
    if (documents === undefined) {
      documents = new Map();
      this.#collections.set(name, documents);
    }
    return documents;
  }

  all<T extends Document>(collection: Collection<T>): T[] {
    return [...this.of(collection.name).values()].map((text) => JSON.parse(text) as T);
  }

  #checkUnique<T extends Document>(collection: Collection<T>): void {
    for (const [name, { columns, unique }] of Object.entries(collection.indexes)) {
      if (unique !== true) continue;
      const keys = this.all(collection).map((document) => keyOf(collection, columns, document));
      const texts = keys.filter(([first]) => first !== null).map((key) => JSON.stringify(key));
      if (new Set(texts).size !== texts.length) throw new Error(`${collection.name}.${name} is not unique any more`);
    }
  }
}

/** A {@link State} over documents in memory: one decision's view, with its limit of documents, by default 1,000. */
export class MemoryState implements State {
  readonly now: number;
  readonly ids: State['ids'];
  readonly partition = 'test';
  readonly revision: number;
  readonly #documents: MemoryDocuments;
  readonly #readMax: number;
  #read = 0;

  constructor(documents: MemoryDocuments, seed: string, now: number, revision = 1, readMax = READ_DOCUMENTS_MAX) {
    this.revision = revision;
    this.#readMax = readMax;
    this.#documents = documents;
    this.now = now;
    this.ids = idSource(seed, now);
  }

  get<T extends Document>(collection: Collection<T>, id: string): T | undefined {
    this.#count(1);
    const text = this.#documents.of(collection.name).get(id);
    return text === undefined ? undefined : (JSON.parse(text) as T);
  }

  find<T extends Document>(
    collection: Collection<T>,
    index: string,
    prefix: readonly Scalar[],
    { limit, descending = false, from }: FindOptions = {},
  ): T[] {
    const all = this.#indexed(collection, index);
    const found = (descending ? all.reverse() : all)
      .filter(({ key }) => compareKeys(key, prefix) === 0)
      .filter(({ key }) => {
        const order = from === undefined ? 0 : compareScalars(key[prefix.length] ?? null, from);
        return descending ? order <= 0 : order >= 0;
      });
    return this.#counted(found.slice(0, limit));
  }

  count<T extends Document>(
    collection: Collection<T>,
    index: string,
    prefix: readonly Scalar[],
    range: CountRange = {},
  ): number {
    const all = this.#indexed(collection, index).filter(({ key }) => compareKeys(key, prefix) === 0);
    return all.filter(({ key }) => isInRange(key[prefix.length] ?? null, range)).length;
  }

  nth<T extends Document>(
    collection: Collection<T>,
    index: string,
    prefix: readonly Scalar[],
    n: number,
  ): T | undefined {
    const all = this.#indexed(collection, index).filter(({ key }) => compareKeys(key, prefix) === 0);
    return this.#counted(all.slice(n, n + 1))[0];
  }

  range<T extends Document>(collection: Collection<T>, index: string, from: readonly Scalar[], limit: number): T[] {
    const found = this.#indexed(collection, index).filter(({ key, document }) => isAtOrBehind(key, document.id, from));
    return this.#counted(found.slice(0, limit));
  }

  findMulti<T extends Document>(collection: Collection<T>, column: string, value: string, limit?: number): T[] {
    const values = collection.multi[column];
    if (values === undefined) throw new Error(`collection '${collection.name}' has no multi column '${column}'`);
    const found = this.#documents.all(collection).filter((document) => values(document).includes(value));
    found.sort((a, b) => compareScalars(a.id, b.id));
    return this.#counted(found.slice(0, limit).map((document) => ({ document })));
  }

  #indexed<T extends Document>(collection: Collection<T>, index: string): { key: Scalar[]; document: T }[] {
    const declared = collection.indexes[index];
    if (declared === undefined) throw new Error(`collection '${collection.name}' has no index '${index}'`);
    return this.#documents
      .all(collection)
      .map((document) => ({ key: keyOf(collection, declared.columns, document), document }))
      .filter(({ key }) => key[0] !== null)
      .sort((a, b) => compareKeys(a.key, b.key) || compareScalars(a.document.id, b.document.id));
  }

  #counted<T>(found: readonly { readonly document: T }[]): T[] {
    this.#count(found.length);
    return found.map(({ document }) => document);
  }

  #count(documents: number): void {
    this.#read += documents;
    if (this.#read > this.#readMax) throw limitExceeded(`a decision reads more than ${this.#readMax} documents`);
  }
}

function keyOf<T extends Document>(collection: Collection<T>, columns: readonly string[], document: T): Scalar[] {
  return columns.map((name) => {
    const column = collection.columns[name];
    if (column === undefined) throw new Error(`collection '${collection.name}' has no column '${name}'`);
    return column(document);
  });
}
