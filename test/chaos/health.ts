import type { Arena } from './arena.js';
import { sleep } from './ledger.js';

/** What the server said of itself at a time (`performance.now()`); 0: nothing within 5 s. */
export interface Sample {
  readonly at: number;
  readonly status: number;
}

const EVERY_MS = 200;
const ANSWER_MS = 5_000;

/** Asks again and again whether the server is ready. */
export class Health {
  readonly samples: Sample[] = [];
  readonly #arena: Arena;
  #closed = false;

  constructor(arena: Arena) {
    this.#arena = arena;
    void this.#ask();
  }

  close(): void {
    this.#closed = true;
  }

  async #ask(): Promise<void> {
    while (!this.#closed) {
      const wasRunning = this.#arena.isRunning;
      const at = performance.now();
      const status = await fetch(`${this.#arena.baseUrl}/health/ready`, {
        signal: AbortSignal.timeout(ANSWER_MS),
      }).then(
        (answer) => answer.body?.cancel().then(() => answer.status),
        (thrown: Error) => (thrown.name === 'TimeoutError' ? 0 : undefined),
      );
      if (status !== undefined && wasRunning && this.#arena.isRunning) this.samples.push({ at, status });
      await sleep(EVERY_MS);
    }
  }
}
