import { type Followed, isFollowed, type SeenChange } from '../../content/index.js';
import { type ExchangeSummary, exchangePath, HISTORY_ROOT, hourFolder, type KeptExchanges } from '../../eip/index.js';
import { SYSTEM_USER } from '../../shared/caller.js';
import { seesExchanges } from '../../shared/rights/routes.js';
import { systemTime, type Timer, type Timers } from '../../shared/time.js';
import type { Place } from '../../store/index.js';
import type { ApiContext } from '../api-context.js';
import { exchangeNodeId } from './exchange-nodes.js';

/** So many exchanges of a second are told of one by one; of more, the folder of the hour is told as changed. */
const TOLD_PER_SECOND = 50;
const SECOND_MS = 1_000;
/** So many folders of hours are told as changed to who comes back, the latest ones. */
const HOURS_MAX = 24;

/**
 * Changes of exchanges that wait to be told to one subscription: each that is kept as a file that was made, as long as they are few; else, a second later, the folder of
 * their hour as changed. Where nobody takes them, only hours pile up.
 */
class Waiting {
  readonly #now: () => number;
  readonly #time: Timers;
  readonly #changes: SeenChange[] = [];
  /** Hours whose folders are to be told. */
  readonly #hours = new Set<number>();
  #left = TOLD_PER_SECOND;
  #second: Timer | undefined;
  #wake = () => {};

  /** `now`: the domain clock, ms. */
  constructor(now: () => number, time: Timers = systemTime) {
    this.#now = now;
    this.#time = time;
  }

  /** First come the folders of hours that have changed before. */
  begin(hours: readonly number[]): void {
    this.#changes.unshift(...hours.map((hour) => this.#folder(hour)));
    this.#wake();
  }

  take({ rows, hours }: KeptExchanges): void {
    for (const row of rows) {
      if (this.#left > 0 && this.#changes.length < TOLD_PER_SECOND) {
        this.#left--;
        this.#changes.push(fileOf(row));
      } else this.#hours.add(hourOf(row.createdAt));
    }
    for (const hour of hours) this.#hours.add(hour);
    this.#second ??= this.#time.after(SECOND_MS, () => this.#ended());
    this.#wake();
  }

  next(): SeenChange | undefined {
    return this.#changes.shift();
  }

  /** Resolves when there is something, or nothing more comes. */
  come(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  wake(): void {
    this.#wake();
  }

  end(): void {
    this.#second?.cancel();
  }

  /** A second is over: what was too much in it is told of by folders, once there is room. */
  #ended(): void {
    this.#left = TOLD_PER_SECOND;
    this.#second = undefined;
    if (this.#hours.size === 0) return;
    this.#second = this.#time.after(SECOND_MS, () => this.#ended());
    if (this.#changes.length >= TOLD_PER_SECOND) return;
    for (const hour of [...this.#hours].sort((a, b) => a - b).slice(-HOURS_MAX)) this.#changes.push(this.#folder(hour));
    this.#hours.clear();
    this.#wake();
  }

  #folder(hour: number): SeenChange {
    const path = hourFolder(hour);
    return { ...BY_SYSTEM, eventType: 'MODIFIED', path, nodeType: 'nt:folder', ...facts(path, this.#now()) };
  }
}

const BY_SYSTEM = { sourcePath: null, userId: SYSTEM_USER } as const;
const facts = (path: string, timestamp: number) => ({ identifier: exchangeNodeId(path), timestamp });

function fileOf(exchange: ExchangeSummary): SeenChange {
  const path = exchangePath(exchange);
  return { ...BY_SYSTEM, eventType: 'CREATED', path, nodeType: 'nt:file', ...facts(path, exchange.completedAt) };
}

const HOUR_MS = 3_600_000;
const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS;

/**
 * The changes of exchanges, which are not in the feed, for whoever follows a path; undefined: no exchange shows there. Who comes back with a position gets the folders of the hours since then as
 * changed. Rights are those of the moment in which it is told.
 */
export function changesOfExchanges(context: ApiContext, followed: Followed) {
  if (!reachesExchanges(followed)) return undefined;
  const { services, workspace } = context;
  const { id, replica } = workspace.partition;
  const { history, now } = services;
  const isWanted = (path: string) => isFollowed(path, followed) && seesExchanges(context.caller);
  return async function* (resumed: Place | null, signal: AbortSignal): AsyncGenerator<SeenChange> {
    const since = resumed === null ? null : (replica.feed.keptCommits(resumed.revision - 1, 1)[0]?.commit?.at ?? now());
    const firstFrom = (from: number) => history.firstFrom(id, from);
    const waiting = new Waiting(now);
    const unfollow = history.follow(id, (kept) => waiting.take(kept));
    try {
      if (since !== null) waiting.begin(await hoursFrom(firstFrom, since, now()));
      yield* told(waiting, isWanted, signal);
    } finally {
      unfollow();
      waiting.end();
    }
  };
}

async function* told(waiting: Waiting, isWanted: (path: string) => boolean, signal: AbortSignal) {
  const end = () => waiting.wake();
  signal.addEventListener('abort', end);
  try {
    while (!signal.aborted) {
      const change = waiting.next();
      if (change === undefined) await waiting.come();
      else if (change.path !== null && isWanted(change.path)) yield change;
    }
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** Beginnings of the hours in which exchanges began, from one instant on, at most those of the last day. */
async function hoursFrom(
  firstFrom: (from: number) => Promise<number | null>,
  from: number,
  now: number,
): Promise<number[]> {
  const found: number[] = [];
  let at: number | null = Math.max(hourOf(from), hourOf(now) - (HOURS_MAX - 1) * HOUR_MS);
  while (found.length < HOURS_MAX) {
    at = await firstFrom(at);
    if (at === null) break;
    found.push(hourOf(at));
    at = hourOf(at) + HOUR_MS;
  }
  return found;
}

/** Whether something of exchanges is followed. */
const reachesExchanges = ({ path, deep }: Followed): boolean =>
  path === HISTORY_ROOT ||
  path.startsWith(`${HISTORY_ROOT}/`) ||
  (deep && HISTORY_ROOT.startsWith(path === '/' ? '/' : `${path}/`));
