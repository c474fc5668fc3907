import { SettableTime } from '../../../src/eip/runtime/runner-time.js';

/** A clock that stands until it is set on: what is due then happens in its order, and what that leads to, too. */
export class VirtualTime extends SettableTime {
  constructor(now = Date.UTC(2026, 0, 1)) {
    super(now);
  }

  override after(ms: number, work: () => void): () => void {
    return this.at(this.now() + ms, work);
  }

  /** Goes on by `ms`. Between two instants, promises that are settled by then have their turn. */
  async advance(ms: number): Promise<void> {
    const until = this.now() + ms;
    for (;;) {
      await new Promise(setImmediate);
      const due = this.nextDue();
      if (due > until) break;
      this.set(due);
    }
    this.set(until);
  }
}
