import assert from 'node:assert/strict';
import fc from 'fast-check';
import { detachedTrees } from '../../../src/content/tree/detached.js';
import { type ContentNode, nodes } from '../../../src/content/tree/node.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { jobs, put } from '../../../src/store/index.js';
import { type MemoryTree, memoryTree, nodeOf } from '../support/tree.js';

describe('sweeping what was taken out of the tree', function () {
  this.timeout(30_000);
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
    assert.equal(await sweep(tree.harness.now - 1), 0);
    assert.ok(tree.get('staged'));
    tree.harness.documents.apply([put(detachedTrees, { id: 'published', isStaging: false, since: 0 })]);
    await sweep();
    assert.ok(tree.get('published'), 'it is in the tree');
    assert.equal(tree.get('staged'), undefined);
  });
});
