import assert from 'node:assert/strict';
import { type Content, ContentView } from '../../../src/content/index.js';
import { LOCKS_BELOW } from '../../../src/content/lock/locks-below.js';
import { type ContentNode, nodes } from '../../../src/content/tree/node.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { SteadyClock } from '../../../src/shared/clock.js';
import { type Evaluator, type Partition, Reader, Store } from '../../../src/store/index.js';
import { callerNamed } from '../../support/harness.js';
import { temporaryFolder } from '../../support/temporary.js';
import { testContent } from '../../support/test-content.js';
import { ADMIN, lockOf, type MemoryTree, memoryTree, nodeOf } from '../support/tree.js';

const admin = systemCaller('test');
const ann = { ...callerNamed('ann'), roles: ['administrator'] };
const bob = { ...callerNamed('bob'), roles: ['administrator'] };

describe('a deep lock in a workspace with many locks', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let reader: Reader;
  let content: Content;
  let store: Store;
  let partition: Partition;
  /** What happens once, between the look at all locks and the decision. */
  let meanwhile: (() => Promise<unknown>) | undefined;
  let asked = 0;

  before(async () => {
    folder = temporaryFolder();
    const module = new URL('../../../src/content/reader-module.js', import.meta.url).href;
    reader = new Reader({ dataFolder: folder.path, modules: [module] });
    ({ content } = await testContent(folder.path, {}, reader));
    const real = content.evaluators[LOCKS_BELOW] as Evaluator;
    const evaluator: Evaluator = async (question, command) => {
      asked++;
      const answer = await real(question, command);
      const happens = meanwhile;
      meanwhile = undefined;
      await happens?.();
      return answer;
    };
    store = new Store({
      folder: folder.path,
      collections: content.collections,
      operations: content.operations,
      evaluators: { ...content.evaluators, [LOCKS_BELOW]: evaluator },
      jobTypes: content.jobTypes,
      reactions: [],
      clock: new SteadyClock(),
      jobSlots: 4,
      callerOf: (userId) => callerNamed(userId),
    });
    partition = await store.open('test', 'test');
    await partition.send(content.jobs.ensureStandardTree, null, { caller: admin });
    for (let i = 0; i < 30; i++) {
      await create('/content/elsewhere', `n${i}`);
      await lock(`/content/elsewhere/n${i}`, bob);
    }
  });
  beforeEach(() => {
    asked = 0;
  });
  after(async () => {
    await store.close(1_000);
    await reader.close();
    folder.remove();
  });

  const create = (path: string, name: string) =>
    partition.send(content.nodes.createFolder.operation, { path, name }, { caller: ann });
  const lock = (path: string, caller = ann, isDeep = false) =>
    partition.send(content.nodes.lockNode.operation, { path, isDeep }, { caller });
  const move = (sourcePath: string, destPath: string) =>
    partition.send(content.nodes.moveNode.operation, { sourcePath, destPath }, { caller: bob });
  const isLocked = (path: string) => new ContentView(partition.replica.read(), ann).at(path)?.lock !== undefined;

  it('is taken after one look at all of them', async () => {
    await create('/content/quiet', 'a');
    await lock('/content/quiet/a');
    await lock('/content/quiet', ann, true);
    assert.equal(asked, 1);
    assert.equal(isLocked('/content/quiet'), true);
    assert.ok(partition.replica.read().range(nodes, 'locked', [1], 100).length > 30);
  });

  it('is refused where one lies below', async () => {
    await create('/content/busy/a', 'b');
    await lock('/content/busy/a/b', bob);
    await assert.rejects(lock('/content/busy', ann, true), { code: 'CONFLICT', message: /somebody else holds one at/ });
  });

  it('is refused where one is taken below while they are looked through', async () => {
    await create('/content/raced/a', 'b');
    meanwhile = () => lock('/content/raced/a/b', bob);
    await assert.rejects(lock('/content/raced', ann, true), { code: 'CONFLICT' });
    assert.equal(asked, 1);
  });

  it('is refused where one is moved there meanwhile within a subtree', async () => {
    await create('/content/moved', 'target');
    await create('/content/moved/source/sub', 'locked');
    await lock('/content/moved/source/sub/locked', bob);
    meanwhile = () => move('/content/moved/source', '/content/moved/target');
    await assert.rejects(lock('/content/moved/target', ann, true), { code: 'CONFLICT' });
    assert.equal(asked, 1);
  });

  it('is taken though much is written elsewhere, or without a lock, or the lock has gone', async () => {
    await create('/content/calm', 'a');
    meanwhile = async () => {
      for (let i = 0; i < 20; i++) await create('/content/calm/a', `n${i}`);
    };
    await lock('/content/calm', ann, true);
    assert.equal(asked, 1);
    await create('/content/freed', 'a');
    await lock('/content/freed/a', bob);
    meanwhile = () => partition.send(content.nodes.unlockNode.operation, { path: '/content/freed/a' }, { caller: bob });
    await lock('/content/freed', ann, true);
    assert.equal(asked, 3);
  });
});

