import assert from 'node:assert/strict';
import fc from 'fast-check';
import { detachedTrees } from '../../../src/content/tree/detached.js';
import { type ContentNode, nodes } from '../../../src/content/tree/node.js';
import {
  type FrozenEntry,
  frozenChunks,
  versionHistories,
  versionLitter,
} from '../../../src/content/version/version.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { jobs, put, remove } from '../../../src/store/index.js';
import { type MemoryTree, memoryTree, nodeOf } from '../support/tree.js';

describe('sweeping what was taken out of the tree', () => {
  let tree: MemoryTree;
  let kept: number;
  beforeEach(async () => {
    tree = await memoryTree();
    kept = tree.harness.all(nodes).length;
  });

  const forsake = (...ids: string[]) =>
    tree.harness.documents.apply(ids.map((id) => put(detachedTrees, { id, isStaging: true, since: tree.harness.now })));
  const sweep = async (before: number | null = null) => {
    const found = await tree.harness.run(tree.content.jobs.sweepForsaken, { before }, systemCaller('test'));
    await tree.harness.settle();
    return found;
  };
  const isClean = () => {
    assert.equal(tree.harness.all(nodes).length, kept);
    assert.deepEqual(tree.harness.all(detachedTrees), []);
    assert.deepEqual(tree.harness.all(jobs), []);
  };

  it('removes trees of any shape, and never a node before those below it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { minLength: 1, maxLength: 400 }), async (shape) => {
        const made: ContentNode[] = [];
        for (const [n, at] of shape.entries()) made.push(nodeOf(n === 0 ? null : `n${at % n}`, `n${n}`));
        tree.store(...made);
        forsake('n0');
        assert.equal(await sweep(), 1);
        isClean();
      }),
      { numRuns: 25 },
    );
  });

  it('removes what is deeper, and what is wider, than one decision reads', async () => {
    const deep = Array.from({ length: 600 }, (_, n) => nodeOf(n === 0 ? null : `n${n - 1}`, `n${n}`));
    tree.store(...deep);
    const wide = Array.from({ length: 600 }, (_, n) => nodeOf('w', `w${n}`));
    tree.store(nodeOf(null, 'w'), ...wide);
    forsake('n0', 'w');
    await sweep();
    isClean();
  });

  it('leaves alone what somebody works at, and what came into the tree', async () => {
    tree.store(nodeOf(null, 'staged'), nodeOf(tree.base.id, 'published'));
    forsake('staged');
    assert.equal(await sweep(tree.harness.now), 0);
    assert.ok(tree.get('staged'));
    tree.harness.documents.apply([put(detachedTrees, { id: 'published', isStaging: false, since: 0 })]);
    await sweep();
    assert.ok(tree.get('published'), 'it is in the tree');
    assert.equal(tree.get('staged'), undefined);
  });

  it('leaves alone what is being made again by the time that its job runs, or was swept already', async () => {
    tree.store(nodeOf(null, 'made'), nodeOf(null, 'swept'));
    forsake('made', 'swept');
    await tree.harness.run(tree.content.jobs.sweepForsaken, { before: null }, systemCaller('test'));
    forsake('made');
    tree.harness.documents.apply([remove(detachedTrees, 'swept')]);
    await tree.harness.settle();
    assert.deepEqual([tree.get('made')?.id, tree.get('swept')?.id], ['made', 'swept']);
    assert.deepEqual(tree.harness.all(jobs), []);
  });

  it('removes a hundred nodes by each commit, and reads four hundred to find them', async () => {
    const commits = async (...made: readonly ContentNode[]) => {
      tree.store(...made);
      forsake('n0');
      await tree.harness.run(tree.content.jobs.sweepForsaken, { before: null }, systemCaller('test'));
      const count = await tree.harness.settle();
      isClean();
      return count;
    };
    const wide = (count: number) => Array.from({ length: count }, (_, n) => nodeOf(n === 0 ? null : 'n0', `n${n}`));
    const deep = (count: number) =>
      Array.from({ length: count }, (_, n) => nodeOf(n === 0 ? null : `n${n - 1}`, `n${n}`));
    assert.deepEqual([await commits(...wide(100)), await commits(...wide(250))], [1, 3]);
    assert.deepEqual(
      [await commits(...deep(100)), await commits(...deep(401)), await commits(...deep(500))],
      [1, 6, 7],
    );
  });

  it('is of what nothing has happened to since then', async () => {
    tree.store(nodeOf(null, 'staged'));
    forsake('staged');
    assert.equal(await sweep(tree.harness.now + 1), 1);
    assert.equal(tree.get('staged'), undefined);
  });

  it('takes the histories of its nodes out of sight, unless they are kept or a version of another node names them', async () => {
    const ids = ['plain', 'gone', 'named', 'bare', 'kept'];
    const versioning = { checkedOut: true, baseVersion: 'v', predecessors: [] };
    const [plain, gone, named, bare, restored] = ids.map((id) => nodeOf(id === 'kept' ? 'k' : 'n', id, { versioning }));
    const { versioning: _, ...unversioned } = plain ?? assert.fail();
    tree.store(
      nodeOf(null, 'n'),
      nodeOf(null, 'k'),
      ...[unversioned, gone, named, bare, restored].flatMap((node) => node ?? []),
    );
    const history = { rootVersion: 'r', labels: { l: 'v' }, count: 1, revision: 1 };
    const entry: FrozenEntry = {
      id: 'named',
      parent: '',
      name: '',
      order: null,
      type: 'nt:base',
      mixins: [],
      kind: 'history',
      body: 0,
    };
    tree.harness.documents.apply([
      ...['plain', 'gone', 'named', 'kept', 'namer'].map((id) => put(versionHistories, { id, ...history })),
      put(frozenChunks, { id: 'namer.0', history: 'namer', entries: [entry] }),
      put(detachedTrees, { id: 'n', isStaging: true, since: 0 }),
      put(detachedTrees, { id: 'k', isStaging: true, since: 0, keepsHistories: true }),
    ]);
    await sweep();
    const hidden = tree.harness.all(versionHistories).filter(({ deleted }) => deleted === true);
    assert.deepEqual(
      hidden.map(({ id, labels }) => [id, labels]),
      [['gone', {}]],
    );
    assert.deepEqual(
      tree.harness.all(versionLitter).map(({ id }) => id),
      ['gone'],
    );
  });
});
