import type { Caller } from '../../shared/caller.js';
import type { ThreadError } from '../thread-error.js';
import type { ListRequest } from './list-request.js';

/** What the reader's thread is asked. */
export type Work =
  | { readonly kind: 'list'; readonly partition: string; readonly request: ListRequest }
  | {
      readonly kind: 'query';
      readonly partition: string;
      readonly name: string;
      readonly args: unknown;
      readonly caller: Caller;
      /** What `index.db` must have reached, if the query needs it. */
      readonly afterRevision: number;
    };

/** What the thread answers. `behind`: the index is not there yet; ask again when it is. `stopped`: the thread may be terminated now. */
export type Reply =
  | { readonly kind: 'answer'; readonly answer: unknown }
  | { readonly kind: 'error'; readonly error: ThreadError }
  | { readonly kind: 'behind'; readonly revision: number | null }
  | { readonly kind: 'stopped' };

/** Closes the files of a partition in the thread. */
export interface Forget {
  readonly kind: 'forget';
  readonly partition: string;
}

export interface ReaderThreadData {
  readonly dataFolder: string;
  /** File URLs of modules that export a `readerModule`. */
  readonly modules: readonly string[];
  /** Shared memory of the guard that knows whether the thread is inside SQLite. */
  readonly guardState: Int32Array;
}
