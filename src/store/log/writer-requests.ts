import type { ThreadService } from '../../shared/thread-service.js';
import { openDatabase } from '../sqlite.js';
import { HeadFile } from './head-file.js';
import type { CommitRecord, DocumentRecord } from './log.js';
import type { TableShape } from './schema.js';
import { LogWriter } from './writer.js';

/** A request to the writer's thread. */
export type WriterRequest =
  | { readonly type: 'append'; readonly group: readonly CommitRecord[] }
  | { readonly type: 'trim'; readonly revision: number; readonly outcomesBefore: number }
  | { readonly type: 'probe' };

/** Does what is asked of the writer's thread, one request after the other. */
export class WriterRequests implements ThreadService<WriterRequest, void, readonly DocumentRecord[]> {
  readonly #writer: LogWriter;
  #ahead: DocumentRecord[] = [];

  constructor(writer: LogWriter) {
    this.#writer = writer;
  }

  /** Documents of the one commit of the next `append`, which has none of its own. */
  hear(documents: readonly DocumentRecord[]): void {
    this.#ahead = this.#ahead.concat(documents);
  }

  answer(request: WriterRequest): void {
    switch (request.type) {
      case 'append':
        return this.#writer.append(this.#whole(request.group));
      case 'trim':
        return this.#writer.trim(request.revision, request.outcomesBefore);
      case 'probe':
        return this.#writer.probe();
    }
  }

  end(): void {
    this.#writer.close();
  }

  /** The group with the documents that were sent ahead. */
  #whole(group: readonly CommitRecord[]): readonly CommitRecord[] {
    const documents = this.#ahead;
    this.#ahead = [];
    return documents.length === 0 ? group : group.map((commit) => ({ ...commit, documents }));
  }
}

/** The thread that writes one `log.db`. */
export const inThread = ({ path, shapes }: { readonly path: string; readonly shapes: readonly TableShape[] }) =>
  new WriterRequests(new LogWriter(openDatabase(path), shapes, new HeadFile(path)));
