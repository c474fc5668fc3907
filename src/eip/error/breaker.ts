import {
  type CircuitBreakerEvent,
  type CircuitBreakerSnapshot,
  closedCircuitBreaker,
  nextCircuitBreaker,
} from '../machine/circuit-breaker.js';
import { CallWindow } from './call-window.js';

/** Times in ms, rates in per cent. */
export interface BreakerOptions {
  readonly failureRateThreshold: number;
  readonly slowCallRateThreshold: number;
  readonly slowCallDuration: number;
  /** Calls, or ms where it is a window by time. */
  readonly slidingWindowSize: number;
  readonly isTimeBased: boolean;
  readonly minimumNumberOfCalls: number;
  readonly permittedNumberOfCallsInHalfOpenState: number;
  readonly waitDurationInOpenState: number;
}

/** As shown in `CamelCircuitBreakerState`. */
export type BreakerState = 'CLOSED' | 'OPEN' | 'HALF_OPEN';
const STATES = { closed: 'CLOSED', open: 'OPEN', halfOpen: 'HALF_OPEN' } as const;

/** Lets calls through as long as they go well. Its states are those of its machine; what it counts decides of them. */
export class Breaker {
  readonly #options: BreakerOptions;
  #snapshot: CircuitBreakerSnapshot = closedCircuitBreaker();
  #window: CallWindow;
  /** Since when it is in its state; calls that began before do not count. */
  #since = 0;
  /** Calls that may still be let through while it is tried. */
  #permits = 0;

  constructor(options: BreakerOptions) {
    this.#options = options;
    this.#window = this.#closedWindow();
  }

  get state(): BreakerState {
    return STATES[this.#snapshot.value];
  }

  /** Whether a call may go through. Of one that may, `ended` or `ignored` is called. */
  permits(now: number): boolean {
    if (this.#snapshot.value === 'open' && now >= this.#since + this.#options.waitDurationInOpenState)
      this.#go({ type: 'waited' }, now);
    if (this.#snapshot.value === 'closed') return true;
    if (this.#snapshot.value === 'open' || this.#permits <= 0) return false;
    this.#permits--;
    return true;
  }

  ended(began: number, now: number, isFailed: boolean): void {
    const { value } = this.#snapshot;
    if (value === 'open' || (value === 'halfOpen' && began < this.#since)) return;
    this.#window.add({ at: now, isFailed, isSlow: now - began > this.#options.slowCallDuration });
    if (this.#window.count < this.#enough()) return;
    if (this.#isExceeded()) this.#go({ type: 'exceed' }, now);
    else if (value === 'halfOpen') this.#go({ type: 'recover' }, now);
  }

  /** The call counts as if it had not been. */
  ignored(): void {
    if (this.#snapshot.value === 'halfOpen') this.#permits++;
  }

  #enough(): number {
    const { minimumNumberOfCalls, slidingWindowSize, isTimeBased } = this.#options;
    if (this.#snapshot.value === 'halfOpen') return this.#options.permittedNumberOfCallsInHalfOpenState;
    return isTimeBased ? minimumNumberOfCalls : Math.min(minimumNumberOfCalls, slidingWindowSize);
  }

  #isExceeded(): boolean {
    const { failureRateThreshold, slowCallRateThreshold } = this.#options;
    return this.#window.failureRate >= failureRateThreshold || this.#window.slowRate >= slowCallRateThreshold;
  }

  #go(event: CircuitBreakerEvent, now: number): void {
    this.#snapshot = nextCircuitBreaker(this.#snapshot, event);
    this.#since = now;
    this.#permits = this.#options.permittedNumberOfCallsInHalfOpenState;
    this.#window = this.#snapshot.value === 'halfOpen' ? new CallWindow(this.#permits, false) : this.#closedWindow();
  }

  #closedWindow(): CallWindow {
    return new CallWindow(this.#options.slidingWindowSize, this.#options.isTimeBased);
  }
}
