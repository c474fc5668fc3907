import type { Caller } from '../../shared/caller.js';
import type { AnyCollection } from '../log/schema.js';
import type { Statements } from '../statements.js';
import type { PageRoom } from './page-room.js';

/** What a named query reads from: both databases in one read transaction each, ended when it returns. */
export interface QueryContext {
  readonly log: Statements;
  /** Null without `needsIndex`, never null with it. May be behind `log`. */
  readonly index: Statements | null;
  readonly caller: Caller;
  /** The revision that `log` is of. */
  readonly revision: number;
  /** The revision that `index` is of; null without it. */
  readonly indexRevision: number | null;
  /** Told of what may be large in the answer while that is made; the whole is looked at in the end. */
  readonly room: PageRoom;
}

/**
 * A query that is not a list: counts, histories. Whoever asks for it has the value that the reader's thread runs, and so the type of its arguments and
 * of its answer, which are plain data. It asks `visible` itself.
 */
export interface ReaderQuery<A, R> {
  /** Known to the reader's threads by it: no two have the same. */
  readonly name: string;
  /** Whether it reads `index.db`: it then waits for the index to be there, and for the revision that the caller has seen. Default: false. */
  readonly needsIndex?: boolean;
  /** Synchronous. What it throws reaches the caller. */
  run(context: QueryContext, args: A): R;
}

/** What a domain's module exports as `readerModule`, to be known to the reader's threads. */
export interface ReaderModule {
  readonly collections: readonly AnyCollection[];
  // biome-ignore lint/suspicious/noExplicitAny: queries of any arguments; who asks one has its value
  readonly queries: readonly ReaderQuery<any, unknown>[];
}
