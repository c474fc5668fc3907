import type { Replica } from '../replica.js';
import type { Log } from './log.js';
import type { LogWarning } from './redis-durability.js';
import type { TableShape } from './schema.js';

/** A partition's log, and the replica that its commits are read from. */
export interface OpenedLog {
  readonly log: Log;
  readonly replica: Replica;
}

/** Where one server keeps the logs of its partitions. */
export interface Logs {
  /**
   * Opens the partition's log and replica, making them where they are not there yet. The replica holds all that is durable by then.
   * @throws UNAVAILABLE when the log is away; CONFLICT when another server decides for the partition, or the replica is not of this log
   */
  open(partition: string, shapes: readonly TableShape[]): Promise<OpenedLog>;
  /** What an operator should change, so that nothing is lost. Default: nothing. */
  readonly warnings?: readonly LogWarning[];
}
