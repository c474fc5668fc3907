import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError, unavailable } from '../../shared/errors.js';
import type { Timers } from '../../shared/time.js';
import type { Aside } from '../../store/index.js';
import { type Patience, WaitingLine } from './waiting-line.js';

/** How much is begun at once. */
interface AdmissionLimits extends Patience {
  /** Mutations of a workspace that are worked at. */
  readonly mutationsMax: number;
}

/** A body that is larger is large. */
export const LARGE_BYTES = 16_384;

/** For how long queries are begun in one turn of the event loop, in ms. Mutations are bounded by their number. */
const SLICE_MS = 10;

/** Parts of the patience: for how long requests may come in during one turn of the event loop, and how long a turn of a loop is that has much to do. */
const TURN_PART = { calm: 1 / 2, busy: 1 / 250 };

/**
 * Lets requests begin, as many as the server can do. Queries begin in slices, between which what has arrived is served; of the mutations of a workspace so many are
 * worked at that its decider and its log always have something to do, and the rest wait. Who has to wait for too long is refused before anything was
 * done for it.
 */
export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #timers: Timers;
  readonly #queries: Entrance;
  readonly #mutations = new Map<string, Entrance>();
  readonly #entrances: Entrance[] = [];
  /** The present turn of the event loop: when its first request came, how many did, and how long queries were begun since. */
  #turn: { readonly begun: number; came: number; spentMs: number } | undefined;
  #lastTurnMs = 0;
  /** When a line was last found standing. */
  #stoodAt = Number.NEGATIVE_INFINITY;

  constructor(limits: AdmissionLimits, timers: Timers) {
    this.#limits = limits;
    this.#timers = timers;
    this.#queries = this.#entrance(Number.POSITIVE_INFINITY);
  }

  /**
   * Whether a request is refused at the door, where so many come that to read them takes most of the time: behind a long line it would be refused all the
   * same, for more than it costs here. A connection that was never answered is refused then without more ado: one of them is taken in each turn of
   * the event loop, so nobody knows for how long it has waited already.
   */
  isFull(isNewcomer: boolean): boolean {
    const { waitMs, mutationsMax } = this.#limits;
    const now = this.#timers.monotonic();
    const turn = this.#thisTurn;
    const lasted = now - turn.begun;
    // A few are no flood: another one's work, or a machine that stood still, has made the turn long, and they begin as soon as it is over.
    if (++turn.came > mutationsMax && lasted > waitMs * TURN_PART.calm) return true;
    if (this.#isStanding) this.#stoodAt = now;
    if (now - this.#stoodAt > waitMs || Math.max(lasted, this.#lastTurnMs) < waitMs * TURN_PART.busy) return false;
    return isNewcomer || this.#entrances.some(({ line }) => line.isLong);
  }

  /** As long as more comes than can be done, nothing large is even read: it costs as much as what is carried out. @throws UNAVAILABLE */
  refuseLarge({ 'content-length': length, 'transfer-encoding': encoding }: IncomingHttpHeaders): void {
    const isLarge = encoding !== undefined || Number(length ?? 0) > LARGE_BYTES;
    if (isLarge && this.#isStanding) throw OVERLOADED;
  }

  /** Begins a query when its turn has come. @throws UNAVAILABLE it would have to wait for too long */
  query<T>(work: () => Promise<T>): Promise<T> {
    return this.#enter(this.#queries, work);
  }

  /** Begins a mutation of the workspace when its turn has come; it says by `aside` when it waits for what is no work of the decider's and the log's. @throws UNAVAILABLE it would have to wait for too long */
  mutation<T>(workspace: string, work: (aside: Aside) => Promise<T>): Promise<T> {
    let entrance = this.#mutations.get(workspace);
    if (entrance === undefined) {
      entrance = this.#entrance(this.#limits.mutationsMax);
      this.#mutations.set(workspace, entrance);
    }
    return this.#enter(entrance, work);
  }

  #entrance(max: number): Entrance {
    const entrance = { line: new WaitingLine(this.#limits, this.#timers), max, inWork: 0 };
    this.#entrances.push(entrance);
    return entrance;
  }

  get #isStanding(): boolean {
    return this.#entrances.some(({ line }) => line.isStanding);
  }

  #enter<T>(entrance: Entrance, work: (aside: Aside) => Promise<T>): Promise<T> {
    if (entrance.line.length === 0 && this.#hasRoom(entrance)) return this.#begin(entrance, work);
    return new Promise((resolve, reject) => {
      const begin = () => void this.#begin(entrance, work).then(resolve, reject);
      entrance.line.join({ begin, refuse: () => reject(OVERLOADED) });
    });
  }

  async #begin<T>(entrance: Entrance, work: (aside: Aside) => Promise<T>): Promise<T> {
    const place = new Place(entrance, () => this.#goOn());
    const begun = this.#timers.monotonic();
    try {
      const working = work((isAside) => place.set(!isAside));
      if (entrance === this.#queries) this.#thisTurn.spentMs += this.#timers.monotonic() - begun;
      return await working;
    } finally {
      place.set(false);
    }
  }

  #hasRoom(entrance: Entrance): boolean {
    if (entrance === this.#queries) return this.#thisTurn.spentMs < SLICE_MS;
    return entrance.inWork < entrance.max;
  }

  get #thisTurn() {
    if (this.#turn !== undefined) return this.#turn;
    const begun = this.#timers.monotonic();
    this.#turn = { begun, came: 0, spentMs: 0 };
    this.#timers.soon(() => {
      this.#turn = undefined;
      this.#lastTurnMs = this.#timers.monotonic() - begun;
      this.#goOn();
    });
    return this.#turn;
  }

  /** Begins what waits and may, one of each line in turns. */
  #goOn(): void {
    for (let open: readonly Entrance[] = this.#entrances; open.length > 0; ) {
      open = open.filter((entrance) => {
        if (entrance.line.length === 0 || !this.#hasRoom(entrance)) return false;
        const next = entrance.line.next();
        next?.begin();
        return next !== undefined;
      });
    }
  }
}

/** One line, and those of it that are worked at. */
interface Entrance {
  readonly line: WaitingLine;
  readonly max: number;
  inWork: number;
}

/** The place of one request that is worked at. */
class Place {
  readonly #entrance: Entrance;
  readonly #onLeft: () => void;
  #isTaken = false;

  constructor(entrance: Entrance, onLeft: () => void) {
    this.#entrance = entrance;
    this.#onLeft = onLeft;
    this.set(true);
  }

  /** One that comes back takes its place even where there is none: it has begun, and must get through. */
  set(isTaken: boolean): void {
    if (isTaken === this.#isTaken) return;
    this.#isTaken = isTaken;
    this.#entrance.inWork += isTaken ? 1 : -1;
    if (!isTaken && this.#entrance.line.length > 0) this.#onLeft();
  }
}

/** Whether it is a refusal for want of room now: a later try may succeed, and nothing was done. */
export const isShed = (thrown: unknown): thrown is ServiceError =>
  thrown instanceof ServiceError && thrown.info.reason === 'overloaded';

/** One for all: what it costs to make one is most of what it costs to refuse. */
export const OVERLOADED = unavailable(
  'expected to begin soon, but more is asked of the server than it can do now; nothing was done, try again later',
  { reason: 'overloaded', details: { retryAfterSeconds: 1 } },
);
