import { join } from 'node:path';
import {
  type Content,
  type ContentNode,
  type ContentOperation,
  createContent,
  type LargeWork,
  nodes,
  PendingChunks,
  XmlParser,
} from '../../src/content/index.js';
import { readXml, type XmlSource } from '../../src/content/transfer/xml/read-xml.js';
import { pagedXml } from '../../src/content/transfer/xml/xml-document.js';
import { type Caller, SYSTEM_USER, systemCaller } from '../../src/shared/caller.js';
import { type DomainClock, SteadyClock } from '../../src/shared/clock.js';
import {
  type AnyOperation,
  type BlobStore,
  type Committed,
  FileBlobStore,
  type LongJobOperations,
  operation,
  type Partition,
  put,
  type QueryAnswer,
  Reader,
  type ReaderQuery,
  Store,
} from '../../src/store/index.js';
import { newStopFlag } from '../../src/store/read/native-guard.js';
import { inThread as readerInThread } from '../../src/store/read/reader-thread.js';
import { Changes } from './changes.js';
import { type DataFolder, dataFolder } from './data-folder.js';
import { callerNamed } from './harness.js';
import { TEST_LIMITS, TEST_UPLOADS } from './test-content.js';

/** The content in a store of its own, on disk, with a reader: as in the server, without HTTP. */
export interface ContentStore {
  readonly content: Content;
  readonly partition: Partition;
  readonly longJobs: LongJobOperations;
  readonly blobs: BlobStore;
  readonly work: LargeWork;
  /** What was committed since it was emptied last. */
  readonly commits: Committed[];
  /** Waits until it holds of what is stored. */
  until(holds: () => boolean): Promise<void>;
  /** Does an operation on the tree as an administrator. */
  run<I, A>(operation: ContentOperation<I, A>, input: I): Promise<A>;
  close(): Promise<void>;
}

/** Makes nodes as they are given, whatever the rules say. */
export const plant = operation('plant', (state, planted: readonly ContentNode[]) => ({
  write: planted.map((node) => put(nodes, { ...node, version: state.revision })),
  answer: null,
}));

export interface ContentStoreOptions {
  readonly folder?: string;
  readonly clock?: DomainClock;
  /** Told of every durable commit. */
  readonly committed?: (committed: Committed) => void;
  /** Whether the reader and the parser of XML have threads of their own. Without, what takes long holds up all else. Default: true. */
  readonly threads?: boolean;
  /** More operations. */
  readonly operations?: readonly AnyOperation[];
  /** Other limits than {@link LIMITS}. */
  readonly limits?: Partial<typeof LIMITS>;
}

const LIMITS = {
  ...TEST_LIMITS,
  xmlLimits: { ...TEST_LIMITS.xmlLimits, bytesMax: 1_000_000, nodesMax: 1_000 },
  imports: { ...TEST_LIMITS.imports, entriesMax: 1_000 },
};
const READER = new URL('../../src/content/reader-module.js', import.meta.url);
const PARTITION = 'test';
/** Who administers it; others have no rights but those that are granted. */
const ADMINISTRATORS: ReadonlySet<string> = new Set([SYSTEM_USER, 'admin']);

/** The content's services that have threads in the server. */
interface Threads extends Pick<Parameters<typeof createContent>[0], 'reader' | 'xmlParser'> {
  end(): Promise<void>;
}

function threaded(dataFolder: string): Threads {
  const reader = new Reader({ dataFolder, modules: [READER.href], deadlineMs: 60_000 });
  const xmlParser = new XmlParser({ budgetMs: 60_000 });
  return { reader, xmlParser, end: async () => void (await Promise.all([reader.close(), xmlParser.close()])) };
}

/** The same services in the caller's thread. */
async function unthreaded(dataFolder: string): Promise<Threads> {
  const thread = await readerInThread({ dataFolder, modules: [READER.href], stopFlag: newStopFlag() });
  const query = async <A, R>(partition: string, { name }: ReaderQuery<A, R>, args: A, caller: Caller) => {
    const reply = thread.answer({
      kind: 'query',
      partition,
      name,
      args,
      caller,
      afterRevision: 0,
      bytesMax: undefined,
    });
    if (reply.kind !== 'answer') throw new Error(`expected an answer to '${name}', but it is ${reply.kind}`);
    return reply.answer as QueryAnswer<R>;
  };
  const read = async (source: XmlSource) => pagedXml(readXml(source));
  return { reader: { query }, xmlParser: { read }, end: async () => thread.end() };
}

/** Opens it, with the standard folders. */
export async function contentStore(options: ContentStoreOptions = {}): Promise<ContentStore> {
  const own: DataFolder | null = options.folder === undefined ? dataFolder() : null;
  const folder = options.folder ?? own?.path ?? '';
  const blobs = await FileBlobStore.open(join(folder, 'blobs'));
  const { reader, xmlParser, end } = await (options.threads === false ? unthreaded(folder) : threaded(folder));
  const caller: Caller = { ...systemCaller(PARTITION), userId: 'admin' };
  const commits: Committed[] = [];
  const work: LargeWork = {
    partitionOf: () => PARTITION,
    plan: async (partition, query, args, asking) => (await reader.query(partition, query, args, asking)).answer,
    send: async (partition, sent, input) =>
      (await store.find(partition).send(sent, input, { caller: systemCaller(PARTITION) })).answer,
  };
  const content = createContent({
    blobs,
    reader,
    chunks: new PendingChunks(),
    uploads: TEST_UPLOADS,
    largeWork: work,
    ...LIMITS,
    ...options.limits,
    xmlParser,
  });
  const changes = new Changes();
  const store: Store = new Store({
    folder,
    collections: content.collections,
    operations: [...content.operations, plant, ...(options.operations ?? [])],
    evaluators: content.evaluators,
    jobTypes: content.jobTypes,
    longJobs: { types: content.longJobTypes },
    reactions: [],
    clock: options.clock ?? new SteadyClock(),
    jobSlots: 4,
    callerOf: (userId) => (ADMINISTRATORS.has(userId) ? caller : callerNamed(userId)),
    followers: () => [
      {
        committed: (commit) => {
          commits.push(commit);
          options.committed?.(commit);
          changes.tell();
        },
      },
    ],
  });
  const partition = await store.open(PARTITION, PARTITION);
  await partition.send(content.jobs.ensureStandardTree, null, { caller: systemCaller(PARTITION) });
  return {
    content,
    partition,
    longJobs: store.longJobs.operations,
    blobs,
    work,
    commits,
    until: (holds) => changes.until(holds),
    run: async ({ operation: declared }, input) => (await partition.send(declared, input, { caller })).answer,
    close: async () => {
      await store.close(1_000);
      await end();
      own?.remove();
    },
  };
}
