import assert from 'node:assert/strict';
import type { ContentNode } from '../../../src/content/index.js';
import { nodes } from '../../../src/content/tree/node.js';
import { entriesOf } from '../../../src/content/version/frozen-tree.js';
import { type FrozenEntry, frozenNodes, frozenTrees, versionHistories } from '../../../src/content/version/version.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { type ContentStore, contentStore, plant } from '../../support/content-store.js';

const FOLDERS = 12;
const LEAVES = 12;
const ROUNDS = 30;
const CHANGES = 5;

describe('a version of a tree of which it is known what has changed', function () {
  this.timeout(60_000);
  let store: ContentStore;
  let rootId: string;
  before(async () => {
    store = await contentStore();
    const { createNode, addVersionControl, checkout } = store.content.nodes;
    const root = { path: '/content', name: 'tree', nodeType: 'nt:unstructured' };
    rootId = (await store.run(createNode, root)).nodeId;
    await store.run(createNode, { path: '/content', name: 'elsewhere', nodeType: 'nt:unstructured' });
    const planted = Array.from({ length: FOLDERS }, (_, folder) => folder).flatMap((folder) => [
      unstructured(`f${folder}`, rootId),
      ...Array.from({ length: LEAVES }, (_leaf, leaf) => unstructured(`f${folder}-l${leaf}`, `f${folder}`)),
    ]);
    await store.partition.send(plant, planted, { caller: systemCaller('test') });
    await store.run(addVersionControl, { path: '/content/tree' });
    await store.run(checkout, { path: '/content/tree' });
  });
  after(() => store.close());

  const checkpoint = () => store.run(store.content.nodes.checkpoint, { path: '/content/tree' });
  const isSettled = () => store.partition.decider.peek().get(versionHistories, rootId)?.settled !== undefined;
  const pathOf = (node: ContentNode): string => {
    const parent = store.partition.decider.peek().get(nodes, node.parent ?? '');
    return parent === undefined || parent.parent === null ? `/${node.name}` : `${pathOf(parent)}/${node.name}`;
  };
  const below = (id: string): ContentNode[] =>
    store.partition.replica
      .read()
      .find(nodes, 'name', [id])
      .flatMap((child) => [child, ...below(child.id)]);

  /** The version has what the tree has, and keeps what its nodes have. */
  const requireSame = (versionId: string) => {
    const state = store.partition.replica.read();
    const tree = state.get(frozenTrees, versionId);
    assert.ok(tree);
    const frozen = new Map(entriesOf(state, tree).map((entry) => [entry.id, entry]));
    assert.equal(tree.entries, frozen.size);
    frozen.delete(rootId);
    const live = below(rootId);
    assert.deepEqual([...frozen.keys()].sort(), live.map(({ id }) => id).sort());
    for (const node of live) {
      const entry = frozen.get(node.id);
      assert.deepEqual(placeOf(entry), placeOf({ ...node, parent: node.parent ?? '', kind: 'node', body: 0 }));
      const kept = state.get(frozenNodes, `${rootId}.${node.id}.${entry?.body}`);
      const { 'jcr:uuid': _, ...properties } = node.properties;
      assert.deepEqual(kept?.properties, properties, node.id);
    }
  };

  it('is made of what was written since the last, as long as nothing came or went', async () => {
    await checkpoint();
    assert.ok(isSettled());
    const { createNode, setProperties } = store.content.nodes;
    await store.run(setProperties, { path: '/content/tree/f1/f1-l1', properties: [title('new')] });
    await store.run(createNode, { path: '/content/tree/f2', name: 'added', nodeType: 'nt:unstructured' });
    store.commits.length = 0;
    const { versionId } = await checkpoint();
    assert.equal(store.commits.length, 1, 'nothing is planned');
    requireSame(versionId);
    assert.ok(isSettled());
  });

  it('knows what was deleted, and moved within the tree', async () => {
    const { createNode, deleteNode, moveNode } = store.content.nodes;
    await store.run(deleteNode, { path: '/content/tree/f2/added' });
    await store.run(deleteNode, { path: '/content/tree/f5' });
    await store.run(createNode, { path: '/content/tree', name: 'f5', nodeType: 'nt:unstructured' });
    await store.run(moveNode, { sourcePath: '/content/tree/f6', destPath: '/content/tree/f7' });
    assert.ok(isSettled());
    requireSame((await checkpoint()).versionId);
    assert.ok(isSettled());
  });

  it('looks at all when a node has come or left, until the next version', async () => {
    const { createNode, moveNode } = store.content.nodes;
    await store.run(createNode, { path: '/content/elsewhere', name: 'coming', nodeType: 'nt:unstructured' });
    await store.run(moveNode, { sourcePath: '/content/elsewhere/coming', destPath: '/content/tree' });
    assert.ok(!isSettled());
    requireSame((await checkpoint()).versionId);
    assert.ok(isSettled());
    await store.run(moveNode, { sourcePath: '/content/tree/f9', destPath: '/content/elsewhere' });
    assert.ok(!isSettled());
    requireSame((await checkpoint()).versionId);
  });

  it('has what a transaction has done before and behind it', async () => {
    const { contentTransaction } = store.content.api;
    const caller = { ...systemCaller('test'), userId: 'admin' };
    const set = (text: string) => ({
      field: 'setProperties',
      input: { path: '/content/tree/f3/f3-l3', properties: [title(text)] },
    });
    const steps = [set('before'), { field: 'checkpoint', input: { path: '/content/tree' } }, set('behind')];
    await store.partition.send(contentTransaction, steps, { caller });
    requireSame((await checkpoint()).versionId);
  });

  it('is what the tree is, whatever has happened to it', async () => {
    const random = seeded(20_261_121);
    const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
    const state = () => store.partition.replica.read();
    const rootOf = () => state().get(nodes, rootId)?.parent ?? '';
    const aside = () => state().find(nodes, 'name', [rootOf(), 'elsewhere'])[0];
    let made = 0;
    const change = async () => {
      const inside = below(rootId);
      const outside = below(aside()?.id ?? '');
      const node = pick(inside);
      const [other, away] = [pick(inside), pick(outside)];
      const run = store.content.nodes;
      const name = `n${made++}`;
      if (node === undefined) return;
      const path = pathOf(node);
      const into = other === undefined || isWithin(other, node.id) ? '/content/elsewhere' : pathOf(other);
      const actions = [
        () => store.run(run.setProperties, { path, properties: [title(name)] }),
        () => store.run(run.createNode, { path, name, nodeType: 'nt:unstructured' }),
        () => store.run(run.deleteNode, { path }),
        () => store.run(run.renameNode, { path, name }),
        () => store.run(run.moveNode, { sourcePath: path, destPath: into }),
        () => store.run(run.moveNode, { sourcePath: path, destPath: '/content/elsewhere' }),
        () => store.run(run.copyNode, { sourcePath: path, destPath: into, name }),
        () => store.run(run.addMixin, { path, mixinType: 'mix:title' }),
        () => away && store.run(run.moveNode, { sourcePath: pathOf(away), destPath: path }),
      ];
      await pick(actions)?.();
    };
    const isWithin = (node: ContentNode, id: string): boolean =>
      node.id === id ||
      (node.parent !== null && isWithin(state().get(nodes, node.parent) ?? { ...node, parent: null }, id));
    let known = 0;
    for (let round = 0; round < ROUNDS; round++) {
      for (let n = 0; n < CHANGES; n++) await change();
      if (isSettled()) known++;
      if (below(rootId).length < 110) for (let n = 0; n < 40; n++) await grow(n, round);
      requireSame((await checkpoint()).versionId);
    }
    assert.ok(known > 0, 'some versions were made of what was written alone');
  });

  const grow = (n: number, round: number) =>
    store.run(store.content.nodes.createNode, {
      path: '/content/tree',
      name: `g${round}-${n}`,
      nodeType: 'nt:unstructured',
    });
});

const title = (text: string) => ({
  name: 'title',
  value: { type: 'String' as const, multiple: false, values: [text] },
});

const placeOf = (of: Partial<FrozenEntry> | undefined) =>
  of && [of.id, of.parent, of.name, of.order, of.sns, of.type, of.mixins?.join(), of.kind];

/** A row of numbers from 0 to 1 that is the same each time. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const unstructured = (id: string, parent: string): ContentNode => ({
  id,
  parent,
  name: id,
  order: id,
  sns: true,
  type: 'nt:unstructured',
  mixins: [],
  properties: { title: { type: 'String', value: 'one' } },
  version: 0,
});
