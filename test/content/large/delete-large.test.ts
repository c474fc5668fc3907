import assert from 'node:assert/strict';
import type { DeletePlan, DeleteQuestion } from '../../../src/content/large/delete-node.js';
import type { Problem, Refused } from '../../../src/content/large/large-work.js';
import { detachedTrees } from '../../../src/content/tree/detached.js';
import { type Lock, nodes } from '../../../src/content/tree/node.js';
import type { Caller } from '../../../src/shared/caller.js';
import { ServiceError } from '../../../src/shared/errors.js';
import { jobs } from '../../../src/store/index.js';
import { ADMIN, ANN, type MemoryTree, memoryTree, nodeOf, reference } from '../support/tree.js';

const LOCK: Lock = {
  token: 't',
  owner: 'bob',
  ownerInfo: null,
  deep: false,
  sessionId: null,
  expires: null,
  timeoutMs: null,
};

describe('deleting a subtree that is too large for one decision', () => {
  let tree: MemoryTree;
  let asked: DeleteQuestion[];
  /** What happens while the n-th plan is made. */
  let meanwhile: (round: number) => void;
  let problem: Problem | null;

  beforeEach(async () => {
    asked = [];
    meanwhile = () => {};
    problem = null;
    tree = await memoryTree({
      planDelete: (question: DeleteQuestion): DeletePlan | Refused => {
        const { revision } = tree.harness;
        asked.push(question);
        meanwhile(asked.length);
        return problem === null ? { revision, problem, referred: [] } : { problem };
      },
    });
    const children = Array.from({ length: 450 }, (_, n) => nodeOf('big', `c${n}`));
    tree.store(nodeOf(tree.base.id, 'big', { type: 'nt:folder', mixins: ['mi:anyChildren'] }), ...children);
    tree.store(nodeOf(tree.base.id, 'aside'));
  });

  const remove = (caller: Caller = ADMIN, path = '/content/big') =>
    tree.harness.run(tree.content.nodes.deleteNode.operation, { path }, caller);
  const refusedWith = async (code: string, message: RegExp, caller?: Caller) => {
    await assert.rejects(remove(caller), (thrown) => {
      assert.ok(thrown instanceof ServiceError);
      assert.equal(thrown.code, code, thrown.message);
      assert.match(thrown.message, message);
      return true;
    });
    assert.equal(tree.get('big')?.parent, tree.base.id);
  };

  it('takes its root out of the tree by one write, tells of it once, and sweeps behind', async () => {
    const before = tree.harness.events.length;
    assert.equal(await remove(), true);
    const { write } = tree.harness.lastDecision ?? {};
    assert.deepEqual(
      write?.map(({ collection, id }) => `${collection.name} ${id}`),
      ['node big', 'detachedTree big'],
    );
    const told = tree.harness.events.slice(before).map(({ data }) => data as { eventType: string; path: string });
    assert.deepEqual(
      told.map(({ eventType, path }) => [eventType, path]),
      [['DELETED', '/content/big']],
    );
    assert.equal(tree.get('c1')?.parent, 'big', 'what is below waits');
    await tree.harness.settle();
    assert.deepEqual(
      tree.harness.all(nodes).filter(({ id }) => id === 'big' || id.startsWith('c4')),
      [],
    );
    assert.deepEqual(tree.harness.all(detachedTrees), []);
    assert.deepEqual(tree.harness.all(jobs), []);
  });

  it('is refused as the plan says', async () => {
    problem = { code: 'FORBIDDEN', message: 'expected jcr:removeNode', info: { reason: 'access_denied' } };
    await refusedWith('FORBIDDEN', /jcr:removeNode/);
  });

  it('sees a lock, a list and a reference that came since the plan', async () => {
    const { base } = tree;
    meanwhile = () => tree.store(nodeOf('big', 'c7', { lock: LOCK }));
    await refusedWith('CONFLICT', /locked|lock/);
    tree.store(nodeOf('big', 'c7'));
    const entry = { principal: 'ann', privileges: ['jcr:all'], allow: true };
    tree.store({ ...base, acl: [entry] });
    meanwhile = () => tree.store(nodeOf('big', 'c8', { acl: [{ ...entry, allow: false }] }));
    await refusedWith('FORBIDDEN', /jcr:removeNode/, ANN);
    tree.store(nodeOf('big', 'c8'));
    meanwhile = () => tree.store(nodeOf('aside', 'holder', { properties: { ref: reference('c9') } }));
    await refusedWith('CONFLICT', /refers to it/);
  });

  it('sees a holder that left the subtree with what it lies in', async () => {
    tree.store(nodeOf('big', 'box'), nodeOf('box', 'holder', { properties: { ref: reference('c9') } }));
    meanwhile = () => tree.store(nodeOf('aside', 'box'));
    await refusedWith('CONFLICT', /aside\/box\/holder' refers to it/);
  });

  it('does not mind holders that wait to be swept, but those that are being made', async () => {
    const holder = nodeOf('staged', 'holder', { properties: { ref: reference('c9') } });
    meanwhile = () => tree.store(nodeOf(null, 'staged'), holder);
    const staging = { collection: detachedTrees, id: 'staged', document: { id: 'staged', isStaging: true, since: 0 } };
    tree.harness.documents.apply([staging as never]);
    await refusedWith('CONFLICT', /refers to it/);
    tree.harness.documents.apply([{ ...staging, document: { ...staging.document, isStaging: false } } as never]);
    assert.equal(await remove(), true);
  });

  it('is planned again, from where the plan was, when much was written or what is above changed', async () => {
    meanwhile = (round) => {
      if (round === 1) tree.store(...Array.from({ length: 201 }, (_, n) => nodeOf('aside', `w${n}`)));
      if (round === 2) tree.store(tree.base);
    };
    const { revision } = tree.harness;
    assert.equal(await remove(), true);
    assert.deepEqual(
      asked.map(({ since }) => since),
      [null, revision, revision + 1],
    );
  });

  it('is given up when the tree never rests', async () => {
    meanwhile = () => tree.store(tree.base);
    await refusedWith('UNAVAILABLE', /rest for a moment.*try again/);
    assert.equal(asked.length, 5);
  });

  it('is no longer there when somebody else was faster', async () => {
    meanwhile = () => tree.store(nodeOf(null, 'big'));
    assert.equal(await remove(), false);
  });

  it('is asked of the reader too where a decision cannot say that nothing refers to a node', async () => {
    const garbage = Array.from({ length: 250 }, (_, n) =>
      nodeOf('gone', `g${String(n).padStart(3, '0')}`, { properties: { ref: reference('target') } }),
    );
    tree.store(nodeOf('aside', 'target'), ...garbage);
    assert.equal(await remove(ADMIN, '/content/aside/target'), true);
    assert.deepEqual(
      asked.map(({ nodeId }) => nodeId),
      ['target'],
    );
  });
});
