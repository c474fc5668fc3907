import { badRequest } from '../shared/errors.js';
import {
  decodePosition,
  type FeedEvent,
  type Place,
  type ReplicaSide,
  type FeedEntry as StoredEntry,
} from '../store/index.js';
import type { RequestFacts } from './context.js';

/** An event of a subscription, with its place in the feed. */
export interface FeedItem<T = unknown> {
  /** Where the event lies in the feed: opaque text without line breaks. */
  readonly position: string;
  /** The root value of the execution that gives the event's payload: `{ [field]: … }`. */
  readonly value: T;
}

/**
 * The events of a subscription, as its resolver gives them: `subscribe: (root, args, context) => FeedIterator`. It starts behind `context.after`, or with what
 * happens from now on where that is undefined. It holds a place in the feed, not a copy of it: as long as nobody asks for the next item (a
 * parked stream), nothing piles up.
 *
 * It throws RESYNC_REQUIRED, from `subscribe` or from `next`, when its place is older than the feed; the operation ends with that error.
 * UNAVAILABLE, or a bug, ends the connection instead, so that the client comes back. `return` ends a `next` that is under way.
 */
export interface FeedIterator<T = unknown> extends AsyncIterable<FeedItem<T>> {
  [Symbol.asyncIterator](): FeedCursor<T>;
}

/** The iteration of a {@link FeedIterator}. */
export interface FeedCursor<T = unknown> extends AsyncIterator<FeedItem<T>, void, undefined> {
  /**
   * How far the subscription has come: everything up to here is not for it, or was handed out and is done with. An item is done with when
   * the next one is asked for. Undefined as long as there is no place yet. A cursor without this method counts from item to item, which
   * holds back the position of a stream whose other operations see more events.
   */
  position?(): string | undefined;
}

/**
 * The position behind which nothing is missing to any of `positions`: for each partition that they follow, the earliest place. At least
 * one is given.
 */
export type EarliestPosition = (positions: readonly string[]) => string;

/** A {@link FeedIterator} from all entries that are looked at, behind `after`: those without a value only move the position. */
export function feedIterator<T>(entries: AsyncIterable<FeedEntry<T>>, after?: string): FeedIterator<T> {
  return { [Symbol.asyncIterator]: () => new EntryCursor(entries[Symbol.asyncIterator](), after) };
}

/** An entry of the feed as a subscription sees it: with a value if it is for it. */
export interface FeedEntry<T> {
  readonly position: string;
  readonly value?: T | undefined;
}

class EntryCursor<T> implements FeedCursor<T> {
  readonly #entries: AsyncIterator<FeedEntry<T>>;
  #seen: string | undefined;
  #handedOut: string | undefined;

  constructor(entries: AsyncIterator<FeedEntry<T>>, after: string | undefined) {
    this.#entries = entries;
    this.#seen = after;
  }

  position(): string | undefined {
    return this.#seen;
  }

  async next(): Promise<IteratorResult<FeedItem<T>, void>> {
    this.#seen = this.#handedOut ?? this.#seen;
    this.#handedOut = undefined;
    for (;;) {
      const { done, value: entry } = await this.#entries.next();
      if (done) return { done: true, value: undefined };
      const { position, value } = entry;
      if (value === undefined) {
        this.#seen = position;
        continue;
      }
      this.#handedOut = position;
      return { done: false, value: { position, value } };
    }
  }

  async return(): Promise<IteratorResult<FeedItem<T>, void>> {
    await this.#entries.return?.();
    return { done: true, value: undefined };
  }
}

/** What a subscription makes of an event: its payload, or undefined where the event is not for it. */
type Payload<T> = (event: FeedEvent) => T | undefined;

/**
 * The events of the workspace as a subscription's field sees them, behind `after` of the reconnecting stream, else of the argument, else
 * from now on. @throws BAD_REQUEST, RESYNC_REQUIRED
 */
export function follow<F extends string, T>(
  {
    workspace,
    after,
    ending,
  }: Pick<RequestFacts<{ readonly partition: { readonly replica: ReplicaSide } }>, 'workspace' | 'after' | 'ending'>,
  field: F,
  from: string | null | undefined,
  payload: Payload<T>,
): FeedIterator<Record<F, T>> {
  const { feed } = workspace.partition.replica;
  const position = after ?? from ?? feed.position();
  const place = placeIn(workspace.partition.replica, position);
  feed.check(place);
  const asRoot = (value: T) => ({ [field]: value }) as Record<F, T>;
  return feedIterator(payloads(feed.follow(place, ending.signal), payload, asRoot), position);
}

async function* payloads<T, R>(
  entries: AsyncIterable<StoredEntry>,
  payload: Payload<T>,
  asRoot: (value: T) => R,
): AsyncGenerator<FeedEntry<R>> {
  for await (const { event, position } of entries) {
    const value = payload(event);
    yield { position, value: value === undefined ? undefined : asRoot(value) };
  }
}

/** The place of a position in the partition's feed. @throws BAD_REQUEST when it is none of it */
export function placeIn({ id }: Pick<ReplicaSide, 'id'>, position: string): Place {
  const place = decodePosition(position).find(({ partition }) => partition === id);
  if (place !== undefined) return place;
  throw badRequest('expected a position of this workspace, but it is of another one', { reason: 'position_elsewhere' });
}

/**
 * Sees to it that nothing is read which is older than a position that the client knows. What a server has answered it can read, so that is a
 * question of its history alone; a position of another workspace says nothing about this one.
 * @throws BAD_REQUEST (no position), RESYNC_REQUIRED (of another history)
 */
export function requireReached({ id, feed }: Pick<ReplicaSide, 'id' | 'feed'>, position: string): void {
  const place = decodePosition(position).find(({ partition }) => partition === id);
  if (place === undefined) return;
  // Older than the events that are kept is no obstacle: the state is read, not the feed.
  const isOld = place.epoch === feed.epoch && place.revision < feed.oldest();
  if (!isOld) feed.check(place);
}
