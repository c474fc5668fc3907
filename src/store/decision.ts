import type { Caller, Cause } from '../shared/caller.js';
import type { Collection, Document } from './collection.js';
import type { Indexed } from './entries.js';
import type { NewJob } from './job/job.js';
import type { State } from './state.js';

/**
 * An operation of the API, or of a job: a named pure function from the state and an input to a {@link Decision}. Nothing else changes what is
 * stored. It neither writes nor waits: what it gives back is made durable by the decider, all of it or nothing.
 *
 *     const rename = operation('rename', (state, { id, name }: { id: string; name: string }) => {
 *       const thing = state.get(things, id);
 *       if (thing === undefined) throw notFound(`there is no thing '${id}'`);
 *       const renamed = { ...thing, name };
 *       return { write: [put(things, renamed)], events: [thingRenamed(renamed)], answer: renamed };
 *     });
 */
export interface Operation<I, A> {
  /** The GraphQL field's name where there is one: `claimTask`. */
  readonly name: string;
  /**
   * The mailbox it goes through: commands with the same name run one after the other, also across asks. Where there is none yet it is asked again with
   * each answer that the command is given.
   */
  readonly mailbox?: (state: State, input: I, answers: readonly Answered[]) => string | undefined;
  /** How many documents its decision may read and write. Default 1,000 and 500; more is for publishing what was staged. */
  readonly limits?: { readonly reads: number; readonly writes: number };
  /** Refuses by throwing a ServiceError. */
  decide(state: State, input: I, context: CommandContext): Decision<A> | Asking;
  /** As `decide`, for what would hold the main thread for long. Not given: it is decided at once. */
  steps?(state: State, input: I, context: CommandContext): DecisionSteps<A>;
}

// biome-ignore lint/suspicious/noExplicitAny: lists of operations hold those of any input and answer
export type AnyOperation = Operation<any, any>;

/** Declares an operation: its name, its decision, and the mailbox whose commands run one after the other. Default: none. */
export const operation = <I, A>(
  name: string,
  decide: Operation<I, A>['decide'],
  mailbox?: Operation<I, A>['mailbox'],
): Operation<I, A> => ({ name, decide, ...(mailbox && { mailbox }) });

/** One call of an operation, as data: it is sent to a partition, which decides it. */
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
  /** Of a keyed command: what is compared, when the key comes again, where the input has another text each time. Default: the input. */
  readonly compared?: unknown;
  /** Of a keyed command: whether a refusal is no outcome, so that it is decided anew when it comes again. Default: it is one. */
  readonly retriesRefused?: boolean;
  /** Of a keyed command: the hash that its kept outcome is compared by. */
  readonly inputHash?: string;
}

/** The command that is decided, beside its input. */
export interface CommandContext {
  readonly caller: Caller;
  readonly commandId: string;
  /** The seed of this decision's ids. */
  readonly seed: string;
  /** The answers of earlier rounds, in the order in which they were asked. The operation may add what it has asked and answered itself: the next rounds get it too. */
  readonly answers: Answered[];
}

/** The outcome of an operation: all of it happens, in one commit, or nothing. */
export interface Decision<A> {
  readonly write?: readonly Write[];
  readonly events?: readonly FeedEvent[];
  readonly jobs?: readonly NewJob[];
  readonly answer: A;
}

/** One document to write, or (`document` null) to remove. */
export interface Write<T extends Document = Document> {
  readonly collection: Collection<T>;
  readonly id: string;
  readonly document: T | null;
  /** Values for the columns of the collection, where they are known already, and of which document they are: they count for that one alone. */
  readonly indexed?: Indexed & { readonly document: object | null };
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

/** Something that happened, as subscribers and reactions see it: `task.assigned`. */
export interface FeedEvent {
  /** `<noun>.<past participle>` */
  readonly type: string;
  /** The ids a subscription filters by: `{ taskId, processInstanceId, definitionKey }`. */
  readonly ids: Readonly<Record<string, string | null>>;
  /** All that subscribers may select, so that it can be delivered when the thing itself is gone. */
  readonly data: unknown;
}

/** A question that an operation cannot answer by itself: a script's result, an inline handler's outcome, a program that must be loaded. */
export interface Ask {
  /** Names the evaluator. */
  readonly kind: string;
  /** Plain JSON; the same question gives the same text. */
  readonly question: unknown;
}

/** The kind of {@link afterOthers}: the decider itself sees to it. */
export const AFTER_OTHERS = 'afterOthers';

/**
 * The ask of a command that others of a mailbox are to go before: it is decided anew, without answers, whenever one of these has been, until it asks this no more.
 * Meanwhile it holds no mailbox, its own neither. What waits so for long is refused: UNAVAILABLE.
 */
export const afterOthers = (mailbox: string): Ask => ({ kind: AFTER_OTHERS, question: mailbox });

/** The operation stops here until the ask is answered; it is then decided anew from its start, with all answers so far. */
export interface Asking {
  readonly ask: Ask;
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
