import assert from 'node:assert/strict';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { largeKinds } from '../../src/content/content.js';
import { type ContentNode, nodes, ROOT_ID, sweepVersionsOf } from '../../src/content/index.js';
import { detachedTrees } from '../../src/content/tree/detached.js';
import { typePacks } from '../../src/content/tree/stored-types.js';
import {
  chunkId,
  freezings,
  frozenChunks,
  frozenNodeId,
  frozenNodes,
  frozenTrees,
  versionLitter,
  versions,
} from '../../src/content/version/version.js';
import { systemCaller } from '../../src/shared/caller.js';
import {
  type Collection,
  type Committed,
  type Document,
  hasEnded,
  longJobs,
  type State,
  storedColumns,
  storedDocument,
  tableOf,
} from '../../src/store/index.js';
import { copyLog } from '../../src/store/log/copy-log.js';
import { type Database, openDatabase } from '../../src/store/sqlite.js';
import { type ContentStore, contentStore, plant } from '../support/content-store.js';
import { type DataFolder, dataFolder } from '../support/data-folder.js';

/** Large work of one kind: what is there before it, and how it is begun. */
interface Scene {
  prepare(store: ContentStore): Promise<unknown>;
  /** Resolves when the caller is answered; of a long job when that was made and started. */
  begin(store: ContentStore): Promise<unknown>;
}

const ADMIN = { ...systemCaller('test'), userId: 'admin' };

/** A tree of so many nodes at /content/big. */
async function makeBig(store: ContentStore, count: number): Promise<void> {
  const { createNode } = store.content.nodes;
  const { nodeId } = await store.run(createNode, { path: '/content', name: 'big', nodeType: 'nt:unstructured' });
  for (let from = 0; from < count; from += 250) {
    const some = Array.from({ length: Math.min(250, count - from) }, (_, n) => leafOf(nodeId, from + n));
    await store.partition.send(plant, some, { caller: ADMIN });
  }
}

const leafOf = (parent: string, n: number): ContentNode => ({
  id: `n${n}`,
  parent,
  name: `n${n}`,
  order: String(n).padStart(4, '0'),
  sns: true,
  type: 'nt:unstructured',
  mixins: [],
  properties: { title: { type: 'String', value: `${n}` } },
  version: 0,
});

async function start(
  store: ContentStore,
  type: string,
  items: readonly string[],
  parameters: unknown = {},
): Promise<string> {
  const { initLongJob, appendLongJobItems, startLongJob } = store.longJobs;
  const send = { caller: ADMIN };
  const { jobId } = (await store.partition.send(initLongJob, { type }, send)).answer;
  if (items.length > 0) await store.partition.send(appendLongJobItems, { type, jobId, items }, send);
  await store.partition.send(startLongJob, { type, jobId, parameters }, send);
  return jobId;
}

const BIG = '/content/big';

