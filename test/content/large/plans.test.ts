import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type CopyPlan, type PlanCopy, planCopy } from '../../../src/content/large/plan-copy.js';
import { planDelete } from '../../../src/content/large/plan-delete.js';
import { contentCollections } from '../../../src/content/repository.js';
import { detachedTrees } from '../../../src/content/tree/detached.js';
import { type ContentNode, nodes, ROOT_ID } from '../../../src/content/tree/node.js';
import { type Caller, systemCaller } from '../../../src/shared/caller.js';
import { SteadyClock } from '../../../src/shared/clock.js';
import { operation, PageRoom, type Partition, put, remove, Store, type Write } from '../../../src/store/index.js';
import { type Database, openDatabase } from '../../../src/store/sqlite.js';
import { callerNamed } from '../../support/harness.js';
import { temporaryFolder } from '../../support/temporary.js';
import { ADMIN, ANN, lockOf, nodeOf, reference } from '../support/tree.js';

/** Writes what it is given; nodes with the version of the commit. */
const write = operation('write', (state, writes: readonly Write[]) => ({
  write: writes.map((one) =>
    one.document !== null && 'parent' in one.document ? versioned(one, state.revision) : one,
  ),
  answer: null,
}));

const versioned = ({ document }: Write, version: number): Write =>
  put(nodes, { ...(document as ContentNode), version });

const LOCK = lockOf('ann');
const grant = (allow: boolean, ...privileges: string[]) => [{ principal: 'ann', privileges, allow }];

