import type { AnyCollection, AnyOperation } from '../store/index.js';
import { contentCollections } from './collections.js';
import { type ContentOperations, contentOperations } from './operations.js';
import { ensureStandardTree } from './rule/standard-tree.js';

/** The repository as a store takes it in. */
export interface Content {
  readonly collections: readonly AnyCollection[];
  /** By name; the resolvers' way to them. */
  readonly api: ContentOperations;
  readonly operations: readonly AnyOperation[];
}

/** Puts the repository together. */
export function createContent(): Content {
  return {
    collections: contentCollections,
    api: contentOperations,
    operations: [...Object.values(contentOperations).map((one) => one.operation), ensureStandardTree],
  };
}
