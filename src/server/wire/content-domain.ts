import { join, posix } from 'node:path';
import {
  AppDescriptors,
  type Content,
  ContentView,
  contentModule,
  createContent,
  type LargeWork,
  PendingChunks,
  StagedUploads,
  sweepVersionsOf,
  XML_NODES_MAX,
  type XmlLimits,
  XmlParser,
} from '../../content/index.js';
import { type Caller, systemCaller } from '../../shared/caller.js';
import {
  FileBlobStore,
  type Operation,
  type PartitionPort,
  Reader,
  type ReaderQuery,
  type Store,
} from '../../store/index.js';
import { SYSTEM_WORKSPACE } from '../../workspace/index.js';
import { DAY_MS, HOUR_MS, inEach, type RecurringWork, sendUntilDone } from '../maintenance/recurring.js';
import { PackageFiles } from '../package-files.js';
import type { Config } from '../settings/config.js';
import type { DomainNeeds, OpenDomain } from './domain.js';
import { SYSTEM_PARTITION } from './workspaces.js';

/** The content with what it keeps outside of documents. */
export interface ContentDomain extends OpenDomain {
  readonly domain: Content;
  readonly blobs: FileBlobStore;
  readonly chunks: PendingChunks;
  readonly apps: AppDescriptors;
}

/** Opens the blobs of the data folder, and the content on them. */
export async function openContent(needs: DomainNeeds): Promise<ContentDomain> {
  const { config, reader, principals, store } = needs;
  const blobs = await FileBlobStore.open(join(config.dataFolder, 'blobs'), needs.blobDamage);
  const chunks = new PendingChunks();
  const largeWork = new LargeWorkPort(config.dataFolder, store);
  const xmlParser = new XmlParser({ budgetMs: config.xmlParseTimeoutMs });
  const domain = createContent({
    blobs,
    reader,
    chunks,
    largeWork,
    hasPrincipal: (name) => name === 'everyone' || principals.describe(name) !== undefined,
    xmlParser,
    ...limitsOf(config),
  });
  const staged = new StagedUploads(blobs);
  const apps = new AppDescriptors(blobs);
  return {
    domain,
    blobs,
    chunks,
    apps,
    prepare: (partition) =>
      prepareContent({ content: domain, blobs, system: () => store().find(SYSTEM_PARTITION) }, partition),
    followers: (partition) => [staged.follower(partition)],
    closed: (partition) => largeWork.forget(partition),
    recurring: contentWorks(needs, { content: domain, staged, largeWork }),
    close: async () => {
      await Promise.all([largeWork.close(), xmlParser.close(), apps.close(), staged.quiet()]);
    },
  };
}

const limitsOf = (config: Config) => ({
  uploads: {
    bytesMax: config.uploadBytesMax,
    chunkBytesMax: config.uploadChunkBytesMax,
    openMax: config.uploadsPerUserMax,
    keptMs: config.uploadsKeptMs,
  },
  imports: {
    bytesMax: config.importBytesMax,
    entriesMax: config.importEntriesMax,
    ratioMax: config.importRatioMax,
    depthMax: config.importDepthMax,
  },
  typeLimits: { typesMax: config.nodeTypesMax, cndMax: config.cndMax },
  xmlLimits: xmlLimitsOf(config),
});

const xmlLimitsOf = (config: Config): XmlLimits => ({
  bytesMax: config.xmlBytesMax,
  nodesMax: XML_NODES_MAX,
  depthMax: config.xmlDepthMax,
  namespacesMax: config.xmlNamespacesMax,
});

interface Preparing {
  readonly content: Content;
  readonly blobs: FileBlobStore;
  /** The partition of the workspace `system`. */
  readonly system: () => PartitionPort;
}

/** Makes what every workspace's tree has, and what a new one begins with. */
export async function prepareContent({ content, blobs, system }: Preparing, partition: PartitionPort): Promise<void> {
  const { jobs } = content;
  // Nobody works any more at what this server finds when it starts.
  await partition.sendAsSystem(jobs.sweepForsaken, { before: null });
  await partition.sendAsSystem(jobs.endFreezings, { before: null });
  const isUnfilled = await partition.sendAsSystem(jobs.ensureStandardTree, null);
  if (!isUnfilled) return;
  await new PackageFiles(content, blobs).addTemplate(partition);
  await addDesktop(content, partition, system);
  await partition.sendAsSystem(jobs.endTreeSetup, null);
}

