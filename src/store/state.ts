import type { IdSource } from '../shared/ids.js';
import type { Collection, Document, Scalar } from './collection.js';

/**
 * The documents of a partition as a decision sees them: all that was decided before, durable or not yet. Nothing in it waits, and it is never older
 * than the last decision. Queries read the same way, of the durable state alone.
 *
 * A document is found by its id (`get`), or by an index of its collection (`find`, `count`, `nth`, `range`, `findMulti`). Documents are frozen and
 * shared, but for those of collections that are declared mutable: a decision writes by what it gives back, never here. It reads at most 1,000 of
 * them, unless its operation says another limit. Each method that gives documents throws DATA_DAMAGED where one is not what was written.
 */
export interface State {
  /** The domain clock's time of this decision, ms UTC. */
  readonly now: number;
  /** Ids and random numbers of this decision. */
  readonly ids: IdSource;
  /** The partition's id: `system`, or the id of the workspace. */
  readonly partition: string;
  /** The revision of this decision's commit, should there be one: the version of the documents that it writes. */
  readonly revision: number;

  /** The document; undefined: there is none of this id. */
  get<T extends Document>(collection: Collection<T>, id: string): T | undefined;

  /** All documents whose first columns of the index equal `prefix`, in the index's order. @throws LIMIT_EXCEEDED past 1,000 */
  find<T extends Document>(
    collection: Collection<T>,
    index: string,
    prefix: readonly Scalar[],
    options?: FindOptions,
  ): T[];

  /** How many documents an index's prefix gives. Reads none of them, so none counts; takes about 6 ms for each 100,000 that are there. */
  count<T extends Document>(
    collection: Collection<T>,
    index: string,
    prefix: readonly Scalar[],
    range?: CountRange,
  ): number;

  /**
   * The n-th document, from 0, in the order of a unique index of whose columns the prefix has all but the last. Those before it are not read;
   * passing over them takes as long as to {@link count} them.
   */
  nth<T extends Document>(
    collection: Collection<T>,
    index: string,
    prefix: readonly Scalar[],
    n: number,
  ): T | undefined;

  /**
   * At most `limit` documents in the index's order from `from` on: first those at or behind it, column by column; behind all columns it may
   * have an id.
   */
  range<T extends Document>(
    collection: Collection<T>,
    index: string,
    from: readonly Scalar[],
    limit: number,
    options?: RangeOptions,
  ): T[];

  /** All documents, or the first `limit` of them, that have `value` among the values of the multi column, by their ids. */
  findMulti<T extends Document>(collection: Collection<T>, column: string, value: string, limit?: number): T[];
}

/** Which of the documents that an index's prefix gives. */
export interface FindOptions {
  /** At most so many. Default: all, of which there must not be more than a decision may read. */
  readonly limit?: number;
  /** From the last to the first. Default: false. */
  readonly descending?: boolean;
  /** Only those at or behind this value of the column that follows the prefix, in the direction of the walk. */
  readonly from?: Scalar;
}

/** How a range is walked. */
export interface RangeOptions {
  /**
   * Leaves out documents that are damaged, for what looks after many things that have nothing to do with each other: one must not hold up the
   * others. Default: they are refused, as everywhere.
   */
  readonly skipDamaged?: boolean;
}

/** Which values of the column that follows an index's prefix are counted. Default: all. */
export interface CountRange {
  readonly from?: Scalar;
  /** Without this one. */
  readonly below?: Scalar;
}
