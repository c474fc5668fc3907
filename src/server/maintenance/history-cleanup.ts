import type { Engine } from '../../engine/index.js';
import { messageOf } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import { type Store, systemCaller } from '../../store/index.js';

/** How often ended instances are looked through, in ms. */
const LOOK_MS = 3_600_000;

export interface HistoryCleanupParts {
  readonly store: Store;
  readonly engine: Engine;
  /** The domain clock. */
  readonly now: () => number;
  readonly keptMs: number;
}

/** Erases, hour by hour, the history of instances that ended long enough ago. */
export class HistoryCleanup {
  readonly #parts: HistoryCleanupParts;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(parts: HistoryCleanupParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.look(), LOOK_MS).unref();
    void this.look();
  }

  /** Looks through all partitions once. */
  look(): Promise<void> {
    this.#running = this.#running
      .then(() => this.#look())
      .catch((thrown: unknown) => {
        log.warn({ reason: messageOf(thrown) }, 'old history could not be erased; it is tried again later');
      });
    return this.#running;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  async #look(): Promise<void> {
    const { store, engine, now, keptMs } = this.#parts;
    for (const partition of store.partitions) {
      let isMore = true;
      while (isMore && !this.#closed) {
        const input = { endedBefore: now() - keptMs };
        const caller = systemCaller(partition.workspace);
        isMore = (await partition.send(engine.jobs.cleanHistory, input, { caller })).answer;
      }
    }
  }
}
