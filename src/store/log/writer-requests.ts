import { messageOf } from '../../shared/errors.js';
import type { CommitRecord, DocumentRecord } from './log.js';
import type { LogWriter } from './writer.js';

/** What main asks of the writer's thread. */
export type WriterRequest =
  /** Documents of the one commit of the next `append`, which has none of its own. */
  | { readonly type: 'documents'; readonly documents: readonly DocumentRecord[] }
  | { readonly type: 'append'; readonly id: number; readonly group: readonly CommitRecord[] }
  | { readonly type: 'trim'; readonly id: number; readonly revision: number; readonly outcomesBefore: number }
  | { readonly type: 'probe'; readonly id: number }
  | { readonly type: 'close'; readonly id: number };

/** Its answer: `broken` when the data contradicts what is stored. */
export interface WriterReply {
  readonly id: number;
  readonly error?: { readonly message: string; readonly broken: boolean };
}

/** Does what is asked of the writer's thread, one request after the other. */
export class WriterRequests {
  readonly #writer: LogWriter;
  readonly #reply: (reply: WriterReply) => void;
  #ahead: DocumentRecord[] = [];

  constructor(writer: LogWriter, reply: (reply: WriterReply) => void) {
    this.#writer = writer;
    this.#reply = reply;
  }

  take(request: WriterRequest): void {
    if (request.type === 'documents') {
      this.#ahead = this.#ahead.concat(request.documents);
      return;
    }
    const { id } = request;
    try {
      this.#perform(request);
      this.#reply({ id });
    } catch (thrown) {
      const message = messageOf(thrown);
      this.#reply({ id, error: { message, broken: /constraint/i.test(message) } });
    }
  }

  #perform(request: Exclude<WriterRequest, { readonly type: 'documents' }>): void {
    switch (request.type) {
      case 'append':
        return this.#writer.append(this.#whole(request.group));
      case 'trim':
        return this.#writer.trim(request.revision, request.outcomesBefore);
      case 'probe':
        return this.#writer.probe();
      case 'close':
        return this.#writer.close();
    }
  }

  /** The group with the documents that were sent ahead. */
  #whole(group: readonly CommitRecord[]): readonly CommitRecord[] {
    const documents = this.#ahead;
    this.#ahead = [];
    return documents.length === 0 ? group : group.map((commit) => ({ ...commit, documents }));
  }
}
