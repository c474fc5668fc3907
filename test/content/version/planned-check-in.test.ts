import assert from 'node:assert/strict';
import type { ContentNode } from '../../../src/content/index.js';
import { nodes } from '../../../src/content/tree/node.js';
import type { VersionAnswer } from '../../../src/content/version/check-in.js';
import { entriesOf } from '../../../src/content/version/frozen-tree.js';
import { freezings, frozenNodeId, frozenNodes, frozenTrees } from '../../../src/content/version/version.js';
import { temporaryFolder } from '../../support/temporary.js';
import { ADMIN, nodeOf } from '../support/tree.js';
import { Subject } from '../tree-model/subject.js';

const title = (value: string) => ({ title: { type: 'String', value } as const });

describe('checking a large tree in', () => {
  const folder = temporaryFolder();
  /** What happens between an answer to a question of large work and the decision. */
  let meanwhile: (query: string) => Promise<void> | void;
  let asked: string[];
  const subject = new Subject({
    scratch: folder.path,
    folder: null,
    answered: (query) => {
      asked.push(query);
      return meanwhile(query);
    },
  });
  let root: string;
  beforeEach(async () => {
    meanwhile = () => {};
    asked = [];
    await subject.open();
    for (const name of ['doc', 'aside']) {
      const mixins = name === 'doc' ? ['mix:versionable'] : [];
      await subject.send('createNode', { path: '/content', name, nodeType: 'nt:unstructured', mixins }, ADMIN);
    }
    root = subject.view(ADMIN).require('/content/doc').id;
  });
  afterEach(() => subject.close());
  after(() => folder.remove());

  const state = () => subject.partition.replica.read();
  const leaf = (n: number, value = 'old') =>
    nodeOf(root, `n${n}`, { order: `n${n}`, sns: true, properties: title(value) });
  /** Leaves from the first number on. */
  const grow = (from: number, to: number, value?: string) =>
    subject.plant(...Array.from({ length: to - from }, (_, n) => leaf(from + n, value)));
  const checkpoint = async () => (await subject.send('checkpoint', { path: '/content/doc' }, ADMIN)) as VersionAnswer;
  const commits = async (work: () => Promise<unknown>): Promise<number> => {
    const { revision } = state();
    await work();
    return state().revision - revision;
  };
  const move = (sourcePath: string, destPath: string) => subject.send('moveNode', { sourcePath, destPath }, ADMIN);
  const below = (id: string): ContentNode[] =>
    state()
      .find(nodes, 'name', [id])
      .flatMap((node) => [node, ...below(node.id)]);
  /** The version has what the tree has now. */
  const requireSame = ({ versionId }: VersionAnswer) => {
    const reading = state();
    const tree = reading.get(frozenTrees, versionId) ?? assert.fail();
    const entries = entriesOf(reading, tree).filter(({ id }) => id !== root);
    const frozen = entries.map((entry) => [
      entry.id,
      entry.parent,
      state().get(frozenNodes, frozenNodeId(root, entry))?.properties,
    ]);
    const live = below(root).map(({ id, parent, properties }) => [id, parent, properties]);
    assert.deepEqual(frozen.sort(), live.sort());
    assert.equal(tree.entries, entries.length + 1);
  };

  it('is done by the decision up to 400 nodes, and planned where there are more', async () => {
    await grow(0, 399);
    assert.equal(await commits(checkpoint), 1);
    await subject.send('moveNode', { sourcePath: '/content/aside', destPath: '/content/doc' }, ADMIN);
    assert.ok((await commits(checkpoint)) > 1);
    assert.deepEqual(state().range(freezings, 'started', [0], 1), []);
    await move('/content/doc/aside', '/content');
    assert.equal(await commits(checkpoint), 1, 'it is small again, whatever it was');
    requireSame(await checkpoint());
  });

  it('is by what was written since the last version alone, up to 199 nodes', async () => {
    await grow(0, 500);
    requireSame(await checkpoint());
    asked = [];
    for (const [count, isPlanned] of [
      [198, false],
      [199, true],
      [150, false],
    ] as const) {
      // The root is one that was written, too.
      await grow(0, count, `${count}`);
      requireSame(await checkpoint());
      assert.equal(asked.length > 0, isPlanned, `${count}`);
      asked = [];
    }
  });

  it('is planned by what was written since, where that is at most a quarter', async () => {
    await grow(0, 900);
    await checkpoint();
    for (const count of [210, 300]) {
      await grow(0, count, `${count}`);
      requireSame(await checkpoint());
    }
  });

  it('knows where a child with versions of its own is, and of which types it is', async () => {
    await grow(0, 450);
    const mixins = ['mix:versionable'];
    await subject.send('createNode', { path: '/content/doc', name: 'own', nodeType: 'nt:unstructured', mixins }, ADMIN);
    const own = subject.view(ADMIN).require('/content/doc/own').id;
    await checkpoint();
    const place = ({ id, parent, name, order, sns, type, mixins: all }: Partial<ContentNode>) => [
      id,
      parent,
      name,
      order,
      sns,
      type,
      all,
    ];
    for (const change of [
      { name: 'renamed' },
      { order: 'x' },
      { sns: undefined as never },
      { mixins: [...mixins, 'mix:title'] },
      { parent: 'n1' },
    ]) {
      await subject.plant({ ...(state().get(nodes, own) ?? assert.fail()), ...change });
      for (const [from, to] of [
        ['', '/doc'],
        ['/doc', ''],
      ])
        await move(`/content${from}/aside`, `/content${to}`);
      asked = [];
      const { versionId } = await checkpoint();
      assert.ok(asked.length > 0, 'all of it is looked at');
      const entry = entriesOf(state(), state().get(frozenTrees, versionId) ?? assert.fail()).find(
        ({ id }) => id === own,
      );
      assert.equal(entry?.kind, 'history');
      assert.deepEqual(place(entry as Partial<ContentNode>), place(state().get(nodes, own) ?? {}));
    }
  });

  it('takes up what is written meanwhile, up to 199 nodes', async () => {
    await grow(0, 500);
    await checkpoint();
    await move('/content/aside', '/content/doc');
    for (const [count, isTaken] of [
      [199, true],
      [200, false],
    ] as const) {
      await move('/content/doc/n450', '/content/doc/aside');
      await move('/content/doc/aside/n450', '/content');
      await move('/content/n450', '/content/doc');
      asked = [];
      meanwhile = async (query) => {
        if (query === 'planFreeze' && asked.length === 1) await grow(0, count, `${count}`);
      };
      requireSame(await checkpoint());
      assert.equal(asked.filter((query) => query === 'planFreeze').length === 1, isTaken, `${count}`);
    }
  });

  it('is planned anew where nodes have come or gone meanwhile, and given up where the tree never rests', async () => {
    await grow(0, 500);
    let count = 0;
    meanwhile = async (query) => {
      if (query === 'freezePage' && count++ === 0) await move('/content/doc/n1', '/content/doc/n2');
    };
    requireSame(await checkpoint());
    await move('/content/aside', '/content/doc');
    meanwhile = async (query) => {
      if (query !== 'planFreeze') return;
      await move('/content/doc/n3', '/content/doc/n4');
      await move('/content/doc/n4/n3', '/content/doc');
    };
    await assert.rejects(checkpoint(), { code: 'UNAVAILABLE', info: { reason: 'tree_busy' } });
    meanwhile = () => {};
    requireSame(await checkpoint());
  });

  it('is refused in a transaction that moves nodes in it', async () => {
    await grow(0, 500);
    const steps = (...given: readonly [string, object][]) =>
      subject.send(
        'contentTransaction',
        given.map(([field, input]) => ({ field, input })),
        ADMIN,
      );
    const checkpointed = ['checkpoint', { path: '/content/doc' }] as [string, object];
    for (const [sourcePath, destPath] of [
      ['/content/doc/n1', '/content/aside'],
      ['/content/aside', '/content/doc'],
      ['/content/doc/n1', '/content/doc/n2'],
    ])
      await assert.rejects(steps(['moveNode', { sourcePath, destPath }], checkpointed), { code: 'LIMIT_EXCEEDED' });
    await steps(['createFolder', { path: '/content', name: 'f' }], checkpointed);
  });
});
