import { messageOf, ServiceError } from '../../shared/errors.js';
import { log as serverLog } from '../../shared/log.js';
import { pause, type Time } from '../../shared/time.js';
import { isDamaged } from '../damage.js';
import type { AnyOperation, FeedEvent } from '../decision.js';
import type { Feed } from '../feed/feed.js';
import { COMMIT_END } from '../feed/position.js';
import type { State } from '../state.js';
import {
  type MoveReaction,
  type React,
  type Reaction,
  type ReactionEntry,
  type ReactionOperations,
  reactionOperations,
  reactionPositions,
} from './reaction.js';

/** Where a reaction causes nothing, its position is written only this often. */
const MOVE_ENTRIES = 1_000;
const MOVE_MS = 1_000;
const RETRY_MS = 100;

export interface ReactionHostOptions {
  readonly reactions: readonly Reaction[];
  readonly feed: Feed;
  readonly state: () => State;
  readonly time: Time;
  readonly send: (operation: AnyOperation, input: unknown) => Promise<unknown>;
}

/** Runs the reactions of one partition, each in its own order, from where it had come. */
export class ReactionHost {
  readonly #options: ReactionHostOptions;
  readonly operations: ReactionOperations;
  readonly #stop = new AbortController();
  #running: Promise<void>[] = [];

  constructor(options: ReactionHostOptions) {
    this.#options = options;
    this.operations = reactionOperations(options.reactions, () => options.feed.epoch);
  }

  begin(): void {
    this.#running = this.#options.reactions.map((reaction) => this.#followAlways(reaction));
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
  }

  /** The revision up to which no reaction needs the feed any more: the commit that it stands in may hold more for it. */
  slowest(): number {
    const state = this.#options.state();
    const positions = this.#options.reactions.map(({ name }) => state.get(reactionPositions, name)?.revision ?? 0);
    return Math.max(0, Math.min(Number.MAX_SAFE_INTEGER, ...positions.map((revision) => revision - 1)));
  }

  /** Begins anew where the history has become another one, or could not be read. */
  async #followAlways(reaction: Reaction): Promise<void> {
    const { feed, time } = this.#options;
    while (!this.#stop.signal.aborted) {
      try {
        await this.#follow(reaction);
      } catch (thrown) {
        const facts = { reaction: reaction.name, partition: feed.partition };
        if (isDamaged(thrown)) return serverLog.error({ ...facts, err: thrown }, 'a reaction stands still');
        const isAnother = thrown instanceof ServiceError && thrown.code === 'RESYNC_REQUIRED';
        if (isAnother) serverLog.warn(facts, 'the feed is another one');
        else serverLog.error({ ...facts, err: thrown }, 'a reaction cannot follow');
        await pause(time, RETRY_MS);
      }
    }
  }

  async #follow(reaction: Reaction): Promise<void> {
    const { feed, state, time } = this.#options;
    const oldest = { revision: feed.oldest(), index: COMMIT_END };
    const reached = state().get(reactionPositions, reaction.name) ?? { revision: 0, index: COMMIT_END };
    const hasMissed = reached.revision < oldest.revision;
    const from = hasMissed ? oldest : reached;
    const { epoch } = feed;
    if (hasMissed) await this.#options.send(this.operations.missReaction, { name: reaction.name, ...oldest, epoch });
    const place = { partition: feed.partition, epoch, revision: from.revision, index: from.index };
    let passed = 0;
    let movedAt = time.monotonic();
    const following = { types: reaction.types, passDamaged: true };
    for await (const { event, revision, index } of feed.follow(place, this.#stop.signal, following)) {
      if (isFor(reaction, event)) {
        await this.#react(reaction, { event, revision, index }, epoch);
        passed = 0;
      } else if (++passed >= MOVE_ENTRIES || time.monotonic() - movedAt > MOVE_MS) {
        await this.#move(reaction, { revision, index, epoch });
        passed = 0;
        movedAt = time.monotonic();
      }
      if (this.#stop.signal.aborted) return;
    }
  }

  async #react(reaction: Reaction, entry: ReactionEntry, epoch: string): Promise<void> {
    const { name } = reaction;
    // An entry that was passed over meanwhile, or is of a former history, comes to nothing.
    while (!this.#stop.signal.aborted) {
      try {
        await this.#options.send(this.operations.react, { name, entry, epoch });
        return;
      } catch (thrown) {
        await this.#failed({ name, entry, epoch }, thrown);
      }
    }
  }

  async #failed({ name, entry, epoch }: React, thrown: unknown): Promise<void> {
    serverLog.warn({ reaction: name, revision: entry.revision, err: thrown }, 'a reaction failed');
    const lost = (thrown as { code?: unknown }).code === 'UNAVAILABLE';
    if (!lost) {
      await this.#options
        .send(this.operations.failReaction, { name, entry, epoch, message: messageOf(thrown) })
        .catch(() => {});
    }
    await pause(this.#options.time, RETRY_MS);
  }

  async #move({ name }: Reaction, to: Omit<MoveReaction, 'name'>): Promise<void> {
    await this.#options.send(this.operations.moveReaction, { name, ...to }).catch(() => {});
  }
}

const isFor = (reaction: Reaction, event: FeedEvent): boolean =>
  reaction.types.includes(event.type) && (reaction.concerns?.(event) ?? true);
