import { limitExceeded } from '../shared/errors.js';
import type { IdSource } from '../shared/ids.js';
import type { Collection, Document, Scalar } from './collection.js';
import { documentOf, type Held, heldDocument } from './document-text.js';
import type { AnyCollection } from './log/schema.js';
import { compareKeys, compareScalars } from './order.js';
import type { Entry, Overlay } from './overlay.js';
import type { Replica, Row } from './replica.js';
import type { State } from './state.js';

/** How many documents one decision may read. What looks at more goes by plan, stage and publish. */
export const READ_DOCUMENTS_MAX = 1_000;

/** The replica and, above it, what was decided but is not durable yet. */
export class MergedState implements State {
  readonly now: number;
  readonly ids: IdSource;
  readonly partition: string;
  readonly #replica: Replica;
  readonly #overlay: Overlay | null;
  #read = 0;

  constructor(facts: { now: number; ids: IdSource; partition: string }, replica: Replica, overlay: Overlay | null) {
    this.now = facts.now;
    this.ids = facts.ids;
    this.partition = facts.partition;
    this.#replica = replica;
    this.#overlay = overlay;
  }

  get<T extends Document>(collection: Collection<T>, id: string): T | undefined {
    this.#count(1);
    const held = this.#held(collection, id);
    return held === undefined ? undefined : heldDocument(collection, held);
  }

  find<T extends Document>(collection: Collection<T>, index: string, prefix: readonly Scalar[]): T[] {
    const columns = columnsOf(collection, index);
    const rows = this.#rows(collection, ['find', index, prefix], () =>
      this.#replica.find(collection, columns, prefix, READ_DOCUMENTS_MAX + 1),
    );
    return this.#merge(collection, columns, rows, (key) => compareKeys(key, prefix) === 0);
  }

  range<T extends Document>(collection: Collection<T>, index: string, from: readonly Scalar[], limit: number): T[] {
    const columns = columnsOf(collection, index);
    const hidden = this.#overlay?.of(collection)?.size ?? 0;
    const rows = this.#rows(collection, ['range', index, from, limit], () =>
      this.#replica.range(collection, columns, from, limit + hidden),
    );
    return this.#merge(collection, columns, rows, (key) => compareKeys(key, from) >= 0, limit);
  }

  findMulti<T extends Document>(collection: Collection<T>, column: string, value: string): T[] {
    const rows = this.#replica.findMulti(collection, column, value, READ_DOCUMENTS_MAX + 1);
    const at = Object.keys(collection.multi).indexOf(column);
    const entries = this.#overlay?.of(collection);
    const merged = entries === undefined ? rows : rows.filter((row) => !entries.has(row.id));
    for (const entry of entries?.values() ?? []) {
      if (entry.body !== null && entry.multi[at]?.includes(value)) merged.push({ ...entry, body: entry.body, key: [] });
    }
    this.#count(merged.length);
    return merged.sort(byKeyThenId).map((row) => documentOf(collection, row.body));
  }

  #held(collection: AnyCollection, id: string): Held | undefined {
    const entry = this.#overlay?.of(collection)?.get(id);
    if (entry !== undefined) return isThere(entry) ? entry : undefined;
    const read = () => this.#replica.body(collection, id);
    if (this.#overlay !== null) return this.#overlay.durable.body(collection, id, read);
    const body = read();
    return body === undefined ? undefined : { body };
  }

  /** Rows of the replica; of a collection that nothing is being written to they may be known already. */
  #rows(collection: AnyCollection, question: readonly unknown[], read: () => Row[]): readonly Row[] {
    if (this.#overlay === null || this.#overlay.of(collection) !== undefined) return read();
    return this.#overlay.durable.rows(collection, JSON.stringify(question), read);
  }

  #merge<T extends Document>(
    collection: Collection<T>,
    columns: readonly string[],
    rows: readonly Row[],
    matches: (key: readonly Scalar[]) => boolean,
    limit = Number.POSITIVE_INFINITY,
  ): T[] {
    const entries = this.#overlay?.of(collection);
    let merged = rows;
    if (entries !== undefined) {
      const shown = rows.filter((row) => !entries.has(row.id));
      shown.push(...overlaid(collection, columns, entries, matches));
      merged = shown.sort(byKeyThenId);
    }
    if (merged.length > limit) merged = merged.slice(0, limit);
    this.#count(merged.length);
    return merged.map((row) => heldDocument(collection, row));
  }

  #count(documents: number): void {
    this.#read += documents;
    if (this.#read > READ_DOCUMENTS_MAX) {
      throw limitExceeded(`expected a decision to read at most ${READ_DOCUMENTS_MAX} documents, but it reads more`);
    }
  }
}

const isThere = (entry: Entry): entry is Entry & { readonly body: string } => entry.body !== null;

function* overlaid(
  collection: AnyCollection,
  columns: readonly string[],
  entries: ReadonlyMap<string, Entry>,
  matches: (key: readonly Scalar[]) => boolean,
): Generator<Row> {
  const names = Object.keys(collection.columns);
  const positions = columns.map((column) => names.indexOf(column));
  for (const { id, body, columns: values } of entries.values()) {
    if (body === null) continue;
    const key = positions.map((position) => values[position] ?? null);
    if (key[0] !== null && matches(key)) yield { id, body, key };
  }
}

function columnsOf(collection: AnyCollection, index: string): readonly string[] {
  const declared = collection.indexes[index];
  if (declared === undefined) throw new Error(`collection '${collection.name}' has no index '${index}'`);
  return declared.columns;
}

const byKeyThenId = (a: Row, b: Row): number => compareKeys(a.key, b.key) || compareScalars(a.id, b.id);
