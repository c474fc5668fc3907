import { ServiceError } from '../../shared/errors.js';
import type { Finding } from '../damage.js';
import type { Replica } from '../replica.js';
import type { Log } from './log.js';
import type { LogWarning } from './redis-durability.js';
import type { TableShape } from './schema.js';

/** A partition's log, and the replica that its commits are read from. */
export interface OpenedLog {
  readonly log: Log;
  readonly replica: Replica;
  /** What was durable and is there no more. */
  readonly loss?: Loss;
  /** What was found damaged at its end. */
  readonly findings?: readonly OpenedFinding[];
}

export type OpenedFinding = Omit<Finding, 'file'>;

/** Commits that a log has lost: its history is another one from here on. */
export interface Loss {
  /** The log's file. */
  readonly path: string;
  /** The newest commit's revision as it was known; null: not known. */
  readonly had: number | null;
  readonly has: number;
  /** Whether the operator's setting was needed to go on. Default: it was not. */
  readonly isAccepted?: boolean;
  /** A sentence for the operator. */
  readonly message: string;
}

/** Where one server keeps the logs of its partitions. */
export interface Logs {
  /**
   * Opens the partition's log and replica, making them where they are not there yet. The replica holds all that is durable by then.
   * `isKnown`: the partition was there before, so that nothing is made in silence where it is gone.
   * @throws UNAVAILABLE when the log is away; CONFLICT when another server decides for the partition, the replica is not of this log, or the log
   * is gone
   */
  open(partition: string, shapes: readonly TableShape[], isKnown?: boolean): Promise<OpenedLog>;
  /**
   * Removes all that is kept of a partition that is closed; repeated after a crash it removes what is left.
   * @throws UNAVAILABLE when the log is away, or another server decides for the partition
   */
  remove(partition: string): Promise<void>;
  /** What an operator should change, so that nothing is lost. Default: nothing. */
  readonly warnings?: readonly LogWarning[];
}

/** Another server holds the partition: its lease is not over. */
export class PartitionHeld extends ServiceError {
  readonly holder: string;
  /** ms, the clock of Redis */
  readonly until: number;

  constructor(partition: string, holder: string, until: number) {
    super('UNAVAILABLE', `expected to decide for partition '${partition}', but server ${holder} does`);
    this.holder = holder;
    this.until = until;
  }
}
