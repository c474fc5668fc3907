import { ServiceError } from '../../src/shared/errors.js';
import { pause, type Time } from '../../src/shared/time.js';
import { COMMIT_END, decodePosition, type Place } from '../../src/store/feed/position.js';
import type { Random } from './random.js';
import type { SimServer } from './server.js';

export interface FollowerParts {
  readonly number: number;
  readonly time: Time;
  readonly random: Random;
  readonly server: () => SimServer | null;
}

/** Follows the partition's feed from its first event, as a client does: it loses its stream now and then, and goes on behind the last position that it was given. */
export class Follower {
  readonly #parts: FollowerParts;
  /** Every event that it was shown: `revision.index`. */
  readonly seen: string[] = [];
  /** How often it was told to read anew. */
  resyncs = 0;
  #place: Place | null = null;
  #isOver = false;
  #control = new AbortController();

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  async follow(): Promise<void> {
    const { time, random, server } = this.#parts;
    while (!this.#isOver) {
      const present = server();
      if (present !== null) await this.#followOn(present).catch((thrown: unknown) => this.#lost(thrown));
      await pause(time, random.between(1, 200));
    }
  }

  /** Whether this was the last event that it was shown. */
  isAt(event: string | undefined): boolean {
    return this.seen.at(-1) === event;
  }

  end(): void {
    this.#isOver = true;
    this.#control.abort();
  }

  async #followOn(server: SimServer): Promise<void> {
    const { partition, life } = server;
    const { feed } = partition.replica;
    this.#place ??= { partition: 'p', epoch: feed.epoch, revision: 0, index: COMMIT_END };
    const control = new AbortController();
    this.#control = control;
    server.onKill(() => control.abort());
    for await (const { revision, index, position } of feed.follow(this.#place, control.signal)) {
      if (life.isDead) return;
      this.seen.push(`${revision}.${index}`);
      [this.#place = null] = decodePosition(position);
      if (this.#parts.random.chance(0.05)) return;
    }
  }

  #lost(thrown: unknown): void {
    if (!(thrown instanceof ServiceError)) throw thrown;
    // The server was closed: it goes on with the next one.
    if (thrown.info.reason === 'workspace_stopped') return;
    if (thrown.code !== 'RESYNC_REQUIRED') throw thrown;
    this.resyncs++;
    this.seen.length = 0;
    this.#place = null;
  }
}
