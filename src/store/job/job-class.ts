import type { Collection, Document } from '../collection.js';
import type { FeedEvent, Write } from '../decision.js';
import type { State } from '../state.js';

/** A job of any class, as far as its attempts are concerned. */
export interface AnyJob extends Document {
  readonly type: string;
  /** How many attempts ended with the death of the server. */
  readonly deaths: number;
  readonly actor: { readonly value: string; readonly context: { readonly attempt: number } };
  /** Jobs with the same name run one after the other. Default null: with any. */
  readonly exclusive?: string | null;
}

/** Attempts that ended with the death of the server, after which a job is given up. */
export const JOB_DEATHS_MAX = 3;

/** Writes and events of a job's move. */
export interface JobMove {
  readonly write: readonly Write[];
  readonly events: readonly FeedEvent[];
}

/**
 * A class of jobs: those that decisions make and that go on by themselves, or long jobs. Jobs of every class are taken, run, recovered and given back in
 * one way ({@link Attempts}); a class says how its jobs are stored and how they move, and has slots of its own. A job that runs is `running`.
 */
export interface JobClass<J extends AnyJob> {
  readonly jobs: Collection<J>;
  /** The index of those that an attempt has begun and not ended: its first column is 1 for them. */
  readonly attempted: string;
  /** The names of its operations. */
  readonly names: { readonly take: string; readonly release: string; readonly recover: string };
  /** How many are recovered in one decision. */
  readonly recoverMax: number;
  mayBegin(job: J, now: number): boolean;
  /** An attempt has begun and not ended: the job runs, or is to stop. */
  isAttempted(job: J): boolean;
  take(state: State, job: J): JobMove;
  /** Its attempt did not end: the server drains. `told`: what was still to tell of it. */
  release(state: State, job: J, told: unknown): JobMove;
  /** Its attempt ended with the death of the server, which counts already. */
  afterDeath(state: State, job: J): JobMove;
}
