import type { Cause } from '../../shared/caller.js';

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
  /** How often it may fail before it is dead. Default 3. */
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
  readonly cause?: Cause;
}
