import { limitExceeded } from '../shared/errors.js';
import type { IdSource } from '../shared/ids.js';
import type { Collection, Document, IndexDefinition, Scalar } from './collection.js';
import { type Held, heldDocument } from './document-text.js';
import type { Known } from './durable-cache.js';
import type { Entry } from './entries.js';
import { type Asked, textOfValues } from './index-answers.js';
import { layeredNth } from './layered-nth.js';
import type { AnyCollection } from './log/schema.js';
import { compareKeys, compareScalars, isAtOrBehind, isInRange } from './order.js';
import type { Overlay } from './overlay.js';
import type { Replica, Row } from './replica.js';
import type { CountRange, FindOptions, RangeOptions, State } from './state.js';

/** How many documents one decision may read. What looks at more goes by plan, stage and publish. */
export const READ_DOCUMENTS_MAX = 1_000;

/** What a decision is given beside the documents. */
export interface StateFacts {
  readonly now: number;
  readonly ids: IdSource;
  readonly partition: string;
  readonly nextRevision: () => number;
  /** How many documents may be read. Default: {@link READ_DOCUMENTS_MAX}. */
  readonly readMax?: number;
  /** Told how many characters each document has that is read. What it throws reaches whoever reads. */
  readonly onRead?: (characters: number) => void;
}

/** The replica and, above it, what was decided but is not durable yet. */
export class MergedState implements State {
  readonly now: number;
  readonly ids: IdSource;
  readonly partition: string;
  readonly #nextRevision: () => number;
  readonly #replica: Replica;
  readonly #overlay: Overlay | null;
  readonly #knownNow: () => Known | null;
  #known: Known | null | undefined;
  readonly #readMax: number;
  readonly #onRead: ((characters: number) => void) | undefined;
  #read = 0;

  /** `known`: what need not be asked of the replica, when that is first read. Default: what the overlay knows. */
  constructor(facts: StateFacts, replica: Replica, overlay: Overlay | null, known: () => Known | null = () => overlay) {
    this.now = facts.now;
    this.ids = facts.ids;
    this.partition = facts.partition;
    this.#nextRevision = facts.nextRevision;
    this.#readMax = facts.readMax ?? READ_DOCUMENTS_MAX;
    this.#onRead = facts.onRead;
    this.#replica = replica;
    this.#overlay = overlay;
    this.#knownNow = known;
  }

  get revision(): number {
    return this.#nextRevision();
  }

  get<T extends Document>(collection: Collection<T>, id: string): T | undefined {
    this.#count(1);
    const held = this.#held(collection, id);
    return held === undefined ? undefined : this.#document(collection, held);
  }

