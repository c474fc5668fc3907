import type { Document } from '../collection.js';
import type { Statements } from '../statements.js';

/** A document as it is now. It may be newer than the commit that the indexer is at; it is then handed over again later. */
export interface Change<T extends Document = Document> {
  /** The collection's name. */
  readonly collection: string;
  readonly id: string;
  /** The revision that wrote the document, or that removed it. */
  readonly revision: number;
  /** As it is stored: without what its collection implies. Null: it is gone. */
  readonly document: T | null;
}

/** Tables of `index.db` that are made from documents alone, so that they can be thrown away and built anew at any time. */
export interface Projection<T extends Document = Document> {
  readonly name: string;
  /** Raised when the same documents give other rows; every `index.db` is then built anew. */
  readonly format: number;
  /** The names of the collections that it follows. */
  readonly collections: readonly string[];
  /** Makes its empty tables. SQL; its tables begin with its name, so that they are no one else's. */
  readonly create: string;
  /**
   * Makes its rows those of the document, whatever they were: the same change may come twice, and versions may be left out. Synchronous, in the
   * batch's transaction. A document on which it throws is left out of this projection and reported.
   */
  apply(index: Statements, change: Change<T>): void;
}

// biome-ignore lint/suspicious/noExplicitAny: a projection of any documents; the indexer does not look into them
export type AnyProjection = Projection<any>;

/** The projections of a domain, which its module exports as `indexerModule` for the indexer's thread. */
export interface IndexerModule {
  readonly projections: readonly AnyProjection[];
}
