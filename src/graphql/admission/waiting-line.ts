import type { Timer, Timers } from '../../shared/time.js';

/** How long may be waited in a {@link WaitingLine}. */
export interface Patience {
  /** How long a request may wait, in ms: what comes in a burst is worked off. */
  readonly waitMs: number;
  /** How many may wait. */
  readonly waitingMax: number;
}

/** Where requests have had to wait for longer than this part of their patience, for as long as that is, this part is all they may wait. */
const STANDING_PART = 1 / 5;
/** The line stands no more as soon as one had to wait for less than this part of what they may then: the gap keeps it from going to and fro. */
const CALM_PART = 1 / 2;
/** A line is long where the first has waited for this part of what they may then: between the two, so that a line that is kept from growing longer stands on. */
const LONG_PART = 3 / 4;

/** Somebody who waits. */
interface Waiting {
  /** Its turn has come. */
  begin(): void;
  /** It has waited for too long, or too many wait. */
  refuse(): void;
}

/**
 * Requests that wait for their turn, first come, first served. It bears bursts and sheds what lasts (the rule of CoDel, RFC 8289, as RPC servers use it): as
 * long as the line was short lately, one may wait for its whole patience; where it has not been short for that long, more comes than can be
 * done, and whoever has waited for a fifth is refused, so that the others begin soon. Nobody begins late, and whoever is refused has cost nothing yet.
 */
export class WaitingLine {
  readonly #patience: Patience;
  readonly #timers: Timers;
  #waiting: { readonly since: number; readonly who: Waiting }[] = [];
  #first = 0;
  /** When somebody last had to wait for little, or nobody waited. */
  #calmAt: number;
  #alarm: Timer | undefined;

  constructor(patience: Patience, timers: Timers) {
    this.#patience = patience;
    this.#timers = timers;
    this.#calmAt = timers.monotonic();
  }

  get length(): number {
    return this.#waiting.length - this.#first;
  }

  /** Whether more has been coming for a while than can be done. */
  get isStanding(): boolean {
    return this.length > 0 && this.#timers.monotonic() - this.#calmAt > this.#patience.waitMs;
  }

  /** Whether whoever joins now has to wait for almost as long as one may where the line stands. */
  get isLong(): boolean {
    const head = this.#waiting[this.#first];
    return (
      head !== undefined && this.#timers.monotonic() - head.since > this.#patience.waitMs * STANDING_PART * LONG_PART
    );
  }

  join(who: Waiting): void {
    if (this.length >= this.#patience.waitingMax) return who.refuse();
    if (this.length === 0) this.#calmAt = this.#timers.monotonic();
    this.#waiting.push({ since: this.#timers.monotonic(), who });
    if (this.#alarm === undefined) this.#awaitLate();
  }

  /** Takes whoever is next; refuses those before it that have waited for too long. */
  next(): Waiting | undefined {
    this.#refuseLate();
    const taken = this.#shift();
    if (taken === undefined) return undefined;
    const now = this.#timers.monotonic();
    if (now - taken.since < this.#patience.waitMs * STANDING_PART * CALM_PART) this.#calmAt = now;
    return taken.who;
  }

  get #limitMs(): number {
    return this.isStanding ? this.#patience.waitMs * STANDING_PART : this.#patience.waitMs;
  }

  #refuseLate(): void {
    const now = this.#timers.monotonic();
    const limit = this.#limitMs;
    for (let head = this.#waiting[this.#first]; head !== undefined; head = this.#waiting[this.#first]) {
      if (now - head.since <= limit) return;
      this.#shift();
      head.who.refuse();
    }
  }

  /** Also where nobody's turn comes. */
  #awaitLate(): void {
    const head = this.#waiting[this.#first];
    this.#alarm = undefined;
    if (head === undefined) return;
    const left = head.since + this.#patience.waitMs - this.#timers.monotonic();
    this.#alarm = this.#timers.after(Math.max(1, Math.ceil(left)), () => {
      this.#refuseLate();
      this.#awaitLate();
    });
  }

  #shift() {
    const taken = this.#waiting[this.#first];
    if (taken === undefined) return undefined;
    this.#first++;
    // Moving everybody up for each would make a long line slow.
    if (this.#first === this.#waiting.length || this.#first > 1_000) {
      this.#waiting = this.#waiting.slice(this.#first);
      this.#first = 0;
    }
    return taken;
  }
}
