import type { Caller, Cause } from '../shared/caller.js';
import type { Collection, Document } from './collection.js';
import type { Indexed } from './entries.js';
import type { Job, NewJob } from './job/job.js';
import type { State } from './state.js';

/** One document to write, or (`document` null) to remove. */
export interface Write<T extends Document = Document> {
  readonly collection: Collection<T>;
  readonly id: string;
  readonly document: T | null;
  /** Values for the columns of the collection, where they are known already, and of which document they are: they count for that one alone. */
  readonly indexed?: Indexed & { readonly document: object | null };
}

/** Something that happened, as subscribers and reactions see it: `task.assigned`. */
export interface FeedEvent {
  /** `<noun>.<past participle>` */
  readonly type: string;
  /** The ids a subscription filters by: `{ taskId, processInstanceId, definitionKey }`. */
  readonly ids: Readonly<Record<string, string | null>>;
  /** What subscribers may select, so that it can be delivered when the thing itself is gone. */
  readonly data: unknown;
}

/** What an operation decided: all of it happens, or nothing. */
export interface Decision<A> {
  readonly write?: readonly Write[];
  readonly events?: readonly FeedEvent[];
  readonly jobs?: readonly NewJob[];
  readonly answer: A;
}

/** What an operation cannot know by itself: a script's result, an inline handler's outcome, a program that must be loaded. */
export interface Ask {
  /** Names the evaluator. */
  readonly kind: string;
  /** Plain JSON; the same question gives the same text. */
  readonly question: unknown;
}

/** The outcome of an ask: a value, or the message of its failure. Plain JSON: it is kept with the command. */
export type Answer =
  | { readonly value: unknown }
  | { readonly error: { readonly message: string; readonly code?: string; readonly stack?: string } };

/** An answer with the ask that it belongs to. */
export interface Answered {
  readonly ask: Ask;
  readonly answer: Answer;
}

/** The operation stops here until the ask is answered; it is then decided anew from its start, with all answers so far. */
export interface Asking {
  readonly ask: Ask;
}

/** What the decider knows of the command beside its input. */
export interface CommandContext {
  readonly caller: Caller;
  readonly commandId: string;
  /** The seed of this decision's ids. */
  readonly seed: string;
  /** The answers of earlier rounds, in the order in which they were asked. */
  readonly answers: readonly Answered[];
}

/** One operation of the API, or of a job: a pure function of state and input. Refuses by throwing a ServiceError. */
export interface Operation<I, A> {
  /** The GraphQL field's name where there is one: `claimTask`. */
  readonly name: string;
  /** The mailbox it goes through: commands with the same name run one after the other, also across asks. */
  readonly mailbox?: (state: State, input: I) => string | undefined;
  /** How many documents its decision may read and write. Default 1,000 and 500; more is for publishing what was staged. */
  readonly limits?: { readonly reads: number; readonly writes: number };
  decide(state: State, input: I, context: CommandContext): Decision<A> | Asking;
  /** As `decide`, for what would hold the main thread for long. Not given: it is decided at once. */
  steps?(state: State, input: I, context: CommandContext): DecisionSteps<A>;
}

/**
 * The steps of one decision. At each `yield` others may have the main thread; nothing else is decided meanwhile, so that all steps see the same
 * state. Each step is short: some milliseconds at most.
 */
export type DecisionSteps<A> = Generator<void, Decision<A> | Asking, void>;

/** Declares an operation that is decided step by step. */
export const steppedOperation = <I, A>(
  name: string,
  steps: (state: State, input: I, context: CommandContext) => DecisionSteps<A>,
): Operation<I, A> => ({
  name,
  steps,
  decide: (state, input, context) => allSteps(steps(state, input, context)),
});

/** Takes all steps at once; gives what they come to. */
export function allSteps<T>(steps: Generator<void, T, void>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Declares an operation. */
export const operation = <I, A>(
  name: string,
  decide: Operation<I, A>['decide'],
  mailbox?: Operation<I, A>['mailbox'],
): Operation<I, A> => ({ name, decide, ...(mailbox && { mailbox }) });

/** What is sent to a partition. */
export interface Command<I = unknown> {
  /** A client's key gives SHA-256(workspace, user, key, path); everything else a UUIDv7. */
  readonly id: string;
  /** The operation's name. */
  readonly type: string;
  readonly input: I;
  readonly caller: Caller;
  readonly cause: Cause;
  /** Whether the id comes from a client's idempotency key: then its outcome is kept for 24 h. */
  readonly keyed: boolean;
  /** Of a keyed command: the hash that its kept outcome is compared by. */
  readonly inputHash?: string;
}

/** Turns what a decision says of jobs into documents, and knows which of them may begin at once. */
export interface NewJobHost {
  /** Where they are stored. */
  readonly jobs: Collection<Job>;
  /** The job as it is stored: born running where a slot is free, else waiting. */
  make(job: NewJob, command: Command, now: number): Job;
  /** The decision that made it came to nothing: a slot it holds is free again. */
  lost(job: Job): void;
}

/** A document to write. */
export const put = <T extends Document>(collection: Collection<T>, document: T): Write => ({
  collection: collection as unknown as Collection<Document>,
  id: document.id,
  document,
});

/** A document to remove. */
export const remove = <T extends Document>(collection: Collection<T>, id: string): Write => ({
  collection: collection as unknown as Collection<Document>,
  id,
  document: null,
});
