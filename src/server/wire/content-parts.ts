import { join } from 'node:path';
import {
  type Content,
  createContent,
  PendingChunks,
  StagedUploads,
  sweepVersionsOf,
  XML_NODES_MAX,
  type XmlLimits,
  XmlParser,
} from '../../content/index.js';
import { log } from '../../shared/log.js';
import type { Principals } from '../../shared/principals.js';
import {
  type AnyCollection,
  type BlobDamage,
  BlobHolders,
  FileBlobStore,
  type Partition,
  type Reader,
  type Store,
  systemCaller,
} from '../../store/index.js';
import { Recurring } from '../maintenance/recurring.js';
import type { Config } from '../settings/config.js';
import { LargeWorkPort } from './large-work-port.js';
import { PackageFiles } from './package-files.js';

/** The content with what it keeps outside of documents. */
export interface ContentParts {
  readonly content: Content;
  readonly blobs: FileBlobStore;
  readonly chunks: PendingChunks;
  readonly staged: StagedUploads;
  readonly largeWork: LargeWorkPort;
  readonly xmlParser: XmlParser;
}

/** What the content is given by the server. */
export interface ContentNeeds {
  readonly reader: Pick<Reader, 'query'>;
  readonly principals: Principals;
  /** Told of blobs that are damaged, or whole again. */
  readonly told: (damage: BlobDamage) => void;
}

/** Opens the blobs of the data folder, and the content on them. */
export async function contentParts(config: Config, { reader, principals, told }: ContentNeeds): Promise<ContentParts> {
  const blobs = await FileBlobStore.open(join(config.dataFolder, 'blobs'), told);
  const chunks = new PendingChunks();
  const uploads = {
    bytesMax: config.uploadBytesMax,
    chunkBytesMax: config.uploadChunkBytesMax,
    openMax: config.uploadsPerUserMax,
    keptMs: config.uploadsKeptMs,
  };
  const imports = {
    bytesMax: config.importBytesMax,
    entriesMax: config.importEntriesMax,
    ratioMax: config.importRatioMax,
    depthMax: config.importDepthMax,
  };
  const hasPrincipal = (name: string) => name === 'everyone' || principals.describe(name) !== undefined;
  const largeWork = new LargeWorkPort();
  const xmlParser = new XmlParser({ budgetMs: config.xmlParseTimeoutMs });
  const typeLimits = { typesMax: config.nodeTypesMax, cndMax: config.cndMax };
  const content = createContent({
    blobs,
    reader,
    chunks,
    uploads,
    largeWork,
    imports,
    hasPrincipal,
    typeLimits,
    xmlParser,
    xmlLimits: xmlLimitsOf(config),
  });
  return { content, blobs, chunks, staged: new StagedUploads(blobs), largeWork, xmlParser };
}

const xmlLimitsOf = (config: Config): XmlLimits => ({
  bytesMax: config.xmlBytesMax,
  nodesMax: XML_NODES_MAX,
  depthMax: config.xmlDepthMax,
  namespacesMax: config.xmlNamespacesMax,
});

/** Makes what every workspace's tree has, and what a new one begins with. */
export async function prepareContent(
  { content, blobs }: Pick<ContentParts, 'content' | 'blobs'>,
  partition: Partition,
): Promise<void> {
  const caller = systemCaller(partition.workspace);
  // Nobody works any more at what this server finds when it starts.
  await partition.send(content.jobs.sweepForsaken, { before: null }, { caller });
  await partition.send(content.jobs.endFreezings, { before: null }, { caller });
  const { answer: isUnfilled } = await partition.send(content.jobs.ensureStandardTree, null, { caller });
  if (!isUnfilled) return;
  await new PackageFiles(content, blobs).addTemplate(partition);
  await partition.send(content.jobs.endTreeSetup, null, { caller });
}

const HOUR_MS = 3_600_000;

/** Ends uploads whose time is over, hour by hour, and discards bytes that no upload owns. */
export const uploadCleanup = (store: Store, { content, staged }: ContentParts): Recurring =>
  new Recurring({
    name: 'upload cleanup',
    everyMs: HOUR_MS,
    work: async (isClosed) => {
      for (const partition of store.partitions) {
        let isMore = true;
        while (isMore && !isClosed()) {
          const caller = systemCaller(partition.workspace);
          isMore = (await partition.send(content.jobs.expireUploads, {}, { caller })).answer;
        }
        await staged.sweep(partition);
      }
    },
  });

const DAY_MS = 24 * HOUR_MS;

/** Sweeps, hour by hour, what was taken out of the tree or never came into it and nobody has worked at for a day. */
export const detachedSweep = (store: Store, { content }: ContentParts, now: () => number): Recurring =>
  new Recurring({
    name: 'sweep of detached nodes',
    everyMs: HOUR_MS,
    work: async () => {
      for (const partition of store.partitions) {
        const caller = systemCaller(partition.workspace);
        await partition.send(content.jobs.sweepForsaken, { before: now() - DAY_MS }, { caller });
      }
    },
  });

/** Sweeps, hour by hour, what is left of versions and leads nowhere. */
export const versionSweep = (store: Store, { largeWork }: ContentParts, now: () => number): Recurring =>
  new Recurring({
    name: 'sweep of versions',
    everyMs: HOUR_MS,
    work: async (isClosed) => {
      for (const { id } of store.partitions) {
        if (isClosed()) return;
        await sweepVersionsOf(largeWork, { partition: id, before: now() - HOUR_MS, now: now(), isClosed });
      }
    },
  });

/** Removes, day by day, blobs that no document of any partition holds and nobody wrote or touched lately. */
export const blobSweep = (
  { dataFolder, blobsKeptMs }: Pick<Config, 'dataFolder' | 'blobsKeptMs'>,
  blobs: FileBlobStore,
  collections: readonly AnyCollection[],
): Recurring =>
  new Recurring({
    name: 'blob sweep',
    everyMs: DAY_MS,
    work: async (isClosed) => {
      const holders = BlobHolders.open(dataFolder, collections);
      try {
        // At the end of the server nothing more is removed, and the look through the rest is quick.
        const swept = await blobs.sweep((sha256) => isClosed() || holders.holds(sha256), blobsKeptMs);
        if (swept.blobs > 0) log.info(swept, 'blobs that nobody holds were removed');
      } finally {
        holders.close();
      }
    },
  });
