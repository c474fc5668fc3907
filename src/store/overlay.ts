import type { Write } from './decision.js';
import { textOf } from './document-text.js';
import { DurableCache, type Known } from './durable-cache.js';
import { type Entries, type Entry, indexedOf, Layer } from './entries.js';
import type { CommitRecord } from './log/log.js';
import type { AnyCollection } from './log/schema.js';

/** The log's form of a document to write. */
export function entryOf({ collection, id, document, indexed }: Write): Omit<Entry, 'revision'> {
  if (document === null) return { id, body: null, columns: [], multi: [] };
  const { columns, multi } = indexed?.document === document ? indexed : indexedOf(collection, document);
  return { id, body: textOf(collection, document), columns, multi };
}

/** When the overlay holds more, commands wait until the log has caught up. */
const OVERLAY_DOCUMENTS_MAX = 2_000;
const OVERLAY_BYTES_MAX = 8_388_608;

/** A document that was put. */
interface Put {
  readonly collection: AnyCollection;
  readonly entry: Entry;
}

/** The durable state as far as it is known, with the revision that it is of. */
export interface SeenDurable extends Known {
  /** Itself, where that is the revision that it is of; null: something has been stored since that is not known yet. */
  of(revision: number): Known | null;
}

/**
 * The documents that were decided but that the replica does not hold yet. A document here hides the replica's, deletions too. Main's thread
 * alone reads and writes it.
 */
export class Overlay {
  readonly #layer = new Layer<Entry>();
  /** What lies below, as far as it is known. */
  readonly durable = new DurableCache(this.#layer);
  /** The same, for whoever decides nothing. */
  readonly seen: SeenDurable = {
    of: (revision) => (revision === this.#durableRevision ? this.seen : null),
    body: (...asked) => this.durable.seenBody(...asked),
    rows: (...asked) => this.durable.seenRows(...asked),
  };
  /** What the replica held when that was last heard of; null: others may have written to it since. */
  #durableRevision: number | null = null;
  /** What was put, oldest first, so that dropping costs what is dropped. */
  #order: Put[] = [];
  #first = 0;
  #bytes = 0;

  get isFull(): boolean {
    return this.#order.length - this.#first >= OVERLAY_DOCUMENTS_MAX || this.#bytes >= OVERLAY_BYTES_MAX;
  }

  put(collection: AnyCollection, entry: Entry): void {
    this.#layer.put(collection, entry);
    this.durable.touch(collection, entry);
    this.#bytes += entry.body?.length ?? 0;
    this.#order.push({ collection, entry });
  }

  /** Puts what a commit writes, in the same order as its records; gives its revision. */
  putAll({ revision, documents }: Pick<CommitRecord, 'revision' | 'documents'>, writes: readonly Write[]): number {
    documents.forEach(({ id, body, columns, multi }, i) => {
      const collection = writes[i]?.collection;
      if (collection !== undefined) this.put(collection, { id, body, columns, multi, revision });
    });
    return revision;
  }

  /** The collection's entries by id; undefined when there is none. */
  of(collection: AnyCollection): Entries<Entry> | undefined {
    return this.#layer.of(collection);
  }

  /** Nothing is decided yet above what the replica holds: everything up to `revision`, which it gives back. */
  begin(revision: number): number {
    this.#durableRevision = revision;
    return revision;
  }

  /**
   * Forgets what the replica holds by now: everything up to `revision`. A log says that commits are durable when the replica has them; to ask it
   * for its revision would be its first read behind them, before which it drops all pages that it knows.
   */
  drop(revision: number): void {
    this.#durableRevision = revision;
    let first = this.#first;
    for (; first < this.#order.length; first++) {
      const dropped = this.#order[first];
      if (dropped === undefined || dropped.entry.revision > revision) break;
      this.#bytes -= dropped.entry.body?.length ?? 0;
      this.#dropOne(dropped);
    }
    this.#first = first;
    if (first > 4_096 || first === this.#order.length) {
      this.#order = this.#order.slice(first);
      this.#first = 0;
    }
  }

  #dropOne({ collection, entry: stored }: Put): void {
    const { id } = stored;
    const entries = this.#layer.of(collection);
    const entry = entries?.get(id);
    if (entry?.revision === stored.revision) {
      entries?.delete(id);
      return this.durable.landed(collection, entry);
    }
    // A later decision has written it again: that one stays. What is durable now was never said to be about to change.
    this.durable.forget(collection, id);
    this.durable.touch(collection, stored);
  }

  clear(): void {
    this.#durableRevision = null;
    this.durable.clear();
    this.#layer.clear();
    this.#order = [];
    this.#first = 0;
    this.#bytes = 0;
  }
}
