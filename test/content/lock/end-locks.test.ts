import assert from 'node:assert/strict';
import { createFolder } from '../../../src/content/edit/create-node.js';
import { releaseSessionLocks } from '../../../src/content/lock/end-locks.js';
import { lockNode, refreshLock, unlockNode } from '../../../src/content/lock/lock-node.js';
import { nodes } from '../../../src/content/tree/node.js';
import { put, remove } from '../../../src/store/index.js';
import { jobs } from '../../../src/store/job/job.js';
import { ADMIN, type MemoryTree, memoryTree } from '../support/tree.js';

const PATH = '/content/a';

describe('the end of a lock', () => {
  let tree: MemoryTree;
  let id: string;
  let begun: number;

  const lock = (input: object = {}) => tree.harness.run(lockNode.operation, { path: PATH, ...input }, ADMIN);
  const held = () => tree.get(id)?.lock;
  const job = () => tree.harness.get(jobs, `lock-${id}`);
  /** Runs the job so many ms after the lock was taken. */
  const runAt = async (ms: number) => {
    tree.harness.now = begun + ms;
    assert.equal(await tree.harness.runJob(`lock-${id}`), undefined, 'the job is done');
  };

  beforeEach(async () => {
    tree = await memoryTree();
    id = (await tree.harness.run(createFolder.operation, { path: '/content', name: 'a' }, ADMIN)).nodeId;
    begun = tree.harness.now;
  });

  it('comes with its time', async () => {
    await lock({ timeout: 10 });
    assert.equal(job()?.dueAt, begun + 10_000);
    await runAt(10_000);
    assert.equal(held(), undefined);
    assert.ok(tree.get(id)?.mixins.includes('mix:lockable'));
  });

  it('does not come before', async () => {
    await lock({ timeout: 10 });
    await runAt(9_999);
    assert.notEqual(held(), undefined);
  });

  it('comes later where it was refreshed', async () => {
    await lock({ timeout: 10 });
    tree.harness.now = begun + 6_000;
    await tree.harness.run(refreshLock.operation, { path: PATH }, ADMIN);
    assert.equal(job()?.dueAt, begun + 16_000);
    await runAt(10_000);
    assert.notEqual(held(), undefined);
  });

  it('does not come to a lock without a time', async () => {
    await lock();
    assert.equal(job(), undefined);
    await tree.harness.run(unlockNode.operation, { path: PATH }, ADMIN);
    await lock({ timeout: 10 });
    await tree.harness.run(unlockNode.operation, { path: PATH }, ADMIN);
    await lock();
    await runAt(10_000);
    assert.notEqual(held(), undefined);
  });

  it('has nothing to do where node or lock are gone', async () => {
    await lock({ timeout: 10 });
    await tree.harness.run(unlockNode.operation, { path: PATH }, ADMIN);
    await runAt(10_000);
    await lock({ timeout: 10 });
    tree.harness.documents.apply([remove(nodes, id)]);
    await runAt(30_000);
    assert.equal(tree.get(id), undefined);
  });

  it('comes with its session, forty at a time', async () => {
    await lock();
    const { lock: taken, ...free } = tree.get(id) ?? assert.fail();
    const many = (count: number) =>
      tree.harness.documents.apply(
        Array.from({ length: count }, (_, n) =>
          put(nodes, { ...free, id: `n${n}`, name: `n${n}`, ...(taken && { lock: { ...taken, sessionId: 's' } }) }),
        ),
      );
    const release = () => tree.harness.run(releaseSessionLocks, { sessionId: 's' }, ADMIN);
    many(39);
    assert.equal(await release(), false);
    many(41);
    assert.deepEqual([await release(), await release()], [true, false]);
    assert.notEqual(held(), undefined, 'that of no session');
  });
});
