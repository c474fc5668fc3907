/** A source of the present time, in ms since 1970, UTC. */
export interface Clock {
  now(): number;
}

/** A clock that never goes back. */
export interface DomainClock extends Clock {
  /** Goes on from that instant, if it is later than now. */
  set(instant: number): void;
}

/** The machine's clock, which somebody may set: for what is compared with nothing, and for what other programs say of it. */
export const systemClock: Clock = { now: () => Date.now() };

/**
 * How long the process has lived, ms: for deadlines and limits. Nobody can set it; it stands still while the machine sleeps. `now` is no date.
 */
export const monotonicClock: Clock = { now: () => performance.now() };

/** Sources of a {@link SteadyClock}. */
interface ClockSources {
  /** ms since 1970; may jump. */
  readonly wall: () => number;
  /** ms since whenever; never jumps. */
  readonly monotonic: () => number;
}

/**
 * The machine's clock without its jumps back. Forward it follows at once, also after the machine has slept. When the machine's clock is set
 * back, this one goes on from where it is at half speed, until the machine's has caught up: an hour is made good in two.
 */
export class SteadyClock implements DomainClock {
  readonly #sources: ClockSources;
  #now: number;
  #readAt: number;

  constructor(sources: ClockSources = { wall: systemClock.now, monotonic: monotonicClock.now }) {
    this.#sources = sources;
    this.#now = sources.wall();
    this.#readAt = sources.monotonic();
  }

  now(): number {
    const { wall, monotonic } = this.#sources;
    const at = monotonic();
    this.#now = Math.max(wall(), this.#now + (at - this.#readAt) / 2);
    this.#readAt = at;
    return Math.floor(this.#now);
  }

  set(instant: number): void {
    this.#now = Math.max(this.now(), instant);
  }

  /** How far it is ahead of the machine's clock, ms; 0 when it is not. */
  aheadMs(): number {
    return Math.max(0, this.now() - this.#sources.wall());
  }
}

/** A clock that stands still until it is set: virtual time for tests of processes. */
export class VirtualClock implements DomainClock {
  #now: number;

  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  set(instant: number): void {
    this.#now = Math.max(this.#now, instant);
  }
}
