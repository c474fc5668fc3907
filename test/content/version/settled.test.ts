import assert from 'node:assert/strict';
import { nodes } from '../../../src/content/tree/node.js';
import { beginFreezing } from '../../../src/content/version/freeze-tree.js';
import { frozenContent } from '../../../src/content/version/frozen-tree.js';
import { freezings, versionHistories } from '../../../src/content/version/version.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { temporaryFolder } from '../../support/temporary.js';
import { ADMIN, nodeOf } from '../support/tree.js';
import { Subject } from '../tree-model/subject.js';

const KINDS = `[kinds] > mix:referenceable
  + kept (nt:base) = nt:unstructured copy
  + other (nt:base) = nt:unstructured copy
  + free (nt:base) = nt:unstructured ignore
  + * (nt:base) = nt:unstructured version
[open] mixin
  + child (nt:base) = nt:unstructured copy
`;

// What a history says of the tree of its node since the last version: by that the next one is made of what was written alone.
describe('a tree with a version', () => {
  const folder = temporaryFolder();
  const subject = new Subject({ scratch: folder.path, folder: null });
  let root: string;
  beforeEach(async () => {
    await subject.open();
    await subject.send('registerNodeTypes', { cnd: KINDS }, ADMIN);
    await create('/content', 'aside');
    await create('/content/aside', 'coming');
    await create('/content', 'doc', { mixins: ['mix:versionable'] });
    root = subject.view(ADMIN).require('/content/doc').id;
    await create('/content/doc', 'typed', { nodeType: 'kinds' });
    for (const name of ['kept', 'free']) await create('/content/doc/typed', name);
    await create('/content/doc', 'own', { mixins: ['mix:versionable'] });
    await create('/content/doc', 'plain');
    // The root, five below it that the version has, and so many more.
    await subject.plant(...Array.from({ length: 95 }, (_, n) => nodeOf(root, `n${n}`)));
  });
  afterEach(() => subject.close());
  after(() => folder.remove());

  const send = (field: string, path: string, more: object = {}) => subject.send(field, { path, ...more }, ADMIN);
  const create = (path: string, name: string, more: object = {}) =>
    send('createNode', path, { name, nodeType: 'nt:unstructured', ...more });
  const checkpoint = () => send('checkpoint', '/content/doc');
  const move = (sourcePath: string, destPath: string, name?: string) =>
    subject.send('moveNode', { sourcePath, destPath, ...(name && { name }) }, ADMIN);
  const settled = () => subject.partition.replica.read().get(versionHistories, root)?.settled;
  const title = [{ name: 'title', value: { type: 'String', multiple: false, values: ['x'] } }];

  it('is known to have rested from 100 nodes on', async () => {
    await checkpoint();
    assert.ok(settled());
    await send('deleteNode', '/content/doc/n1');
    await checkpoint();
    assert.equal(settled(), undefined);
  });

  const CHANGES: readonly (readonly [string, boolean, () => Promise<unknown>])[] = [
    ['properties are set', true, () => send('setProperties', '/content/doc/plain', { properties: title })],
    ['a node is made', true, () => create('/content/doc/plain', 'new')],
    [
      'a node is copied into it',
      true,
      () => subject.send('copyNode', { sourcePath: '/content/aside', destPath: '/content/doc' }, ADMIN),
    ],
    ['a node moves within it', true, () => move('/content/doc/n1', '/content/doc/plain')],
    ['a node moves where it is copied as well', true, () => move('/content/doc/n1', '/content/doc/typed', 'other')],
    [
      'a node moves to where versions ignore it',
      false,
      () =>
        move('/content/doc/typed/kept', '/content/doc/typed', 'free2')
          .then(() => send('deleteNode', '/content/doc/typed/free'))
          .then(() => move('/content/doc/typed/free2', '/content/doc/typed', 'free')),
    ],
    ['a node moves below one with versions of its own', false, () => move('/content/doc/n1', '/content/doc/own')],
    ['a node comes', false, () => move('/content/aside/coming', '/content/doc/plain')],
    ['a node leaves', false, () => move('/content/doc/n1', '/content/aside')],
    ['the tree itself moves', true, () => move('/content/doc', '/content/aside')],
    ['a node is renamed', true, () => send('renameNode', '/content/doc/n1', { name: 'x' })],
    [
      'a node is renamed to what is copied too',
      true,
      () => send('renameNode', '/content/doc/typed/kept', { name: 'other' }),
    ],
    [
      'a node gets a name that is kept in another way',
      true,
      () => send('renameNode', '/content/doc/typed/kept', { name: 'any' }),
    ],
    [
      'a node gets a mixin without children',
      true,
      () => send('addMixin', '/content/doc/plain', { mixinType: 'mix:title' }),
    ],
    [
      'a node gets a mixin that says more of children',
      false,
      () => send('addMixin', '/content/doc/plain', { mixinType: 'open' }),
    ],
    [
      'the root gets a mixin that says more of children',
      false,
      () => send('addMixin', '/content/doc', { mixinType: 'open' }),
    ],
    [
      'a node gets versions of its own',
      false,
      () => send('addMixin', '/content/doc/plain', { mixinType: 'mix:versionable' }),
    ],
    ['types are registered', true, () => subject.send('registerNodeTypes', { cnd: '[more]' }, ADMIN)],
    ['a node elsewhere is moved', true, () => move('/content/aside/coming', '/content')],
    [
      'a node leaves with other changes of one transaction',
      false,
      () =>
        subject.send(
          'contentTransaction',
          [
            { field: 'moveNode', input: { sourcePath: '/content/aside/coming', destPath: '/content' } },
            { field: 'moveNode', input: { sourcePath: '/content/doc/n1', destPath: '/content/aside' } },
          ],
          ADMIN,
        ),
    ],
  ];
  /** What moves or is kept in another way is still a part of the tree, but whoever walks it may miss it. */
  const BREAKING = /moves|kept in another way/;
  for (const [what, isSettled, change] of CHANGES)
    it(`is known to ${isSettled ? 'rest' : 'have changed'} where ${what}`, async () => {
      await checkpoint();
      const freezing = await subject.partition.send(
        beginFreezing,
        { nodeId: root, freezing: null },
        { caller: systemCaller('test') },
      );
      await change();
      assert.equal(settled() !== undefined, isSettled);
      const { broken } = subject.partition.replica.read().get(freezings, freezing.answer) ?? assert.fail();
      assert.equal(broken, !isSettled || BREAKING.test(what), 'whoever freezes it begins anew');
    });

  it('is looked at as a whole where its types say otherwise by now', async () => {
    await checkpoint();
    const { id } = subject.view(ADMIN).require('/content/doc/typed/kept');
    const isKept = () => {
      const state = subject.partition.replica.read();
      const { baseVersion = '' } = state.get(nodes, root)?.versioning ?? {};
      return frozenContent(state, baseVersion)?.entry(id) !== undefined;
    };
    assert.equal(isKept(), true);
    const cnd = KINDS.replace('+ kept (nt:base) = nt:unstructured copy', '+ kept (nt:base) = nt:unstructured ignore');
    await subject.send('registerNodeTypes', { cnd, allowUpdate: true }, ADMIN);
    await checkpoint();
    assert.equal(isKept(), false);
  });

  it('knows up to 300 nodes that were deleted', async () => {
    await subject.plant(...Array.from({ length: 301 }, (_, n) => nodeOf(root, `g${n}`)));
    await checkpoint();
    const remove = (from: number, to: number) => {
      const paths = Array.from({ length: to - from }, (_, n) => `/content/doc/g${from + n}`);
      return subject.send(
        'contentTransaction',
        paths.map((path) => ({ field: 'deleteNode', input: { path } })),
        ADMIN,
      );
    };
    for (let from = 0; from < 300; from += 50) await remove(from, from + 50);
    assert.equal(settled()?.gone.length, 300);
    await remove(300, 301);
    assert.equal(settled(), undefined);
  });

  it('is forgotten with its node', async () => {
    await checkpoint();
    const history = subject.partition.replica.read().get(versionHistories, root);
    assert.ok(history?.settled);
    await send('deleteNode', '/content/doc');
    assert.equal(settled(), undefined);
  });
});
