import { type ErrorCode, type ErrorInfo, messageOf, ServiceError } from './errors.js';

/** Something that was thrown, as it crosses from one thread to another: classes do not. */
export type ThreadError =
  | { readonly code: ErrorCode; readonly message: string; readonly info: ErrorInfo }
  | { readonly code: null; readonly message: string; readonly stack: string | undefined };

export function toThreadError(thrown: unknown): ThreadError {
  const message = messageOf(thrown);
  if (thrown instanceof ServiceError) return { code: thrown.code, message, info: thrown.info };
  return { code: null, message, stack: thrown instanceof Error ? thrown.stack : undefined };
}

/** What was thrown in the other thread: a refusal stays one, anything else is a bug with the stack of that thread. */
export function fromThreadError(error: ThreadError): Error {
  if (error.code !== null) return new ServiceError(error.code, error.message, error.info);
  const bug = new Error(error.message);
  if (error.stack !== undefined) bug.stack = error.stack;
  return bug;
}
