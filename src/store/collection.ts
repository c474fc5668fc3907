import type { Caller } from '../shared/caller.js';
import type { Condition } from './read/condition.js';

/** A value that an index may hold. SQLite's order: null, numbers, then texts by their UTF-8 bytes. */
export type Scalar = string | number | null;

/** A document: plain JSON with an id that is unique in its collection. At most 256 kB as text. */
export interface Document {
  readonly id: string;
}

/** An index over columns; a document whose first column is null is not in it. Ties end in the id. */
export interface IndexDefinition {
  /** Declared columns; the last may be `id`. */
  readonly columns: readonly string[];
  /**
   * No two documents may have the same values. Checked by rules through State; enforced again by the log as an assertion. Its columns behind the
   * first are never null, so that there are no ties.
   */
  readonly unique?: boolean;
  /**
   * Hardly any two documents have the same values, for a time of milliseconds is among them: the index is stored without the id, which is most of
   * such an entry, and those few are put in order when they are read.
   */
  readonly seldomTied?: boolean;
  /** Hardly ever more than some documents have the same first value, as it is the one thing that they belong to. */
  readonly few?: boolean;
}

/** A kind of document: how it is found, and who may see it. Declared once per domain, in its `collections.ts`. */
export interface Collection<T extends Document> {
  /** Singular camelCase: `processInstance`. */
  readonly name: string;
  /** Single values that indexes, filters and sorts use. */
  readonly columns: Readonly<Record<string, (document: T) => Scalar>>;
  /** Several values per document, each findable: `candidateGroup` of a task. */
  readonly multi: Readonly<Record<string, (document: T) => readonly string[]>>;
  readonly indexes: Readonly<Record<string, IndexDefinition>>;
  /**
   * What a field is unless the document says otherwise, from its id and from fields that are implied before it: not stored where it is so.
   * Whoever reads a document sees all of it; only projections are given what is stored. What is implied of a field never changes, else
   * the log's format number does. A document never has `undefined` for it.
   */
  readonly implied: Readonly<Record<string, (document: T) => unknown>>;
  /**
   * A fresh object with every field of the document, `undefined` where it has none. A collection with implied fields writes it out, field by
   * field: then all copies have one shape, while spreading documents of many shapes takes ten times the time and memory.
   */
  readonly copy: (document: T) => object;
  /**
   * Columns that hardly ever change: an index over these alone is left as it is when a document is written again. One may change all the
   * same.
   */
  readonly steady: readonly string[];
  /**
   * Where a user or a group is named in its documents, by path (`owner`, `acl[].principal`), and what finds them by the name: an index that begins with
   * it, or a multi column. When a principal goes or is given another name, this is changed; names that only say who did something are not declared.
   */
  readonly principals: Readonly<Record<string, string>>;
  /** Whether readers change documents in place: then each read gives one of its own. Default: decisions are given frozen ones that they share. */
  readonly mutable: boolean;
  /** Whether decisions hardly ever read its documents: those that were just written are then not kept in memory. Default: false. */
  readonly seldomRead: boolean;
  /** Whether its texts are stored packed, as there are many of them: SQL then finds nothing in a text. Default: false. */
  readonly packed: boolean;
  /** What of a document counts towards its size: the rest comes from others, who are not to be refused for it. Default: all of it. */
  readonly counted?: (document: T) => unknown;
  /** Whether the caller may see the document. Lists, counts, point reads and deliveries all go through it. Default: everyone signed in. */
  readonly visible?: (caller: Caller, document: T) => boolean;
  /** Whether the caller sees every document, so that `visible` need not be asked of each: lists and counts of an administrator. */
  readonly seesAll?: (caller: Caller) => boolean;
  /** Documents that are stored and gone: lists and counts leave them out. Default: there are none. */
  readonly leftBehind?: LeavingBehind<T>;
}

/** Look-up of documents, as far as {@link LeavingBehind} needs it: a state, or a snapshot of the log. */
export interface Lookup {
  get<T extends Document>(collection: Collection<T>, id: string): T | undefined;
  range<T extends Document>(collection: Collection<T>, index: string, from: readonly Scalar[], limit: number): T[];
}

/** How a collection knows which of its documents are gone before they are removed, as whatever they hung on is: that takes its time where there are many. */
export interface LeavingBehind<T extends Document> {
  /** Those that are gone now; undefined: none is. Called for every list, so it must find that at once. */
  readonly now: (state: Lookup) => LeftBehind<T> | undefined;
  /** Whether the document may ever be one of them. */
  readonly mayBe: (document: T) => boolean;
}

/** The documents of a collection that are gone now, though still stored, by conditions on their columns. */
export interface LeftBehind<T extends Document> {
  /** Holds for those that are found by their columns. */
  readonly all: Condition;
  /** Of these some are gone, too, and are to be looked at one by one. Absent: none is. */
  readonly some?: { readonly among: Condition; readonly isGone: (document: T) => boolean };
}

/** Every field of the document: one that is forgotten would not be stored. */
type Copied<T> = { readonly [K in keyof T]-?: T[K] | undefined };

type Implied<T> = { readonly [K in keyof T & string]?: (document: T) => T[K] };

/** Declares a collection; whatever is left out is empty. */
export function collection<T extends Document>(
  declared: Pick<Collection<T>, 'name'> &
    Partial<Omit<Collection<T>, 'implied' | 'copy'>> & {
      readonly implied?: Implied<T>;
      readonly copy?: (document: T) => Copied<T>;
    },
): Collection<T> {
  const { implied = {}, ...rest } = declared;
  return {
    columns: {},
    multi: {},
    indexes: {},
    copy: (document) => ({ ...document }),
    steady: [],
    principals: {},
    mutable: false,
    seldomRead: false,
    packed: false,
    ...rest,
    implied: implied as Collection<T>['implied'],
  };
}
