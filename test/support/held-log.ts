import { unavailable } from '../../src/shared/errors.js';
import type { CommitRecord, Log } from '../../src/store/log/log.js';

/** Holds groups back until it is told to let some go. */
export class HeldLog implements Log {
  readonly #log: Log;
  #held: { go(): void; fail(): void }[] = [];

  constructor(log: Log) {
    this.#log = log;
  }

  append(group: readonly CommitRecord[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = () => void this.#log.append(group).then(resolve, reject);
      this.#held.push({ go, fail: () => reject(unavailable('the test lets it fail')) });
    });
  }

  async letGo(groups: number): Promise<void> {
    for (let i = 0; i < groups; i++) {
      for (const { go } of this.#held.splice(0, 1)) go();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Stores nothing of what is held; whether there was anything. */
  fail(): boolean {
    const held = this.#held.splice(0);
    for (const { fail } of held) fail();
    return held.length > 0;
  }

  recover = () => this.#log.recover();
  probe = () => this.#log.probe();
  trim = (revision: number, before: number) => this.#log.trim(revision, before);
  close = () => this.#log.close();
}
