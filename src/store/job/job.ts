import type { Cause } from '../../shared/caller.js';
import { maySupervise } from '../../shared/rights/roles.js';
import type { Attributes } from '../../shared/trace.js';
import type { ActorOf } from '../actor.js';
import { type Collection, collection } from '../collection.js';
import type { IncidentSubject } from '../incident/incident.js';
import type { jobMachine } from './machine.js';

/** A new job of a decision; its subject is said by fields of its domain beside these ({@link JobSubject}). */
export interface NewJob {
  readonly id: string;
  /** Kind of work, as the API shows it and the runner finds it: `timer`, `continuation`, `call`. */
  readonly type: string;
  /** When it may run, ms of the domain clock. */
  readonly dueAt: number;
  /** Whether it goes on by itself, also while a virtual clock stands: calls and continuations of a run. */
  readonly immediate?: boolean;
  /** Whether whoever set it off is answered before it is done: what it writes counts already. Default false. */
  readonly isBehind?: boolean | undefined;
  /** Jobs with the same name run one after the other. */
  readonly exclusive?: string | null;
  /** How often it may fail before it is dead. Default 3, or what `retryCycle` says. */
  readonly retries?: number;
  /** ISO 8601 `R3/PT5M`, or a comma list of durations: how often, and how long after each failure. */
  readonly retryCycle?: string | null;
  /** Of jobs that are due, those of higher priority begin first. Default 0. */
  readonly priority?: number | undefined;
  /** Waits until its domain wakes it, whatever its time. Default false. */
  readonly suspended?: boolean;
  /** Input of its type's work. Plain JSON. */
  readonly input: unknown;
  /** Why it must not run: it is born dead. Whoever makes it opens its incident, too. */
  readonly failure?: Pick<JobFailure, 'message' | 'code'> | null;
  /** Its maker, where that is something else than its subject: kept as the job's cause. */
  readonly cause?: Omit<Cause, 'commandId'>;
}

/** A job as it is stored. Done and cancelled jobs are removed. */
export interface Job
  extends Required<Omit<NewJob, 'cause' | 'failure' | 'priority' | 'isBehind'>>,
    Pick<NewJob, 'priority' | 'isBehind'> {
  readonly created: number;
  /** Whoever started the chain; the job acts on that user's behalf. */
  readonly userId: string;
  readonly cause: Cause;
  /** Why the last attempt failed. */
  readonly failure: JobFailure | null;
  /** How many attempts in a row ended with the death of the server. */
  readonly deaths: number;
  readonly actor: ActorOf<typeof jobMachine>;
}

export interface JobFailure {
  readonly message: string;
  readonly code: string | null;
  readonly stack: string | null;
  /** ms */
  readonly at: number;
}

/** By what a domain finds its jobs, beside what all jobs are found by. */
type Found<T extends Job> = Partial<Pick<Collection<T>, 'columns' | 'indexes' | 'leftBehind'>>;

/** The jobs of a partition, with fields that say what they are about. */
export const jobsAbout = <A extends object>({ columns, indexes, ...more }: Found<Job & A>): Collection<Job & A> =>
  collection<Job & A>({
    name: 'job',
    columns: {
      type: (job) => job.type,
      state: (job) => job.actor.value,
      dueAt: (job) => job.dueAt,
      created: (job) => job.created,
      /** Only what may be taken: the runner's queue. */
      queue: (job) =>
        job.actor.value === 'waiting' && !job.suspended ? (job.immediate ? 'immediate' : 'timed') : null,
      running: (job) => (job.actor.value === 'running' ? 1 : null),
      userId: (job) => job.userId,
      // Behind those of all jobs: who reads without knowing what they are about finds the others where they are.
      ...columns,
    },
    indexes: {
      queue: { columns: ['queue', 'dueAt'] },
      running: { columns: ['running'] },
      due: { columns: ['dueAt'] },
      user: { columns: ['userId'] },
      ...indexes,
    },
    steady: ['userId'],
    principals: { userId: 'user' },
    visible: maySupervise,
    seesAll: maySupervise,
    ...more,
  });

/** Every job of a partition, to be read whatever it is about. They are written by {@link JobSubject.jobs}. */
export const jobs = jobsAbout({});

/** Subject of the jobs of a store, as a domain says it. */
export interface JobSubject<A extends object = object> {
  /** The jobs with the fields that say so, by which the domain finds its own. */
  readonly jobs: Collection<Job & A>;
  /** Those fields of a new job, whichever domain has made it. */
  of(job: NewJob & Partial<A>): A;
  /** Cause of the job, unless it names one. */
  cause(about: A): Cause;
  /** Subject of its incident. */
  incident(about: A): IncidentSubject;
  /** Its attempts as telemetry names them, behind the type, and what it tells of them. */
  spanName(job: Job & A): string;
  spanAttributes(job: Job & A): Attributes;
}

// biome-ignore lint/suspicious/noExplicitAny: what jobs are about is their domain's
export type AnyJobSubject = JobSubject<any>;

/** The subject of jobs that are about nothing, where no domain says another. */
export const noSubject: JobSubject = {
  jobs,
  of: () => ({}),
  cause: () => ({}),
  incident: () => ({}),
  spanName: () => '',
  spanAttributes: () => ({}),
};
