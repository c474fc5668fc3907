import type { Cause } from '../../../shared/caller.js';
import type { ActorOf, StateName } from '../../actor.js';
import { collection } from '../../collection.js';
import type { LongJobFigures } from './figures.js';
import { blobsIn, type LongJobFile } from './figures.js';
import type { longJobMachine } from './machine.js';

/** State of a long job, letter by letter as the API shows it. */
export type LongJobStatus = StateName<typeof longJobMachine>;

/** A long job as it is stored: work of seconds to hours with progress, that is started once and run by one worker. */
export interface LongJob {
  /** `<epoch millis>-<4 hex>`; whoever knows it may follow the job. */
  readonly id: string;
  /** Kind of work: the name under which its {@link LongJobType} is registered. */
  readonly type: string;
  /** Higher ones run first. */
  readonly priority: number;
  /** Whoever made it; it runs with that user's rights. */
  readonly userId: string;
  /** The id of what it is about, where its type says so. */
  readonly about?: string;
  /** How many items were appended, and in how many documents of {@link longJobPieces} they are. */
  readonly items: number;
  readonly pieces: number;
  /** Parameters of its start. Plain JSON; null before. */
  readonly parameters: unknown;
  readonly figures: LongJobFigures;
  /** Counts the stored changes: a snapshot with a lower one is older. */
  readonly version: number;
  /** Place at which a run that begins again goes on, in the type's own form. Plain JSON; null: at the beginning. */
  readonly checkpoint: unknown;
  /** Result of its run, names of files for one. Plain JSON; null before it is completed. */
  readonly result: unknown;
  /** Files that it keeps, and holds the bytes of. Default: none. */
  readonly files?: readonly LongJobFile[];
  /** ms, domain clock. */
  readonly created: number;
  readonly updated: number;
  /** When it was started by its owner, first taken by a worker, and over. ms, domain clock; null before. */
  readonly queued: number | null;
  readonly started: number | null;
  readonly ended: number | null;
  /** Its place among jobs of the same priority: sorts by when it was started, also within a millisecond. Null before. */
  readonly ticket: string | null;
  /** Cause of its run. */
  readonly cause: Cause;
  /** How many runs ended with the death of the server. */
  readonly deaths: number;
  readonly actor: ActorOf<typeof longJobMachine>;
}

/** The long jobs of a partition. */
export const longJobs = collection<LongJob>({
  name: 'longJob',
  columns: {
    type: (job) => job.type,
    state: (job) => job.actor.value,
    userId: (job) => job.userId,
    about: (job) => job.about ?? null,
    created: (job) => job.created,
    ended: (job) => job.ended,
    ticket: (job) => job.ticket,
    /** Of those that wait for a worker, in the order in which they are taken. */
    rank: (job) => (job.actor.value === 'queued' ? 0 - job.priority : null),
    /** Of those that a worker has to do with. */
    held: (job) => (job.actor.value === 'running' || job.actor.value === 'aborting' ? 1 : null),
    /** Of those that were made but never started. */
    unstarted: (job) => (job.actor.value === 'init' ? job.created : null),
  },
  multi: { blob: (job) => blobsIn(job.files) },
  indexes: {
    queue: { columns: ['rank', 'ticket'] },
    held: { columns: ['held'] },
    unstarted: { columns: ['unstarted'] },
    ended: { columns: ['ended'] },
    created: { columns: ['created'] },
    about: { columns: ['about', 'created'], few: true },
    user: { columns: ['userId'] },
  },
  principals: { userId: 'user' },
});

/** Some of the items of a long job, in the order in which they were appended. */
export interface LongJobPiece {
  /** See {@link pieceId}. */
  readonly id: string;
  readonly items: readonly string[];
}

/** The items of long jobs, in documents of their own. */
export const longJobPieces = collection<LongJobPiece>({ name: 'longJobPiece' });

/** The id of the n-th piece of a job, counted from 0. */
export const pieceId = (jobId: string, n: number): string => `${jobId}/${n}`;

/** Whether nothing will happen to the job any more. */
export const hasEnded = (status: LongJobStatus): boolean =>
  status === 'completed' || status === 'failed' || status === 'aborted';
