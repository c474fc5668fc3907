import type { Committed } from './decide/commit.js';
import type { Log } from './log/log.js';
import type { Replica } from './replica.js';

/** The feed is kept at least so long, and at least so many entries. */
export const FEED_KEPT_MS = 600_000;
export const FEED_KEPT_ENTRIES = 100_000;
/** Outcomes of commands with a client's key. */
export const OUTCOMES_KEPT_MS = 86_400_000;
const LOOK_MS = 60_000;

export interface TrimmerOptions {
  readonly log: Log;
  readonly replica: Replica;
  /** The feed is kept as far as its slowest reaction. */
  readonly slowest: () => number;
}

interface Mark {
  readonly revision: number;
  readonly at: number;
  /** Entries of this server's life up to this commit. */
  readonly entries: number;
}

/** Shortens the feed and forgets old outcomes, once a minute. */
export class Trimmer {
  readonly #options: TrimmerOptions;
  #timer: NodeJS.Timeout | undefined;
  #entries = 0;
  #last = 0;
  /** One mark per look: what is behind it is a minute older. */
  #marks: Mark[] = [];

  constructor(options: TrimmerOptions) {
    this.#options = options;
  }

  begin(): void {
    this.#timer = setInterval(() => void this.look(Date.now()), LOOK_MS).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  committed({ record }: Committed): void {
    this.#entries += record.events;
    this.#last = record.revision;
  }

  /** Trims what is old enough; gives the revision up to which the feed is gone. */
  async look(now: number): Promise<number> {
    this.#marks.push({ revision: this.#last, at: now, entries: this.#entries });
    const isOld = (mark: Mark) => mark.at <= now - FEED_KEPT_MS && mark.entries <= this.#entries - FEED_KEPT_ENTRIES;
    const old = this.#marks.filter(isOld).at(-1);
    const revision = Math.min(old?.revision ?? 0, this.#options.slowest());
    this.#marks = this.#marks.filter((mark) => mark.revision >= revision && mark !== old);
    await this.#options.log.trim(
      Math.max(revision, Number(this.#options.replica.meta('trimmed') ?? 0)),
      now - OUTCOMES_KEPT_MS,
    );
    return revision;
  }
}
