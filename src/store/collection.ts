import type { Caller } from '../shared/caller.js';

/** What an index may hold. SQLite's order: null, numbers, then texts by their UTF-8 bytes. */
export type Scalar = string | number | null;

/** A document: plain JSON with an id that is unique in its collection. At most 256 kB as text. */
export interface Document {
  readonly id: string;
}

/** An index over columns; a document whose first column is null is not in it. Ties end in the id. */
export interface IndexDefinition {
  readonly columns: readonly string[];
  /**
   * No two documents may have the same values. Checked by rules through State; enforced again by the log as an assertion. Its columns behind the
   * first are never null, so that there are no ties.
   */
  readonly unique?: boolean;
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
  /** Whether the caller may see the document. Lists, counts, point reads and deliveries all go through it. Default: everyone signed in. */
  readonly visible?: (caller: Caller, document: T) => boolean;
  /** Whether the caller sees every document, so that `visible` need not be asked of each: lists and counts of an administrator. */
  readonly seesAll?: (caller: Caller) => boolean;
}

/** Declares a collection; whatever is left out is empty. */
export function collection<T extends Document>(
  declared: Pick<Collection<T>, 'name'> & Partial<Collection<T>>,
): Collection<T> {
  return { columns: {}, multi: {}, indexes: {}, ...declared };
}
