import type { Write } from './decision.js';
import { type Held, textOf } from './document-text.js';
import { DurableCache, type Known } from './durable-cache.js';
import { Entries, type Entry, indexedOf } from './entries.js';
import type { Answer, Asked } from './index-answers.js';
import type { CommitRecord } from './log/log.js';
import type { AnyCollection } from './log/schema.js';
import type { Row } from './replica.js';

/** The log's form of a document to write. */
export function entryOf({ collection, id, document, indexed }: Write, revision: number): Entry {
  if (document === null) return { id, body: null, columns: [], multi: [], revision };
  const { columns, multi } = indexed?.document === document ? indexed : indexedOf(collection, document);
  return { id, body: textOf(collection, document), columns, multi, revision };
}

/** When the overlay holds more, commands wait until the log has caught up. */
export const OVERLAY_DOCUMENTS_MAX = 2_000;
export const OVERLAY_BYTES_MAX = 8_388_608;

/** How many rows an answer may have that is kept because a reader asked: lists are read once. */
const SEEN_ROWS_MAX = 1;

/** What was put. */
interface Put {
  readonly collection: AnyCollection;
  readonly entry: Entry;
}

/** What is known of the durable state. */
export interface SeenDurable extends Known {
  /** Itself, where that is the revision that it is of; null: something has been stored since that is not known yet. */
  of(revision: number): Known | null;
}

/**
 * The documents that were decided but that the replica does not hold yet. A document here hides the replica's, deletions too. Main's thread
 * alone reads and writes it.
 */
export class Overlay implements Known {
  /** What lies below, as far as it is known. */
  readonly durable = new DurableCache();
  /** The same, for whoever decides nothing. */
  readonly seen: SeenDurable = {
    of: (revision) => (revision === this.#durableRevision ? this.seen : null),
    body: (...asked) => this.durable.seen(...asked),
    rows: (...asked) => this.#rows(...asked, SEEN_ROWS_MAX),
  };
  /** What the replica held when that was last heard of; null: others may have written to it since. */
  #durableRevision: number | null = null;
  readonly #collections = new Map<string, Entries<Entry>>();
  /** What was put, oldest first, so that dropping costs what is dropped. */
  #order: Put[] = [];
  #first = 0;
  #bytes = 0;

  get isFull(): boolean {
    return this.#order.length - this.#first >= OVERLAY_DOCUMENTS_MAX || this.#bytes >= OVERLAY_BYTES_MAX;
  }

  put(collection: AnyCollection, entry: Entry): void {
    let entries = this.#collections.get(collection.name);
    if (entries === undefined) {
      entries = new Entries();
      this.#collections.set(collection.name, entries);
    }
    entries.put(entry);
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
    const entries = this.#collections.get(collection.name);
    return entries === undefined || entries.size === 0 ? undefined : entries;
  }

  /** A document of the replica. */
  body(collection: AnyCollection, id: string, read: () => string | undefined): Held | undefined {
    return this.durable.body(collection, id, read);
  }

  /** What the replica answers to a question of an index, or what is known of it. */
  rows(collection: AnyCollection, question: string, asked: Asked, read: () => Row[]): readonly Row[] {
    return this.#rows(collection, question, asked, read, Number.POSITIVE_INFINITY);
  }

  /** `rowsMax`: an answer with more rows is not kept. */
  #rows(
    collection: AnyCollection,
    question: string,
    { positions, values }: Asked,
    read: () => Row[],
    rowsMax: number,
  ): readonly Row[] {
    const known = this.durable.rows(collection, question);
    if (known !== undefined) return known;
    const rows = read();
    const answer = { positions, values, rows };
    const isKept = rows.length <= rowsMax && rows.every(({ damage }) => damage === undefined);
    if (isKept && !this.#isChanging(collection, answer)) this.durable.answered(collection, question, answer);
    return rows;
  }

  /** Whether anything that is not known to be durable is of the answer, or will be. */
  #isChanging(collection: AnyCollection, { positions, values, rows }: Answer): boolean {
    const entries = this.of(collection);
    if (entries === undefined) return false;
    if (positions.length === 0 || rows.some(({ id }) => entries.has(id))) return true;
    for (const _ of entries.matching(positions, values)) return true;
    return false;
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
    const entries = this.#collections.get(collection.name);
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
    this.#collections.clear();
    this.#order = [];
    this.#first = 0;
    this.#bytes = 0;
  }
}
