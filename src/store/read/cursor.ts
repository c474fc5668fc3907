import { createHash } from 'node:crypto';
import { badRequest } from '../../shared/errors.js';
import type { Scalar } from '../collection.js';
import type { ListRequest } from './list-request.js';

/** The place of one row in a list: its values in the list's order, the id last. */
export type Key = readonly Scalar[];

/** Identity of a list: field, collection, conditions and order. */
export function listHash({ field, collection, where, order }: ListRequest): string {
  const text = JSON.stringify([field, collection, where, order]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 11);
}

/** The cursor of a row: base64url of JSON [hash of the list, sort values…, id]. */
export const encodeCursor = (hash: string, key: Key): string =>
  Buffer.from(JSON.stringify([hash, ...key])).toString('base64url');

/** The place that a cursor names. @throws BAD_REQUEST when it is unreadable or of another list */
export function decodeCursor(hash: string, keyLength: number, cursor: string): Key {
  const parsed = parse(cursor);
  if (!Array.isArray(parsed)) throw badRequest('expected a cursor that this server gave, but it cannot be read');
  const [ofList, ...key] = parsed;
  if (ofList !== hash) throw badRequest('expected a cursor of this list, but it is of another field, filter or order');
  const whole = key.length === keyLength && key.every(isScalar) && typeof key.at(-1) === 'string';
  if (!whole) throw badRequest('expected a cursor that this server gave, but its values are not those of this list');
  return key;
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined; // told as unreadable by the caller
  }
}

const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === 'string' || typeof value === 'number';
