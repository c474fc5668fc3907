import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../shared/errors.js';
import { openDatabase } from '../sqlite.js';
import { HeadFile } from './head-file.js';
import type { CommitRecord, DocumentRecord } from './log.js';
import type { TableShape } from './schema.js';
import { LogWriter } from './writer.js';

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

const { path, shapes } = workerData as { path: string; shapes: readonly TableShape[] };
const writer = new LogWriter(openDatabase(path), shapes, new HeadFile(path));
const port = parentPort;

let ahead: DocumentRecord[] = [];

port?.on('message', (request: WriterRequest) => {
  if (request.type === 'documents') {
    ahead = ahead.concat(request.documents);
    return;
  }
  try {
    perform(request);
    port.postMessage({ id: request.id } satisfies WriterReply);
  } catch (thrown) {
    const message = messageOf(thrown);
    port.postMessage({ id: request.id, error: { message, broken: /constraint/i.test(message) } } satisfies WriterReply);
  }
  if (request.type === 'close') port.close();
});

function perform(request: Exclude<WriterRequest, { readonly type: 'documents' }>): void {
  switch (request.type) {
    case 'append':
      return writer.append(whole(request.group));
    case 'trim':
      return writer.trim(request.revision, request.outcomesBefore);
    case 'probe':
      return writer.probe();
    case 'close':
      return writer.close();
  }
}

/** The group with the documents that were sent ahead. */
function whole(group: readonly CommitRecord[]): readonly CommitRecord[] {
  const documents = ahead;
  ahead = [];
  return documents.length === 0 ? group : group.map((commit) => ({ ...commit, documents }));
}
