import assert from 'node:assert/strict';
import type { ContentNode } from '../../../src/content/index.js';
import { abandonStaging, beginStaging } from '../../../src/content/large/staging.js';
import { detachedTrees } from '../../../src/content/tree/detached.js';
import { nodes } from '../../../src/content/tree/node.js';
import { sweepVersions } from '../../../src/content/version/sweep-versions.js';
import { freezings, versionHistories } from '../../../src/content/version/version.js';
import { type Caller, systemCaller } from '../../../src/shared/caller.js';
import { callerNamed } from '../../support/harness.js';
import { temporaryFolder } from '../../support/temporary.js';
import { ADMIN, ANN, lockOf, nodeOf, reference } from '../support/tree.js';
import { Subject } from '../tree-model/subject.js';

const BOB = callerNamed('bob', { roles: ['administrator'] });
const LOCK = lockOf('bob');
const title = (value: string) => ({ title: { type: 'String', value } as const });

// A small tree is compared with its version by the decision itself, a large one outside of it: what comes of it is the same.
for (const [size, extra] of [
  ['small', 5],
  ['large', 70],
] as const)
  describe(`a restore of a ${size} tree`, () => {
    const folder = temporaryFolder();
    /** What happens between an answer to a question of large work and the decision. */
    let meanwhile: (query: string) => Promise<void> | void;
    const subject = new Subject({ scratch: folder.path, folder: null, answered: (query) => meanwhile(query) });
    let root: string;
    let content: string;
    beforeEach(async () => {
      meanwhile = () => {};
      await subject.open();
      content = subject.view(ADMIN).require('/content').id;
      await create('/content', 'doc', ['mix:versionable']);
      await create('/content', 'aside');
      root = at('/content/doc').id;
      const child = (id: string, more: Partial<ContentNode> = {}) =>
        nodeOf(root, id, { order: id, sns: true, ...more });
      await subject.plant(
        ...Array.from({ length: extra }, (_, n) => child(`z${n}`)),
        child('a', { properties: title('old') }),
        nodeOf('a', 'inner', { order: 'i', sns: true }),
        child('b'),
        child('c'),
        nodeOf('c', 'deep', { order: 'd', sns: true }),
        nodeOf('deep', 'deeper'),
      );
    });
    afterEach(() => subject.close());
    after(() => folder.remove());

    const at = (path: string): ContentNode => subject.view(ADMIN).require(path);
    const stored = (id: string) => subject.partition.replica.read().get(nodes, id);
    const send = (field: string, path: string, more: object = {}, by: Caller = ADMIN) =>
      subject.send(field, { path, ...more }, by);
    const create = (path: string, name: string, mixins: readonly string[] = []) =>
      send('createNode', path, { name, nodeType: 'nt:unstructured', mixins });
    const checkpoint = (path = '/content/doc') => send('checkpoint', path);
    const restore = (versionName = '1.0', by: Caller = ADMIN) =>
      send('restoreVersion', '/content/doc', { versionName }, by);
    const move = (sourcePath: string, destPath: string) => subject.send('moveNode', { sourcePath, destPath }, ADMIN);
    const remove = (path: string) => send('deleteNode', path);
    const isThere = (id: string): boolean => {
      const node = stored(id);
      return node !== undefined && subject.view(ADMIN).tree.chainOf(node) !== undefined;
    };
    const below = (id: string): ContentNode[] =>
      subject.partition.replica
        .read()
        .find(nodes, 'name', [id])
        .flatMap((node) => [node, ...below(node.id)]);
    const shown = () =>
      below(root)
        .map(({ version: _, ...node }) => node)
        .sort((a, b) => (a.id < b.id ? -1 : 1));
    const refused = (work: Promise<unknown>, code: string, reason: string) =>
      assert.rejects(work, (thrown: { code?: string; message: string; info?: { reason?: string } }) => {
        assert.deepEqual([thrown.code, thrown.info?.reason], [code, reason], thrown.message);
        return true;
      });

    it('brings back what has gone, changed and moved, and takes away what has come', async () => {
      await checkpoint();
      const frozen = shown();
      for (const name of ['z1', 'c']) await remove(`/content/doc/${name}`);
      await remove('/content/doc/a/inner');
      await move('/content/doc/b', '/content/aside');
      await move('/content/doc/z2', '/content/doc/z3');
      await send('renameNode', '/content/doc/z4', { name: 'renamed' });
      await subject.plant(nodeOf('b', 'come'), nodeOf(root, 'new'), nodeOf('new', 'newer'));
      await subject.plant({ ...(stored('a') ?? assert.fail()), properties: title('new') });
      await restore();
      assert.deepEqual(shown(), frozen);
      assert.deepEqual(['come', 'new', 'newer'].map(isThere), [false, false, false]);
      assert.equal(stored(root)?.versioning?.checkedOut, false);
      assert.deepEqual(subject.partition.replica.read().range(freezings, 'started', [0], 1), []);
      await send('checkout', '/content/doc');
      await restore();
      assert.deepEqual(shown(), frozen, 'and once more');
    });

    it('leaves alone what is there as it was, and nothing else', async () => {
      const kept = { kept: { type: 'String', value: 'x' } } as const;
      await subject.plant({
        ...(stored('a') ?? assert.fail()),
        mixins: ['mix:title'],
        properties: { ...title('old'), ...kept },
      });
      await checkpoint();
      const [frozen, a] = [shown(), stored('a') ?? assert.fail()];
      await subject.plant({ ...a });
      const { version } = stored('a') ?? assert.fail();
      await restore();
      assert.equal(stored('a')?.version, version);
      for (const change of [
        { sns: undefined as never },
        { order: null },
        { order: 'x' },
        { name: 'x' },
        { type: 'nt:folder' },
        { mixins: [] },
        { properties: {} },
        { properties: title('old') },
        { properties: { ...kept, ...title('new') } },
        { properties: { ...a.properties, more: { type: 'String', value: 'x' } as const } },
        { parent: 'b' },
      ]) {
        await subject.plant({ ...a, ...change });
        await restore();
        assert.deepEqual(shown(), frozen, JSON.stringify(change));
      }
    });

    for (const [what, lost, change] of [
      ['a node', (version: number) => ({ nodes: [`${root}.a.${version}`] }), () => remove('/content/doc/a')],
      [
        'a node that is there',
        (version: number) => ({ nodes: [`${root}.a.${version}`] }),
        () => subject.plant({ ...(stored('a') ?? assert.fail()) }),
      ],
      [
        'its tree',
        () => ({ trees: [at('/content/doc').versioning?.baseVersion ?? ''] }),
        () => remove('/content/doc/a'),
      ],
    ] as const)
      it(`is no more where what a version has frozen of ${what} is lost`, async () => {
        await checkpoint();
        const { version = 0 } = stored('a') ?? {};
        await change();
        const history = subject.partition.replica.read().get(versionHistories, root);
        const litter = {
          history: root,
          stamp: { revision: history?.revision ?? 0, deleted: false },
          nodes: [],
          chunks: [],
          trees: [],
          versions: [],
          naming: [],
          isMore: true,
          ...lost(version),
        };
        const swept = await subject.partition.send(sweepVersions, litter, { caller: systemCaller('test') });
        assert.equal(swept.answer, true);
        await assert.rejects(restore(), /to be there|version to be whole/);
      });

    it('is done by uncheckout, too', async () => {
      await checkpoint();
      const frozen = shown();
      for (const name of ['z1', 'c']) await remove(`/content/doc/${name}`);
      assert.equal(await send('uncheckout', '/content/doc'), true);
      assert.deepEqual([shown(), stored(root)?.versioning?.checkedOut], [frozen, false]);
    });

    it('leaves nothing to be swept where nothing goes', async () => {
      await checkpoint();
      await subject.plant({ ...(stored('a') ?? assert.fail()), properties: title('new') });
      await restore();
      assert.deepEqual(stored('a')?.properties, title('old'));
      assert.deepEqual(subject.partition.replica.read().range(detachedTrees, 'since', [0], 1), []);
    });

    it('leaves the node where it is among those of its name', async () => {
      await subject.plant({ ...at('/content/doc'), sns: true });
      await checkpoint();
      await restore();
      assert.equal(stored(root)?.sns, true);
    });

    it('brings an identifier back as a property where the node is not referenceable', async () => {
      const properties = { 'jcr:uuid': { type: 'String', value: 'any' } as const };
      await subject.plant({ ...(stored('b') ?? assert.fail()), properties });
      await checkpoint();
      await subject.plant({ ...(stored('b') ?? assert.fail()), properties: {} });
      await restore();
      assert.deepEqual(stored('b')?.properties, properties);
      assert.deepEqual(stored(root)?.properties['jcr:uuid'], { type: 'String', value: root });
    });

    it('keeps rights and the lock, with the mixin that this needs', async () => {
      await checkpoint();
      const acl = [{ principal: 'ann', privileges: ['jcr:read'], allow: true }];
      const lock = { ...LOCK, owner: 'admin' };
      const a = stored('a') ?? assert.fail();
      await subject.plant({ ...a, acl, lock, mixins: ['mix:lockable'], properties: title('new') });
      await restore();
      assert.deepEqual([stored('a')?.acl, stored('a')?.lock, stored('a')?.mixins], [acl, lock, ['mix:lockable']]);
      assert.deepEqual(stored('a')?.properties, title('old'));
      await send('checkout', '/content/doc');
      await checkpoint();
      await subject.plant({ ...(stored('a') ?? a), properties: title('newer') });
      await restore('1.1');
      assert.deepEqual(stored('a')?.mixins, ['mix:lockable']);
    });

    it('is refused where somebody else has locked what it writes, puts below, takes or takes away', async () => {
      await checkpoint();
      const locked = async (id: string, work: () => Promise<unknown>) => {
        const node = stored(id) ?? assert.fail(id);
        await subject.plant({ ...node, lock: LOCK });
        await work();
        await refused(restore(), 'CONFLICT', 'locked');
        await subject.plant(stored(id) ? { ...(stored(id) ?? node), ...unlocked } : node);
      };
      const unlocked = { lock: undefined as never };
      await locked('a', () => subject.plant({ ...(stored('a') ?? assert.fail()), properties: title('new') }));
      await restore();
      await send('checkout', '/content/doc');
      await locked('a', () => subject.plant({ ...(stored('inner') ?? assert.fail()), parent: 'z1' }));
      await restore();
      await send('checkout', '/content/doc');
      await subject.plant(nodeOf(root, 'new'), nodeOf('new', 'newer'));
      await locked('newer', async () => {});
      await locked('new', async () => {});
      await subject.plant({ ...(stored('b') ?? assert.fail()), parent: at('/content/aside').id });
      await subject.plant(nodeOf('b', 'below'));
      await locked('below', async () => {});
      await restore();
      assert.equal(isThere('below'), false);
    });

    it('takes a node from elsewhere only with the rights there, and where nothing is checked in', async () => {
      await checkpoint();
      await move('/content/doc/b', '/content/aside');
      const grant = (path: string, ...privileges: string[]) =>
        send('setAccessControl', path, { principal: 'ann', privileges });
      await grant('/content/doc', 'jcr:all');
      await assert.rejects(restore('1.0', ANN), { code: 'FORBIDDEN', message: /jcr:removeChildNodes/ });
      await grant('/content/aside', 'jcr:removeChildNodes');
      await assert.rejects(restore('1.0', ANN), { code: 'FORBIDDEN', message: /jcr:removeNode/ });
      await grant('/content/aside/b', 'jcr:removeNode');
      await send('addVersionControl', '/content/aside');
      await refused(restore('1.0', ANN), 'CONFLICT', 'checked_in');
      await send('checkout', '/content/aside');
      await restore('1.0', ANN);
      assert.equal(stored('b')?.parent, root);
    });

    it('does not take what lies above it', async () => {
      await checkpoint();
      await move('/content/doc/b', '/content/aside');
      await move('/content/doc', '/content/aside/b');
      await assert.rejects(send('restoreVersion', '/content/aside/b/doc', { versionName: '1.0' }), {
        code: 'CONFLICT',
        info: { reason: 'restored_node_above', resourceId: 'b' },
      });
    });

    it('is refused where something that stays refers to what goes, and what was referred to is gone', async () => {
      await create('/content/aside', 'target', ['mix:referenceable']);
      const target = at('/content/aside/target').id;
      await subject.plant({ ...(stored('b') ?? assert.fail()), properties: { ref: reference(target) } });
      await checkpoint();
      await subject.plant(nodeOf(root, 'new'), nodeOf(content, 'holder', { properties: { ref: reference('new') } }));
      await refused(restore(), 'CONFLICT', 'referenced');
      await subject.plant({ ...(stored('holder') ?? assert.fail()), parent: 'nowhere' });
      await subject.plant(nodeOf(root, 'b'));
      await remove('/content/aside/target');
      await refused(restore(), 'CONFLICT', 'reference_target_missing');
      await remove('/content/doc/b');
      await refused(restore(), 'CONFLICT', 'reference_target_missing');
      await subject.plant(nodeOf(content, 'found', { id: target, mixins: ['mix:referenceable'] }));
      await restore();
      assert.deepEqual(stored('b')?.properties.ref, reference(target));
    });

    it('does not mind what goes with what it refers to', async () => {
      await checkpoint();
      await subject.plant(nodeOf(root, 'new'), nodeOf(root, 'other', { properties: { ref: reference('new') } }));
      await subject.plant(nodeOf('new', 'newer', { properties: { ref: reference('other') } }));
      await restore();
      assert.deepEqual(['new', 'other', 'newer'].map(isThere), [false, false, false]);
    });

    describe('with a versionable child', () => {
      let child: string;
      const path = '/content/doc/own';
      beforeEach(async () => {
        await create('/content/doc', 'own', ['mix:versionable']);
        child = at(path).id;
        await checkpoint(path);
        await create(path, 'below');
        await checkpoint(path);
        await checkpoint();
      });

      it('leaves it as it is, and puts it in its place', async () => {
        await create(path, 'more');
        const { order } = at(path);
        for (const [change, isInPlace] of [
          [() => move(path, '/content/aside')],
          [() => move(path, '/content/doc/a')],
          [() => send('renameNode', path, { name: 'renamed' })],
          [() => subject.plant({ ...at(path), order: 'A' })],
          [async () => {}, true],
        ] as const) {
          await change();
          const before = stored(child)?.version;
          await restore();
          const own = at(path);
          if (isInPlace) assert.equal(own.version, before);
          assert.deepEqual([own.id, own.parent, own.order, own.versioning?.checkedOut], [child, root, order, true]);
          assert.deepEqual(
            below(child).map(({ name }) => name),
            ['below', 'more'],
          );
          await send('checkout', '/content/doc');
        }
      });

      it('does not put it where somebody else has locked it, or take it without the rights', async () => {
        await send('renameNode', path, { name: 'renamed' });
        await subject.plant({ ...at('/content/doc/renamed'), lock: LOCK });
        await refused(restore(), 'CONFLICT', 'locked');
        await subject.plant({ ...at('/content/doc/renamed'), lock: undefined as never });
        await move('/content/doc/renamed', '/content/aside');
        await send('setAccessControl', '/content/doc', { principal: 'ann', privileges: ['jcr:all'] });
        await assert.rejects(restore('1.0', ANN), { code: 'FORBIDDEN' });
      });

      it('brings it back as it was when the version was made', async () => {
        await create(path, 'late');
        subject.wait(1_000);
        await checkpoint(path);
        await remove(path);
        await restore();
        const own = at(path);
        assert.deepEqual([own.id, own.versioning?.checkedOut], [child, false]);
        assert.deepEqual(
          below(child).map(({ name }) => name),
          ['below'],
        );
      });

      it('brings it back in its first version where it is younger, and not at all where it has none', async () => {
        await create('/content/doc', 'young', ['mix:versionable']);
        const young = at('/content/doc/young').id;
        await checkpoint();
        subject.wait(1_000);
        await create('/content/doc/young', 'below');
        await checkpoint('/content/doc/young');
        await remove('/content/doc/young');
        await restore('1.1');
        assert.deepEqual(
          below(young).map(({ name }) => name),
          ['below'],
        );
        await send('checkout', '/content/doc');
        await create('/content/doc', 'never', ['mix:versionable']);
        await checkpoint();
        await remove('/content/doc/never');
        await refused(restore('1.2'), 'CONFLICT', 'child_without_version');
      });

      it('brings back what it had below it, wherever that has gone', async () => {
        const [inner] = below(child);
        await move(`${path}/below`, '/content/aside');
        await remove(path);
        await restore();
        assert.equal(stored(inner?.id ?? '')?.parent, child);
      });
    });

    it('is not made while somebody else makes a node of the same identifier', async () => {
      await checkpoint();
      await remove('/content/doc/b');
      await subject.partition.send(
        beginStaging,
        { rootId: 'import', purpose: 'import' },
        { caller: systemCaller('test') },
      );
      await subject.plant(nodeOf('import', 'b'));
      await refused(restore(), 'UNAVAILABLE', 'tree_busy');
      await subject.plant(nodeOf(null, 'gone'), nodeOf('gone', 'b', { name: 'other' }));
      await restore();
      assert.deepEqual([stored('b')?.parent, stored('b')?.name], [root, 'b']);
    });

    if (size === 'small') {
      it('looks at up to 60 nodes, as they are and as they were', async () => {
        const commits = async (work: () => Promise<unknown>) => {
          const { revision } = subject.partition.replica.read();
          await work();
          return subject.partition.replica.read().revision - revision;
        };
        const grow = (to: number) =>
          subject.plant(...Array.from({ length: to - 12 }, (_, n) => nodeOf(root, `g${n}`, { order: `g${n}` })));
        await grow(60);
        await checkpoint();
        assert.equal(await commits(() => restore()), 1);
        await send('checkout', '/content/doc');
        await grow(61);
        assert.ok((await commits(() => restore())) > 1, 'there are more now');
        await send('checkout', '/content/doc');
        await grow(61);
        await checkpoint();
        await remove('/content/doc/g7');
        assert.ok((await commits(() => restore('1.1'))) > 1, 'there were more then');
      });

      it('takes up to 150 nodes away with what it takes from elsewhere', async () => {
        await checkpoint();
        await move('/content/doc/b', '/content/aside');
        const come = (count: number) =>
          subject.plant(...Array.from({ length: count }, (_, n) => nodeOf('b', `g${n}`), nodeOf(root, 'new')));
        await come(151);
        await refused(restore(), 'LIMIT_EXCEEDED', 'restore_too_large');
        await remove('/content/aside/b/g150');
        await restore();
        assert.equal(isThere('g149'), false);
      });

      it('is refused where it cannot be said whether something refers to what goes', async () => {
        await checkpoint();
        await subject.plant(nodeOf(root, 'new'));
        await subject.plant(
          ...Array.from({ length: 200 }, (_, n) => nodeOf('gone', `h${n}`, { properties: { ref: reference('new') } })),
        );
        await assert.rejects(restore(), { code: 'LIMIT_EXCEEDED', message: /few references/ });
      });
    } else {
      it('does not mind a reference that has gone since it was planned', async () => {
        await checkpoint();
        const holder = nodeOf(content, 'holder', { properties: { ref: reference('new') } });
        for (const goes of [() => remove('/content/holder'), () => subject.plant({ ...holder, properties: {} })]) {
          await subject.plant(nodeOf(root, 'new'), holder);
          let isDone = false;
          meanwhile = async (query) => {
            if (query === 'planRestore' && !isDone) await goes();
            if (!isDone) await subject.plant(nodeOf(content, 'stray', { properties: { ref: reference('nowhere') } }));
            isDone = true;
          };
          await restore();
          assert.deepEqual([isThere('new'), isDone], [false, true]);
          await send('checkout', '/content/doc');
        }
      });

      it('is planned anew where what was made for it was swept', async () => {
        await checkpoint();
        const frozen = shown();
        await remove('/content/doc/c');
        let swept = 0;
        meanwhile = async (query) => {
          const rootId = `${root}.restored`;
          const { maker = '' } = subject.partition.replica.read().get(detachedTrees, rootId) ?? {};
          if (query !== 'planRestore' || maker === '' || swept++ > 0) return;
          await subject.partition.send(abandonStaging, { rootId, maker }, { caller: systemCaller('test') });
        };
        await restore();
        assert.deepEqual([shown(), swept > 1], [frozen, true]);
      });

      it('is refused where there are more than 2,000 references to what goes', async () => {
        await checkpoint();
        const holders = (count: number) =>
          Array.from({ length: count }, (_, n) => nodeOf('aside', `h${n}`, { properties: { ref: reference('new') } }));
        await subject.plant(
          nodeOf(root, 'new'),
          ...holders(2_000).map((node) => ({ ...node, parent: at('/content/aside').id })),
        );
        await refused(restore(), 'CONFLICT', 'referenced');
        await subject.plant(...holders(2_001).slice(2_000));
        await refused(restore(), 'LIMIT_EXCEEDED', 'restore_too_large');
      });

      it('is refused where something refers since then to what goes', async () => {
        await checkpoint();
        await subject.plant(nodeOf(root, 'new'));
        let asked = 0;
        meanwhile = async (query) => {
          if (query === 'planRestore' && asked++ === 0)
            await subject.plant(nodeOf(content, 'holder', { properties: { ref: reference('new') } }));
        };
        await refused(restore(), 'CONFLICT', 'referenced');
      });

      it('is planned anew from 200 nodes on that were written since, wherever they are', async () => {
        await checkpoint();
        const frozen = shown();
        for (const [count, plans] of [
          [199, 1],
          [200, 2],
        ] as const) {
          await subject.plant({ ...(stored('a') ?? assert.fail()), properties: title('new') });
          let asked = 0;
          meanwhile = async (query) => {
            if (query === 'planRestore' && asked++ === 0)
              await subject.plant(...Array.from({ length: count }, (_, n) => nodeOf(content, `e${n}`)));
          };
          await restore();
          assert.deepEqual([shown(), asked], [frozen, plans]);
          await send('checkout', '/content/doc');
        }
      });

      it('is planned anew where the types have changed, or what goes or comes was changed', async () => {
        await checkpoint();
        const frozen = shown();
        for (const change of [
          () => subject.send('registerNodeTypes', { cnd: '[other]' }, ADMIN),
          () => subject.plant(nodeOf('new', 'newer')),
          () => subject.plant(nodeOf('b', 'newest')),
        ]) {
          await subject.plant(nodeOf(root, 'new'));
          await move('/content/doc/b', '/content/aside');
          let asked = 0;
          meanwhile = async (query) => {
            if (query === 'planRestore' && asked++ === 0) await change();
          };
          await restore();
          assert.deepEqual([shown(), asked], [frozen, 2]);
          await send('checkout', '/content/doc');
        }
      });

      it('is planned anew where something came between, and given up where the tree never rests', async () => {
        await checkpoint();
        const frozen = shown();
        let asked = 0;
        await remove('/content/doc/z5');
        meanwhile = async (query) => {
          if (query === 'planRestore' && asked++ === 1) await move('/content/doc/z6', '/content/doc/z7');
        };
        await restore();
        assert.deepEqual(shown(), frozen);
        assert.ok(asked > 2);
        await send('checkout', '/content/doc');
        meanwhile = async (query) => {
          if (query !== 'planRestore') return;
          await move('/content/doc/z6', '/content/aside');
          await move('/content/aside/z6', '/content/doc');
        };
        await refused(restore(), 'UNAVAILABLE', 'tree_busy');
        meanwhile = () => {};
        await restore();
        assert.deepEqual(shown(), frozen);
      });
    }

    it('is by whoever manages versions', async () => {
      await checkpoint();
      await assert.rejects(restore('1.0', ANN), { code: 'FORBIDDEN' });
      await restore('1.0', BOB);
    });
  });
