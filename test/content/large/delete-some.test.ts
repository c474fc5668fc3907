import assert from 'node:assert/strict';
import type { ContentNode } from '../../../src/content/index.js';
import { deleteJobType } from '../../../src/content/large/delete-job.js';
import {
  type DeletedSome,
  type DeleteSome,
  deleteSome,
  deleteTogether,
} from '../../../src/content/large/delete-some.js';
import { nodes } from '../../../src/content/tree/node.js';
import { type Caller, systemCaller } from '../../../src/shared/caller.js';
import type { LongJobChanges, LongJobContext } from '../../../src/store/index.js';
import { callerNamed } from '../../support/harness.js';
import { temporaryFolder } from '../../support/temporary.js';
import { ADMIN, ANN, nodeOf, reference } from '../support/tree.js';
import { Subject } from '../tree-model/subject.js';

describe('deleting step by step', () => {
  const folder = temporaryFolder();
  const subject = new Subject({ scratch: folder.path, folder: null });
  let content: string;
  beforeEach(async () => {
    await subject.open();
    content = subject.view(ADMIN).require('/content').id;
  });
  afterEach(() => subject.close());
  after(() => folder.remove());

  const state = () => subject.partition.replica.read();
  const isThere = (id: string): boolean => {
    const node = state().get(nodes, id);
    return node !== undefined && subject.view(ADMIN).tree.chainOf(node) !== undefined;
  };
  const step = async (path: string, more: Partial<DeleteSome> = {}, caller: Caller = ADMIN): Promise<DeletedSome> => {
    const input = { path, rootId: null, at: null, isWhole: false, ...more };
    return (await subject.partition.send(deleteSome.operation, input, { caller })).answer;
  };
  const refers = (id: string, parent: string, to: string): ContentNode =>
    nodeOf(parent, id, { properties: { ref: reference(to) } });
  const NOTHING = { deleted: 0, next: null, referredId: null };

  describe('a node', () => {
    it('goes at once where it is small; the content of a file is not counted', async () => {
      await subject.plant(
        nodeOf(content, 'file', { type: 'nt:file' }),
        nodeOf('file', 'content', { name: 'jcr:content' }),
        nodeOf('content', 'inner'),
      );
      assert.deepEqual(await step('/content/file'), { deleted: 1, next: null, referredId: null });
      assert.deepEqual(await step('/content/file'), NOTHING);
    });

    it('that nobody can delete keeps what is below it', async () => {
      await subject.plant(nodeOf(content, 'below'));
      for (const path of ['/', '/content']) await assert.rejects(step(path), { code: 'BAD_REQUEST' });
      assert.ok(isThere('below'));
    });

    it('is gone down to four levels at a time', async () => {
      const chain = Array.from({ length: 300 }, (_, n) => nodeOf(n === 0 ? content : `d${n - 1}`, `d${n}`));
      await subject.plant(...chain);
      assert.deepEqual(await step('/content/d0'), {
        deleted: 0,
        next: { path: '/content/d0', rootId: 'd0', at: 'd4', isWhole: false },
        referredId: null,
      });
    });

    it('goes a hundred at a time', async () => {
      await subject.plant(nodeOf(content, 'wide'), ...Array.from({ length: 130 }, (_, n) => nodeOf('wide', `w${n}`)));
      const [first, second] = [
        await step('/content/wide'),
        await step('/content/wide', { rootId: 'wide', at: 'wide' }),
      ];
      assert.deepEqual([first.deleted, first.next?.at], [50, 'wide']);
      assert.deepEqual([second.deleted, second.next], [81, null]);
    });

    it('goes from where it has come to, or from its root where that has left it', async () => {
      await subject.plant(nodeOf(content, 'root'), nodeOf('root', 'inner'), nodeOf(content, 'other'));
      const at = await step('/content/root', { rootId: 'root', at: 'inner' });
      assert.deepEqual([at.deleted, at.next?.at, isThere('root')], [1, 'root', true]);
      await step('/content/root', { rootId: 'root', at: 'other' });
      assert.deepEqual([isThere('root'), isThere('other')], [false, true]);
      await subject.plant(nodeOf(null, 'detached'));
      assert.deepEqual(await step('/content/x', { rootId: 'detached', at: null }), NOTHING);
      assert.deepEqual(await step('/content/x', { rootId: 'nowhere', at: null }), NOTHING);
    });

    it('goes with the child that its type demands, however much is below that', async () => {
      await subject.send('registerNodeTypes', { cnd: '[whole] + must (nt:base) mandatory' }, ADMIN);
      for (const count of [120, 200]) {
        const made = (parent: string) => [
          nodeOf(parent, 'w', { type: 'whole' }),
          nodeOf('w', 'must'),
          ...Array.from({ length: count }, (_, n) => nodeOf('must', `m${n}`)),
        ];
        await subject.plant(...made(content));
        assert.deepEqual(await step('/content/w'), { deleted: 1, next: null, referredId: null });
        assert.ok(!isThere('must'));
        await subject.plant(
          nodeOf(content, 'outer'),
          ...made('outer').map((node) => ({
            ...node,
            id: `o${node.id}`,
            parent: node.parent === 'outer' ? 'outer' : `o${node.parent}`,
          })),
        );
        const inner = await step('/content/outer', { rootId: 'outer', at: 'ow' });
        assert.deepEqual([inner.deleted, inner.next?.at], [1, 'outer']);
        await step('/content/outer', { rootId: 'outer' });
        assert.ok(!isThere('outer'));
      }
    });

    it('that something refers to waits, and what cannot go for another reason is refused', async () => {
      await subject.plant(nodeOf(content, 'target'), refers('holder', content, 'target'));
      assert.deepEqual(await step('/content/target'), { ...NOTHING, referredId: 'target' });
      assert.deepEqual(await step('/content/target', { rootId: 'target', isWhole: true }), {
        ...NOTHING,
        referredId: 'target',
      });
      await subject.send('setAccessControl', { path: '/content', principal: 'ann', privileges: ['jcr:read'] }, ADMIN);
      for (const isWhole of [false, true])
        await assert.rejects(step('/content/holder', { rootId: 'holder', isWhole }, ANN), { code: 'FORBIDDEN' });
      assert.deepEqual(await step('/content/holder', { rootId: 'holder', isWhole: true }), {
        deleted: 1,
        next: null,
        referredId: null,
      });
    });

    it('of which a part refers to another goes whole', async () => {
      await subject.plant(
        nodeOf(content, 'root'),
        nodeOf('root', 'one'),
        ...Array.from({ length: 100 }, (_, n) => refers(`r${n}`, 'one', 'root')),
        nodeOf('root', 'two', { properties: { ref: reference('r0') } }),
      );
      await subject.plant(nodeOf('root', 'one'), refers('only', 'one', 'two'), {
        ...nodeOf('root', 'two'),
        properties: { ref: reference('only') },
      });
      const { next } = await step('/content/root', { rootId: 'root', at: 'only' });
      assert.deepEqual(next, { path: '/content/root', rootId: 'root', at: 'root', isWhole: true });
    });

    it('below one that is to go stops it where it is locked', async () => {
      await subject.plant(nodeOf(content, 'root'), nodeOf('root', 'shut', { mixins: ['mix:lockable'] }));
      await subject.send('lockNode', { path: '/content/root/shut' }, callerNamed('bob', { roles: ['administrator'] }));
      await assert.rejects(step('/content/root', { rootId: 'root', at: 'shut' }), {
        code: 'CONFLICT',
        message: /lock/,
      });
    });
  });

  it('takes together what refers to each other, also where it is large', async () => {
    await subject.plant(
      ...['a', 'b'].map((id) => nodeOf(content, id)),
      ...Array.from({ length: 200 }, (_, n) => nodeOf('a', `a${n}`)),
      refers('ab', 'a', 'b'),
      refers('ba', 'b', 'a'),
    );
    const paths = ['/content/a', '/content/nowhere', '/content/b'];
    const { answer } = await subject.partition.send(deleteTogether.operation, { paths }, { caller: ADMIN });
    assert.deepEqual([answer, isThere('a'), isThere('b')], [2, false, false]);
  });

  describe('by a job', () => {
    const run = async (items: readonly string[], checkpoint: unknown = null) => {
      const told: LongJobChanges[] = [];
      const job = { checkpoint, figures: { itemsDeleted: null } };
      const context = {
        job,
        items: (async function* () {
          yield* items;
        })(),
        partition: subject.partition,
        caller: ADMIN,
        signal: new AbortController().signal,
        progress: (changes: LongJobChanges) => void told.push(changes),
      };
      await deleteJobType(subject.work).run(context as unknown as LongJobContext);
      return told;
    };
    const deleted = (told: readonly LongJobChanges[]) =>
      told.findLast(({ itemsDeleted }) => itemsDeleted !== undefined)?.itemsDeleted;
    const checkpoints = (told: readonly LongJobChanges[]) =>
      told.flatMap(({ itemsProcessed, checkpoint }) =>
        itemsProcessed === undefined ? [] : [[itemsProcessed, checkpoint]],
      );

    it('goes on behind what was done before', async () => {
      await subject.plant(...['a', 'b', 'c'].map((id) => nodeOf(content, id)));
      const told = await run(['/content/a', '/content/b', '/content/c'], 1);
      assert.deepEqual(['a', 'b', 'c'].map(isThere), [true, false, false]);
      assert.deepEqual(
        [deleted(told), checkpoints(told)],
        [
          2,
          [
            [2, 2],
            [3, 3],
          ],
        ],
      );
      assert.deepEqual(checkpoints(await run(['/content/a'], 'elsewhere')), [[1, 1]]);
    });

    it('comes back to what another item referred to, and says nothing is done before', async () => {
      await subject.plant(
        nodeOf(content, 'a'),
        nodeOf(content, 'b', { properties: { ref: reference('a') } }),
        nodeOf(content, 'c'),
      );
      const told = await run(['/content/c', '/content/a', '/content/b']);
      assert.deepEqual(['a', 'b', 'c'].map(isThere), [false, false, false]);
      assert.deepEqual(
        [deleted(told), checkpoints(told)],
        [
          3,
          [
            [1, 1],
            [2, undefined],
            [3, undefined],
          ],
        ],
      );
    });

    it('takes together what refers to each other, and then what referred to that', async () => {
      await subject.plant(
        nodeOf(content, 'a', { properties: { ref: reference('b') } }),
        nodeOf(content, 'b', { properties: { ref: reference('a') } }),
        nodeOf('a', 'inner'),
      );
      assert.equal(deleted(await run(['/content/a', '/content/b'])), 3);
      assert.deepEqual(['a', 'b', 'inner'].map(isThere), [false, false, false]);
    });

    it('ends where something else refers to an item', async () => {
      await subject.plant(nodeOf(content, 'a'), refers('outside', content, 'a'));
      await assert.rejects(run(['/content/a']), { code: 'CONFLICT', message: /'\/content\/outside' refers to it/ });
    });

    it('is counted by nodes where it goes whole', async () => {
      const box = Array.from({ length: 120 }, (_, n) =>
        nodeOf('box', `n${n}`, { properties: { ref: reference(`n${(n + 60) % 120}`) } }),
      );
      await subject.plant(nodeOf(content, 'box'), ...box);
      assert.equal(deleted(await run(['/content/box'])), 121);
      await subject.partition.send(deleteTogether.operation, { paths: [] }, { caller: systemCaller('test') });
    });
  });
});
