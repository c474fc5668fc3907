import type { Caller } from '../../shared/caller.js';
import { ServiceError } from '../../shared/errors.js';
import type { ThreadService } from '../../shared/thread-service.js';
import { readFault } from '../damage.js';
import { indexRevisionOf } from '../index-db/schema.js';
import { longJobs } from '../job/long/long-job.js';
import type { AnyCollection } from '../log/schema.js';
import type { CachedStatements } from '../statements.js';
import { listPage, revisionOf } from './list.js';
import type { ListRequest } from './list-request.js';
import { NativeGuard, ThreadStopped } from './native-guard.js';
import { PageRoom, RoomExceeded } from './page-room.js';
import { IndexDamaged, OpenPartitions, type PartitionFiles } from './partition-files.js';
import type { ReaderModule, ReaderQuery } from './reader-module.js';

/** A request to the reader's thread. */
export type Work =
  | { readonly kind: 'list'; readonly partition: string; readonly request: ListRequest }
  | {
      readonly kind: 'query';
      readonly partition: string;
      readonly name: string;
      readonly args: unknown;
      readonly caller: Caller;
      /** What `index.db` must have reached, if the query needs it. */
      readonly afterRevision: number;
    };

/** A work on its way to the thread. */
export type Task = Work & {
  /** The most bytes that the answer may have; undefined: any. */
  readonly bytesMax: number | undefined;
};

/** Its answer. `behind`: the index is not there yet; ask again when it is. `exceeded`: it would have more than `bytesMax`. `damagedIndex`: ask again. */
export type Reply =
  | { readonly kind: 'answer'; readonly answer: unknown; readonly bytes: number }
  | { readonly kind: 'exceeded' }
  | { readonly kind: 'damagedIndex' }
  | { readonly kind: 'behind'; readonly revision: number | null };

export interface ReaderThreadData {
  readonly dataFolder: string;
  /** File URLs of modules that export a `readerModule`. */
  readonly modules: readonly string[];
  /** Shared memory that tells the thread to stop. */
  readonly stopFlag: Int32Array;
}

/** The thread that runs lists and queries. */
export async function inThread({ dataFolder, modules, stopFlag }: ReaderThreadData): Promise<ReaderThread> {
  // What the store itself keeps and lists.
  const collections = new Map<string, AnyCollection>([[longJobs.name, longJobs]]);
  const queries = new Map<string, ReaderQuery<unknown, unknown>>();
  for (const url of modules) {
    const { readerModule } = (await import(url)) as { readerModule: ReaderModule };
    for (const collection of readerModule.collections) collections.set(collection.name, collection);
    for (const query of readerModule.queries) {
      if (queries.has(query.name)) throw new Error(`expected one query of the name '${query.name}', but found two`);
      queries.set(query.name, query);
    }
  }
  return new ReaderThread({ collections, queries }, dataFolder, new NativeGuard(stopFlag));
}

interface Readable {
  readonly collections: ReadonlyMap<string, AnyCollection>;
  readonly queries: ReadonlyMap<string, ReaderQuery<unknown, unknown>>;
}

/** Runs lists and queries, one after the other. It never waits: what must wait is asked again by the main thread. Told to close the files of a partition. */
class ReaderThread implements ThreadService<Task, Reply, string> {
  readonly #readable: Readable;
  readonly #guard: NativeGuard;
  readonly #partitions: OpenPartitions;

  constructor(readable: Readable, dataFolder: string, guard: NativeGuard) {
    this.#readable = readable;
    this.#guard = guard;
    this.#partitions = new OpenPartitions(dataFolder, guard);
  }

  hear(partition: string): void {
    this.#partitions.forget(partition);
  }

  /** Ends by itself, outside of SQLite. */
  end(): void {
    this.#partitions.closeAll();
  }

  /** When the thread is told to stop meanwhile, nobody waits for the answer. */
  answer(work: Task): Reply {
    try {
      const files = this.#partitions.of(work.partition);
      const room = new PageRoom(work.bytesMax);
      return work.kind === 'list' ? this.#list(files, work, room) : this.#query(files, work, room);
    } catch (thrown) {
      if (thrown instanceof ThreadStopped || this.#guard.isStopped) throw thrown;
      if (thrown instanceof RoomExceeded) return { kind: 'exceeded' };
      if (thrown instanceof IndexDamaged) {
        this.#partitions.passOverIndex(work.partition);
        return { kind: 'damagedIndex' };
      }
      // After anything but a refusal the files may not be what they were: they are opened anew.
      if (!(thrown instanceof ServiceError)) this.#partitions.close(work.partition);
      throw readFault(thrown);
    }
  }

  #list({ log }: PartitionFiles, { request }: Extract<Task, { kind: 'list' }>, room: PageRoom): Reply {
    const collection = this.#readable.collections.get(request.collection);
    if (collection === undefined)
      throw new Error(`expected a collection of the reader's modules: '${request.collection}'`);
    const answer = log.snapshot(() => listPage(log, collection, request, room));
    return { kind: 'answer', answer, bytes: room.bytesOf(answer) };
  }

  #query(
    files: PartitionFiles,
    { name, args, caller, afterRevision }: Extract<Task, { kind: 'query' }>,
    room: PageRoom,
  ): Reply {
    const asked = this.#readable.queries.get(name);
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
}

function withIndex<T>(index: CachedStatements | null, work: (revision: number | null) => T): T {
  if (index === null) return work(null);
  return index.snapshot(() => work(indexRevisionOf(index)));
}
