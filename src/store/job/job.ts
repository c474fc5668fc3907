import type { Cause } from '../../shared/caller.js';
import type { ActorOf } from '../actor.js';
import { collection } from '../collection.js';
import type { jobMachine } from './machine.js';

/** What a decision says of a new job. */
export interface NewJob {
  readonly id: string;
  /** What kind of work, as the API shows it and the runner finds it: `timer`, `continuation`, `call`. */
  readonly type: string;
  /** When it may run, ms of the domain clock. */
  readonly dueAt: number;
  /** Whether it goes on by itself, also while a virtual clock stands: calls and continuations of a run. */
  readonly immediate?: boolean;
  /** Jobs with the same name run one after the other: the instance's id. */
  readonly exclusive?: string | null;
  /** How often it may fail before it is dead. Default 3, or what `retryCycle` says. */
  readonly retries?: number;
  /** ISO 8601 `R3/PT5M`, or a comma list of durations: how often, and how long after each failure. */
  readonly retryCycle?: string | null;
  readonly instanceId?: string | null;
  readonly definitionId?: string | null;
  readonly definitionKey?: string | null;
  readonly activityId?: string | null;
  readonly executionId?: string | null;
  /** What the runner of its type needs. Plain JSON. */
  readonly input: unknown;
  /** Why it must not run: it is born dead. Whoever makes it opens its incident, too. */
  readonly failure?: Pick<JobFailure, 'message' | 'code'> | null;
  /** The instance that made it, where that is another than the one that it is about, and its business key: kept as the job's cause. */
  readonly cause?: Pick<Cause, 'instanceId' | 'businessKey'>;
}

/** A job as it is stored. Done and cancelled jobs are removed. */
export interface Job extends Required<Omit<NewJob, 'cause' | 'failure'>> {
  readonly created: number;
  /** Whoever started the chain; the job acts on that user's behalf. */
  readonly userId: string;
  readonly cause: Cause;
  /** Jobs of a suspended instance or definition wait. */
  readonly suspended: boolean;
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

/** Every job of a partition. */
export const jobs = collection<Job>({
  name: 'job',
  columns: {
    type: (job) => job.type,
    state: (job) => job.actor.value,
    instanceId: (job) => job.instanceId,
    definitionId: (job) => job.definitionId,
    definitionKey: (job) => job.definitionKey,
    activityId: (job) => job.activityId,
    dueAt: (job) => job.dueAt,
    created: (job) => job.created,
    /** Only what may be taken: the runner's queue. */
    queue: (job) => (job.actor.value === 'waiting' && !job.suspended ? (job.immediate ? 'immediate' : 'timed') : null),
    running: (job) => (job.actor.value === 'running' ? 1 : null),
  },
  indexes: {
    queue: { columns: ['queue', 'dueAt'] },
    running: { columns: ['running'] },
    instance: { columns: ['instanceId', 'dueAt'], few: true },
    definition: { columns: ['definitionId', 'dueAt'] },
    due: { columns: ['dueAt'] },
  },
});
