import type { Scalar } from '../collection.js';

/** A fact on which nobody decides: plain JSON with the time at which it happened, ms. At most 256 kB as text. */
export interface RecordRow {
  readonly at: number;
}

/** Which rows of a stream are wanted. */
export interface RecordQuery {
  /** `from <= at < to`, ms. Default: all. */
  readonly from?: number;
  readonly to?: number;
  /** Only rows whose fields have these values: `{ routeId: 'orders' }`. */
  readonly match?: Readonly<Record<string, Scalar>>;
  /** 1 to 5,000. */
  readonly limit: number;
  /** The rows recorded last first, so that `limit` keeps those. Default: in the order in which they were recorded. */
  readonly newestFirst?: boolean;
  /** Only rows that come behind this place of a {@link PlacedRow}, as they are read. Places of a stream count its rows, and stay as they are. */
  readonly behind?: string;
}

/** A row with its place in its stream, for pages. */
export interface PlacedRow<R extends RecordRow> {
  readonly row: R;
  readonly place: string;
}

/** How far rows were made of something that has places of its own: written with them, or not at all. */
export interface Reached {
  readonly stream: string;
  readonly place: string;
}

/** How long a stream is kept, in whole entries of up to 500 rows. Default: for ever. */
export interface Retention {
  readonly ageMaxMs?: number;
  readonly rowsMax?: number;
}

/** Rows of one stream that were collected together: one compressed entry of `records.db`, until it is put together with its neighbours. */
export interface RecordEntry {
  readonly partition: string;
  readonly stream: string;
  readonly count: number;
  /** The smallest and the largest `at` of its rows. */
  readonly first: number;
  readonly last: number;
  /** The rows as JSON: a list of them, or packed. */
  readonly rows: string;
}

/** A part of a read: rows, each as its place, a blank and its JSON, and the place behind which there may be more of them. */
export interface RecordsPart {
  readonly rows: readonly string[];
  /** Undefined: there are no more. */
  readonly behind: string | undefined;
}
