import assert from 'node:assert/strict';
import { type ContentNode, sweepVersionsOf } from '../../../src/content/index.js';
import { nodes } from '../../../src/content/tree/node.js';
import { entriesOf } from '../../../src/content/version/frozen-tree.js';
import {
  freezings,
  frozenChunks,
  frozenNodes,
  frozenTrees,
  versionHistories,
  versionLitter,
  versions,
} from '../../../src/content/version/version.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { type ContentStore, contentStore, plant } from '../../support/content-store.js';

const FOLDERS = 100;
const LEAVES = 99;
const TOTAL = 1 + FOLDERS * (1 + LEAVES);

describe('checking in a tree of ten thousand nodes', function () {
  this.timeout(60_000);
  let store: ContentStore;
  let rootId: string;
  before(async () => {
    store = await contentStore();
    const root = { path: '/content', name: 'big', nodeType: 'nt:unstructured' };
    rootId = (await store.run(store.content.nodes.createNode, root)).nodeId;
    for (let folder = 0; folder < FOLDERS; folder++) {
      const planted = [unstructured(`f${folder}`, rootId)];
      for (let leaf = 0; leaf < LEAVES; leaf++) planted.push(unstructured(`f${folder}-l${leaf}`, `f${folder}`));
      await store.partition.send(plant, planted, { caller: systemCaller('test') });
    }
  });
  after(() => store.close());

  const written = () => store.commits.splice(0).flatMap(({ record }) => record.documents.map(({ id }) => id));
  const entries = (versionId: string) => {
    const state = store.partition.decider.peek();
    const tree = state.get(frozenTrees, versionId);
    return tree === undefined ? [] : entriesOf(state, tree);
  };
  const checkin = () => store.run(store.content.nodes.checkin, { path: '/content/big' });
  const checkout = () => store.run(store.content.nodes.checkout, { path: '/content/big' });
  const title = (path: string, text: string) =>
    store.run(store.content.nodes.setProperties, {
      path,
      properties: [{ name: 'title', value: { type: 'String', multiple: false, values: [text] } }],
    });

  it('stages it in commits of at most 500 documents, and publishes it in one', async () => {
    store.commits.length = 0;
    await store.run(store.content.nodes.addVersionControl, { path: '/content/big' });
    assert.ok(Math.max(...store.commits.map(({ record }) => record.documents.length)) <= 500);
    const base = store.partition.decider.peek().get(nodes, rootId)?.versioning?.baseVersion ?? '';
    assert.equal(entries(base).length, TOTAL);
    assert.deepEqual(store.partition.decider.peek().range(freezings, 'started', [0], 10), []);
  });

  it('writes at most 50 documents for the next version after one change', async () => {
    await checkout();
    await title('/content/big/f7/f7-l3', 'changed');
    store.commits.length = 0;
    const { versionId } = await checkin();
    const documents = written();
    assert.ok(documents.length <= 50, `${documents.length} documents were written`);
    const entry = entries(versionId).find(({ id }) => id === 'f7-l3');
    assert.equal(entry?.body, store.partition.decider.peek().get(nodes, 'f7-l3')?.version);
  });

  it('knows what was added, moved and removed', async () => {
    await checkout();
    const { moveNode, deleteNode, createNode } = store.content.nodes;
    await store.run(moveNode, { sourcePath: '/content/big/f1', destPath: '/content/big/f2' });
    await store.run(deleteNode, { path: '/content/big/f3' });
    const added = await store.run(createNode, { path: '/content/big/f4', name: 'added', nodeType: 'nt:unstructured' });
    const { versionId } = await checkin();
    const frozen = entries(versionId);
    assert.equal(frozen.length, TOTAL - (1 + LEAVES) + 1);
    assert.equal(frozen.find(({ id }) => id === 'f1')?.parent, 'f2');
    assert.ok(frozen.some(({ id }) => id === added.nodeId));
    assert.ok(!frozen.some(({ id }) => id === 'f3' || id === 'f3-l0'));
  });

  it('takes up what is written while it is frozen, again and again', async () => {
    await checkout();
    for (let folder = 10; folder < 20; folder++) {
      const planted = Array.from({ length: LEAVES }, (_, leaf) =>
        unstructured(`f${folder}-l${leaf}`, `f${folder}`, 'again'),
      );
      await store.partition.send(plant, planted, { caller: systemCaller('test') });
    }
    const { moveNode, renameNode, deleteNode } = store.content.nodes;
    const [{ versionId }] = await Promise.all([
      store.run(store.content.nodes.checkpoint, { path: '/content/big' }),
      (async () => {
        for (let n = 0; n < 10; n++) await title(`/content/big/f${50 + n}`, `while ${n}`);
        await store.run(renameNode, { path: '/content/big/f60', name: 'renamed' });
        await store.run(moveNode, { sourcePath: '/content/big/f61', destPath: '/content' });
        await store.run(deleteNode, { path: '/content/big/f62' });
      })(),
    ]);
    // Whatever came first, the version is what the tree was at one instant: each entry's parent is there, and its body is kept.
    const frozen = entries(versionId);
    const ids = new Set(frozen.map(({ id }) => id));
    for (const { parent } of frozen) assert.ok(parent === '' || ids.has(parent));
    for (const entry of frozen) {
      const kept = store.partition.replica.read().get(frozenNodes, `${rootId}.${entry.id}.${entry.body}`);
      assert.ok(kept, `what is kept of ${entry.id} at ${entry.body}`);
    }
  });

  it('restores what differs', async () => {
    await title('/content/big/f7/f7-l3', 'later');
    const { deleteNode, restoreVersion } = store.content.nodes;
    await store.run(deleteNode, { path: '/content/big/f8' });
    const [newest] = store.partition.decider.peek().find(versions, 'number', [rootId], { descending: true, limit: 1 });
    await store.run(restoreVersion, { path: '/content/big', versionName: newest?.name ?? '' });
    const state = store.partition.decider.peek();
    const leaf = state.get(nodes, 'f7-l3')?.properties.title;
    assert.deepEqual(leaf, { type: 'String', value: 'changed' });
    assert.equal(state.find(nodes, 'name', ['f8']).length, LEAVES);
    assert.equal(state.get(nodes, 'f8')?.parent, rootId);
    const planted = Array.from({ length: 98 }, (_, leaf) => unstructured(`f9-l${leaf}`, 'f9', 'other'));
    const more = Array.from({ length: 51 }, (_, leaf) => unstructured(`f5-l${leaf}`, 'f5', 'other'));
    await store.partition.send(plant, [...planted, ...more], { caller: systemCaller('test') });
    await store.run(restoreVersion, { path: '/content/big', versionName: newest?.name ?? '' });
    assert.deepEqual(store.partition.decider.peek().get(nodes, 'f9-l97')?.properties.title, {
      type: 'String',
      value: 'one',
    });
    await store.run(restoreVersion, { path: '/content/big', versionName: '1.0' });
    assert.deepEqual(store.partition.decider.peek().get(nodes, 'f9-l97')?.properties.title, {
      type: 'String',
      value: 'one',
    });
  });

  it('leaves nothing behind when the node is deleted', async () => {
    await store.run(store.content.nodes.deleteNode, { path: '/content/big' });
    const gone = () => store.partition.decider.peek().get(nodes, rootId) === undefined;
    await store.until(gone);
    const sweep = { partition: 'test', before: null, now: Date.now(), isClosed: () => false };
    await sweepVersionsOf(store.work, sweep);
    const state = store.partition.decider.peek();
    const left = [
      ...state.find(frozenNodes, 'history', [rootId], { limit: 1 }),
      ...state.find(frozenChunks, 'history', [rootId], { limit: 1 }),
      ...state.find(frozenTrees, 'history', [rootId], { limit: 1 }),
      ...state.find(versions, 'number', [rootId], { limit: 1 }),
    ];
    assert.deepEqual(left, []);
    assert.equal(state.get(versionHistories, rootId), undefined);
    assert.equal(state.get(versionLitter, rootId), undefined);
  });
});

const unstructured = (id: string, parent: string, title = 'one'): ContentNode => ({
  id,
  parent,
  name: id,
  order: id,
  sns: true,
  type: 'nt:unstructured',
  mixins: [],
  properties: { title: { type: 'String', value: title } },
  version: 0,
});
