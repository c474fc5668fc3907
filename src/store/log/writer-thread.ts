import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../shared/errors.js';
import { openDatabase } from '../sqlite.js';
import type { CommitRecord } from './log.js';
import type { TableShape } from './schema.js';
import { LogWriter } from './writer.js';

/** What main asks of the writer's thread. */
export type WriterRequest =
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
const writer = new LogWriter(openDatabase(path), shapes);
const port = parentPort;

port?.on('message', (request: WriterRequest) => {
  try {
    perform(request);
    port.postMessage({ id: request.id } satisfies WriterReply);
  } catch (thrown) {
    const message = messageOf(thrown);
    port.postMessage({ id: request.id, error: { message, broken: /constraint/i.test(message) } } satisfies WriterReply);
  }
  if (request.type === 'close') port.close();
});

function perform(request: WriterRequest): void {
  switch (request.type) {
    case 'append':
      return writer.append(request.group);
    case 'trim':
      return writer.trim(request.revision, request.outcomesBefore);
    case 'probe':
      return writer.probe();
    case 'close':
      return writer.close();
  }
}
