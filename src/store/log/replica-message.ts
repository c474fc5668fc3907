import type { RedisAddress } from './redis-address.js';
import type { TableShape } from './schema.js';

/** A replica of a partition that is kept in Redis. */
export interface ReplicaData {
  /** An existing `log.db` with all tables. */
  readonly path: string;
  readonly shapes: readonly TableShape[];
  readonly address: RedisAddress;
  readonly partition: string;
}

/**
 * What is asked of a replica. `open` comes first, `close` last. `follow`: write what the stream says from where the replica is. `load`: make the
 * replica anew, then follow; `copyTo`: where what it held before is kept.
 */
export type ReplicaAsk =
  | { readonly type: 'open'; readonly data: ReplicaData }
  | { readonly type: 'follow' }
  | { readonly type: 'load'; readonly copyTo: string | null }
  | { readonly type: 'trim'; readonly revision: number; readonly outcomesBefore: number }
  | { readonly type: 'close' };

/** `replica`: which of those that the thread keeps. */
export type ReplicaRequest = ReplicaAsk & { readonly replica: number };

/** What is said of a replica: how far it is; that it cannot go on, `broken` when a commit contradicts what is stored. */
export type ReplicaNews =
  | { readonly type: 'at'; readonly revision: number }
  | { readonly type: 'fault'; readonly message: string; readonly broken: boolean };

export type ReplicaReport = ReplicaNews & { readonly replica: number };
