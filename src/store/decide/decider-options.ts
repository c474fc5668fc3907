import type { Caller } from '../../shared/caller.js';
import type { DomainClock } from '../../shared/clock.js';
import type { Time } from '../../shared/time.js';
import type { Collection } from '../collection.js';
import type { AnyOperation, Command } from '../decision.js';
import type { LandedCommits } from '../feed/landed-commits.js';
import type { Job, NewJob } from '../job/job.js';
import type { Log } from '../log/log.js';
import type { Overlay } from '../overlay.js';
import type { Replica } from '../replica.js';
import type { Evaluator } from './asks.js';
import type { LogPatience } from './outbox.js';

/** Commands that wait for the overlay, a decision in steps or a recovery. */
export const WAITING_COMMANDS_MAX = 10_000;

/** Turns what a decision says of jobs into documents, and knows which of them may begin at once. */
export interface NewJobHost {
  /** Where they are stored. */
  readonly jobs: Collection<Job>;
  /** The job as it is stored: born running where a slot is free, else waiting. */
  make(job: NewJob, command: Command, now: number): Job;
  /** The decision that made it came to nothing: a slot it holds is free again. */
  lost(job: Job): void;
}

/** Told of every decision: the command's type, and for how long it had the main thread, in ms. */
export type DecisionObserver = (type: string, ms: number) => void;

/** Services and limits of the decider of one partition. */
export interface DeciderOptions {
  readonly partition: string;
  readonly replica: Replica;
  readonly log: Log;
  /** Documents that are decided and not durable yet: the decider's to fill. */
  readonly overlay: Overlay;
  /** The domain clock. */
  readonly clock: DomainClock;
  readonly operations: ReadonlyMap<string, AnyOperation>;
  readonly evaluators: Readonly<Record<string, Evaluator>>;
  readonly jobs: NewJobHost;
  /** How many commands may wait for one mailbox. Default 100. */
  readonly mailboxMax?: number | undefined;
  readonly time: Time;
  readonly patience: LogPatience;
  /** Told of every commit once it is durable, in order, before its caller is answered. */
  readonly commits: Pick<LandedCommits, 'tell' | 'catchUp'>;
  /** Told that commands are decided again after a recovery: what was decided and did not land may never be. */
  readonly reopened: () => void;
  /** The caller of a command, with the rights of the moment at which that is decided. Default: as it was sent. @throws UNAUTHORIZED it may act no more */
  readonly callerNow?: ((caller: Caller) => Caller) | undefined;
  /** Told how long each decision had the main thread. */
  readonly decided?: DecisionObserver | undefined;
  /** The key of the hashes of inputs that outcomes are kept with. It stays the same. Default: the empty one, which everybody knows. */
  readonly inputKey?: (() => string) | undefined;
  /** Whether anybody is served yet, whom a slow decision would hold up. Default: yes. */
  readonly isServing?: (() => boolean) | undefined;
}
