import assert from 'node:assert/strict';
import type { DeletePlan, DeleteQuestion } from '../../../src/content/large/delete-node.js';
import type { Problem, Refused } from '../../../src/content/large/large-work.js';
import { detachedTrees } from '../../../src/content/tree/detached.js';
import { nodes } from '../../../src/content/tree/node.js';
import type { Caller } from '../../../src/shared/caller.js';
import { ServiceError } from '../../../src/shared/errors.js';
import { jobs } from '../../../src/store/index.js';
import { ADMIN, ANN, lockOf, type MemoryTree, memoryTree, nodeOf, reference } from '../support/tree.js';

const LOCK = lockOf('bob');

describe('deleting a subtree that is too large for one decision', () => {
  let tree: MemoryTree;
  let asked: DeleteQuestion[];
  /** What happens while the n-th plan is made. */
  let meanwhile: (round: number) => unknown;
  let problem: Problem | null;
  /** What the plan has found to be referred to. */
  let referred: readonly string[];

  beforeEach(async () => {
    asked = [];
    meanwhile = () => {};
    problem = null;
    referred = [];
    tree = await memoryTree({
      planDelete: (question: DeleteQuestion): DeletePlan | Refused => {
        const { revision } = tree.harness;
        asked.push(question);
        meanwhile(asked.length);
        return problem === null ? { revision, problem, referred } : { problem };
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

  it('is put off where it cannot be planned', async () => {
    meanwhile = () => {
      throw new Error('the reader has ended');
    };
    await refusedWith('UNAVAILABLE', /expected large work to be planned, but that failed/);
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
      if (round === 1) tree.store(...Array.from({ length: 200 }, (_, n) => nodeOf('aside', `w${n}`)));
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

  it('takes up what was written since, up to 199 nodes, and 300 with those below them', async () => {
    const aside = (count: number) => Array.from({ length: count }, (_, n) => nodeOf('aside', `w${n}`));
    tree.store(...Array.from({ length: 298 }, (_, n) => nodeOf('box', `b${n}`)), nodeOf('aside', 'box'));
    meanwhile = () =>
      tree.store(nodeOf('aside', 'box'), nodeOf('aside', 'w', { properties: { ref: reference('nowhere') } }));
    assert.equal(await remove(), true);
    assert.equal(asked.length, 1);
    tree.store(nodeOf(tree.base.id, 'big'));
    asked = [];
    meanwhile = (round) => round === 1 && tree.store(nodeOf('big', 'c1'), ...aside(198));
    assert.equal(await remove(), true);
    assert.equal(asked.length, 1);
  });

  it('is planned again where what was written since has more below it', async () => {
    tree.store(...Array.from({ length: 299 }, (_, n) => nodeOf('box', `b${n}`)), nodeOf('aside', 'box'));
    meanwhile = (round) => round === 1 && tree.store(nodeOf('aside', 'box'), nodeOf('aside', 'w'));
    assert.equal(await remove(), true);
    assert.equal(asked.length, 2);
  });

  it('is planned again where it cannot be said what refers to a node that was written since', async () => {
    const garbage = Array.from({ length: 200 }, (_, n) =>
      nodeOf('gone', `g${n}`, { properties: { ref: reference('c1') } }),
    );
    tree.store(...garbage);
    meanwhile = (round) => round === 1 && tree.store(nodeOf('big', 'c1'));
    assert.equal(await remove(), true);
    assert.equal(asked.length, 2);
  });

  it('is planned again where the rights of a small one have changed above it', async () => {
    const garbage = Array.from({ length: 250 }, (_, n) =>
      nodeOf('gone', `g${n}`, { properties: { ref: reference('target') } }),
    );
    tree.store(nodeOf('aside', 'target'), ...garbage);
    meanwhile = (round) => round === 1 && tree.store(nodeOf(tree.base.id, 'aside'));
    assert.equal(await remove(ADMIN, '/content/aside/target'), true);
    assert.equal(asked.length, 2);
  });

  it('looks again at what something outside referred to', async () => {
    referred = ['c1', 'nowhere'];
    const holder = nodeOf('aside', 'holder', { properties: { ref: reference('c1') } });
    tree.store(holder);
    await refusedWith('CONFLICT', /'\/content\/big\/c1' cannot be removed: '\/content\/aside\/holder' refers to it/);
    tree.store({ ...holder, parent: 'gone' });
    assert.equal(await remove(), true);
  });

  it('is put off where it cannot be said whether something refers to it still', async () => {
    referred = ['c1'];
    tree.store(
      ...Array.from({ length: 200 }, (_, n) => nodeOf('gone', `g${n}`, { properties: { ref: reference('c1') } })),
    );
    await refusedWith('UNAVAILABLE', /to rest for a moment/);
  });

  it('is not for the root', async () => {
    await assert.rejects(remove(ADMIN, '/'), { code: 'BAD_REQUEST', message: /the root cannot be deleted/ });
  });

  describe('in a transaction', () => {
    const step = (field: string, input: object) => ({ field, input });
    const transact = (...steps: readonly { field: string; input: object }[]) =>
      tree.harness.run(
        tree.content.api.contentTransaction,
        [...steps, step('deleteNode', { path: '/content/big' })],
        ADMIN,
      );
    const set = (path: string) =>
      step('setProperties', {
        path,
        properties: [{ name: 'title', value: { type: 'String', multiple: false, values: ['x'] } }],
      });
    const grant = (path: string) => step('setAccessControl', { path, principal: 'ann', privileges: ['read'] });
    beforeEach(() => {
      tree.store(nodeOf(tree.base.id, 'wide'), ...Array.from({ length: 301 }, (_, n) => nodeOf('wide', `w${n}`)));
    });

    it('is refused where that has changed it, or what is above it', async () => {
      for (const path of ['/content/big', '/content'])
        await assert.rejects(transact(grant(path)), { code: 'LIMIT_EXCEEDED', message: /to be deleted by itself/ });
    });

    it('does not look below what that changes elsewhere', async () => {
      await transact(set('/content/wide'), step('createFolder', { path: '/content', name: 'new' }));
      assert.equal(tree.get('big')?.parent, null);
    });

    for (const [what, steps] of [
      ['moves', step('moveNode', { sourcePath: '/content/wide', destPath: '/content/aside' })],
      ['gives other rights', grant('/content/wide')],
    ] as const)
      it(`looks below what that ${what}, as far as a decision can`, () =>
        assert.rejects(transact(steps), { code: 'UNAVAILABLE', message: /to rest for a moment/ }));
  });
});
