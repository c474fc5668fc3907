import type { Caller } from '../../shared/caller.js';
import { idSource } from '../../shared/ids.js';
import { systemTime } from '../../shared/time.js';
import type { AnyCollection } from '../log/schema.js';
import { MergedState } from '../merged-state.js';
import { Replica } from '../replica.js';
import type { State } from '../state.js';
import type { Statements } from '../statements.js';
import type { PageRoom } from './page-room.js';

/** Sources of a query: both databases in one read transaction each, ended when it returns. */
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

/** Export `readerModule` of a domain's module: its collections and queries, for the reader's threads. */
export interface ReaderModule {
  readonly collections: readonly AnyCollection[];
  // biome-ignore lint/suspicious/noExplicitAny: queries of any arguments; who asks one has its value
  readonly queries: readonly ReaderQuery<any, unknown>[];
}

/**
 * The documents that a query reads, as a decision would see them, without a limit of how many: rules that decide can be asked by a query too.
 * `now`: the domain clock's time, ms.
 */
export function snapshotState({ log, revision }: QueryContext, partition: string, now: number): State {
  const replica = new Replica({ prepare: (sql) => log.prepare(sql), close: () => {} });
  const facts = { now, ids: idSource(systemTime.seed(), now), partition, nextRevision: () => revision + 1 };
  return new MergedState({ ...facts, readMax: Number.MAX_SAFE_INTEGER - 1 }, replica, null);
}
