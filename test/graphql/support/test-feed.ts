import { type FeedEntry, type FeedIterator, feedIterator } from '../../../src/graphql/index.js';
import { ServiceError } from '../../../src/shared/errors.js';

/** Something that happened, about a topic. */
export interface Tick {
  readonly topic: string;
  readonly text: string;
}

/** A feed in memory; the position of its n-th entry is `n`. */
export class TestFeed {
  readonly #entries: Tick[] = [];
  readonly #waiting = new Set<() => void>();
  /** Entries up to here are no longer kept. */
  forgotten = 0;
  /** Set to make followers fail. */
  failure: Error | undefined;

  append(topic: string, text: string): string {
    this.#entries.push({ topic, text });
    this.wake();
    return String(this.#entries.length);
  }

  get head(): string {
    return String(this.#entries.length);
  }

  /** Lets followers look again. */
  wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resume of waiting) resume();
  }

  /** The ticks about a topic, or all, behind `after`. */
  follow(topic: string | null, after: string | undefined, signal: AbortSignal): FeedIterator<{ ticked: Tick }> {
    const start = after ?? this.head;
    return feedIterator(this.#read(topic, Number(start), signal), start);
  }

  async *#read(topic: string | null, from: number, signal: AbortSignal): AsyncGenerator<FeedEntry<{ ticked: Tick }>> {
    for (let at = from; !signal.aborted; ) {
      if (this.failure !== undefined) throw this.failure;
      if (at < this.forgotten)
        throw new ServiceError('RESYNC_REQUIRED', `expected a position from ${this.forgotten} on, but got ${at}`);
      const entry = this.#entries[at];
      if (entry === undefined) await this.#appended(signal);
      else {
        at++;
        const isWanted = topic === null || topic === entry.topic;
        yield { position: String(at), value: isWanted ? { ticked: entry } : undefined };
      }
    }
  }

  #appended(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.add(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}

/** The lowest of numeric positions. */
export const earliestPosition = (positions: readonly string[]): string => String(Math.min(...positions.map(Number)));
