import { join } from 'node:path';
import {
  type Content,
  createContent,
  type LargeWork,
  PendingChunks,
  StagedUploads,
  type UploadLimits,
} from '../../src/content/index.js';
import { FileBlobStore, type Reader } from '../../src/store/index.js';

/** The content on blobs of its own. */
export interface TestContent {
  readonly content: Content;
  readonly blobs: FileBlobStore;
  readonly chunks: PendingChunks;
  readonly staged: StagedUploads;
}

export const TEST_UPLOADS: UploadLimits = { bytesMax: 100, chunkBytesMax: 20, openMax: 3, keptMs: 86_400_000 };

const none = () => Promise.reject(new Error('expected no large work in this test'));
const NO_LARGE_WORK: LargeWork = { partitionOf: () => undefined, plan: none, send: none };

/** For tests whose operations ask nothing of it. */
const NO_READER: Pick<Reader, 'query'> = {
  query: () => Promise.reject(new Error('this content has no reader')),
};

/** What tests without XML need of it. */
export const TEST_LIMITS = {
  xmlParser: { read: none },
  xmlLimits: { bytesMax: 1_000, nodesMax: 10, depthMax: 5, namespacesMax: 5 },
  typeLimits: { typesMax: 500, cndMax: 1_000_000 },
  imports: { bytesMax: 1_000_000, entriesMax: 100, ratioMax: 200, depthMax: 20 },
  hasPrincipal: (_name: string) => true,
};

/** Opens the content in a folder. */
export async function testContent(
  folder: string,
  limits: Partial<UploadLimits> = {},
  reader: Pick<Reader, 'query'> = NO_READER,
  largeWork: LargeWork = NO_LARGE_WORK,
): Promise<TestContent> {
  const blobs = await FileBlobStore.open(join(folder, 'blobs'));
  const chunks = new PendingChunks();
  const content = createContent({
    blobs,
    reader,
    chunks,
    uploads: { ...TEST_UPLOADS, ...limits },
    largeWork,
    ...TEST_LIMITS,
  });
  return { content, blobs, chunks, staged: new StagedUploads(blobs) };
}
