import { messageOf } from '../../shared/errors.js';
import { log } from '../../shared/log.js';

/** Work that is done again and again. */
export interface RecurringWork {
  /** Names it in the log. */
  readonly name: string;
  readonly everyMs: number;
  /** Done once at the beginning, then each time; never twice at once. What it throws is logged. `isClosed`: whether to stop soon. */
  readonly work: (isClosed: () => boolean) => Promise<void>;
}

/** Does work again and again, by the machine's clock, until it is closed. */
export class Recurring {
  readonly #parts: RecurringWork;
  readonly #timer: NodeJS.Timeout;
  #running: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(parts: RecurringWork) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.now(), parts.everyMs).unref();
    void this.now();
  }

  /** Does it once more, behind what is running. */
  now(): Promise<void> {
    const { name, work } = this.#parts;
    this.#running = this.#running
      .then(() => (this.#closed ? undefined : work(() => this.#closed)))
      .catch((thrown: unknown) => log.warn({ reason: messageOf(thrown), work: name }, 'it is tried again later'));
    return this.#running;
  }

  /** Resolves when nothing of it runs any more. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await this.#running;
  }
}
