import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { nodes, ROOT_ID, sweepVersionsOf } from '../../src/content/index.js';
import { entriesOf } from '../../src/content/version/frozen-tree.js';
import {
  freezings,
  frozenChunks,
  frozenNodes,
  frozenTrees,
  versionHistories,
} from '../../src/content/version/version.js';
import { type ContentStore, contentStore } from '../support/content-store.js';
import { type DataFolder, dataFolder } from '../support/data-folder.js';

const program = fileURLToPath(new URL('../support/check-in-child.js', import.meta.url));

const killed = (folder: string, at: number): Promise<NodeJS.Signals | null> =>
  new Promise((resolve) => {
    const running = spawn('node', [program, folder, String(at)], { stdio: ['ignore', 'ignore', 'inherit'] });
    running.on('exit', (_, signal) => resolve(signal));
  });

describe('a check-in whose server is killed before it is published', function () {
  this.timeout(60_000);
  let folder: DataFolder;
  let store: ContentStore;
  beforeEach(() => {
    folder = dataFolder();
  });
  afterEach(async () => {
    await store.close();
    folder.remove();
  });

  // The first is a commit of frozen nodes, the last one of chunks: all that is missing is the decision that publishes them.
  for (const at of [1, 4, 7]) {
    it(`has not happened, leaves nothing behind, and can be done again: commit ${at}`, async () => {
      assert.equal(await killed(folder.path, at), 'SIGKILL');
      store = await contentStore({ folder: folder.path });
      const state = () => store.partition.decider.peek();
      const child = (parent: string, name: string) => state().find(nodes, 'name', [parent, name])[0];
      const root = () => child(child(ROOT_ID, 'content')?.id ?? '', 'big');
      const id = root()?.id ?? '';
      assert.equal(root()?.versioning, undefined);
      assert.equal(state().get(versionHistories, id), undefined);
      assert.equal(state().find(freezings, 'node', [id]).length, 1);
      assert.equal(state().find(frozenNodes, 'history', [id], { limit: 1 }).length, 1);
      const sweep = { partition: 'test', before: null, now: Date.now(), isClosed: () => false };
      assert.ok((await sweepVersionsOf(store.work, sweep)) > 0);
      assert.equal(state().find(frozenNodes, 'history', [id], { limit: 1 }).length, 0);
      assert.equal(state().find(frozenChunks, 'history', [id], { limit: 1 }).length, 0);
      assert.deepEqual(state().range(freezings, 'started', [0], 1), []);
      await store.run(store.content.nodes.addVersionControl, { path: '/content/big' });
      const tree = state().get(frozenTrees, root()?.versioning?.baseVersion ?? '');
      assert.equal(tree && entriesOf(state(), tree).length, 1_001);
      // What is swept now was rewritten when it was published; nothing that the version has is missing.
      await sweepVersionsOf(store.work, sweep);
      assert.equal(await sweepVersionsOf(store.work, sweep), 0);
      assert.equal(state().find(frozenNodes, 'history', [id], { limit: 900 }).length, 900);
      assert.equal(tree && entriesOf(state(), tree).length, 1_001);
    });
  }
});
