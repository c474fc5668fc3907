import { limitExceeded } from '../../src/shared/errors.js';
import { idSource } from '../../src/shared/ids.js';
import { type Indexed, indexedOf, Layer } from '../../src/store/entries.js';
import type { Collection, Document, State, Write } from '../../src/store/index.js';
import { type Below, LayeredState } from '../../src/store/layered-state.js';
import type { AnyCollection } from '../../src/store/log/schema.js';
import { READ_DOCUMENTS_MAX } from '../../src/store/merged-state.js';

/** A document as JSON text, so that nobody changes it by accident. */
interface Kept extends Indexed {
  readonly text: string;
}

const documentOf = <T extends Document>(kept: Kept): T => JSON.parse(kept.text);

/** Documents by collection and id. */
export class MemoryDocuments {
  readonly layer = new Layer<Kept>();

  /** @throws where a document is larger than a store takes, or breaks a unique index */
  apply(writes: readonly Write[]): void {
    for (const { collection, id, document } of writes) {
      if (document === null) this.layer.of(collection)?.delete(id);
      else this.put(collection, document);
    }
    for (const collection of new Set(writes.map((write) => write.collection))) this.#checkUnique(collection);
  }

  /** @throws where the document is larger than a store takes */
  put<T extends Document>(collection: Collection<T>, document: T): void {
    const text = JSON.stringify(document);
    if (Buffer.byteLength(text) > 262_144)
      throw new Error(`${collection.name} '${document.id}' has ${text.length} characters`);
    this.layer.put(collection, { ...indexedOf(collection, JSON.parse(text)), text });
  }

  all<T extends Document>(collection: Collection<T>): T[] {
    return Array.from(this.layer.of(collection)?.values() ?? [], (kept) => documentOf<T>(kept));
  }

  #checkUnique(collection: AnyCollection): void {
    const names = Object.keys(collection.columns);
    for (const [name, { columns, unique }] of Object.entries(collection.indexes)) {
      if (unique !== true) continue;
      const positions = columns.map((column) => names.indexOf(column));
      const keys = Array.from(this.layer.of(collection)?.values() ?? [], (kept) =>
        positions.map((at) => kept.columns[at]),
      );
      const texts = keys.filter(([first]) => first !== null).map((key) => JSON.stringify(key));
      if (new Set(texts).size !== texts.length) throw new Error(`${collection.name}.${name} is not unique any more`);
    }
  }
}

/** A {@link State} over documents in memory: one decision's view, with its limit of documents, by default 1,000. */
export class MemoryState extends LayeredState<Kept, Kept> {
  readonly now: number;
  readonly ids: State['ids'];
  readonly partition = 'test';
  readonly revision: number;
  protected readonly below = NOTHING;
  protected readonly spare = 0;
  readonly #documents: MemoryDocuments;
  readonly #readMax: number;
  #read = 0;

  constructor(documents: MemoryDocuments, seed: string, now: number, revision = 1, readMax = READ_DOCUMENTS_MAX) {
    super();
    this.revision = revision;
    this.#readMax = readMax;
    this.#documents = documents;
    this.now = now;
    this.ids = idSource(seed, now);
  }

  protected above(collection: AnyCollection) {
    return this.#documents.layer.of(collection);
  }

  protected rowOf(kept: Kept): Kept {
    return kept;
  }

  protected documentOf(_: AnyCollection, kept: Kept): Document {
    return documentOf(kept);
  }

  protected given<T extends Document>(_: Collection<T>, kept: Kept | undefined): T | undefined {
    this.#count(1);
    return kept && documentOf(kept);
  }

  protected allGiven<T extends Document>(_: Collection<T>, kept: readonly Kept[]): T[] {
    this.#count(kept.length);
    return kept.map((one) => documentOf(one));
  }

  #count(documents: number): void {
    this.#read += documents;
    if (this.#read > this.#readMax) throw limitExceeded(`a decision reads more than ${this.#readMax} documents`);
  }
}

const NOTHING: Below<Kept> = {
  get: () => undefined,
  find: () => [],
  count: () => 0,
  nth: () => undefined,
  range: () => [],
  findMulti: ({ name, multi }, column) => {
    if (multi[column] === undefined) throw new Error(`collection '${name}' has no multi column '${column}'`);
    return [];
  },
  keysOf: () => [],
};
