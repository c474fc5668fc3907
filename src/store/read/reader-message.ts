import type { Caller } from '../../shared/caller.js';
import type { ThreadError } from '../../shared/thread-service.js';
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

/** A work on its way to the thread. */
export type Task = Work & {
  /** The most bytes that the answer may have; undefined: any. */
  readonly bytesMax: number | undefined;
};

/** What the thread answers. `behind`: the index is not there yet; ask again when it is. `exceeded`: it would have more than `bytesMax`. `damagedIndex`: ask again. */
export type Reply =
  | { readonly kind: 'answer'; readonly answer: unknown; readonly bytes: number }
  | { readonly kind: 'exceeded' }
  | { readonly kind: 'damagedIndex' }
  | { readonly kind: 'error'; readonly error: ThreadError }
  | { readonly kind: 'behind'; readonly revision: number | null };

/** Closes the files of a partition in the thread. */
export interface Forget {
  readonly kind: 'forget';
  readonly partition: string;
}

/** Wakes a thread that waits, so that it sees that it was told to stop. */
export interface Stop {
  readonly kind: 'stop';
}

export interface ReaderThreadData {
  readonly dataFolder: string;
  /** File URLs of modules that export a `readerModule`. */
  readonly modules: readonly string[];
  /** Shared memory that tells the thread to stop. */
  readonly stopFlag: Int32Array;
}