/** By the name of the kind. */
const SCENES: Readonly<Record<string, Scene>> = {
  planDelete: {
    prepare: (store) => makeBig(store, 250),
    begin: (store) => store.run(store.content.nodes.deleteNode, { path: BIG }),
  },
  planNodeTypes: {
    prepare: (store) => makeBig(store, 250),
    begin: async (store) => {
      const input = { cnd: "<x='http://example.org/x'>\n[x:a]" };
      await store.partition.send(store.content.api.registerNodeTypes, input, { caller: ADMIN });
    },
  },
  stageCopy: {
    prepare: (store) => makeBig(store, 600),
    begin: (store) =>
      store.run(store.content.nodes.copyNode, { sourcePath: BIG, destPath: '/content', name: 'copied' }),
  },
  freezeTree: {
    prepare: (store) => makeBig(store, 600),
    begin: (store) => store.run(store.content.nodes.addVersionControl, { path: BIG }),
  },
  planRestore: {
    prepare: async (store) => {
      await makeBig(store, 300);
      const { addVersionControl, checkout, deleteNode } = store.content.nodes;
      await store.run(addVersionControl, { path: BIG });
      await store.run(checkout, { path: BIG });
      for (let n = 0; n < 250; n++) await store.run(deleteNode, { path: `${BIG}/n${n}` });
    },
    begin: (store) => store.run(store.content.nodes.restoreVersion, { path: BIG, versionName: '1.0' }),
  },
  readXml: {
    prepare: async () => {},
    begin: async (store) => {
      const inner = Array.from({ length: 200 }, (_, n) => `<n${n} title="${n}"/>`).join('');
      const { sha256, size } = await store.blobs.write(Buffer.from(`<big>${inner}</big>`));
      const xml = { blob: sha256, size };
      const input = { path: '/content', xml, uploadId: null, uuidBehavior: 'CREATE_NEW' } as const;
      await store.partition.send(store.content.api.importXml, input, { caller: ADMIN });
    },
  },
  delete: {
    prepare: (store) => makeBig(store, 250),
    begin: (store) => start(store, 'delete', [BIG]),
  },
  archive: {
    prepare: (store) => makeBig(store, 250),
    begin: (store) => start(store, 'archive', [BIG], { filename: 'big.zip' }),
  },
  'import-archive': {
    prepare: async (store) => {
      await makeBig(store, 600);
      const jobId = await start(store, 'archive', [BIG], { filename: 'big.zip' });
      await until(store, haveEnded);
      const data = store.partition.decider.peek().get(longJobs, jobId)?.files?.[0]?.data;
      assert.ok(data, 'an archive was made');
      const { createNode } = store.content.nodes;
      const at = await store.run(createNode, { path: '/content', name: 'in.zip', nodeType: 'nt:unstructured' });
      const file = { ...leafOf('', 0), type: 'nt:file', sns: undefined, order: null };
      const there = store.partition.decider.peek().get(nodes, at.nodeId) as ContentNode;
      const content = { ...file, id: 'zip-content', parent: there.id, name: 'jcr:content', type: 'nt:resource' };
      const properties = { 'jcr:data': { type: 'Binary', value: data } } as const;
      const planted = [
        { ...there, type: 'nt:file', properties: {} },
        { ...content, properties },
      ];
      await store.partition.send(plant, planted as ContentNode[], { caller: ADMIN });
    },
    begin: (store) =>
      start(store, 'import-archive', [], { archivePath: '/content/in.zip', destinationPath: '/content/new' }),
  },
};

/** Whether no long job that was started is still to be done. */
const haveEnded = (state: State): boolean =>
  state.range(longJobs, 'created', [0], 10).every(({ actor }) => actor.value === 'init' || hasEnded(actor.value));

/** Resolves with the commit behind which it is so. */
async function until(store: ContentStore, isSo: (state: State) => boolean): Promise<void> {
  await store.until(() => isSo(store.partition.decider.peek()));
}

/** All documents of some collections. */
class Stored {
  readonly #database: Database;

  constructor(folder: string) {
    this.#database = openDatabase(join(folder, 'test', 'log.db'), { readOnly: true });
  }

  close(): void {
    this.#database.close();
  }

  all<T extends Document>(collection: Collection<T>): T[] {
    const rows = this.#database.prepare(`SELECT ${storedColumns()} FROM ${tableOf(collection)}`).all();
    return rows.map((row) => storedDocument(collection, row));
  }

  /** What callers see: all nodes by their paths, whoever has which identifier; types; versions with how much they have frozen. */
  get shown(): readonly string[] {
    const all = this.all(nodes);
    const byId = new Map(all.map((node) => [node.id, node]));
    const pathOf = (node: ContentNode): string | undefined => {
      if (node.id === ROOT_ID) return '';
      const parent = byId.get(node.parent ?? '');
      const above = parent && pathOf(parent);
      return above === undefined ? undefined : `${above}/${node.name}`;
    };
    const lines = all.flatMap((node) => {
      const path = pathOf(node);
      const { type, versioning, properties } = node;
      return path === undefined ? [] : [JSON.stringify([path, type, versioning?.checkedOut, properties.title])];
    });
    const entries = new Map(this.all(frozenTrees).map((tree) => [tree.id, tree.entries]));
    const made = this.all(versions).map(({ id, name }) => `${name}: ${entries.get(id)}`);
    const types = this.all(typePacks).flatMap((pack) => pack.types.map(({ name }) => name));
    return [...lines, ...made, ...types].sort();
  }

