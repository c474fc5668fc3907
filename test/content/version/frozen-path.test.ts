import assert from 'node:assert/strict';
import type { ContentNode } from '../../../src/content/index.js';
import { typesOf } from '../../../src/content/tree/stored-types.js';
import '../../../src/content/repository.js';
import { nodes } from '../../../src/content/tree/node.js';
import { mounts, type Reading, Tree } from '../../../src/content/tree/tree.js';

import { parseAbsolutePath } from '../../../src/content/value/path.js';
import { frozenChunks } from '../../../src/content/version/version.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { type ContentStore, contentStore, plant } from '../../support/content-store.js';

const FOLDERS = 20;
const LEAVES = 100;

describe('a path below a version of a large tree', () => {
  let store: ContentStore;
  let frozen: string;
  before(async () => {
    store = await contentStore();
    const { createNode, addVersionControl } = store.content.nodes;
    const made = await store.run(createNode, { path: '/content', name: 'tree', nodeType: 'nt:unstructured' });
    for (let folder = 0; folder < FOLDERS; folder++) {
      const id = `f${folder}`;
      const leaves = Array.from({ length: LEAVES }, (_, n) =>
        unstructured(`${id}-l${n}`, id, n < 5 ? 'same' : `l${n}`),
      );
      const planted = [unstructured(id, made.nodeId, id), ...leaves];
      await store.partition.send(plant, planted, { caller: systemCaller('test') });
    }
    await store.run(addVersionControl, { path: '/content/tree' });
    frozen = `/jcr:system/jcr:versionStorage/${made.nodeId}/1.0/jcr:frozenNode`;
  });
  after(() => store.close());

  /** The tree, and how many chunks were read of it. */
  const counted = () => {
    const state = store.partition.replica.read();
    const counts = { chunks: 0 };
    const reading: Reading = {
      get(collection, id) {
        if (collection.name === frozenChunks.name) counts.chunks++;
        return state.get(collection, id);
      },
      find: (...asked) => state.find(...asked),
      findMulti: (...asked) => state.findMulti(...asked),
      count: (...asked) => state.count(...asked),
      nth: (...asked) => state.nth(...asked),
    };
    const tree = new Tree(reading, mounts.all);
    const at = (path: string) => tree.along(parseAbsolutePath(path, typesOf(state).namespaces))?.at(-1);
    return { tree, at, counts };
  };
  const uuidOf = (node: ContentNode | undefined) => (node?.properties['jcr:frozenUuid'] as { value?: unknown })?.value;

  it('reads the chunks that its steps are in alone', () => {
    const { at, tree, counts } = counted();
    const leaf = at(`${frozen}/f7/l50`);
    assert.equal(uuidOf(leaf), 'f7-l50');
    assert.ok(leaf && tree.pathOf(leaf) === `${frozen}/f7/l50`);
    assert.ok(counts.chunks <= 6, `${counts.chunks} chunks were read`);
    assert.equal(at(`${frozen}/f7/none`), undefined);
    assert.ok(counts.chunks <= 8, `${counts.chunks} chunks were read`);
  });

  it('tells same-name siblings apart by their order', () => {
    const { at, tree, counts } = counted();
    for (let index = 1; index <= 5; index++) {
      const path = `${frozen}/f3/${index === 1 ? 'same' : `same[${index}]`}`;
      const leaf = at(path);
      assert.equal(uuidOf(leaf), `f3-l${index - 1}`);
      assert.ok(leaf && tree.pathOf(leaf) === path);
    }
    assert.equal(at(`${frozen}/f3/same[6]`), undefined);
    assert.ok(counts.chunks <= 16, `${counts.chunks} chunks were read`);
  });

  it('finds what the version has, whatever became of it since', async () => {
    const { checkout, deleteNode, renameNode, checkin } = store.content.nodes;
    await store.run(checkout, { path: '/content/tree' });
    await store.run(deleteNode, { path: '/content/tree/f5' });
    await store.run(deleteNode, { path: '/content/tree/f6/same[2]' });
    await store.run(renameNode, { path: '/content/tree/f8', name: 'renamed' });
    await store.run(checkin, { path: '/content/tree' });
    const { at } = counted();
    const later = frozen.replace('/1.0/', '/1.1/');
    assert.equal(uuidOf(at(`${frozen}/f5/l9`)), 'f5-l9');
    assert.equal(at(`${later}/f5/l9`), undefined);
    assert.equal(uuidOf(at(`${frozen}/f6/same[2]`)), 'f6-l1');
    assert.equal(uuidOf(at(`${later}/f6/same[2]`)), 'f6-l2');
    assert.equal(uuidOf(at(`${later}/renamed/l9`)), 'f8-l9');
    assert.equal(at(`${later}/f8`), undefined);
    assert.equal(store.partition.replica.read().get(nodes, 'f5'), undefined);
  });
});

const unstructured = (id: string, parent: string, name: string): ContentNode => ({
  id,
  parent,
  name,
  // Behind each other: l2 is not behind l10.
  order: id.replace(/\d+$/, (number) => number.padStart(4, '0')),
  sns: true,
  type: 'nt:unstructured',
  mixins: [],
  properties: {},
  version: 0,
});
