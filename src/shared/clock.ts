/** A source of the present time, in ms since 1970, UTC. */
export interface Clock {
  now(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** A clock that stands still until it is set: virtual time for tests of processes. It never goes back. */
export class VirtualClock implements Clock {
  #now: number;

  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  set(now: number): void {
    this.#now = Math.max(this.#now, now);
  }
}
