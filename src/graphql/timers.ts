import { type Clock, systemClock } from '../shared/clock.js';

/** The system clock with an alarm: deadlines, heartbeats, reservations. Tests hand in one that they set. */
export interface Timers extends Clock {
  /** Runs `ring` once after `ms`; the returned function calls it off. Does not keep the process alive. */
  after(ms: number, ring: () => void): () => void;
}

/** The machine's timers. */
export const systemTimers: Timers = {
  now: () => systemClock.now(),
  after(ms, ring) {
    const timer = setTimeout(ring, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
