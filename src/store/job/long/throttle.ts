import { systemTime, type Time, type Timer } from '../../../shared/time.js';
import { COUNTERS, type LongJobChanges } from './figures.js';

/** What could not be stored goes again so long after that, ms: at once, it would go again and again, and nothing else would. */
const RETRY_MS = 200;

interface ThrottleOptions {
  /** When a counter has grown by so many since the last time, it goes at once. */
  readonly items: number;
  /** So long after the last time it goes at the latest, in ms. */
  readonly ms: number;
  /** Stores what has changed; the next goes when it is through. False: it could not be stored now. Never rejects. */
  readonly store: (changes: LongJobChanges) => Promise<boolean>;
  /** Default: the machine's. */
  readonly time?: Time;
}

/** Stores a run's progress now and then instead of always. */
export class ProgressThrottle {
  readonly #options: ThrottleOptions;
  readonly #time: Time;
  #pending: LongJobChanges | undefined;
  /** The counters as they were when they went. */
  #gone: LongJobChanges = {};
  #goneAt = Number.NEGATIVE_INFINITY;
  /** Nothing goes before then: it could not be stored just now. */
  #notBefore = Number.NEGATIVE_INFINITY;
  #storing: Promise<void> | undefined;
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(options: ThrottleOptions) {
    this.#options = options;
    this.#time = options.time ?? systemTime;
  }

  tell(changes: LongJobChanges): void {
    if (this.#isClosed) return;
    this.#pending = { ...this.#pending, ...changes };
    this.#look();
  }

  /** Stores nothing more by itself; gives what was told but is not stored, once what is under way is through. */
  async close(): Promise<LongJobChanges> {
    this.#isClosed = true;
    this.#timer?.cancel();
    await this.#storing;
    return this.#pending ?? {};
  }

  #look(): void {
    if (this.#isClosed || this.#pending === undefined || this.#storing !== undefined) return;
    const now = this.#time.monotonic();
    const isDue = this.#goneAt + this.#options.ms <= now || this.#hasGrown(this.#pending);
    const left = Math.max(this.#notBefore, isDue ? now : this.#goneAt + this.#options.ms) - now;
    if (left <= 0) this.#go(this.#pending);
    else this.#timer ??= this.#time.after(left, () => this.#ring());
  }

  #ring(): void {
    this.#timer = undefined;
    this.#look();
  }

  #hasGrown(changes: LongJobChanges): boolean {
    const { items } = this.#options;
    return COUNTERS.some((name) => (changes[name] ?? 0) - (this.#gone[name] ?? 0) >= items);
  }

  #go(changes: LongJobChanges): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#pending = undefined;
    this.#gone = { ...this.#gone, ...changes };
    this.#goneAt = this.#time.monotonic();
    this.#storing = this.#options.store(changes).then((isStored) => {
      this.#storing = undefined;
      if (!isStored) {
        this.#pending = { ...changes, ...this.#pending };
        this.#notBefore = this.#time.monotonic() + RETRY_MS;
      }
      this.#look();
    });
  }
}