  find<T extends Document>(
    collection: Collection<T>,
    index: string,
    prefix: readonly Scalar[],
    options: FindOptions = {},
  ): T[] {
    const declared = indexOf(collection, index);
    const { limit = Number.POSITIVE_INFINITY, descending = false, from } = options;
    const asked = { positions: positionsOf(collection, declared).slice(0, prefix.length), values: prefix };
    const walk = `${index} ${descending} ${from === undefined ? '' : textOfValues([from])}`;
    const read = (wanted: number) =>
      this.#rows(collection, `find ${walk} ${wanted} ${textOfValues(prefix)}`, asked, () =>
        this.#replica.find(collection, declared, prefix, { ...options, limit: wanted }),
      );
    const overlaid = (positions: readonly number[]) =>
      keyed(this.#overlay?.of(collection)?.matching(positions, prefix), positions, ({ key }) => {
        if (from === undefined) return true;
        const order = compareScalars(key[prefix.length] ?? null, from);
        return descending ? order <= 0 : order >= 0;
      });
    return this.#merge(collection, { index: declared, read, overlaid, limit, descending });
  }

  count<T extends Document>(
    collection: Collection<T>,
    index: string,
    prefix: readonly Scalar[],
    range: CountRange = {},
  ): number {
    const declared = indexOf(collection, index);
    return this.#atOnce(collection, () => {
      const below = this.#replica.count(collection, declared, prefix, range);
      const { added, hidden } = this.#overlaid(collection, declared, prefix, below > 0);
      const isCounted = (key: Scalar) => isInRange(key, range);
      return below - hidden.filter(isCounted).length + added.filter(({ key }) => isCounted(key)).length;
    });
  }

  nth<T extends Document>(
    collection: Collection<T>,
    index: string,
    prefix: readonly Scalar[],
    n: number,
  ): T | undefined {
    const declared = indexOf(collection, index);
    const found = this.#atOnce(collection, () =>
      layeredNth<Held>(
        {
          ...this.#overlaid(collection, declared, prefix, true),
          countBelow: (below) => this.#replica.count(collection, declared, prefix, { below }),
          nth: (place) => this.#replica.nth(collection, declared, prefix, place),
        },
        n,
      ),
    );
    this.#count(1);
    return found === undefined ? undefined : this.#document(collection, found);
  }

  range<T extends Document>(
    collection: Collection<T>,
    index: string,
    from: readonly Scalar[],
    limit: number,
    { skipDamaged = false }: RangeOptions = {},
  ): T[] {
    const declared = indexOf(collection, index);
    const stored = (wanted: number) =>
      this.#rows(collection, `range ${index} ${wanted} ${textOfValues(from)}`, RANGE, () =>
        this.#replica.range(collection, declared, from, wanted),
      );
    const read = skipDamaged ? (wanted: number) => shownOf(stored, wanted, (row) => row.damage === undefined) : stored;
    const overlaid = (positions: readonly number[]) =>
      keyed(this.#overlay?.of(collection)?.values(), positions, ({ key, id }) => isAtOrBehind(key, id, from));
    return this.#merge(collection, { index: declared, read, overlaid, limit, descending: false });
  }

  findMulti<T extends Document>(
    collection: Collection<T>,
    column: string,
    value: string,
    limit = Number.POSITIVE_INFINITY,
  ): T[] {
    const at = Object.keys(collection.multi).indexOf(column);
    const read = (wanted: number) => this.#replica.findMulti(collection, column, value, wanted);
    const overlaid = () => keyed(this.#overlay?.of(collection)?.holding(at, value), [], () => true);
    return this.#merge(collection, { index: BY_ID, read, overlaid, limit, descending: false });
  }

  /** What the overlay hides is asked of the same revision as what it hides from: the log may store a group at any moment. */
  #atOnce<T>(collection: AnyCollection, read: () => T): T {
    return this.#overlay?.of(collection) === undefined ? read() : this.#replica.atOnce(read);
  }

  /** What the overlay adds to the prefix, and the keys of what it hides there, if it is asked for that. */
  #overlaid(collection: AnyCollection, index: IndexDefinition, prefix: readonly Scalar[], isHiding: boolean) {
    const entries = this.#overlay?.of(collection);
    if (entries === undefined) return { added: [], hidden: [] };
    const positions = positionsOf(collection, index);
    const added = keyed(entries.matching(positions, prefix), positions, () => true)
      .map((row) => ({ key: row.key[prefix.length] ?? null, row }))
      .sort((a, b) => compareScalars(a.key, b.key));
    const ids = isHiding ? Array.from(entries.values(), ({ id }) => id) : [];
    const hidden = ids.length === 0 ? [] : this.#replica.keysOf(collection, index, prefix, ids);
    return { added, hidden: [...hidden].sort(compareScalars) };
  }

  #held(collection: AnyCollection, id: string): Held | undefined {
    const entry = this.#overlay?.of(collection)?.get(id);
    if (entry !== undefined) return isThere(entry) ? entry : undefined;
    const read = () => this.#replica.body(collection, id);
    const known = this.#knows();
    if (known !== null) return known.body(collection, id, read);
    const body = read();
    return body === undefined ? undefined : { id, body };
  }

  /** Rows of the replica; they may be known already. */
  #rows(collection: AnyCollection, question: string, asked: Asked, read: () => Row[]): readonly Row[] {
    return this.#knows()?.rows(collection, question, asked, read) ?? read();
  }

  #knows(): Known | null {
    if (this.#known === undefined) this.#known = this.#knownNow();
    return this.#known;
  }

  #merge<T extends Document>(collection: Collection<T>, walk: Walk): T[] {
    const { index, read, overlaid, limit, descending } = walk;
    const hides = this.#overlay?.of(collection);
    const wanted = Math.min(limit, this.#readMax + 1);
    let merged = hides === undefined ? read(wanted) : shownOf(read, wanted, ({ id }) => !hides.has(id));
    const above = hides === undefined ? [] : overlaid(positionsOf(collection, index));
    if (above.length > 0) {
      const below = merged.map((row) => ({ ...row, key: keyOf(collection, index.columns, row) }));
      merged = [...below, ...above].sort((a, b) => (descending ? byKeyThenId(b, a) : byKeyThenId(a, b)));
    }
    if (merged.length > limit) merged = merged.slice(0, limit);
    this.#count(merged.length);
    return merged.map((row) => this.#document(collection, row));
  }

  #document<T extends Document>(collection: Collection<T>, held: Held): T {
    this.#onRead?.(held.body.length);
    return heldDocument(collection, held);
  }

  #count(documents: number): void {
    this.#read += documents;
    if (this.#read > this.#readMax) {
      throw limitExceeded(`expected a decision to read at most ${this.#readMax} documents, but it reads more`);
    }
  }
}

