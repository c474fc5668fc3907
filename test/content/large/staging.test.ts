import assert from 'node:assert/strict';
import type { StageNodes } from '../../../src/content/large/staging.js';
import { detachedTrees } from '../../../src/content/tree/detached.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { ADMIN, ANN, type MemoryTree, memoryTree, nodeOf } from '../support/tree.js';

const SYSTEM = systemCaller('test');

describe('staging nodes out of the tree', () => {
  let tree: MemoryTree;
  let maker: string;
  beforeEach(async () => {
    tree = await memoryTree();
    maker = await tree.harness.run(
      tree.content.jobs.beginStaging,
      { rootId: 'root', purpose: 'copy', types: ['nt:folder'] },
      SYSTEM,
    );
  });

  const stage = (more: Partial<StageNodes>) =>
    tree.harness.run(tree.content.jobs.stageNodes, { rootId: 'root', purpose: 'copy', nodes: [], ...more }, SYSTEM);
  const refused = (work: Promise<unknown>, code: string, message: RegExp) =>
    assert.rejects(work, (thrown: { code?: string; message?: string }) => {
      assert.equal(thrown.code, code);
      assert.match(thrown.message ?? '', message);
      return true;
    });

  it('names all node types that are missing here', () =>
    refused(
      tree.harness.run(
        tree.content.jobs.beginStaging,
        { rootId: 'x', purpose: 'copy', types: ['my:a', 'nt:file', 'my:b'] },
        SYSTEM,
      ),
      'BAD_REQUEST',
      /'my:a', 'my:b'/,
    ));

  it('writes nodes, again where they changed, and takes away what is gone', async () => {
    await stage({ nodes: [nodeOf(null, 'root'), nodeOf('root', 'a'), nodeOf('root', 'b')] });
    await stage({ nodes: [nodeOf('root', 'a', { mixins: ['mix:title'] })], gone: ['b'] });
    assert.deepEqual(tree.get('a')?.mixins, ['mix:title']);
    assert.equal(tree.get('b'), undefined);
  });

  it('refuses references that lead nowhere', async () => {
    await stage({ targets: [tree.base.id] });
    await refused(stage({ targets: ['nowhere'] }), 'BAD_REQUEST', /'nowhere'/);
    tree.store(nodeOf(null, 'detached'));
    await refused(stage({ targets: ['detached'] }), 'BAD_REQUEST', /'detached'/);
  });

  it('checks what comes from another workspace against the types and namespaces here', async () => {
    const file = nodeOf('root', 'f', {
      type: 'nt:folder',
      mixins: ['mix:title'],
      properties: { 'jcr:title': { type: 'Long', value: 1 } },
    });
    await refused(stage({ nodes: [file], abroad: { namespaces: {}, caller: ANN } }), 'BAD_REQUEST', /jcr:title/);
    const foreign = nodeOf('root', 'my:x');
    await refused(
      stage({ nodes: [foreign], abroad: { namespaces: { my: 'urn:my' }, caller: ANN } }),
      'BAD_REQUEST',
      /no such prefix/,
    );
    tree.store(nodeOf(tree.base.id, 'hidden', { acl: [{ principal: 'ann', privileges: ['jcr:read'], allow: false }] }));
    const targets = ['hidden'];
    await stage({ targets });
    await refused(stage({ targets, abroad: { namespaces: {}, caller: ANN } }), 'BAD_REQUEST', /there is none/);
    await stage({ nodes: [nodeOf('root', 'y')], abroad: { namespaces: { my: 'urn:my' }, caller: ANN } });
  });

  it('takes names of another workspace where their prefixes mean the same here, and no types of the repository itself', async () => {
    await tree.harness.run(tree.content.api.registerNamespace, { prefix: 'my', uri: 'urn:my' }, ADMIN);
    const staged = (name: string, namespaces: Readonly<Record<string, string>>, more: object = {}) =>
      stage({ nodes: [nodeOf('root', name, more)], abroad: { namespaces, caller: ANN } });
    await staged('my:a', { my: 'urn:my' });
    await staged('my:b', {});
    await refused(
      staged('my:c', { my: 'urn:other' }),
      'BAD_REQUEST',
      /'urn:other' under the prefix of 'my:c', but it has 'urn:my'/,
    );
    const properties = { 'my:p': { type: 'String', value: 'x' } };
    await refused(staged('d', { my: 'urn:other' }, { properties }), 'BAD_REQUEST', /under the prefix of 'my:p'/);
    await refused(staged('e', {}, { type: 'nt:version' }), 'BAD_REQUEST', /to have a type of content/);
    await refused(
      stage({ nodes: [nodeOf('root', 'f', { type: 'nt:version' })] }),
      'BAD_REQUEST',
      /to have a type of content/,
    );
  });

  it('holds what is imported or restored together, but not what is copied', async () => {
    const begin = (rootId: string, purpose: 'import' | 'copy' | 'restore') =>
      tree.harness.run(tree.content.jobs.beginStaging, { rootId, purpose }, SYSTEM);
    for (const purpose of ['import', 'copy', 'restore'] as const) await begin(purpose, purpose);
    assert.deepEqual(
      ['import', 'copy', 'restore'].map((id) => [tree.get(id)?.name, tree.get(id)?.parent]),
      [
        ['import', null],
        [undefined, undefined],
        ['restore', null],
      ],
    );
    const kept = tree.harness.all(detachedTrees).filter(({ keepsHistories }) => keepsHistories === true);
    assert.deepEqual(
      kept.map(({ id }) => id),
      ['restore'],
    );
    tree.store(nodeOf(null, 'restore', { name: 'as it was' }));
    await begin('restore', 'restore');
    assert.equal(tree.get('restore')?.name, 'as it was');
  });

  it('takes no identifier from a node that is there', async () => {
    for (const purpose of ['import', 'restore'] as const) {
      await tree.harness.run(tree.content.jobs.beginStaging, { rootId: purpose, purpose }, SYSTEM);
      tree.store(nodeOf(tree.base.id, 'there'));
      await refused(stage({ rootId: purpose, purpose, nodes: [nodeOf(purpose, 'there')] }), 'UNAVAILABLE', /try again/);
      await stage({ rootId: purpose, purpose, nodes: [nodeOf(purpose, `new-${purpose}`)] });
    }
    await refused(
      stage({ rootId: 'import', purpose: 'import', nodes: [nodeOf('import', 'new-import')] }),
      'UNAVAILABLE',
      /was taken/,
    );
    await stage({ rootId: 'restore', purpose: 'restore', nodes: [nodeOf('restore', 'new-restore')] });
    tree.store(nodeOf('import', 'theirs'), nodeOf('nowhere', 'left'));
    await refused(
      stage({ rootId: 'restore', purpose: 'restore', nodes: [nodeOf('restore', 'theirs')] }),
      'UNAVAILABLE',
      /came back/,
    );
    await stage({ rootId: 'restore', purpose: 'restore', nodes: [nodeOf('restore', 'left')] });
  });

  it('restores only what the types of today allow', async () => {
    await tree.harness.run(tree.content.jobs.beginStaging, { rootId: 'restore', purpose: 'restore' }, SYSTEM);
    const properties = { 'jcr:title': { type: 'Long', value: 1 } } as const;
    const folder = nodeOf('restore', 'folder', { mixins: ['mix:title'], properties });
    await refused(stage({ rootId: 'restore', purpose: 'restore', nodes: [folder] }), 'BAD_REQUEST', /title/);
  });

  it('is over once it was abandoned or published', async () => {
    await stage({ nodes: [nodeOf(null, 'root')] });
    const abandon = (by: string) =>
      tree.harness.run(tree.content.jobs.abandonStaging, { rootId: 'root', maker: by }, SYSTEM);
    assert.equal(await abandon('another'), false);
    assert.equal(await abandon(maker), true);
    assert.equal(await abandon(maker), false);
    await refused(stage({ nodes: [nodeOf('root', 'a')] }), 'UNAVAILABLE', /try again/);
    await tree.harness.settle();
    assert.equal(tree.get('root'), undefined);
    assert.deepEqual(tree.harness.all(detachedTrees), []);
  });
});
