import type { Caller } from '../../shared/caller.js';
import type { Document } from '../collection.js';
import type { Condition } from './condition.js';

/** One key of the order. Null comes before every value (so last when descending), numbers before texts, texts by their UTF-8 bytes. */
export interface OrderTerm {
  readonly column: string;
  readonly descending?: boolean;
}

/**
 * A list as plain data: it is sent to the reader's thread as it is. The order always ends in the id, in the direction of the last term.
 * A list in ascending order of an indexed column that every document has should say `notNull` of it: else those without are looked for first.
 */
export interface ListRequest {
  /** The collection's name. */
  readonly collection: string;
  /** All must hold. */
  readonly where: readonly Condition[];
  readonly order: readonly OrderTerm[];
  /** Page forwards: the first so many behind `after`. Default, when `last` is not given either: {@link PAGE_MAX}. 0 gives none. */
  readonly first?: number | null;
  readonly after?: string | null;
  /** Page backwards: the last so many in front of `before`. */
  readonly last?: number | null;
  readonly before?: string | null;
  /** Whether `totalCount` is wanted; it costs a walk over all that fulfil the conditions. */
  readonly count: boolean;
  readonly caller: Caller;
  /** The GraphQL field: a cursor of one field is refused by another. */
  readonly field: string;
}

/** The most rows that one page may ask for. */
export const PAGE_MAX = 5_000;

/** One document of a page. */
export interface PageRow {
  readonly id: string;
  /** The document as JSON text. */
  readonly body: string;
  readonly cursor: string;
  /** The document, where it has been read of its text. */
  readonly document?: Document;
  /** Set where the document is not what was written: it has its place in the list, and no body. */
  readonly damage?: DamagedPlace;
}

/** A document of a list that is damaged: of which collection, and which; null: the caller may not know that. */
export interface DamagedPlace {
  readonly what: string;
  readonly id: string | null;
}

/** One page of a list, in the list's order whichever way it was paged. */
export interface Page {
  readonly rows: readonly PageRow[];
  /** Exact when paging forwards; when paging backwards, whether `before` was given. */
  readonly hasNextPage: boolean;
  /** Exact when paging backwards; when paging forwards, whether `after` was given. */
  readonly hasPreviousPage: boolean;
  /** How many documents fulfil the conditions and may be seen by the caller; null when not asked. */
  readonly totalCount: number | null;
  /** The revision that the page is of. */
  readonly revision: number;
}
