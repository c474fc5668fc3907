import assert from 'node:assert/strict';
import { sweepVersionsOf } from '../../../src/content/index.js';
import { nodes } from '../../../src/content/tree/node.js';
import { frozenChunks, versionHistories, versionLitter, versions } from '../../../src/content/version/version.js';
import { type ContentStore, contentStore } from '../../support/content-store.js';

describe('a history that outlived its node', () => {
  let store: ContentStore;
  before(async () => {
    store = await contentStore();
  });
  after(() => store.close());

  const run = () => store.content.nodes;
  const create = async (path: string, name: string) => {
    const made = { path, name, nodeType: 'nt:unstructured', mixins: ['mix:versionable'] };
    return (await store.run(run().createNode, made)).nodeId;
  };
  const checkpoint = (path: string) => store.run(run().checkpoint, { path });
  const remove = (path: string) => store.run(run().deleteNode, { path });
  const sweep = () =>
    sweepVersionsOf(store.work, { partition: 'test', before: null, now: Date.now(), isClosed: () => false });
  const state = () => store.partition.decider.peek();
  const isKept = (id: string) => state().get(versionHistories, id)?.deleted === undefined && has(id);
  const has = (id: string) => state().get(versionHistories, id) !== undefined;
  const nothingLeft = (id: string) => {
    assert.equal(has(id), false);
    assert.equal(state().get(versionLitter, id), undefined);
    assert.deepEqual(state().find(versions, 'number', [id]), []);
    assert.deepEqual(state().find(frozenChunks, 'history', [id]), []);
  };

  it('goes with the last version that names it', async () => {
    await create('/content', 'folder');
    const id = await create('/content/folder', 'file');
    await checkpoint('/content/folder/file');
    await checkpoint('/content/folder');
    await checkpoint('/content/folder');
    await remove('/content/folder/file');
    await checkpoint('/content/folder');
    await sweep();
    for (const versionName of ['1.0', '1.1']) {
      assert.ok(isKept(id), versionName);
      await store.run(run().deleteVersion, { path: '/content/folder', versionName });
      await sweep();
    }
    nothingLeft(id);
  });

  it('goes with the folder, and with the folder of that', async () => {
    const outer = await create('/content', 'outer');
    const inner = await create('/content/outer', 'inner');
    const file = await create('/content/outer/inner', 'file');
    for (const path of ['/content/outer/inner/file', '/content/outer/inner', '/content/outer']) await checkpoint(path);
    await remove('/content/outer/inner');
    assert.ok(isKept(inner) && isKept(file), 'a restore of outer brings both back');
    await store.run(run().restoreVersion, { path: '/content/outer', versionName: '1.0' });
    assert.equal(state().get(nodes, file)?.versioning?.checkedOut, false);
    await store.run(run().checkout, { path: '/content/outer' });
    await remove('/content/outer/inner');
    await remove('/content/outer');
    await sweep();
    for (const id of [outer, inner, file]) nothingLeft(id);
  });

  it('does not outlive the node where all that names it goes with it', async () => {
    const folder = await create('/content', 'both');
    const file = await create('/content/both', 'file');
    await checkpoint('/content/both/file');
    await checkpoint('/content/both');
    await remove('/content/both');
    for (const id of [folder, file]) assert.equal(state().get(versionHistories, id)?.deleted, true);
    await sweep();
    for (const id of [folder, file]) nothingLeft(id);
  });

  it('stays with a node that is there, whatever becomes of what named it', async () => {
    await create('/content', 'left');
    const id = await create('/content/left', 'moved');
    await checkpoint('/content/left/moved');
    await checkpoint('/content/left');
    await store.run(run().moveNode, { sourcePath: '/content/left/moved', destPath: '/content' });
    await remove('/content/left');
    await sweep();
    assert.ok(isKept(id));
    await remove('/content/moved');
    await sweep();
    nothingLeft(id);
  });
});
