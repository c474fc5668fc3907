import type { Answered, Command } from '../decision.js';
import type { Committed } from '../feed/landed-commits.js';
import type { Job } from '../job/job.js';
import type { AnyOperation } from './decider-options.js';

/** A released command. */
export interface Done {
  readonly answer: unknown;
  /** The newest revision that was decided before the answer was given. */
  readonly revision: number;
}

/** Told whether a command waits for an answer that it asked for, or for another command that does: nothing of the decider's own is then done for it. */
export type Aside = (isAside: boolean) => void;

/** A command on its way. */
export interface Accepted {
  readonly command: Command;
  readonly operation: AnyOperation;
  readonly seed: string;
  readonly now: number;
  readonly resolve: (done: Done) => void;
  readonly reject: (error: Error) => void;
  answers: Answered[];
  readonly aside?: Aside | undefined;
  mailbox?: string;
  /** Since when it waits to be decided or to be durable, monotonic ms; Infinity: an ask keeps it, its own or that of one before it in its mailbox. */
  since: number;
  /** In how many failures of the log it was under way. */
  failures: number;
}

/** A decided command that was not answered yet: a commit, or a reply alone. */
export interface Unreleased {
  readonly accepted: Accepted;
  readonly revision: number;
  readonly commit: Committed | null;
  /** The jobs that it made; each may hold a slot. */
  readonly made: readonly Job[];
  readonly result: { readonly answer: unknown } | { readonly error: Error };
}