  /** Whatever leads nowhere. */
  get left(): readonly string[] {
    const all = this.all(nodes);
    const ids = new Set(all.map(({ id }) => id));
    const lost = all.filter(({ id, parent }) => id !== ROOT_ID && !ids.has(parent ?? ''));
    const chunks = new Map(this.all(frozenChunks).map((chunk) => [chunk.id, chunk]));
    const reached = new Set<string>();
    for (const { history, writers } of this.all(frozenTrees))
      for (const [bucket, writer] of writers.entries()) {
        const id = chunkId(writer, bucket);
        reached.add(id);
        for (const entry of chunks.get(id)?.entries ?? []) reached.add(frozenNodeId(history, entry));
      }
    const frozen = [...chunks.values(), ...this.all(frozenNodes)].filter(({ id }) => !reached.has(id));
    const owed = [detachedTrees, freezings, versionLitter].flatMap((collection) =>
      this.all<Document>(collection as never),
    );
    return [...lost, ...frozen, ...owed].map(({ id }) => id);
  }
}

/** What a server does when it starts, and by the hour; then nothing is left to be done. */
async function settle(store: ContentStore): Promise<void> {
  const { sweepForsaken, endFreezings } = store.content.jobs;
  await store.partition.send(sweepForsaken, { before: null }, { caller: ADMIN });
  await store.partition.send(endFreezings, { before: null }, { caller: ADMIN });
  await until(store, haveEnded);
  await until(store, (state) => state.range(detachedTrees, 'since', [0], 1).length === 0);
  await sweepVersionsOf(store.work, { partition: 'test', before: null, now: Date.now(), isClosed: () => false });
}

/** The first and the last commit of each kind: between them are more of the same. */
function stepsIn(commits: readonly Committed[]): ReadonlyMap<number, string> {
  const types = commits.map(({ command }) => command.type);
  const steps = [...new Set(types)].flatMap((type) => [types.indexOf(type), types.lastIndexOf(type)]);
  return new Map([...new Set(steps)].sort((a, b) => a - b).map((at) => [at, `${types[at]} (${at})`]));
}

const KINDS = largeKinds.map(({ kind }) => kind);
const LONG_JOBS = ['delete', 'archive', 'import-archive'];

describe('large work whose server is killed behind any of its commits', function () {
  this.timeout(60_000);
  let folder: DataFolder;
  beforeEach(() => {
    folder = dataFolder();
  });
  afterEach(() => folder.remove());

  it('is of these kinds', async () => {
    const store = await contentStore();
    assert.deepEqual(
      store.content.longJobTypes.map(({ type }) => type),
      LONG_JOBS,
    );
    await store.close();
    assert.deepEqual(Object.keys(SCENES), [...KINDS, ...LONG_JOBS]);
  });

  /** Copies of the data, as they are behind each commit of the work. */
  const copies: Promise<unknown>[] = [];
  const copied = (at: number) => join(folder.path, String(at));
  function copy(at: number): void {
    const to = copied(at);
    mkdirSync(join(to, 'test'), { recursive: true });
    copies.push(copyLog(join(folder.path, 'now', 'test'), join(to, 'test')));
    cpSync(join(folder.path, 'now', 'blobs'), join(to, 'blobs'), { recursive: true });
  }

  for (const [kind, scene] of Object.entries(SCENES)) {
    const isLongJob = LONG_JOBS.includes(kind);
    it(`has happened or not, and leaves nothing: ${kind}`, async () => {
      let taken: number | null = null;
      const now = join(folder.path, 'now');
      const store = await contentStore({
        folder: now,
        committed: () => {
          if (taken !== null) copy(taken++);
        },
      });
      await scene.prepare(store);
      await settle(store);
      const before = seen(now).shown;
      store.commits.length = 0;
      taken = 0;
      await scene.begin(store);
      // A long job goes on once it was started.
      const begun = store.commits.findIndex(({ command }) => command.type === 'startLongJob');
      const answered = isLongJob ? begun : store.commits.length - 1;
      await settle(store);
      taken = null;
      const { shown: after, left } = seen(now);
      assert.deepEqual(left, []);
      if (kind !== 'archive') assert.notDeepEqual(after, before);
      const steps = stepsIn(store.commits);
      await store.close();
      await Promise.all(copies.splice(0));
      for (const [at, name] of steps) {
        const again = await contentStore({ folder: copied(at) });
        await settle(again);
        const isDone = at >= answered;
        assert.deepEqual(seen(copied(at)), { shown: isDone ? after : before, left: [] }, name);
        if (!isDone) {
          await scene.begin(again);
          await settle(again);
          assert.deepEqual(seen(copied(at)), { shown: after, left: [] }, name);
        }
        await again.close();
      }
    });
  }
});

function seen(folder: string): { readonly shown: readonly string[]; readonly left: readonly string[] } {
  const stored = new Stored(folder);
  const { shown, left } = stored;
  stored.close();
  return { shown, left };
}
