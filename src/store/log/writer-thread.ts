import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../sqlite.js';
import { HeadFile } from './head-file.js';
import type { TableShape } from './schema.js';
import { LogWriter } from './writer.js';
import { type WriterRequest, WriterRequests } from './writer-requests.js';

// The thread that writes one `log.db`. It ends by itself once it has closed its file.

const { path, shapes } = workerData as { path: string; shapes: readonly TableShape[] };
const requests = new WriterRequests(new LogWriter(openDatabase(path), shapes, new HeadFile(path)), (reply) =>
  parentPort?.postMessage(reply),
);
parentPort?.on('message', (request: WriterRequest) => {
  requests.take(request);
  if (request.type === 'close') parentPort?.close();
});
