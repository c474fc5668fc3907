import { type Operation, operation } from '../../store/index.js';

/**
 * How many documents one decision on an instance may read and write: all that hangs on its tokens, at once, so that nobody sees half of it.
 * The instance's own document, which names each of them, has room for some 5,000.
 */
export const INSTANCE_LIMITS = { reads: 10_000, writes: 10_000 } as const;

/** An operation on one instance, and on whatever hangs on it. */
export const instanceOperation = <I, A>(
  name: string,
  decide: Operation<I, A>['decide'],
  mailbox: NonNullable<Operation<I, A>['mailbox']>,
): Operation<I, A> => ({ ...operation(name, decide, mailbox), limits: INSTANCE_LIMITS });

/** An operation that may start an instance; it goes through no mailbox, for nobody knows the instance yet. */
export const startOperation = <I, A>(name: string, decide: Operation<I, A>['decide']): Operation<I, A> => ({
  ...operation(name, decide),
  limits: INSTANCE_LIMITS,
});