describe('what all locks were looked through for', () => {
  const LOOKED_AT = 100;
  const BOBS = lockOf('bob');
  interface Look {
    readonly holderId: string | null;
    readonly revision: number;
  }
  const NOTHING: Look = { holderId: null, revision: LOOKED_AT };
  let tree: MemoryTree;
  /** What each look finds; the last one is found again and again. */
  let looks: readonly (Look | Error)[];
  let looked: number;

  const put = (parent: string, name: string, more: Partial<ContentNode> = {}) =>
    tree.harness.documents.put(nodes, nodeOf(parent, name, more));
  /** Nodes that were written after the first look. */
  const putLater = (count: number, parent: string, name = 'later') => {
    for (let n = 0; n < count; n++) put(parent, `${name}${n}`, { version: LOOKED_AT + 1 });
  };
  const lock = async (...paths: readonly string[]) => {
    const steps = paths.map((path) => ({ field: 'lockNode', input: { path, isDeep: true } }));
    looked = 0;
    await tree.harness.run(tree.content.api.contentTransaction, steps, ADMIN);
    return looked;
  };
  const target = () => lock('/content/target');
  const isRefused = (reason: string) => (thrown: { readonly info?: { readonly reason?: string } }) =>
    thrown.info?.reason === reason;

  beforeEach(async () => {
    looks = [NOTHING];
    tree = await memoryTree({
      [LOCKS_BELOW]: () => {
        const look = looks[Math.min(looked++, looks.length - 1)];
        if (look instanceof Error) throw look;
        return look;
      },
    });
    for (const name of ['target', 'other', 'elsewhere']) put(tree.base.id, name);
    for (let n = 0; n < 26; n++) put('elsewhere', `locked${n}`, { lock: BOBS });
  });

  it('is the node that is to be locked, each of several by itself', async () => {
    put('other', 'held', { lock: BOBS });
    looks = [NOTHING, { ...NOTHING, holderId: 'held' }];
    await assert.rejects(lock('/content/target', '/content/other'), isRefused('locked_below'));
    looks = [NOTHING];
    assert.equal(await lock('/content/target', '/content/other'), 2);
  });

  it('is told where it could not be looked at', async () => {
    looks = [new Error('the reader is closed')];
    await assert.rejects(target(), { code: 'UNAVAILABLE', message: /the reader is closed/ });
  });

  it('counts as long as less than fifty nodes were written since', async () => {
    putLater(49, 'elsewhere');
    assert.equal(await target(), 1);
    putLater(1, 'elsewhere', 'more');
    await assert.rejects(lock('/content/other'), {
      code: 'UNAVAILABLE',
      message: /expected to find the locks below '\/content\/other', but too much is written there/,
    });
    assert.equal(looked, 10);
  });

  it('counts with up to two hundred nodes that came below it since', async () => {
    put('target', 'source', { version: LOOKED_AT + 1 });
    for (let n = 0; n < 199; n++) put('source', `n${n}`);
    assert.equal(await target(), 1);
    put('other', 'another', { version: LOOKED_AT + 1 });
    for (let n = 0; n < 200; n++) put('another', `m${n}`);
    looks = [NOTHING, { ...NOTHING, revision: LOOKED_AT + 1 }];
    assert.equal(await lock('/content/other'), 2);
  });

  it('does not begin anew because the node itself was written', async () => {
    put(tree.base.id, 'target', { version: LOOKED_AT + 1 });
    for (let n = 0; n < 200; n++) put('target', `n${n}`);
    assert.equal(await target(), 1);
  });

  it('is no lock that came since, wherever below', async () => {
    put('target', 'source', { version: LOOKED_AT + 1 });
    put('source', 'sub');
    put('sub', 'held', { lock: BOBS });
    await assert.rejects(target(), isRefused('locked_below'));
    put('other', 'own', { version: LOOKED_AT + 1, lock: { ...BOBS, owner: 'admin' } });
    put('elsewhere', 'late', { version: LOOKED_AT + 1, lock: BOBS });
    assert.equal(await lock('/content/other'), 1);
  });

  it('is looked for again where the lock that was found has gone, be it with its node', async () => {
    put('target', 'freed');
    looks = [{ ...NOTHING, holderId: 'freed' }, NOTHING];
    assert.equal(await target(), 2);
    looks = [{ ...NOTHING, holderId: 'gone' }];
    assert.equal(await lock('/content/other'), 1);
  });
});
