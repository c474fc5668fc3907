import assert from 'node:assert/strict';
import type { ContentNode } from '../../../src/content/index.js';
import type { CopyAnswer } from '../../../src/content/large/copy-node.js';
import { detachedTrees } from '../../../src/content/tree/detached.js';
import { nodes } from '../../../src/content/tree/node.js';
import type { Caller } from '../../../src/shared/caller.js';
import { temporaryFolder } from '../../support/temporary.js';
import { ADMIN, ANN, nodeOf, reference } from '../support/tree.js';
import { ABROAD, Subject } from '../tree-model/subject.js';

describe('copying a node', () => {
  const folder = temporaryFolder();
  /** What happens between an answer to a question of large work and the decision. */
  let meanwhile: (query: string) => Promise<void> | void;
  const subject = new Subject({ scratch: folder.path, folder: null, answered: (query) => meanwhile(query) });
  beforeEach(async () => {
    meanwhile = () => {};
    await subject.open();
    const parent = subject.view(ADMIN).require('/content').id;
    await subject.plant(nodeOf(parent, 'from'), nodeOf(parent, 'dest'));
  });
  afterEach(() => subject.close());
  after(() => folder.remove());

  const state = () => subject.partition.replica.read();
  const below = (id: string): ContentNode[] => state().find(nodes, 'name', [id]);
  const all = (id: string): ContentNode[] => below(id).flatMap((node) => [node, ...all(node.id)]);
  const grown = (count: number, more: Partial<ContentNode> = {}) =>
    subject.plant(...Array.from({ length: count }, (_, n) => nodeOf('from', `n${n}`, more)));
  const input = (more: object = {}) => ({ sourcePath: '/content/from', destPath: '/content/dest', ...more });
  const copy = async (more: object = {}, by: Caller = ADMIN): Promise<CopyAnswer> =>
    (await subject.send('copyNode', input(more), by)) as CopyAnswer;
  const refused = (work: Promise<unknown>, code: string, reason?: string) =>
    assert.rejects(work, (thrown: { code?: string; message: string; info?: { reason?: string } }) => {
      assert.deepEqual([thrown.code, thrown.info?.reason], [code, reason ?? thrown.info?.reason], thrown.message);
      return true;
    });
  const commits = async (work: () => Promise<unknown>): Promise<number> => {
    const { revision } = state();
    await work();
    return state().revision - revision;
  };
  const grant = (path: string, ...privileges: string[]) =>
    subject.send('setAccessControl', { path, principal: 'ann', privileges }, ADMIN);

  it('is one commit up to 150 nodes, and is made out of the tree where there are more', async () => {
    await grown(149);
    assert.equal(await commits(() => copy({ name: 'small' })), 1);
    await grown(150);
    assert.ok((await commits(() => copy({ name: 'large' }))) > 1);
    assert.deepEqual(
      ['small', 'large'].map((name) => all(subject.view(ADMIN).require(`/content/dest/${name}`).id).length),
      [149, 150],
    );
    assert.deepEqual(state().range(detachedTrees, 'since', [0], 1), []);
  });

  it('is not done of the root, below itself, or of what is shown but kept elsewhere', async () => {
    await refused(copy({ sourcePath: '/' }), 'BAD_REQUEST', 'root_not_copied');
    await refused(copy({ destPath: '/content/from' }), 'BAD_REQUEST', 'copy_below_itself');
    await subject.send('addVersionControl', { path: '/content/from' }, ADMIN);
    await refused(copy({ sourcePath: '/jcr:system/jcr:versionStorage/from' }), 'BAD_REQUEST', 'not_copyable');
    await refused(copy({}, ANN), 'FORBIDDEN');
  });

  it('leaves a name to the one that has it, unless names may repeat', async () => {
    for (const count of [0, 151]) {
      await grown(count);
      const name = `n${count}`;
      await copy({ name });
      for (const allowSameNameSiblings of [undefined, null, false])
        await refused(copy({ name, allowSameNameSiblings }), 'ALREADY_EXISTS');
      await copy({ name, allowSameNameSiblings: true });
      assert.equal(below('dest').filter((node) => node.name === name).length, 2);
    }
  });

  it('is of another workspace where one is named, which has to be there', async () => {
    await refused(copy({ sourceWorkspace: 'nowhere' }), 'BAD_REQUEST', 'workspace_not_found');
    await copy({ sourceWorkspace: ABROAD, name: 'abroad' });
    assert.equal(await commits(() => copy({ sourceWorkspace: 'test', name: 'own' })), 1);
    await grown(151);
    await copy({ sourceWorkspace: 'test', name: 'large' });
    assert.deepEqual(
      below('dest')
        .map(({ name }) => name)
        .sort(),
      ['abroad', 'large', 'own'],
    );
  });

  for (const count of [2, 151])
    it(`of ${count} nodes brings access control lists along only for who may set them there and read them here`, async () => {
      const acl = [{ principal: 'bob', privileges: ['jcr:all'], allow: false }];
      await grown(count);
      await subject.plant(nodeOf('from', 'n0', { acl }));
      const copied = async (name: string, by: Caller) => {
        const { nodeId, leavesLists } = await copy({ name }, by);
        return [all(nodeId).find((node) => node.name === 'n0')?.acl, leavesLists];
      };
      assert.deepEqual(await copied('admins', ADMIN), [acl, false]);
      await grant('/content/dest', 'jcr:addChildNodes', 'jcr:readAccessControl');
      assert.deepEqual(await copied('without', ANN), [undefined, true]);
      await grant('/content/from', 'jcr:readAccessControl');
      assert.deepEqual(await copied('unset', ANN), [undefined, true]);
      await grant('/content/dest', 'jcr:addChildNodes', 'jcr:readAccessControl', 'jcr:modifyAccessControl');
      assert.deepEqual(await copied('with', ANN), [acl, false]);
      await subject.send('deleteAccessControl', { path: '/content/from', principal: 'ann' }, ADMIN);
      assert.deepEqual(await copied('unread', ANN), [undefined, true]);
    });

  it('of a large subtree is refused in a transaction that has changed it, or what is above it', async () => {
    await grown(151);
    await subject.plant(nodeOf('n1', 'inner'));
    const step = (field: string, given: object) => ({ field, input: given });
    const properties = [{ name: 'title', value: { type: 'String', multiple: false, values: ['x'] } }];
    const transact = (...steps: readonly object[]) =>
      subject.send('contentTransaction', [...steps, step('copyNode', input({ name: 'copied' }))], ADMIN);
    const set = (path: string) => step('setProperties', { path, properties });
    for (const path of ['/content/from', '/content', '/content/from/n1/inner'])
      await refused(transact(set(path)), 'LIMIT_EXCEEDED', 'subtree_too_large');
    for (const moved of [
      step('moveNode', { sourcePath: '/content/from/n2', destPath: '/content/dest' }),
      step('createNode', { path: '/content/from', name: 'new', nodeType: 'nt:unstructured' }),
    ])
      await refused(transact(moved), 'LIMIT_EXCEEDED', 'subtree_too_large');
    await transact(set('/content/dest'), step('createFolder', { path: '/content', name: 'aside' }));
    assert.equal(below('dest').length, 1);
  });

  it('is of the source as it was at one moment, whatever comes, goes and changes meanwhile', async () => {
    await grown(600, { mixins: ['mix:referenceable'], properties: { ref: reference('n5') } });
    let asked = 0;
    meanwhile = async (query) => {
      if (query !== 'copyPage' || asked++ > 3) return;
      await subject.plant(
        nodeOf('from', `come${asked}`),
        nodeOf('dest', `n${asked}`),
        nodeOf('from', `n${10 + asked}`, { name: `renamed${asked}` }),
      );
    };
    const { nodeId } = await copy({ name: 'copied' });
    assert.ok(asked > 2, 'pages were asked for');
    const names = (id: string) =>
      below(id)
        .map(({ name }) => name)
        .sort();
    assert.deepEqual(names(nodeId), names('from'));
    const target = below(nodeId).find(({ name }) => name === 'n5');
    const copied = below(nodeId).find(({ name }) => name === 'n599');
    assert.deepEqual(copied?.properties.ref, reference(target?.id ?? ''));
  });

  it('is given up where the source does not rest', async () => {
    await grown(600);
    let count = 0;
    meanwhile = async () => {
      count++;
      await subject.plant(...Array.from({ length: 300 }, (_, n) => nodeOf('from', `more${count}-${n}`)));
    };
    await refused(copy({ name: 'copied' }), 'UNAVAILABLE', 'tree_busy');
    assert.deepEqual(below('dest'), []);
  });
});
