import type { ThreadError } from '../../shared/thread-service.js';
import type { RecordEntry, RecordQuery, Retention } from './record.js';

/** What the records' thread is asked. `now`: ms, for the retention. */
export type RecordsRequest =
  | {
      readonly kind: 'append';
      readonly id: number;
      readonly partition: string;
      readonly now: number;
      readonly entries: readonly RecordEntry[];
    }
  | {
      readonly kind: 'read';
      readonly id: number;
      readonly partition: string;
      readonly stream: string;
      readonly query: RecordQuery;
    }
  | { readonly kind: 'forget'; readonly id: number; readonly partition: string }
  | { readonly kind: 'close' };

/** What it answers: the rows of a read as JSON texts, for others none. */
export type RecordsReply =
  | { readonly id: number; readonly rows: readonly string[] }
  | { readonly id: number; readonly error: ThreadError };

export interface RecordsThreadData {
  readonly dataFolder: string;
  /** By the stream's name. */
  readonly retention: Readonly<Record<string, Retention>>;
}
