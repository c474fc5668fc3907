import type { Caller } from '../../../shared/caller.js';
import type { FeedEvent, Write } from '../../decision.js';
import type { PartitionPort } from '../../partition/partition.js';
import type { State } from '../../state.js';
import type { LongJobChanges, LongJobFile } from './figures.js';
import type { LongJob } from './long-job.js';

/** A kind of long job, as a domain registers it. */
export interface LongJobType {
  /** Its name: `delete`, `archive`, `import-archive`. */
  readonly type: string;
  /** Whether it works on items that are appended before it starts; starting it without any is refused then. */
  readonly needsItems: boolean;
  /**
   * What becomes of a run that the server's end cut off. `restart`: the job waits again, and is run from its beginning or its checkpoint, so a run
   * must bear that some of it was done before. `fail`: the job has failed.
   */
  readonly resume: 'restart' | 'fail';
  /** How often progress is stored: when a counter has grown by so many, and at the latest after so many ms. */
  readonly throttle: { readonly items: number; readonly ms: number };
  /** Whether a run can be aborted. Default true; with false an abort is heeded only as long as the job has not begun to run. */
  readonly abortable?: boolean;
  /**
   * Decides on the start: checks the parameters, and says what else is written with it. Pure. Default: the parameters as they are given.
   * @throws ServiceError: the job is not started
   */
  prepare?(state: State, request: LongJobStart): LongJobPrepared;
  /**
   * Does the work. What is thrown fails the job, with its message if it is a ServiceError. A run that stops because of its signal must throw
   * (`signal.throwIfAborted()`): what returns is taken as done.
   */
  run(context: LongJobContext): Promise<LongJobOutcome | undefined>;
}

/** A long job that is about to be started. */
export interface LongJobStart {
  readonly job: LongJob;
  readonly parameters: unknown;
  readonly caller: Caller;
}

/** A start as its type prepares it. */
export interface LongJobPrepared {
  /** The job's parameters. Plain JSON, at most 64 kB as text. */
  readonly parameters: unknown;
  /** Figures to begin with: `targetWorkspace`, `phase`, another `itemsTotal`. */
  readonly figures?: LongJobChanges;
  /** Files that the job works on. */
  readonly files?: readonly LongJobFile[];
  /** The id of what it is about, by which it is found. Default: nothing. */
  readonly about?: string;
  readonly write?: readonly Write[];
  readonly events?: readonly FeedEvent[];
}

/** Outcome of a completed run. */
export interface LongJobOutcome {
  /** The last figures, `downloadUrl` among them. */
  readonly changes?: LongJobChanges;
  /** Kept with the job. Plain JSON, at most 64 kB as text. */
  readonly result?: unknown;
}

/** The job that a run works on, and the services it has. */
export interface LongJobContext {
  /** As it was when this run began: with figures and checkpoint of an earlier one. */
  readonly job: LongJob;
  readonly parameters: unknown;
  /** Items in the order in which they were appended; read piece by piece, others having their turn in between, and again by each iteration. */
  readonly items: AsyncIterable<string>;
  /**
   * Adds items behind those that there are; resolves when they are stored, with what else is told of the run (its checkpoint). What is iterated by then does not have them.
   * @throws LIMIT_EXCEEDED more than a job may have; CONFLICT the run is not the job's any more
   */
  add(items: readonly string[], changes: LongJobChanges): Promise<void>;
  /** The owner, with the groups and roles that it has now: ask again after a while. */
  readonly caller: Caller;
  /** The job's partition: its commands go here. */
  readonly partition: PartitionPort;
  /** Aborted when the job's abort was asked, or the server drains. */
  readonly signal: AbortSignal;
  /** Tells of progress; it is stored as often as the type's throttle says, and always before the end. Never throws. */
  progress(changes: LongJobChanges): void;
}