const RANGE: Asked = { positions: [], values: [] };
/** Of what is in the order of ids alone. */
const BY_ID: IndexDefinition = { columns: [] };

/** A document with its values for the columns of an index. */
interface KeyedRow extends Row {
  readonly key: readonly Scalar[];
}

/** A walk over an index: what the replica gives of it, at most so many, and what the overlay does. */
interface Walk {
  readonly index: IndexDefinition;
  readonly read: (wanted: number) => readonly Row[];
  readonly overlaid: (positions: readonly number[]) => KeyedRow[];
  readonly limit: number;
  readonly descending: boolean;
}

/** The first rows that are shown: as many as are wanted, or all. */
function shownOf(read: Walk['read'], wanted: number, isShown: (row: Row) => boolean): readonly Row[] {
  for (let asked = wanted + 8; ; asked *= 4) {
    const rows = read(asked);
    const shown = rows.filter(isShown);
    if (shown.length >= wanted) return shown.slice(0, wanted);
    if (rows.length < asked) return shown;
  }
}

/** Entries as rows of the index, those that are still there and that it is asked for. */
function keyed(
  entries: Iterable<Entry> | undefined,
  positions: readonly number[],
  isWanted: (row: KeyedRow) => boolean,
): KeyedRow[] {
  const rows: KeyedRow[] = [];
  for (const { id, body, columns } of entries ?? []) {
    if (body === null) continue;
    const row = { id, body, key: positions.map((position) => columns[position] ?? null) };
    if ((positions.length === 0 || row.key[0] !== null) && isWanted(row)) rows.push(row);
  }
  return rows;
}

const positions = new WeakMap<IndexDefinition, readonly number[]>();

/** Where the columns of an index stand among those of its collection; they are looked up once. */
function positionsOf(collection: AnyCollection, index: IndexDefinition): readonly number[] {
  let known = positions.get(index);
  if (known === undefined) {
    const names = Object.keys(collection.columns);
    known = index.columns.map((column) => names.indexOf(column));
    positions.set(index, known);
  }
  return known;
}

function indexOf(collection: AnyCollection, index: string): IndexDefinition {
  const declared = collection.indexes[index];
  if (declared === undefined) throw new Error(`collection '${collection.name}' has no index '${index}'`);
  return declared;
}

const isThere = (entry: Entry): entry is Entry & { readonly body: string } => entry.body !== null;

/** What the log wrote of the document for these columns. */
function keyOf(collection: AnyCollection, columns: readonly string[], row: Row): readonly Scalar[] {
  if (columns.length === 0) return [];
  const document = heldDocument(collection, row);
  return columns.map((column) => collection.columns[column]?.(document) ?? null);
}

const byKeyThenId = (a: KeyedRow, b: KeyedRow): number => compareKeys(a.key, b.key) || compareScalars(a.id, b.id);
