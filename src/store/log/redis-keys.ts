/**
 * Every key that the store has in Redis. The partition is the hash tag: all keys of a commit are on one machine of a cluster.
 *
 * - `meta`, a hash: `format`, `epoch`, `revision` and `commit` (the newest), `trimmed`, `fence`, `holder`, `lease`; `count:<hash>`: how many fields
 *   `outcome` and each `doc:<collection>` must have, so that it is noticed when one of them is gone.
 * - `log`, a stream: an entry per commit, its id being `<revision>-0`.
 * - `outcome`, a hash: kept outcomes by command id; `outcome-at`, a sorted set of the same ids by time.
 * - `doc:<collection>`, a hash per collection: the documents as they are now, by id.
 */
export interface RedisKeys {
  readonly meta: string;
  readonly log: string;
  readonly outcome: string;
  readonly outcomeAt: string;
  readonly documents: (collection: string) => string;
}

/** Raised when what is kept in Redis cannot be read by this code any more. */
export const REDIS_FORMAT = 3;
/** The first format whose `meta` counts. */
export const COUNTED_FORMAT = 2;

const prefixOf = (partition: string): string => `millrace:{${partition}}:`;

/** A pattern that all keys of a partition match, those of collections that this code does not know any more, too, and no others. */
export const keysPattern = (partition: string): string => `${prefixOf(partition)}*`;

/** The keys of a partition. */
export function keysOf(partition: string): RedisKeys {
  const prefix = prefixOf(partition);
  return {
    meta: `${prefix}meta`,
    log: `${prefix}log`,
    outcome: `${prefix}outcome`,
    outcomeAt: `${prefix}outcome-at`,
    documents: (collection) => `${prefix}doc:${collection}`,
  };
}
