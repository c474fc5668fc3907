import type { Document } from './collection.js';
import type { Write } from './decision.js';
import { textOf } from './document-text.js';
import { DurableCache } from './durable-cache.js';
import { Entries, type Indexed, indexedOf } from './entries.js';
import type { Answer } from './index-answers.js';
import type { CommitRecord } from './log/log.js';
import type { AnyCollection } from './log/schema.js';
import type { Row } from './replica.js';

/** A document as the log will write it: its text, and its values for the collection's columns. */
export interface Entry extends Indexed {
  /** null: removed. */
  readonly body: string | null;
  readonly revision: number;
  /** The body as it was read, once it was. */
  document?: Document;
}

/** The log's form of a document to write. */
export function entryOf({ collection, id, document, indexed }: Write, revision: number): Entry {
  if (document === null) return { id, body: null, columns: [], multi: [], revision };
  const { columns, multi } = indexed ?? indexedOf(collection, document);
  return { id, body: textOf(collection, document), columns, multi, revision };
}

/** When the overlay holds more, commands wait until the log has caught up. */
export const OVERLAY_DOCUMENTS_MAX = 2_000;
export const OVERLAY_BYTES_MAX = 8_388_608;

/**
 * The documents that were decided but that the replica does not hold yet. A document here hides the replica's, deletions too. Main's thread
 * alone reads and writes it.
 */
export class Overlay {
  /** What lies below, as far as it is known. */
  readonly durable = new DurableCache();
  readonly #collections = new Map<string, Entries<Entry>>();
  /** What was put, oldest first, so that dropping costs what is dropped. */
  #order: { collection: AnyCollection; id: string; revision: number; bytes: number }[] = [];
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
    const bytes = entry.body?.length ?? 0;
    this.#bytes += bytes;
    this.#order.push({ collection, id: entry.id, revision: entry.revision, bytes });
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

  /** What the replica answers to a question of an index, or what is known of it. `values`: what the columns at the `positions` are asked to be. */
  rows(
    collection: AnyCollection,
    question: string,
    { positions, values }: Pick<Answer, 'positions' | 'values'>,
    read: () => Row[],
  ): readonly Row[] {
    const known = this.durable.rows(collection, question);
    if (known !== undefined) return known;
    const rows = read();
    if (!this.#isChanging(collection, { positions, values, rows })) {
      this.durable.answered(collection, question, { positions, values, rows });
    }
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

  /** Forgets what the replica holds by now: everything up to `revision`. */
  drop(revision: number): void {
    let first = this.#first;
    for (; first < this.#order.length; first++) {
      const dropped = this.#order[first];
      if (dropped === undefined || dropped.revision > revision) break;
      this.#bytes -= dropped.bytes;
      this.#dropOne(dropped);
    }
    this.#first = first;
    if (first > 4_096 || first === this.#order.length) {
      this.#order = this.#order.slice(first);
      this.#first = 0;
    }
  }

  #dropOne({ collection, id, revision }: { collection: AnyCollection; id: string; revision: number }): void {
    const entries = this.#collections.get(collection.name);
    const entry = entries?.get(id);
    // A later decision may have written it again: that one stays, and what is durable now is not known here.
    if (entry?.revision !== revision) return this.durable.forget(collection, id);
    entries?.delete(id);
    this.durable.landed(collection, entry);
  }

  clear(): void {
    this.durable.clear();
    this.#collections.clear();
    this.#order = [];
    this.#first = 0;
    this.#bytes = 0;
  }
}
