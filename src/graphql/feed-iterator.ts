import { badRequest, refuse } from '../shared/errors.js';
import {
  decodePosition,
  encodePosition,
  type FeedEvent,
  type Place,
  type ReplicaSide,
  type FeedEntry as StoredEntry,
} from '../store/index.js';
import { SYSTEM_WORKSPACE } from '../workspace/index.js';
import type { RequestFacts } from './context.js';
import { type FeedEntry, mergedEntries } from './merged-entries.js';

export type { FeedEntry } from './merged-entries.js';

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

/** The mapping of a subscription from an event, with its instant in ms of the domain clock, to its payload, or undefined where the event is not for it. */
type Payload<T> = (event: FeedEvent, at: number) => T | undefined;

/** What a subscription follows feeds by. */
type Following = Pick<
  RequestFacts<{ readonly partition: { readonly replica: ReplicaSide } }>,
  'workspace' | 'after' | 'ending'
> & {
  /** When the caller's user was made, ms: what happened before was for whoever had the name then. */
  readonly userSince: number;
};

/**
 * The events of a partition as a subscription's field sees them, behind `after` of the reconnecting stream, else of the argument, else
 * from now on. `replica`: the partition's; default: that of the workspace. `beside`: what is told beside the feed's events, by which no position moves.
 * @throws BAD_REQUEST, RESYNC_REQUIRED
 */
export function follow<F extends string, T>(
  context: Following,
  field: F,
  from: string | null | undefined,
  payload: Payload<T>,
  { replica = context.workspace.partition.replica, beside }: FollowOptions<T> = {},
): FeedIterator<Record<F, T>> {
  const { feed } = replica;
  const place = beginningIn(replica, context, from);
  feed.check(place);
  const asRoot = (value: T) => ({ [field]: value }) as Record<F, T>;
  const { userSince } = context;
  const own: Payload<T> = (event, at) => (at < userSince ? undefined : payload(event, at));
  const position = encodePosition([place]);
  const { signal } = context.ending;
  const events = (until: AbortSignal) => payloads(feed.follow(place, until), own, asRoot);
  if (beside === undefined) return feedIterator(events(signal), position);
  const isResumed = context.after !== undefined || from != null;
  const others = (until: AbortSignal) => besides(beside(isResumed ? place : null, until), asRoot);
  const sources = [
    { position, entries: events },
    { position: null, entries: others },
  ];
  return feedIterator(mergedEntries<Record<F, T>>(sources, signal), position);
}

interface FollowOptions<T> {
  readonly replica?: ReplicaSide;
  /** `resumed`: the place that the stream goes on behind; null: it begins now. Ends when the signal aborts. */
  readonly beside?: ((resumed: Place | null, signal: AbortSignal) => AsyncGenerator<T>) | undefined;
}

async function* besides<T, R>(values: AsyncIterable<T>, asRoot: (value: T) => R) {
  for await (const value of values) yield { position: null, value: asRoot(value) };
}

/** @throws BAD_REQUEST */
function beginningIn(replica: ReplicaSide, context: Following, from: string | null | undefined): Place {
  // What a stream comes back with names what its operations followed: one that is new to it begins now.
  if (context.after !== undefined) return placeIn(replica, context.after, context) ?? placeNow(replica);
  if (from == null) return placeNow(replica);
  return placeIn(replica, from) ?? refuse(positionElsewhere(replica.workspace));
}

async function* payloads<T, R>(
  entries: AsyncIterable<StoredEntry>,
  payload: Payload<T>,
  asRoot: (value: T) => R,
): AsyncGenerator<FeedEntry<R>> {
  for await (const { event, at, position } of entries) {
    const value = payload(event, at);
    yield { position, value: value === undefined ? undefined : asRoot(value) };
  }
}

/** Behind everything that is durable in a partition. */
export const placeNow = ({ feed }: Pick<ReplicaSide, 'feed'>): Place => decodePosition(feed.position())[0] as Place;

/**
 * The place of a position in a partition's feed; undefined: it says nothing of that. `context`: whose workspace's, or `system`'s, it has to be then.
 * @throws BAD_REQUEST it is none, or one of yet another workspace
 */
export function placeIn(
  { id, workspace }: Pick<ReplicaSide, 'id' | 'workspace'>,
  position: string,
  context?: Pick<Following, 'workspace'>,
): Place | undefined {
  const places = decodePosition(position);
  const found = places.find(({ partition }) => partition === id);
  if (found !== undefined || context === undefined) return found;
  const home = context.workspace.partition.replica.id;
  if (places.some(({ partition }) => partition === home || partition === SYSTEM_WORKSPACE)) return undefined;
  throw positionElsewhere(workspace);
}

const positionElsewhere = (workspace: string) =>
  badRequest(`expected a position of workspace '${workspace}', whose events these are, but it is of another one`, {
    reason: 'position_elsewhere',
  });

/**
 * Sees to it that nothing is read which is older than a position that the client knows. What a server has answered it can read, so that is a
 * question of its history alone; a position of another workspace says nothing about this one.
 * @throws BAD_REQUEST (no position), RESYNC_REQUIRED (of another history)
 */
export function requireReached(replicas: readonly Pick<ReplicaSide, 'id' | 'feed'>[], position: string): void {
  const places = decodePosition(position);
  for (const { id, feed } of replicas) {
    const place = places.find(({ partition }) => partition === id);
    if (place === undefined) continue;
    // Older than the events that are kept is no obstacle: the state is read, not the feed.
    const isOld = place.epoch === feed.epoch && place.revision < feed.oldest();
    if (!isOld) feed.check(place);
  }
}
