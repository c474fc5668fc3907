import { join } from 'node:path';
import type { ThreadService } from '../../shared/thread-service.js';
import { partitionFolder } from '../data-folder.js';
import { releaseClosed } from '../sqlite.js';
import type { Reached, RecordEntry, RecordQuery, RecordsPart, Retention } from './record.js';
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
  | { readonly kind: 'trim'; readonly partition: string; readonly now: number }
  | { readonly kind: 'forget'; readonly partition: string };

export interface RecordsThreadData {
  readonly dataFolder: string;
  /** By the stream's name. */
  readonly retention: Readonly<Record<string, Retention>>;
}

/** An answer: of a read, of a question for the place that a stream reaches; of all others there is none. */
export type RecordsAnswer = RecordsPart | string | undefined;

/** How often what is written is put together, and trimmed. */
const TIDY_MS = 60_000;

/** The thread that writes and reads every partition's records. */
export const inThread = (data: RecordsThreadData) => new RecordsThread(data);

class RecordsThread implements ThreadService<RecordsRequest, RecordsAnswer> {
  readonly #data: RecordsThreadData;
  readonly #files = new Map<string, RecordFile>();
  /** When a partition's streams were tidied last. */
  readonly #tidied = new Map<string, number>();

  constructor(data: RecordsThreadData) {
    this.#data = data;
  }

  answer(request: RecordsRequest): RecordsAnswer {
    const { partition } = request;
    if (request.kind === 'read') return this.#fileOf(partition).read(request.stream, request.query);
    if (request.kind === 'reached') return this.#fileOf(partition).reached(request.stream);
    if (request.kind === 'append') this.#append(request);
    else if (request.kind === 'trim') this.#tidy(partition, request.now);
    else this.#forget(partition);
    return undefined;
  }

  end(): void {
    for (const file of this.#files.values()) file.close();
  }

  #append({ partition, entries, now, reached }: Extract<RecordsRequest, { kind: 'append' }>): void {
    const file = this.#fileOf(partition);
    file.append(entries, reached);
    const tidied = this.#tidied.get(partition) ?? Number.NEGATIVE_INFINITY;
    if (now - tidied >= TIDY_MS || now < tidied) this.#tidy(partition, now);
  }

  #tidy(partition: string, now: number): void {
    this.#tidied.set(partition, now);
    const file = this.#fileOf(partition);
    for (const [stream, kept] of Object.entries(this.#data.retention)) {
      file.trim(stream, kept, now);
      file.merge(stream);
    }
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
    this.#tidied.delete(partition);
    releaseClosed();
  }
}
