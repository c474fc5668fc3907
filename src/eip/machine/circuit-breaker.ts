import { initialTransition, type SnapshotFrom, setup, transition } from 'xstate';

export type CircuitBreakerEvent =
  /** Too many calls failed, or were slow. */
  | { type: 'exceed' }
  /** It was open for long enough. */
  | { type: 'waited' }
  /** The calls that were let through to try it went well. */
  | { type: 'recover' };

/** Circuit breaker: calls go through (closed), are refused (open), or some are let through to try (halfOpen). */
export const circuitBreaker = setup({ types: { events: {} as CircuitBreakerEvent } }).createMachine({
  id: 'circuitBreaker',
  initial: 'closed',
  states: {
    closed: { on: { exceed: 'open' } },
    open: { on: { waited: 'halfOpen' } },
    halfOpen: { on: { exceed: 'open', recover: 'closed' } },
  },
});

export type CircuitBreakerSnapshot = SnapshotFrom<typeof circuitBreaker>;

export const closedCircuitBreaker = (): CircuitBreakerSnapshot => initialTransition(circuitBreaker)[0];

/** The state behind an event. One that a state does not know changes nothing. */
export const nextCircuitBreaker = (
  snapshot: CircuitBreakerSnapshot,
  event: CircuitBreakerEvent,
): CircuitBreakerSnapshot => transition(circuitBreaker, snapshot, event)[0];
