import type { Content } from '../../../src/content/content.js';
import { createContent, type LargeWork, PendingChunks } from '../../../src/content/index.js';
import { type ContentNode, type Lock, nodes } from '../../../src/content/tree/node.js';
import type { Property } from '../../../src/content/value/property.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { type Evaluator, FileBlobStore, put } from '../../../src/store/index.js';
import { callerNamed, Harness } from '../../support/harness.js';
import { temporaryFolder } from '../../support/temporary.js';
import { TEST_LIMITS } from '../../support/test-content.js';

export const ADMIN = callerNamed('admin', { roles: ['administrator'] });
export const ANN = callerNamed('ann');

/** A lock as a node holds it, bound to no session and without an end. */
export const lockOf = (owner: string, deep = false): Lock => ({
  token: 't',
  owner,
  ownerInfo: null,
  deep,
  sessionId: null,
  expires: null,
  timeoutMs: null,
});

/** Content on documents in memory, with the standard tree. `answers`: what answers its asks. */
export async function memoryTree(answers: Readonly<Record<string, Evaluator>> = {}): Promise<MemoryTree> {
  const folder = temporaryFolder();
  const none = () => Promise.reject(new Error('expected no large work'));
  const largeWork: LargeWork = { partitionOf: () => undefined, plan: none, send: none };
  const uploads = { bytesMax: 1, chunkBytesMax: 1, openMax: 1, keptMs: 1 };
  const content = createContent({
    blobs: await FileBlobStore.open(folder.path),
    chunks: new PendingChunks(),
    uploads,
    reader: { query: none },
    largeWork,
    ...TEST_LIMITS,
  });
  folder.remove();
  const tree = new MemoryTree(content, answers);
  await tree.harness.run(content.jobs.ensureStandardTree, null, systemCaller('test'));
  return tree;
}

export class MemoryTree {
  readonly content: Content;
  readonly harness: Harness;

  constructor(content: Content, evaluators: Readonly<Record<string, Evaluator>>) {
    this.content = content;
    this.harness = new Harness({ evaluators, jobTypes: content.jobTypes });
  }

  /** Stores nodes as they are, by one commit. */
  store(...stored: readonly ContentNode[]): void {
    this.harness.revision++;
    this.harness.documents.apply(stored.map((node) => put(nodes, { ...node, version: this.harness.revision })));
  }

  get(id: string): ContentNode | undefined {
    return this.harness.all(nodes).find((node) => node.id === id);
  }

  child(parent: string, name: string): ContentNode | undefined {
    return this.harness.all(nodes).find((node) => node.parent === parent && node.name === name);
  }

  /** `/content` */
  get base(): ContentNode {
    const found = this.harness.all(nodes).find(({ name }) => name === 'content');
    if (found === undefined) throw new Error('expected the standard tree');
    return found;
  }
}

/** A node as stored; its id is its name unless told otherwise. */
export const nodeOf = (parent: string | null, name: string, more: Partial<ContentNode> = {}): ContentNode => ({
  id: name,
  parent,
  name,
  order: null,
  type: 'nt:unstructured',
  mixins: [],
  properties: {},
  version: 0,
  ...more,
});

export const reference = (id: string): Property => ({ type: 'Reference', value: id });
