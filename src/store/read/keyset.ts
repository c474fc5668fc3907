import { badRequest, limitExceeded } from '../../shared/errors.js';
import { decodeCursor, encodeCursor, type Key } from './cursor.js';
import { PAGE_MAX } from './list-request.js';

/** Request for a page of something that is no list of documents. Plain data. */
export interface KeysetRequest {
  /** How many, at most {@link PAGE_MAX}. */
  readonly first: number;
  readonly after: string | null;
  /** Whether `totalCount` is wanted. */
  readonly count: boolean;
}

/** A page, as a connection is made from it. Plain data. */
export interface KeysetPage<T> {
  readonly rows: readonly { readonly node: T; readonly cursor: string }[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly totalCount: number | null;
}

/** Codec of the cursors of one list: keys of its order, as texts that clients send back. */
export interface Cursors {
  encode(key: Key): string;
  /** @throws BAD_REQUEST */
  decode(cursor: string): Key;
}

/** Cursors of the list of this name, with keys of that length; those of another list are refused. */
export const cursorsOf = (list: string, keyLength: number): Cursors => ({
  encode: (key) => encodeCursor(list, key),
  decode: (cursor) => decodeCursor(list, keyLength, cursor),
});

/** Beginning of a page, and its making from what lies there. */
export class Keyset {
  readonly #cursors: Cursors;
  readonly #request: KeysetRequest;
  /** The key behind which the page begins; undefined: at the beginning. */
  readonly after: Key | undefined;

  /** @throws BAD_REQUEST (a negative size, a cursor of another list), LIMIT_EXCEEDED (a larger page) */
  constructor(cursors: Cursors, request: KeysetRequest) {
    const { first, after } = request;
    if (!Number.isInteger(first) || first < 0) {
      throw badRequest(`expected 'first' to be a whole number from 0 to ${PAGE_MAX}, but it is ${first}`);
    }
    if (first > PAGE_MAX) throw limitExceeded(`expected 'first' to be at most ${PAGE_MAX}, but it is ${first}`);
    this.#cursors = cursors;
    this.#request = request;
    this.after = after === null ? undefined : cursors.decode(after);
  }

  /** How many are to be found: one more than the page has tells whether another one follows. */
  get wanted(): number {
    return this.#request.first + 1;
  }

  /** The page of what was found behind `after`, at most as many as {@link wanted}. */
  page<T>(found: readonly { readonly key: Key; readonly node: T }[], total: () => number): KeysetPage<T> {
    const { first, count } = this.#request;
    return {
      rows: found.slice(0, first).map(({ key, node }) => ({ node, cursor: this.#cursors.encode(key) })),
      hasNextPage: found.length > first,
      hasPreviousPage: this.after !== undefined,
      totalCount: count ? total() : null,
    };
  }
}
