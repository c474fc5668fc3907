import { badRequest } from '../shared/errors.js';
import {
  decodePosition,
  type FeedEvent,
  type Partition,
  type Place,
  type FeedEntry as StoredEntry,
} from '../store/index.js';
import type { ApiContext } from './api-context.js';
import { type FeedEntry, type FeedIterator, feedIterator } from './feed-iterator.js';

/** What a subscription makes of an event: its payload, or undefined where the event is not for it. */
type Payload<T> = (event: FeedEvent) => T | undefined;

/**
 * The events of the workspace as a subscription's field sees them, behind `after` of the reconnecting stream, else of the argument, else
 * from now on. @throws BAD_REQUEST, RESYNC_REQUIRED
 */
export function follow<F extends string, T>(
  { workspace, after, ending }: Pick<ApiContext, 'workspace' | 'after' | 'ending'>,
  field: F,
  from: string | null | undefined,
  payload: Payload<T>,
): FeedIterator<Record<F, T>> {
  const { partition } = workspace;
  const position = after ?? from ?? partition.feed.position();
  const place = placeIn(partition, position);
  partition.feed.check(place);
  const asRoot = (value: T) => ({ [field]: value }) as Record<F, T>;
  return feedIterator(payloads(partition.feed.follow(place, ending.signal), payload, asRoot), position);
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
export function placeIn({ id }: Partition, position: string): Place {
  const place = decodePosition(position).find(({ partition }) => partition === id);
  if (place !== undefined) return place;
  throw badRequest('expected a position of this workspace, but it is of another one', { reason: 'position_elsewhere' });
}
