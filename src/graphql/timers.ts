import { type Clock, monotonicClock } from '../shared/clock.js';
import { systemTime } from '../shared/time.js';

/** A clock that nobody sets, with an alarm: deadlines, heartbeats, reservations. `now` is no date. Tests hand in one that they set. */
export interface Timers extends Clock {
  /** Runs `ring` once after `ms`; the returned function calls it off. Does not keep the process alive. */
  after(ms: number, ring: () => void): () => void;
  /** Runs `next` in the next turn of the event loop: what has arrived meanwhile goes first. */
  soon(next: () => void): void;
}

/** The machine's timers. */
export const systemTimers: Timers = {
  now: () => monotonicClock.now(),
  after(ms, ring) {
    const timer = setTimeout(ring, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
  soon: systemTime.soon,
};
