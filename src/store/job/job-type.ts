import type { FeedEvent, Operation, Write } from '../decision.js';
import type { Incident } from '../incident/incident.js';
import type { State } from '../state.js';
import type { Job, NewJob } from './job.js';

/** The command that commits a job's outcome. It names job and attempt in its input. */
export interface JobOutcome<I> {
  readonly operation: Operation<I, unknown>;
  readonly input: I;
}

/** A kind of job. */
export interface JobType<I = unknown> {
  readonly type: string;
  /**
   * Does the work, or only names the command that does. May be run more than once for one job; a throw is a failed attempt. `state`: as it is
   * when the attempt begins, for what is too large to be kept with the job; not to be used after an await.
   */
  run(job: Job, state: State): JobOutcome<I> | Promise<JobOutcome<I>>;
  /**
   * Whether its command does all the work, and nothing happens outside of the decision: then it is run without being taken first, which costs
   * a commit. It is `waiting` until its outcome is decided.
   */
  readonly untaken?: boolean;
  /** Whether it only waits for others while it runs, and so keeps no other job from running: what it waits for may need jobs, too. Default: it works. */
  waits?(job: Job): boolean;
  /** Receiver of the work, as telemetry names it: the handler of a call. Few different ones. Default: the type. */
  destination?(job: Job): string;
  /** When a failed attempt is followed by the next, ms. Default: at once. */
  retryAt?(job: Job, now: number): number;
  /** Further jobs when an attempt has failed. `job`: with that attempt running. */
  failed?(state: State, job: Job): readonly NewJob[];
  /** Further changes when the job is dead and its incident opens. */
  dead?(state: State, job: Job, incident: Incident): JobChanges;
}

export interface JobChanges {
  readonly write?: readonly Write[];
  readonly events?: readonly FeedEvent[];
}

// biome-ignore lint/suspicious/noExplicitAny: a registry of job types with any outcome
export type AnyJobType = JobType<any>;
