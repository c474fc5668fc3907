import { log as serverLog } from '../../shared/log.js';
import type { Time } from '../../shared/time.js';
import type { DeciderOptions, DecisionObserver } from './decider-options.js';

/** A decision that takes longer holds up everything else on the main thread: it is logged, in ms, as soon as anybody is served. */
export const DECISION_MS_MAX = 10;
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
