import assert from 'node:assert/strict';
import { sweepVersionsOf } from '../../../src/content/index.js';
import { beginFreezing, endFreezing, endFreezings, stageFrozen } from '../../../src/content/version/freeze-tree.js';
import { sweepVersions, versionGarbage } from '../../../src/content/version/sweep-versions.js';
import {
  type FrozenChunk,
  type FrozenNode,
  freezings,
  frozenChunks,
  frozenNodes,
  versionHistories,
  versionLitter,
} from '../../../src/content/version/version.js';
import { systemCaller } from '../../../src/shared/caller.js';
import type { Operation } from '../../../src/store/index.js';
import { temporaryFolder } from '../../support/temporary.js';
import { ADMIN } from '../support/tree.js';
import { Subject } from '../tree-model/subject.js';

const SYSTEM = systemCaller('test');

describe('what is left of versions', () => {
  const folder = temporaryFolder();
  const subject = new Subject({ scratch: folder.path, folder: null });
  beforeEach(() => subject.open());
  afterEach(() => subject.close());
  after(() => folder.remove());

  const job = async <I, A>(operation: Operation<I, A>, input: I): Promise<A> =>
    (await subject.partition.send(operation, input, { caller: SYSTEM })).answer;
  const state = () => subject.partition.replica.read();
  const garbage = (except: readonly string[] = []) =>
    subject.query(versionGarbage, { partition: 'test', now: 0, except }, SYSTEM).answer;
  const sweep = () => sweepVersionsOf(subject.work, { partition: 'test', before: null, now: 0, isClosed: () => false });
  const send = (field: string, path: string, more: object = {}) => subject.send(field, { path, ...more }, ADMIN);
  const versionable = async (name: string): Promise<string> => {
    const input = { name, nodeType: 'nt:unstructured', mixins: ['mix:versionable'] };
    return ((await send('createNode', '/content', input)) as { nodeId: string }).nodeId;
  };

  const frozen = (history: string, count: number): FrozenNode[] =>
    Array.from({ length: count }, (_, n) => ({ id: `${history}.n${n}.1`, history, properties: {} }));
  /** A chunk in which histories are named. */
  const naming = (history: string, id: string, ...named: readonly string[]): FrozenChunk => ({
    id,
    history,
    entries: named.map((one) => ({
      id: one,
      parent: '',
      name: one,
      order: null,
      type: 'nt:unstructured',
      mixins: [],
      kind: 'history',
      body: 0,
    })),
  });
  const many = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n}`);
  /** Leaves documents of a history to which nothing leads. */
  const left = async (nodeId: string, documents: readonly FrozenNode[], chunks: readonly FrozenChunk[] = []) => {
    const freezing = await job(beginFreezing, { nodeId, freezing: null });
    for (let from = 0; from < documents.length; from += 400)
      await job(stageFrozen, { freezing, nodes: documents.slice(from, from + 400), chunks: [] });
    for (let from = 0; from < chunks.length; from += 400)
      await job(stageFrozen, { freezing, nodes: [], chunks: chunks.slice(from, from + 400) });
    await job(endFreezing, { freezing });
  };

  describe('of freezings', () => {
    it('is what nobody works at any more', async () => {
      const begun = subject.now;
      const first = await job(beginFreezing, { nodeId: 'a', freezing: null });
      subject.wait(10);
      const second = await job(beginFreezing, { nodeId: 'b', freezing: null });
      assert.equal(await job(endFreezings, { before: begun }), 0);
      assert.equal(await job(endFreezings, { before: begun + 1 }), 1);
      assert.deepEqual(
        [state().get(freezings, first), state().get(versionLitter, 'a')?.since],
        [undefined, begun + 10],
      );
      assert.equal(state().get(freezings, second)?.broken, false);
      assert.equal(await job(endFreezings, { before: null }), 1);
      assert.equal(await job(endFreezings, { before: null }), 0);
    });

    it('ends once, and nothing is frozen by it then', async () => {
      const freezing = await job(beginFreezing, { nodeId: 'a', freezing: null });
      assert.equal(await job(beginFreezing, { nodeId: 'a', freezing }), freezing);
      await job(stageFrozen, { freezing, nodes: frozen('a', 1), chunks: [] });
      assert.equal(await job(endFreezing, { freezing }), true);
      assert.equal(await job(endFreezing, { freezing }), false);
      await assert.rejects(job(stageFrozen, { freezing, nodes: [], chunks: [] }), {
        code: 'UNAVAILABLE',
        info: { reason: 'freezing_lost' },
      });
    });
  });

  describe('is swept', () => {
    it('four hundred documents at a time', async () => {
      assert.equal(garbage(), null);
      await left('whole', frozen('whole', 400));
      assert.deepEqual([garbage()?.nodes.length, garbage()?.isMore], [400, false]);
      assert.equal(garbage(['whole']), null);
      await left('more', frozen('more', 401), [naming('more', 'more.0')]);
      const found = garbage(['whole']);
      assert.deepEqual([found?.chunks, found?.nodes.length, found?.isMore], [['more.0'], 399, true]);
      assert.equal(await sweep(), 802);
      assert.equal(garbage(), null);
      for (const history of ['whole', 'more'])
        assert.deepEqual(state().find(frozenNodes, 'history', [history], { limit: 1 }), []);
    });

    it('with no more than two hundred names at a time, unless one chunk has more', async () => {
      await left(
        'few',
        [],
        [naming('few', 'few.0', ...many('x', 150)), naming('few', 'few.1', ...many('y', 50)), naming('few', 'few.2')],
      );
      assert.deepEqual(
        [garbage()?.chunks, garbage()?.naming, garbage()?.isMore],
        [['few.0', 'few.1', 'few.2'], ['few.0', 'few.1'], false],
      );
      await left('full', [], [naming('full', 'full.0', ...many('x', 150)), naming('full', 'full.1', ...many('y', 51))]);
      assert.deepEqual([garbage(['few'])?.chunks, garbage(['few'])?.isMore], [['full.0'], true]);
      await left('large', [], [naming('large', 'large.0', ...many('x', 201)), naming('large', 'large.1', 'y')]);
      assert.deepEqual([garbage(['few', 'full'])?.chunks, garbage(['few', 'full'])?.isMore], [['large.0'], true]);
      await sweep();
      assert.equal(garbage(), null);
    });

    it('not while its node is being frozen, nor when its history has changed since', async () => {
      const id = await versionable('doc');
      await send('checkpoint', '/content/doc');
      await left(id, frozen(id, 1));
      const found = garbage() ?? assert.fail();
      const freezing = await job(beginFreezing, { nodeId: id, freezing: null });
      assert.equal(await job(sweepVersions, found), false);
      await job(endFreezing, { freezing });
      await send('checkpoint', '/content/doc');
      assert.equal(await job(sweepVersions, found), false);
      const again = garbage() ?? assert.fail();
      assert.deepEqual([again.nodes, again.chunks, again.versions], [found.nodes, [], []]);
      assert.equal(await job(sweepVersions, { ...again, isMore: true }), true);
      assert.ok(state().get(versionLitter, id));
      assert.equal(await job(sweepVersions, { ...again, nodes: [] }), true);
      assert.equal(state().get(versionLitter, id), undefined);
      assert.ok(state().get(versionHistories, id), 'its node is there');
    });

    it('whole with the history of a node that is gone, when all of it has gone', async () => {
      const id = await versionable('doc');
      await send('checkpoint', '/content/doc');
      await send('deleteNode', '/content/doc');
      const found = garbage() ?? assert.fail();
      assert.deepEqual(
        [found.versions.length, found.trees.length, found.chunks.length, found.nodes.length],
        [2, 1, 1, 1],
      );
      await job(sweepVersions, { ...found, isMore: true });
      assert.equal(state().get(versionHistories, id)?.deleted, true);
      await job(sweepVersions, found);
      assert.equal(state().get(versionHistories, id), undefined);
    });

    it('only by a server that is open', async () => {
      await left('kept', frozen('kept', 1));
      const closed = { partition: 'test', before: null, now: 0, isClosed: () => true };
      assert.equal(await sweepVersionsOf(subject.work, closed), 0);
      assert.ok(garbage());
    });
  });

  describe('takes the histories along that it alone names', () => {
    it('but not that of a node that is there', async () => {
      const id = await versionable('there');
      await left('namer', [], [naming('namer', 'namer.0', id)]);
      await job(sweepVersions, garbage() ?? assert.fail());
      assert.equal(state().get(frozenChunks, 'namer.0'), undefined);
      assert.equal(state().get(versionHistories, id)?.deleted, undefined);
    });

    for (const [chunks, isKept] of [
      [49, false],
      [50, true],
    ] as const)
      it(`${isKept ? 'nor' : 'also'} where ${chunks} chunks name it`, async () => {
        const id = await versionable('named');
        await send('checkpoint', '/content/named');
        const holder = await versionable('holder');
        await left(
          holder,
          [],
          many('c.', chunks).map((chunk) => naming(holder, chunk, id)),
        );
        await send('deleteNode', '/content/named');
        assert.equal(state().get(versionHistories, id)?.deleted, undefined, 'it is named');
        const found = garbage() ?? assert.fail();
        assert.equal(found.chunks.length, chunks);
        await job(sweepVersions, found);
        assert.equal(state().get(versionHistories, id)?.deleted, isKept ? undefined : true);
        assert.deepEqual(state().find(frozenChunks, 'history', [holder], { limit: 1 }), []);
      });

    it('nor where another history names it too', async () => {
      const id = await versionable('named');
      await send('checkpoint', '/content/named');
      const [one, other] = [await versionable('one'), await versionable('other')];
      await left(one, [], [naming(one, 'one.0', id)]);
      await left(other, [], [naming(other, 'other.0', id)]);
      await send('deleteNode', '/content/named');
      await job(sweepVersions, garbage([other]) ?? assert.fail());
      assert.equal(state().get(versionHistories, id)?.deleted, undefined);
      await job(sweepVersions, garbage([one]) ?? assert.fail());
      assert.equal(state().get(versionHistories, id)?.deleted, true);
    });
  });
});
