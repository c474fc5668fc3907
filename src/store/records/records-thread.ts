import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { toThreadError } from '../../shared/thread-service.js';
import { partitionFolder } from '../partition-folder.js';
import { RecordFile } from './record-file.js';
import type { RecordsReply, RecordsRequest, RecordsThreadData } from './records-message.js';

// The thread that writes and reads every partition's records.

/** How often a stream that is written is trimmed. */
const TRIM_MS = 60_000;

const { dataFolder, retention } = workerData as RecordsThreadData;
const files = new Map<string, RecordFile>();
/** When a partition's streams were trimmed last. */
const trimmed = new Map<string, number>();

parentPort?.on('message', (request: RecordsRequest) => {
  if (request.kind === 'close') return close();
  parentPort?.postMessage(reply(request));
});

function reply(request: Exclude<RecordsRequest, { kind: 'close' }>): RecordsReply {
  const { id } = request;
  try {
    if (request.kind === 'read') return { id, rows: fileOf(request.partition).read(request.stream, request.query) };
    if (request.kind === 'append') append(request);
    else forget(request.partition);
    return { id, rows: [] };
  } catch (thrown) {
    return { id, error: toThreadError(thrown) };
  }
}

function append({ partition, entries, now }: Extract<RecordsRequest, { kind: 'append' }>): void {
  const file = fileOf(partition);
  file.append(entries);
  if (now - (trimmed.get(partition) ?? Number.NEGATIVE_INFINITY) < TRIM_MS) return;
  trimmed.set(partition, now);
  for (const [stream, kept] of Object.entries(retention)) file.trim(stream, kept, now);
}

function fileOf(partition: string): RecordFile {
  let file = files.get(partition);
  if (file === undefined) {
    file = new RecordFile(join(partitionFolder(dataFolder, partition), 'records.db'));
    files.set(partition, file);
  }
  return file;
}

function forget(partition: string): void {
  files.get(partition)?.close();
  files.delete(partition);
  trimmed.delete(partition);
}

/** Ends by itself, outside of SQLite. */
function close(): void {
  for (const file of files.values()) file.close();
  process.exit();
}
