import type { IdSource } from '../shared/ids.js';
import type { Collection, Document, Scalar } from './collection.js';
import type { Write } from './decision.js';
import { type Entries, Layer, Written } from './entries.js';
import { LayeredState, questionOf } from './layered-state.js';
import type { AnyCollection } from './log/schema.js';
import { RememberedState } from './remembered-state.js';
import type { CountRange, FindOptions, State } from './state.js';

/**
 * A state with what a decision has changed so far on top of it, for decisions of several steps of which each sees what the ones before it did.
 * Documents that it gives are shared between the steps: they are put, never changed in place.
 */
export class Draft extends LayeredState<Document, Written> {
  protected readonly below: Base;
  /** What is read below counts. */
  protected readonly spare = 0;
  readonly #base: State;
  readonly #drafted = new Layer<Written>();
  readonly #writes = new Map<string, number>();

  constructor(base: State) {
    super();
    this.#base = base;
    this.below = new Base(base);
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

  /** The document as it was before the draft. */
  before<T extends Document>(collection: Collection<T>, id: string): T | undefined {
    return this.below.get(collection, id);
  }

  /** The {@link count} as it was before the draft. */
  countBefore<T extends Document>(
    collection: Collection<T>,
    index: string,
    prefix: readonly Scalar[],
    range: CountRange = {},
  ): number {
    return this.below.count(collection, index, prefix, range);
  }

  put<T extends Document>(collection: Collection<T>, document: T): void {
    this.#put(new Written(collection, document.id, document));
  }

  /** Puts a document of which it is known that there has not been any with its id. */
  add<T extends Document>(collection: Collection<T>, document: T): void {
    this.below.know(collection, document.id, undefined);
    this.put(collection, document);
  }

  remove<T extends Document>(collection: Collection<T>, id: string): void {
    this.#put(new Written(collection, id, null));
  }

  /** How often something was put into the collection, or removed. */
  writesTo({ name }: Pick<AnyCollection, 'name'>): number {
    return this.#writes.get(name) ?? 0;
  }

  /** The ids of the documents of the collection that were put or removed, in that order. */
  changed(collection: Pick<AnyCollection, 'name'>): string[] {
    return Array.from(this.#drafted.of(collection)?.values() ?? [], ({ id }) => id);
  }

  /** What was changed, as a decision writes it; what came and went within the draft is not in it. */
  writes(): Write[] {
    const writes: Write[] = [];
    for (const written of this.#drafted.all()) {
      const { collection, id, document } = written;
      const isNothing = document === null && this.before(collection, id) === undefined;
      if (!isNothing) writes.push({ collection, id, document, indexed: written });
    }
    return writes;
  }

  protected above(collection: AnyCollection): Entries<Written> | undefined {
    return this.#drafted.of(collection);
  }

  protected rowOf({ document }: Written): Document | undefined {
    return document ?? undefined;
  }

  protected documentOf(_: AnyCollection, document: Document): Document {
    return document;
  }

  protected given<T extends Document>(_: Collection<T>, document: Document | undefined): T | undefined {
    return document as T | undefined;
  }

  protected allGiven<T extends Document>(_: Collection<T>, documents: readonly Document[]): T[] {
    return documents as T[];
  }

  #put(written: Written): void {
    const { collection } = written;
    this.#writes.set(collection.name, this.writesTo(collection) + 1);
    this.#drafted.put(collection, written);
  }
}

/** The state below a draft. It does not change meanwhile, so each question is asked, and counts, once. */
class Base extends RememberedState {
  readonly #found = new Map<string, Document[]>();

  override find<T extends Document>(
    collection: Collection<T>,
    index: string,
    prefix: readonly Scalar[],
    options: FindOptions = {},
    limit = options.limit,
  ): T[] {
    const question = `${collection.name} ${questionOf(index, prefix, options, limit)}`;
    const known = this.#found.get(question);
    if (known !== undefined) return [...known] as T[];
    const found = super.find(collection, index, prefix, options, limit);
    this.#found.set(question, [...found]);
    return found;
  }
}
