import { type ErrorCode, type ErrorInfo, messageOf, ServiceError } from './errors.js';

/** Service of a thread: it does one thing after the other, as far as it does not wait. */
export interface ThreadService<Q, A = void, M = never> {
  answer?(question: Q): A | Promise<A>;
  hear?(message: M): void;
  /** It is to end: closes all that is open. */
  end?(): void;
}

/** A module that runs in a thread. */
export interface ThreadModule {
  /** Begins. `say`: tells whoever started it something unasked. */
  readonly inThread: InThread;
}

type InThread = (
  data: never,
  say: (news: never) => void,
) => ThreadService<never, unknown, never> | Promise<ThreadService<never, unknown, never>>;

/** The beginning of a thread. */
export interface ThreadData {
  /** URL of its module. */
  readonly module: string;
  readonly data: unknown;
}

/** A message to a thread. */
export type ToThread =
  | { readonly id: number; readonly ask: unknown }
  | { readonly tell: unknown }
  | { readonly end: true };

/** A message of a thread. */
export type Said =
  | { readonly started: true }
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: ThreadError }
  | { readonly news: unknown };

/** Hands what comes to the service, and what it answers to `post`. Gives whether it was told to end. */
export function served(
  service: ThreadService<never, unknown, never>,
  post: (said: Said) => void,
): (message: ToThread) => boolean {
  const { answer, hear, end } = service as ThreadService<unknown, unknown, unknown>;
  const failed = (id: number, thrown: unknown) => post({ id, error: toThreadError(thrown) });
  return (message) => {
    if ('end' in message) end?.call(service);
    else if ('tell' in message) hear?.call(service, message.tell);
    else {
      const { id, ask } = message;
      try {
        const found = answer?.call(service, ask);
        if (!(found instanceof Promise)) post({ id, answer: found });
        else void found.then((answered) => post({ id, answer: answered })).catch((thrown) => failed(id, thrown));
      } catch (thrown) {
        failed(id, thrown);
      }
    }
    return 'end' in message;
  };
}

/** Something that was thrown, as it crosses from one thread to another: classes do not. */
export type ThreadError =
  | { readonly code: ErrorCode; readonly message: string; readonly info: ErrorInfo }
  | { readonly code: null; readonly name: string; readonly message: string; readonly stack: string | undefined };

export function toThreadError(thrown: unknown): ThreadError {
  const message = messageOf(thrown);
  if (thrown instanceof ServiceError) return { code: thrown.code, message, info: thrown.info };
  if (!(thrown instanceof Error)) return { code: null, name: 'Error', message, stack: undefined };
  return { code: null, name: thrown.name, message, stack: thrown.stack };
}

/** The error of the other thread: a refusal stays one, anything else is a bug with the name and stack that it had there. */
export function fromThreadError(error: ThreadError): Error {
  if (error.code !== null) return new ServiceError(error.code, error.message, error.info);
  const bug = new Error(error.message);
  if (bug.name !== error.name) bug.name = error.name;
  if (error.stack !== undefined) bug.stack = error.stack;
  return bug;
}