const DESKTOP = '/content/webtop';

/**
 * Copies the web desktop of `system` and its texts, where there is one: its menu of workspaces leads to the one of each. Done anew after a start
 * that was cut off.
 */
async function addDesktop({ nodes }: Content, partition: PartitionPort, system: () => PartitionPort): Promise<void> {
  if (partition.workspace === SYSTEM_WORKSPACE) return;
  const view = new ContentView(system().replica.read(), systemCaller(SYSTEM_WORKSPACE));
  if (view.at(DESKTOP) === undefined) return;
  const caller = systemCaller(partition.workspace);
  for (const sourcePath of [DESKTOP, '/etc/i18n'].filter((path) => view.at(path) !== undefined)) {
    // What a tree begins with there is an empty folder.
    await partition.send(nodes.deleteNode.operation, { path: sourcePath }, { caller });
    const input = { sourcePath, destPath: posix.dirname(sourcePath), sourceWorkspace: SYSTEM_WORKSPACE };
    await partition.send(nodes.copyNode.operation, input, { caller });
  }
}

interface Swept {
  readonly content: Content;
  readonly staged: StagedUploads;
  readonly largeWork: LargeWork;
}

/** What the content tidies up by itself. */
const contentWorks = (
  { store, now }: Pick<DomainNeeds, 'store' | 'now'>,
  { content: { jobs }, staged, largeWork }: Swept,
): RecurringWork[] => [
  // Ends uploads whose time is over, and discards bytes that no upload owns.
  {
    name: 'upload cleanup',
    everyMs: HOUR_MS,
    work: async (isClosed) => {
      await sendUntilDone(store(), jobs.expireUploads, { input: () => ({}), isClosed });
      await inEach(store().partitions, ({ replica }) => staged.sweep(replica));
    },
  },
  // What is left of versions and leads nowhere.
  {
    name: 'sweep of versions',
    everyMs: HOUR_MS,
    work: async (isClosed) => {
      await inEach(store().partitions, async ({ id }) => {
        if (!isClosed())
          await sweepVersionsOf(largeWork, { partition: id, before: now() - HOUR_MS, now: now(), isClosed });
      });
    },
  },
  // What was taken out of the tree or never came into it, and nobody has worked at for a day.
  {
    name: 'sweep of detached nodes',
    everyMs: HOUR_MS,
    work: async () => {
      await inEach(store().partitions, async (partition) => {
        await partition.sendAsSystem(jobs.sweepForsaken, { before: now() - DAY_MS });
      });
    },
  },
];

/** How long one plan may take. */
const PLAN_MS_MAX = 120_000;

/** The port of the content's large work: the open store, and a reader of its own, so that no list waits for a plan. */
export class LargeWorkPort implements LargeWork {
  readonly #store: () => Store;
  readonly #reader: Reader;

  constructor(dataFolder: string, store: () => Store) {
    this.#store = store;
    this.#reader = new Reader({
      dataFolder,
      modules: [contentModule.reader.href],
      deadlineMs: PLAN_MS_MAX,
      refusal: (partition) => store().refusal(partition),
    });
  }

  partitionOf(workspace: string): string | undefined {
    return this.#store().partitions.find((one) => one.workspace === workspace)?.id;
  }

  async plan<A, R>(partition: string, query: ReaderQuery<A, R>, args: A, caller: Caller): Promise<R> {
    const { answer } = await this.#reader.query(partition, query, args, caller);
    return answer;
  }

  async send<I, A>(partition: string, operation: Operation<I, A>, input: I): Promise<A> {
    return this.#store().find(partition).sendAsSystem(operation, input);
  }

  /** Closes the files of a partition that nobody uses any more. */
  forget(partition: string): void {
    this.#reader.forget(partition);
  }

  close(): Promise<void> {
    return this.#reader.close();
  }
}
