import assert from 'node:assert/strict';
import type { StageNodes } from '../../../src/content/large/staging.js';
import { detachedTrees } from '../../../src/content/tree/detached.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { ANN, type MemoryTree, memoryTree, nodeOf } from '../support/tree.js';

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
