import { decodePosition, type Partition } from '../store/index.js';

/**
 * Sees to it that nothing is read which is older than a position that the client knows. What a server has answered it can read, so that is a
 * question of its history alone; a position of another workspace says nothing about this one.
 * @throws BAD_REQUEST (no position), RESYNC_REQUIRED (of another history)
 */
export function requireReached({ id, feed }: Pick<Partition, 'id' | 'feed'>, position: string): void {
  const place = decodePosition(position).find(({ partition }) => partition === id);
  if (place === undefined) return;
  // Older than the events that are kept is no obstacle: the state is read, not the feed.
  const isOld = place.epoch === feed.epoch && place.revision < feed.oldest();
  if (!isOld) feed.check(place);
}