describe('plans of the reader', () => {
  const folder = temporaryFolder();
  let store: Store;
  let partition: Partition;
  let database: Database;
  let revision: number;
  before(async () => {
    store = new Store({
      folder: folder.path,
      collections: contentCollections,
      operations: [write],
      evaluators: {},
      jobTypes: [],
      reactions: [],
      clock: new SteadyClock(),
      jobSlots: 1,
      callerOf: (userId) => callerNamed(userId),
    });
    partition = await store.open('p', 'p');
    database = openDatabase(join(folder.path, 'p', 'log.db'), { readOnly: true });
  });
  after(async () => {
    database.close();
    await store.close(0);
    folder.remove();
  });

  const does = async (...writes: readonly Write[]) => {
    ({ revision } = await partition.send(write, writes, { caller: systemCaller('p') }));
  };
  const stored = (...some: readonly ContentNode[]) => does(...some.map((node) => put(nodes, node)));
  const context = (caller: Caller) => ({
    log: database,
    index: null,
    caller,
    revision,
    indexRevision: null,
    room: new PageRoom(),
  });
  const deleting = (caller: Caller, since: number | null = null) => {
    const question = { partition: 'p', nodeId: 'sub', since, isPart: false, now: 0 };
    return planDelete.run(context(caller), question).problem;
  };

  beforeEach(() =>
    stored(
      nodeOf(null, '', { id: ROOT_ID, type: 'mi:root', acl: grant(true, 'jcr:all') }),
      nodeOf(ROOT_ID, 'sub'),
      nodeOf('sub', 'a'),
      nodeOf('a', 'b', { properties: { ref: reference('sub') } }),
      nodeOf(ROOT_ID, 'other'),
    ),
  );

  describe('of deleting', () => {
    it('find nothing where nothing stands in the way', () => {
      assert.equal(deleting(ADMIN), null);
      assert.equal(deleting(ANN), null);
    });

    it('find a right that is denied below, a lock of somebody else, and a reference from outside', async () => {
      await stored(nodeOf('a', 'b', { acl: grant(false, 'jcr:removeNode') }));
      assert.equal(deleting(ANN)?.code, 'FORBIDDEN');
      assert.equal(deleting(ADMIN), null);
      await stored(nodeOf('a', 'b', { lock: LOCK }));
      assert.equal(deleting(callerNamed('bob', { roles: ['administrator'] }))?.info.reason, 'locked');
      assert.equal(deleting(ANN), null);
      await stored(nodeOf('a', 'b'), nodeOf('other', 'holder', { properties: { ref: reference('b') } }));
      assert.match(deleting(ADMIN)?.message ?? '', /'\/sub\/a\/b' cannot be removed: '\/other\/holder' refers to it/);
      await does(remove(nodes, 'holder'));
    });

    it('count references of what is being made, not of what waits to be swept', async () => {
      await stored(nodeOf(null, 'out'), nodeOf('out', 'o', { properties: { ref: reference('b') } }));
      assert.equal(deleting(ADMIN), null);
      await does(put(detachedTrees, { id: 'out', isStaging: true, since: 0 }));
      assert.equal(deleting(ADMIN)?.code, 'CONFLICT');
      await does(put(detachedTrees, { id: 'out', isStaging: false, since: 0 }));
      assert.equal(deleting(ADMIN), null);
    });

    it('look, behind an earlier plan, at what was written since', async () => {
      const since = revision;
      await stored(nodeOf('other', 'late', { properties: { ref: reference('a') } }));
      assert.equal(deleting(ADMIN, since)?.code, 'CONFLICT');
      assert.equal(deleting(ADMIN, revision), null, 'what is older was looked at');
      await does(remove(nodes, 'late'));
    });

    it('take a node that is not there for one that the decision will look at', () => {
      const question = { partition: 'p', nodeId: 'nowhere', since: null, isPart: false, now: 0 };
      assert.deepEqual(planDelete.run(context(ADMIN), question), { revision, problem: null, referred: [] });
    });
  });

  describe('of copying', () => {
    const copying = (more: Partial<PlanCopy> = {}, caller: Caller = ADMIN): CopyPlan =>
      planCopy.run(context(caller), {
        partition: 'p',
        path: '/sub',
        expectedVersion: null,
        last: null,
        isAbroad: false,
        withLists: true,
        seed: 's',
        userId: caller.userId,
        now: 0,
        ...more,
      });
    const lines = (text: string) => (text === '' ? [] : text.split('\n').sort());

    it('name all nodes, parents first, with their copies where they are few', () => {
      const { ids, page } = copying();
      assert.equal(ids, 'sub\na\nb');
      assert.deepEqual(
        page?.copies.map(({ name, parent }) => [name, parent === null]),
        [
          ['sub', true],
          ['a', false],
          ['b', false],
        ],
      );
      assert.deepEqual(page?.targets, []);
    });

    it('have the copies of up to 250 nodes with them', async () => {
      const some = (count: number) => Array.from({ length: count }, (_, n) => nodeOf('sub', `n${n}`));
      await stored(...some(247));
      assert.equal(copying().page?.count, 250);
      await stored(...some(248));
      assert.equal(copying().page, null);
      await does(...some(248).map(({ id }) => remove(nodes, id)));
    });

    it('have the copies of up to 500,000 characters with them, and of what has up to 200 targets', async () => {
      const text = { text: { type: 'String', value: 'x'.repeat(200_000) } } as const;
      const refs = (count: number) => ({
        refs: { type: 'Reference', values: Array.from({ length: count }, (_, n) => `t${n}`) } as const,
      });
      await stored(
        nodeOf('sub', 'a', { properties: text }),
        nodeOf('a', 'b', { properties: text }),
        nodeOf('b', 'c', { properties: text }),
      );
      assert.equal(copying().page?.count, 4);
      await stored(nodeOf('c', 'd'));
      assert.equal(copying().page, null);
      await stored(nodeOf('sub', 'a', { properties: refs(200) }), nodeOf('a', 'b'));
      assert.equal(copying().page?.targets.length, 200);
      await stored(nodeOf('sub', 'a', { properties: refs(201) }));
      assert.equal(copying().page, null);
      await does(remove(nodes, 'c'), remove(nodes, 'd'));
    });

    it('name the types that are needed elsewhere', async () => {
      await stored(nodeOf('sub', 'f', { type: 'nt:folder', mixins: ['mix:title', 'mix:language'] }));
      const types = ['mix:language', 'mix:title', 'nt:folder', 'nt:unstructured'];
      assert.deepEqual([...copying({ isAbroad: true }).types].sort(), types);
      await does(remove(nodes, 'f'));
    });

    it('tell what came, what went, what was written, and who refers to that', async () => {
      await stored(
        nodeOf('sub', 'c', { properties: { ref: { type: 'WeakReference', value: 'd' } } }),
        nodeOf('sub', 'd'),
      );
      const last = { revision, ids: copying().ids };
      await stored(nodeOf('other', 'd'), nodeOf('sub', 'e'), nodeOf('sub', 'a', { mixins: ['mix:title'] }));
      const { changed, gone, page } = copying({ last });
      assert.deepEqual([lines(changed), lines(gone)], [['a', 'c', 'e'], ['d']]);
      const copy = page?.copies.find(({ name }) => name === 'c');
      assert.deepEqual(copy?.properties.ref, { type: 'WeakReference', value: 'd' }, 'it leads out again');
      const same = copying({ last: { revision, ids: copying().ids } });
      assert.deepEqual([same.changed, same.gone, same.page], ['', '', null]);
      await does(...['c', 'd', 'e'].map((id) => remove(nodes, id)));
    });

    it('leave out what cannot be read, and refuse where that is demanded', async () => {
      await stored(nodeOf('sub', 'a', { acl: grant(false, 'jcr:read') }));
      assert.equal(copying({}, ANN).ids, 'sub');
      await stored(
        nodeOf('sub', 'file', { type: 'nt:file' }),
        nodeOf('file', 'jcr:content', { id: 'content', acl: grant(false, 'jcr:read') }),
      );
      assert.throws(() => copying({}, ANN), { message: /'\/sub\/file' cannot be copied/ });
      await does(remove(nodes, 'file'), remove(nodes, 'content'));
    });

    it('refuse a source that is not there, is the root, or has another version', () => {
      assert.throws(() => copying({ path: '/nowhere' }), { code: 'BAD_REQUEST' });
      assert.throws(() => copying({ path: '/' }), { info: { reason: 'root_not_copied' } });
      assert.throws(() => copying({ expectedVersion: 1 }), { code: 'CONFLICT' });
      assert.equal(copying({ expectedVersion: revision }).ids, 'sub\na\nb');
    });
  });
});
