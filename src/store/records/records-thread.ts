import { join } from 'node:path';
import type { ThreadService } from '../../shared/thread-service.js';
import { partitionFolder } from '../data-folder.js';
import type { Reached, RecordEntry, RecordQuery, Retention } from './record.js';
import { RecordFile } from './record-file.js';

/** A request to the records' thread. `now`: ms, for the retention. */
export type RecordsRequest =
  | {
      readonly kind: 'append';
      readonly partition: string;
      readonly now: number;
      readonly entries: readonly RecordEntry[];
      readonly reached?: Reached;
    }
  | { readonly kind: 'read'; readonly partition: string; readonly stream: string; readonly query: RecordQuery }
  | { readonly kind: 'reached'; readonly partition: string; readonly stream: string }
  | { readonly kind: 'forget'; readonly partition: string };

export interface RecordsThreadData {
  readonly dataFolder: string;
  /** By the stream's name. */
  readonly retention: Readonly<Record<string, Retention>>;
}

/** How often a stream that is written is trimmed. */
const TRIM_MS = 60_000;

/** The thread that writes and reads every partition's records. */
export const inThread = (data: RecordsThreadData) => new RecordsThread(data);

class RecordsThread implements ThreadService<RecordsRequest, readonly string[]> {
  readonly #data: RecordsThreadData;
  readonly #files = new Map<string, RecordFile>();
  /** When a partition's streams were trimmed last. */
  readonly #trimmed = new Map<string, number>();

  constructor(data: RecordsThreadData) {
    this.#data = data;
  }

  /** The rows of a read, each its place, a blank and its JSON; the place that a stream reaches; for others none. */
  answer(request: RecordsRequest): readonly string[] {
    if (request.kind === 'read') return this.#fileOf(request.partition).read(request.stream, request.query);
    if (request.kind === 'reached') {
      const place = this.#fileOf(request.partition).reached(request.stream);
      return place === undefined ? [] : [place];
    }
    if (request.kind === 'append') this.#append(request);
    else this.#forget(request.partition);
    return [];
  }

  end(): void {
    for (const file of this.#files.values()) file.close();
  }

  #append({ partition, entries, now, reached }: Extract<RecordsRequest, { kind: 'append' }>): void {
    const file = this.#fileOf(partition);
    file.append(entries, reached);
    if (now - (this.#trimmed.get(partition) ?? Number.NEGATIVE_INFINITY) < TRIM_MS) return;
    this.#trimmed.set(partition, now);
    for (const [stream, kept] of Object.entries(this.#data.retention)) file.trim(stream, kept, now);
  }

  #fileOf(partition: string): RecordFile {
    let file = this.#files.get(partition);
    if (file === undefined) {
      file = new RecordFile(join(partitionFolder(this.#data.dataFolder, partition), 'records.db'));
      this.#files.set(partition, file);
    }
    return file;
  }

  #forget(partition: string): void {
    this.#files.get(partition)?.close();
    this.#files.delete(partition);
    this.#trimmed.delete(partition);
  }
}
