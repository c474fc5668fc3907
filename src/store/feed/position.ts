import { badRequest } from '../../shared/errors.js';

/** A place in the feed of one partition: behind the event `index` of the commit `revision`. */
export interface Place {
  readonly partition: string;
  /** The partition's epoch: another one means that its history is another. */
  readonly epoch: string;
  readonly revision: number;
  readonly index: number;
}

/** Behind the last event of a commit. */
export const COMMIT_END = 1_000_000;

/** The opaque token of one or more places, one per partition that a stream follows. */
export const encodePosition = (places: readonly Place[]): string =>
  Buffer.from(JSON.stringify(places.map((p) => [p.partition, p.epoch, p.revision, p.index]))).toString('base64url');

/** @throws BAD_REQUEST when it is no position */
export function decodePosition(token: string): Place[] {
  try {
    const places = JSON.parse(Buffer.from(token, 'base64url').toString()) as unknown;
    if (Array.isArray(places) && places.length > 0 && places.length <= 16) return places.map(placeOf);
  } catch {
    // Falls through to the one refusal below.
  }
  throw badRequest('expected a position as an earlier answer or event gave it', { reason: 'position_unreadable' });
}

/** The position behind which nothing is missing to any of `positions`: for each partition that they follow, the earliest place. */
export function earliestPosition(positions: readonly string[]): string {
  const earliest = new Map<string, Place>();
  for (const place of positions.flatMap(decodePosition)) {
    const known = earliest.get(place.partition);
    if (known === undefined || isBefore(place, known)) earliest.set(place.partition, place);
  }
  return encodePosition([...earliest.values()]);
}

const isBefore = (a: Place, b: Place): boolean =>
  a.revision < b.revision || (a.revision === b.revision && a.index < b.index);

function placeOf(place: unknown): Place {
  const [partition, epoch, revision, index] = Array.isArray(place) ? place : [];
  const whole = Number.isSafeInteger(revision) && Number.isSafeInteger(index);
  if (typeof partition !== 'string' || typeof epoch !== 'string' || !whole) throw new TypeError('not a place');
  return { partition, epoch, revision, index };
}
