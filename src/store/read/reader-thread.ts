import { parentPort, workerData } from 'node:worker_threads';
import { ServiceError } from '../../shared/errors.js';
import { toThreadError } from '../../shared/thread-service.js';
import { readFault } from '../damage.js';
import { indexRevisionOf } from '../index-db/schema.js';
import type { AnyCollection } from '../log/schema.js';
import type { CachedStatements } from '../statements.js';
import { listPage, revisionOf } from './list.js';
import { NativeGuard, ThreadStopped } from './native-guard.js';
import { PageRoom, RoomExceeded } from './page-room.js';
import { IndexDamaged, OpenPartitions, type PartitionFiles } from './partition-files.js';
import type { Forget, ReaderThreadData, Reply, Stop, Task } from './reader-message.js';
import type { ReaderModule, ReaderQuery } from './reader-module.js';

// The thread that runs lists and queries, one after the other. It never waits: what must wait is asked again by the main thread.

const { dataFolder, modules, stopFlag } = workerData as ReaderThreadData;
const collections = new Map<string, AnyCollection>();
const queries = new Map<string, ReaderQuery<unknown, unknown>>();
for (const url of modules) {
  const { readerModule } = (await import(url)) as { readerModule: ReaderModule };
  for (const collection of readerModule.collections) collections.set(collection.name, collection);
  for (const query of readerModule.queries) {
    if (queries.has(query.name)) throw new Error(`expected one query of the name '${query.name}', but found two`);
    queries.set(query.name, query);
  }
}
const guard = new NativeGuard(stopFlag);
const partitions = new OpenPartitions(dataFolder, guard);

parentPort?.on('message', (message: Task | Forget | Stop) => {
  if (message.kind === 'forget') partitions.close(message.partition);
  else if (message.kind !== 'stop' && !guard.isStopped) perform(message);
  if (guard.isStopped) end();
});

function perform(work: Task): void {
  const replied = reply(work);
  if (replied !== undefined) parentPort?.postMessage(replied);
}

/** The thread ends by itself, outside of SQLite, when nothing is left to wait for. */
function end(): void {
  partitions.closeAll();
  parentPort?.close();
}

/** Undefined when the thread was told to stop meanwhile: nobody waits for the answer. */
function reply(work: Task): Reply | undefined {
  try {
    const files = partitions.of(work.partition);
    const room = new PageRoom(work.bytesMax);
    return work.kind === 'list' ? list(files, work, room) : query(files, work, room);
  } catch (thrown) {
    if (thrown instanceof ThreadStopped || guard.isStopped) return undefined;
    if (thrown instanceof RoomExceeded) return { kind: 'exceeded' };
    if (thrown instanceof IndexDamaged) {
      partitions.passOverIndex(work.partition);
      return { kind: 'damagedIndex' };
    }
    // After anything but a refusal the files may not be what they were: they are opened anew.
    if (!(thrown instanceof ServiceError)) partitions.close(work.partition);
    return { kind: 'error', error: toThreadError(readFault(thrown)) };
  }
}

function list({ log }: PartitionFiles, { request }: Extract<Task, { kind: 'list' }>, room: PageRoom): Reply {
  const collection = collections.get(request.collection);
  if (collection === undefined)
    throw new Error(`expected a collection of the reader's modules: '${request.collection}'`);
  const answer = log.snapshot(() => listPage(log, collection, request, room));
  return { kind: 'answer', answer, bytes: room.bytesOf(answer) };
}

function query(
  files: PartitionFiles,
  { name, args, caller, afterRevision }: Extract<Task, { kind: 'query' }>,
  room: PageRoom,
): Reply {
  const asked = queries.get(name);
  if (asked === undefined) throw new Error(`expected a query of the reader's modules: '${name}'`);
  // Another file is another transaction, and pages that are read anew behind each batch of the indexer.
  const index = asked.needsIndex === true ? files.index() : null;
  const { log } = files;
  return log.snapshot(() =>
    withIndex(index, (indexRevision) => {
      const isThere = indexRevision !== null && indexRevision >= afterRevision;
      if (asked.needsIndex === true && !isThere) return { kind: 'behind', revision: indexRevision };
      const revision = revisionOf(log);
      const context = { log, index: indexRevision === null ? null : index, caller, revision, indexRevision, room };
      const answer = asked.run(context, args);
      return { kind: 'answer', answer: { answer, revision, indexRevision }, bytes: room.bytesOf(answer) };
    }),
  );
}

function withIndex<T>(index: CachedStatements | null, work: (revision: number | null) => T): T {
  if (index === null) return work(null);
  return index.snapshot(() => work(indexRevisionOf(index)));
}
