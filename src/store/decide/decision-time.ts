import { log as serverLog } from '../../shared/log.js';
import type { Time } from '../../shared/time.js';
import type { DeciderOptions, DecisionObserver } from './decider-options.js';

/** A decision that takes longer holds up everything else on the main thread: it is logged, in ms, as soon as anybody is served. */
const DECISION_MS_MAX = 10;
/** Between two lines of the log: on a machine that is too busy every decision takes long. */
const BETWEEN_MS = 1_000;

/** Times decisions; the longest of each second is logged with its command's type when it took too long. */
export class DecisionTime {
  readonly #observer: DecisionObserver | undefined;
  readonly #time: Time;
  readonly #isServing: () => boolean;
  #loggedAt = Number.NEGATIVE_INFINITY;
  #slow = 0;
  #longest = { command: '', ms: 0 };

  constructor({ decided, time, isServing = () => true }: Pick<DeciderOptions, 'decided' | 'time' | 'isServing'>) {
    this.#observer = decided;
    this.#time = time;
    this.#isServing = isServing;
  }

  /** A decision for a command of this type began at `begun`, monotonic ms, and is through. */
  took(type: string, begun: number): void {
    const now = this.#time.monotonic();
    const ms = now - begun;
    if (ms > DECISION_MS_MAX && this.#isServing()) this.#note(type, ms, now);
    this.#observer?.(type, ms);
  }

  #note(command: string, ms: number, now: number): void {
    this.#slow++;
    if (ms > this.#longest.ms) this.#longest = { command, ms };
    if (now - this.#loggedAt < BETWEEN_MS) return;
    const slowest = { command: this.#longest.command, ms: Math.round(this.#longest.ms), slow: this.#slow };
    serverLog.warn(slowest, 'a decision held up the main thread');
    this.#loggedAt = now;
    this.#slow = 0;
    this.#longest = { command: '', ms: 0 };
  }
}

/** For how long something that goes in steps has the main thread before others have their turn, in ms. */
export const SLICE_MS = 5;

/** Events of work that goes on in slices of {@link SLICE_MS}. */
export interface SliceEvents<T> {
  /** A slice, other than the first one, began at `begun`, monotonic ms, and is through. */
  took(of: T, begun: number): void;
  /** All steps were taken, in more than one slice. */
  ended(): void;
}

interface Running<T> {
  readonly of: T;
  readonly steps: Generator<void, void, void>;
}

/** Takes the steps of one thing at a time, over as many turns of the event loop as they need. */
export class Slices<T> {
  readonly #events: SliceEvents<T>;
  readonly #time: Pick<Time, 'monotonic' | 'soon'>;
  #running: Running<T> | null = null;

  constructor(events: SliceEvents<T>, time: Pick<Time, 'monotonic' | 'soon'>) {
    this.#events = events;
    this.#time = time;
  }

  get isBusy(): boolean {
    return this.#running !== null;
  }

  /** Takes the first slice at once. Nothing else may be running. */
  begin(of: T, steps: Generator<void, void, void>): void {
    this.#running = { of, steps };
    if (this.#isThrough(steps)) this.#running = null;
    else this.#later(this.#running);
  }

  /** Takes no more steps; gives what they were of. */
  cancel(): T | undefined {
    const of = this.#running?.of;
    this.#running = null;
    return of;
  }

  #later(running: Running<T>): void {
    this.#time.soon(() => {
      if (running !== this.#running) return;
      const begun = this.#time.monotonic();
      const isOver = this.#isThrough(running.steps);
      this.#events.took(running.of, begun);
      if (!isOver) return this.#later(running);
      this.#running = null;
      this.#events.ended();
    });
  }

  /** Takes steps for a while; whether these were the last ones. */
  #isThrough(steps: Generator<void, void, void>): boolean {
    const until = this.#time.monotonic() + SLICE_MS;
    do {
      if (steps.next().done === true) return true;
    } while (this.#time.monotonic() < until);
    return false;
  }
}
