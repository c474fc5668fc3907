import type { Timers } from '../../shared/time.js';

interface Calls {
  count: number;
  readonly whenNone: Set<() => void>;
}

/** Calls that are under way in each workspace, until they are answered; a subscription is none. */
export class UnderWay {
  readonly #timers: Timers;
  readonly #calls = new Map<string, Calls>();

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Does a call's work. */
  async during<T>(workspace: string, work: () => Promise<T>): Promise<T> {
    const calls = this.#calls.get(workspace) ?? { count: 0, whenNone: new Set() };
    this.#calls.set(workspace, calls);
    calls.count++;
    try {
      return await work();
    } finally {
      if (--calls.count === 0) {
        this.#calls.delete(workspace);
        for (const tell of calls.whenNone) tell();
      }
    }
  }

  /** Resolves when no call is under way in the workspace, or after so long. */
  async none(workspace: string, withinMs: number): Promise<void> {
    const calls = this.#calls.get(workspace);
    if (calls === undefined) return;
    await new Promise<void>((resolve) => {
      const late = this.#timers.after(withinMs, () => tell());
      const tell = () => {
        late.cancel();
        calls.whenNone.delete(tell);
        resolve();
      };
      calls.whenNone.add(tell);
    });
  }
}
