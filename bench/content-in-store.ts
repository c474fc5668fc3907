import { join } from 'node:path';
import { type Content, ContentView, contentChildren, createContent, PendingChunks } from '../src/content/index.js';
import { LargeWorkPort } from '../src/server/wire/content-domain.js';
import { type Caller, systemCaller } from '../src/shared/caller.js';
import { SteadyClock } from '../src/shared/clock.js';
import {
  FileBlobStore,
  Indexer,
  type Page,
  type Partition,
  Reader,
  Store,
  type StoreOptions,
} from '../src/store/index.js';
import { TEST_LIMITS } from '../test/support/test-content.js';
import { loadNodes } from './content-load.js';

export const WORKSPACE = 'bench';

/** Reads and writes all. */
export const admin: Caller = callerNamed('admin', ['administrator']);
/** Whom nothing but access control lists let read. */
export const reader: Caller = callerNamed('ann', []);

function callerNamed(userId: string, roles: readonly string[]): Caller {
  return { userId, groups: [], roles, sessionId: null, workspace: WORKSPACE, cause: {} };
}

/** The content in a durable store, with its threads: writer, indexer, readers. */
export interface ContentInStore {
  readonly partition: Partition;
  readonly content: Content;
  readonly reader: Reader;
  readonly blobs: FileBlobStore;
  /** Does an operation on the tree, by its name. */
  send(name: keyof Content['nodes'], input: unknown): Promise<unknown>;
  view(caller: Caller): ContentView;
  /** A page of children, through the reader's thread. */
  children(parentId: string, after: string | null, options?: { count?: boolean; caller?: Caller }): Promise<Page>;
  /** Resolves when nothing is left to be indexed: that is no part of what reading costs. */
  indexed(): Promise<unknown>;
  close(): Promise<void>;
}

const CHILDREN_PAGE = 50;

export async function contentInStore(
  folder: string,
  observers: Pick<StoreOptions, 'followers' | 'decided'> = {},
): Promise<ContentInStore> {
  const modules = [new URL('../src/content/reader-module.js', import.meta.url).href];
  const indexer = new Indexer({ dataFolder: folder, modules: [] });
  const lists = new Reader({ dataFolder: folder, modules, index: indexer });
  const largeWork = new LargeWorkPort(folder, () => store);
  const blobs = await FileBlobStore.open(join(folder, 'blobs'));
  const content = createContent({
    blobs,
    reader: lists,
    chunks: new PendingChunks(),
    uploads: { bytesMax: 1e9, chunkBytesMax: 8e6, openMax: 1_000, keptMs: 1e9 },
    largeWork,
    ...TEST_LIMITS,
  });
  const store: Store = new Store({
    ...content,
    ...observers,
    operations: [...content.operations, loadNodes],
    followers: (name) => [indexer.follower(name), ...(observers.followers?.(name) ?? [])],
    folder,
    reactions: [],
    clock: new SteadyClock(),
    jobSlots: 16,
    callerOf: (userId, workspace, cause) => ({ ...admin, userId, workspace, cause }),
  });
  const partition = await store.open(WORKSPACE, WORKSPACE);
  await partition.send(content.jobs.ensureStandardTree, null, { caller: systemCaller(WORKSPACE) });
  return {
    partition,
    blobs,
    content,
    reader: lists,
    send: async (name, input) => {
      const { operation } = content.nodes[name];
      return (await partition.send(operation as Parameters<Partition['send']>[0], input, { caller: admin })).answer;
    },
    view: (caller) => new ContentView(partition.replica.read(), caller),
    children: async (parentId, after, { count = false, caller = admin } = {}) => {
      const query = {
        parentId,
        first: CHILDREN_PAGE,
        after,
        partition: WORKSPACE,
        now: new SteadyClock().now(),
        count,
      };
      return (await lists.query(WORKSPACE, contentChildren, query, caller)).answer;
    },
    indexed: () => indexer.reached(WORKSPACE, partition.replica.read().revision - 1, 60_000),
    close: async () => {
      await store.close(1_000);
      await largeWork.close();
      await lists.close();
      await indexer.close();
    },
  };
}
