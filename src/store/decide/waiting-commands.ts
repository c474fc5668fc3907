import type { Time } from '../../shared/time.js';
import type { Accepted } from './accepted.js';
import { SLICE_MS } from './decision-time.js';

interface WaitingOptions {
  readonly time: Pick<Time, 'monotonic' | 'soon'>;
  /** Whether the next one may be decided now. */
  readonly takesNext: () => boolean;
  readonly decide: (accepted: Accepted) => void;
}

/** The commands that are decided next, in order: as many as there is time for in a turn of the event loop ({@link SLICE_MS}), the others in later ones. */
export class WaitingCommands {
  readonly #options: WaitingOptions;
  #all: Accepted[] = [];
  /** Whether they are being decided, or are when others have had the main thread. */
  #isGoingOn = false;

  constructor(options: WaitingOptions) {
    this.#options = options;
  }

  get length(): number {
    return this.#all.length;
  }

  push(...accepted: readonly Accepted[]): void {
    this.#all.push(...accepted);
  }

  /** Before all others. */
  unshift(accepted: Accepted): void {
    this.#all.unshift(accepted);
  }

  /** Gives all of them; none waits any more. */
  take(): Accepted[] {
    return this.#all.splice(0);
  }

  /** Decides what may be decided now; called again where that may have changed. */
  goOn(): void {
    if (this.#isGoingOn) return;
    this.#isGoingOn = true;
    let isLate = false;
    try {
      isLate = this.#decideSome() && this.#all.length > 0;
    } finally {
      this.#isGoingOn = isLate;
    }
    if (!isLate) return;
    this.#options.time.soon(() => {
      this.#isGoingOn = false;
      this.goOn();
    });
  }

  /** Gives whether its time was up. */
  #decideSome(): boolean {
    const { time, takesNext, decide } = this.#options;
    const until = time.monotonic() + SLICE_MS;
    while (this.#all.length > 0 && takesNext()) {
      const next = this.#all.shift();
      if (next !== undefined) decide(next);
      if (time.monotonic() > until) return true;
    }
    return false;
  }
}
