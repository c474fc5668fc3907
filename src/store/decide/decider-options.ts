import type { DomainClock } from '../../shared/clock.js';
import type { Time } from '../../shared/time.js';
import type { NewJobHost, Operation } from '../decision.js';
import type { LandedCommits } from '../feed/landed-commits.js';
import type { Log } from '../log/log.js';
import type { LogPatience } from '../log-patience.js';
import type { Replica } from '../replica.js';
import type { Evaluator } from './evaluate.js';

/** Commands that wait for the overlay, a decision in steps or a recovery. */
export const WAITING_COMMANDS_MAX = 10_000;

// biome-ignore lint/suspicious/noExplicitAny: the registry holds operations of any input and answer
export type AnyOperation = Operation<any, any>;

/** Told of every decision: the command's type, and for how long it had the main thread, in ms. */
export type DecisionObserver = (type: string, ms: number) => void;

/** What a decider is made of. */
export interface DeciderOptions {
  readonly partition: string;
  readonly replica: Replica;
  readonly log: Log;
  /** The domain clock. */
  readonly clock: DomainClock;
  readonly operations: ReadonlyMap<string, AnyOperation>;
  readonly evaluators: Readonly<Record<string, Evaluator>>;
  /** Turns what decisions say of jobs into documents. */
  readonly jobs: NewJobHost;
  /** How many commands may wait for one mailbox. Default 100. */
  readonly mailboxMax?: number | undefined;
  readonly time: Time;
  readonly patience: LogPatience;
  /** Told of every commit once it is durable, in order, before its caller is answered. */
  readonly commits: Pick<LandedCommits, 'tell' | 'catchUp'>;
  /** Told that commands are decided again after a recovery: what was decided and did not land may never be. */
  readonly reopened: () => void;
  /** Told how long each decision had the main thread. */
  readonly decided?: DecisionObserver | undefined;
  /** Whether anybody is served yet, whom a slow decision would hold up. Default: yes. */
  readonly isServing?: (() => boolean) | undefined;
}
