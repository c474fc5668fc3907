import type { Fault } from './applier.js';

/** What the indexer's thread is told. `wake`: the partition has something new; the first one opens it. `renew`: its index cannot be read. */
export type IndexerRequest =
  | { readonly kind: 'wake' | 'forget' | 'renew'; readonly partition: string }
  | { readonly kind: 'close' };

/** What it reports. `revision` null: the index is being built. `isLast`: nothing is left to do, it waits to be woken. */
export type IndexerReport =
  | { readonly kind: 'reached'; readonly partition: string; readonly revision: number | null; readonly isLast: boolean }
  | { readonly kind: 'forgotten'; readonly partition: string }
  | { readonly kind: 'fault'; readonly partition: string; readonly fault: Fault | null; readonly message: string };

export interface IndexerThreadData {
  readonly dataFolder: string;
  /** File URLs of modules that export an `indexerModule`. */
  readonly modules: readonly string[];
}
