import { log as serverLog } from '../../shared/log.js';
import { systemTime, type Time, type Timer } from '../../shared/time.js';
import type { Log } from '../log/log.js';
import type { Replica } from '../replica.js';
import type { Told } from './landed-commits.js';

/** Times and numbers for which things are kept at least. */
export interface Kept {
  readonly feedMs: number;
  readonly feedEntries: number;
  /** Outcomes of commands with a client's key, ms. */
  readonly outcomesMs: number;
}

export const KEPT: Kept = { feedMs: 600_000, feedEntries: 100_000, outcomesMs: 86_400_000 };
const LOOK_MS = 60_000;

export interface TrimmerOptions {
  readonly log: Log;
  readonly replica: Replica;
  /** How far the feed has come. */
  readonly told: () => Told;
  /** The feed is kept as far as its slowest reaction, and the slowest that makes records of it. */
  readonly slowest: () => number;
  readonly kept: Kept;
  /** Default: the machine's. */
  readonly time?: Time;
}

interface Mark extends Told {
  /** ms since the process began */
  readonly alive: number;
}

/** Shortens the feed and forgets old outcomes, once a minute. */
export class Trimmer {
  readonly #options: TrimmerOptions;
  #timer: Timer | undefined;
  #looking: Promise<unknown> | undefined;
  /** One mark per look: what is behind it is a minute older. */
  #marks: Mark[] = [];

  constructor(options: TrimmerOptions) {
    this.#options = options;
  }

  begin(): void {
    const failed = (thrown: unknown) => serverLog.warn({ err: thrown }, 'the feed could not be shortened');
    const { time = systemTime } = this.#options;
    this.#timer = time.every(LOOK_MS, () => {
      // A log that hangs is asked once.
      this.#looking ??= this.look(time.now(), time.monotonic())
        .catch(failed)
        .finally(() => {
          this.#looking = undefined;
        });
    });
  }

  close(): void {
    this.#timer?.cancel();
  }

  /** The history has become another one: what was known of the former says nothing of it. */
  renewed(): void {
    this.#marks = [];
  }

  /**
   * Trims what is old enough; gives the revision up to which the feed is gone. `now`: ms since 1970. `alive`: ms since the process began, so that
   * nobody shortens the feed by setting a clock.
   */
  async look(now: number, alive: number): Promise<number> {
    const { told, kept, slowest, log, replica } = this.#options;
    const { revision: last, events } = told();
    this.#marks.push({ revision: last, events, alive });
    const { feedMs, feedEntries, outcomesMs } = kept;
    const isOld = (mark: Mark) => mark.alive <= alive - feedMs && mark.events <= events - feedEntries;
    const old = this.#marks.filter(isOld).at(-1);
    const revision = Math.min(old?.revision ?? 0, slowest());
    this.#marks = this.#marks.filter((mark) => mark.revision > revision);
    const trimmed = Number(replica.meta('trimmed') ?? 0);
    // Where nothing goes on nothing is written either.
    const hasOutcomes = replica.prepare('SELECT 1 FROM outcome LIMIT 1').get() !== undefined;
    if (revision > trimmed || hasOutcomes) await log.trim(Math.max(revision, trimmed), now - outcomesMs);
    return revision;
  }
}
