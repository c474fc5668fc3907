import { badRequest } from '../../shared/errors.js';
import type { Lock } from '../tree/node.js';

/** How long a lock is to last. */
export interface LockTimeout {
  /** Seconds; null: until it is taken away. */
  readonly timeout?: number | null;
}

/** The timeout as a lock keeps it, beginning now. @throws BAD_REQUEST */
export function timeoutOf(
  { now }: { readonly now: number },
  { timeout }: LockTimeout,
): Pick<Lock, 'expires' | 'timeoutMs'> {
  if (timeout == null) return { expires: null, timeoutMs: null };
  if (!Number.isInteger(timeout) || timeout < 1)
    throw badRequest(`expected 'timeout' to be a whole number of seconds from 1 on, but it is ${timeout}`);
  const timeoutMs = timeout * 1_000;
  return { expires: now + timeoutMs, timeoutMs };
}
