import { limitExceeded } from '../shared/errors.js';
import type { IdSource } from '../shared/ids.js';
import type { Collection, Document, Scalar } from './collection.js';
import { type Held, heldDocument } from './document-text.js';
import type { Known } from './durable-cache.js';
import type { Entries, Entry } from './entries.js';
import type { Asked } from './index-answers.js';
import { type Below, indexOf, LayeredState, positionsOf, questionOf, shownOf } from './layered-state.js';
import type { AnyCollection } from './log/schema.js';
import { textOfValues } from './order.js';
import type { Overlay } from './overlay.js';
import type { Replica, Row } from './replica.js';
import type { CountRange, FindOptions, RangeOptions } from './state.js';

/** How many documents one decision may read. What looks at more goes by plan, stage and publish. */
export const READ_DOCUMENTS_MAX = 1_000;

/** Facts that a decision is given beside the documents. */
export interface StateFacts {
  readonly now: number;
  readonly ids: IdSource;
  readonly partition: string;
  readonly nextRevision: () => number;
  /** How many documents may be read. Default: {@link READ_DOCUMENTS_MAX}. */
  readonly readMax?: number | undefined;
  /** Told how many characters each document has that is read. What it throws reaches whoever reads. */
  readonly onRead?: (characters: number) => void;
}

/** The replica and, above it, what was decided but is not durable yet. */
export class MergedState extends LayeredState<Held, Entry> {
  readonly now: number;
  readonly ids: IdSource;
  readonly partition: string;
  protected readonly below: Durable;
  /** One statement more would cost more than these. */
  protected readonly spare = SPARE;
  readonly #nextRevision: () => number;
  readonly #overlay: Overlay | null;
  readonly #readMax: number;
  readonly #onRead: ((characters: number) => void) | undefined;
  #read = 0;

  /** `known`: what need not be asked of the replica, when that is first read. Default: what the overlay knows. */
  constructor(
    facts: StateFacts,
    replica: Replica,
    overlay: Overlay | null,
    known: () => Known | null = () => overlay?.durable ?? null,
  ) {
    super();
    this.now = facts.now;
    this.ids = facts.ids;
    this.partition = facts.partition;
    this.below = new Durable(replica, known);
    this.#nextRevision = facts.nextRevision;
    this.#readMax = facts.readMax ?? READ_DOCUMENTS_MAX;
    this.#onRead = facts.onRead;
    this.#overlay = overlay;
  }

  get revision(): number {
    return this.#nextRevision();
  }

  protected above(collection: AnyCollection): Entries<Entry> | undefined {
    return this.#overlay?.of(collection);
  }

  protected rowOf(entry: Entry): Held | undefined {
    return entry.body === null ? undefined : (entry as Entry & { readonly body: string });
  }

  protected documentOf(collection: AnyCollection, row: Held): Document {
    return heldDocument(collection, row);
  }

  protected given<T extends Document>(collection: Collection<T>, row: Held | undefined): T | undefined {
    this.#count(1);
    return row === undefined ? undefined : this.#document(collection, row);
  }

  protected allGiven<T extends Document>(collection: Collection<T>, rows: readonly Held[]): T[] {
    this.#count(rows.length);
    return rows.map((row) => this.#document(collection, row));
  }

  /** One more than may be read tells that there are too many. */
  protected override wanted(limit = Number.POSITIVE_INFINITY): number {
    return Math.min(limit, this.#readMax + 1);
  }

  /** What the overlay hides is asked of the same revision as what it hides from: the log may store a group at any moment. */
  protected override atOnce<T>(read: () => T): T {
    return this.below.atOnce(read);
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

const SPARE = 8;
const RANGE: Asked = { positions: [], values: [] };

/** The durable documents: those of the replica, which is asked only where nothing is known of them already. */
class Durable implements Below<Held> {
  readonly #replica: Replica;
  readonly #knownNow: () => Known | null;
  #known: Known | null | undefined;

  constructor(replica: Replica, known: () => Known | null) {
    this.#replica = replica;
    this.#knownNow = known;
  }

  get(collection: AnyCollection, id: string): Held | undefined {
    const read = () => this.#replica.body(collection, id);
    const known = this.#knows();
    if (known !== null) return known.body(collection, id, read);
    const body = read();
    return body === undefined ? undefined : { id, body };
  }

  find(
    collection: AnyCollection,
    index: string,
    prefix: readonly Scalar[],
    options: FindOptions,
    limit: number,
  ): readonly Row[] {
    const declared = indexOf(collection, index);
    const read = () => this.#replica.find(collection, declared, prefix, { ...options, limit });
    const known = this.#knows();
    if (known === null) return read();
    const asked = { positions: positionsOf(collection, declared).slice(0, prefix.length), values: prefix };
    return known.rows(collection, questionOf(index, prefix, options, limit), asked, read);
  }

  count(collection: AnyCollection, index: string, prefix: readonly Scalar[], range: CountRange): number {
    return this.#replica.count(collection, indexOf(collection, index), prefix, range);
  }

  nth(collection: AnyCollection, index: string, prefix: readonly Scalar[], n: number): Row | undefined {
    return this.#replica.nth(collection, indexOf(collection, index), prefix, n);
  }

  range(
    collection: AnyCollection,
    index: string,
    from: readonly Scalar[],
    limit: number,
    { skipDamaged = false }: RangeOptions = {},
  ): readonly Row[] {
    const declared = indexOf(collection, index);
    const read = (wanted = limit) => {
      const rows = () => this.#replica.range(collection, declared, from, wanted);
      return this.#knows()?.rows(collection, `${index} ${wanted} from ${textOfValues(from)}`, RANGE, rows) ?? rows();
    };
    return skipDamaged ? shownOf(read, limit, SPARE, ({ damage }) => damage === undefined).slice(0, limit) : read();
  }

  findMulti(collection: AnyCollection, column: string, value: string, limit: number): readonly Row[] {
    return this.#replica.findMulti(collection, column, value, limit);
  }

  keysOf(
    collection: AnyCollection,
    index: string,
    prefix: readonly Scalar[],
    ids: readonly string[],
  ): readonly Scalar[] {
    return ids.length === 0 ? [] : this.#replica.keysOf(collection, indexOf(collection, index), prefix, ids);
  }

  atOnce<T>(read: () => T): T {
    return this.#replica.atOnce(read);
  }

  #knows(): Known | null {
    if (this.#known === undefined) this.#known = this.#knownNow();
    return this.#known;
  }
}
