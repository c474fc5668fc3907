import assert from 'node:assert/strict';
import { registerNamespaces } from '../../../src/content/registration/namespaces.js';
import { Change } from '../../../src/content/tree/change.js';
import { typeStamps } from '../../../src/content/tree/stored-types.js';
import type { Caller } from '../../../src/shared/caller.js';
import { openSubject } from '../support/open-subject.js';
import { ADMIN, ANN, nodeOf } from '../support/tree.js';

describe('node types and namespaces', () => {
  const subject = openSubject();

  const register = (cnd: string, by: Caller = ADMIN) => subject.send('registerNodeTypes', { cnd }, by);
  const unregister = (...names: string[]) => subject.send('unregisterNodeTypes', { names }, ADMIN);
  const add = (prefix: string, uri = `u:${prefix}`, by: Caller = ADMIN) =>
    subject.send('registerNamespace', { prefix, uri }, by);
  const drop = (prefix: string, by: Caller = ADMIN) => subject.send('unregisterNamespace', { prefix }, by);
  const create = (name: string, more: object = {}) =>
    subject.send('createNode', { path: '/content', name, nodeType: 'nt:unstructured', ...more }, ADMIN);
  const remove = (name: string) => subject.send('deleteNode', { path: `/content/${name}` }, ADMIN);
  const value = (name: string, type: string, ...values: string[]) => ({
    name,
    value: { type, multiple: values.length > 1, values },
  });
  const refused = (work: Promise<unknown>, code: string, reason: string, message = /./) =>
    assert.rejects(work, (thrown: { code?: string; message: string; info?: { reason?: string } }) => {
      assert.deepEqual([thrown.code, thrown.info?.reason], [code, reason], thrown.message);
      assert.match(thrown.message, message);
      return true;
    });
  const namespaces = () => subject.view(ADMIN).types.namespaces;
  const stamp = () => subject.view(ADMIN).state.get(typeStamps, 'types')?.stamp;

  describe("are the administrators'", () => {
    it('so that nobody else changes them', async () => {
      const denied = (work: Promise<unknown>) => assert.rejects(work, { code: 'FORBIDDEN' });
      await denied(register('[anns]', ANN));
      await denied(add('anns', 'u:anns', ANN));
      await denied(drop('anns', ANN));
      const change = (by: Caller) => new Change(subject.view(by).state, by);
      registerNamespaces(change(ANN), {});
      assert.throws(() => registerNamespaces(change(ANN), { anns: 'u:anns' }), {
        code: 'BAD_REQUEST',
        info: { reason: 'namespace_not_registered' },
      });
      const own = change(ADMIN);
      registerNamespaces(own, { mine: 'u:mine' });
      assert.equal(own.types.namespaces.uriOf('mine'), 'u:mine');
    });
  });

  describe('a namespace', () => {
    it('is registered once, beside the ones that there are', async () => {
      assert.equal(await add('n-a'), 'n-a');
      const before = stamp();
      assert.equal(await add('n-a'), 'n-a');
      assert.equal(stamp(), before, 'nothing is written');
      await add('n-b');
      assert.deepEqual(
        ['n-a', 'n-b', 'n-c'].map((prefix) => namespaces().uriOf(prefix)),
        ['u:n-a', 'u:n-b', undefined],
      );
      await refused(add('n-a', 'u:other'), 'ALREADY_EXISTS', 'prefix_taken');
    });

    it("goes alone, and only where it is one of the workspace's own", async () => {
      assert.equal(await drop('n-a'), true);
      assert.deepEqual(
        namespaces()
          .entries()
          .filter(([prefix]) => prefix.startsWith('n-')),
        [['n-b', 'u:n-b']],
      );
      assert.equal(namespaces().uriOf('jcr'), 'http://www.jcp.org/jcr/1.0');
      assert.deepEqual(Object.keys(subject.view(ADMIN).state.get(typeStamps, 'types')?.namespaces ?? {}), ['n-b']);
      await refused(drop('n-a'), 'BAD_REQUEST', 'unknown_namespace');
      await refused(drop('jcr'), 'BAD_REQUEST', 'built_in_namespace');
    });

    const USES: readonly (readonly [string, string, object])[] = [
      ['a node', 'n-u:x', {}],
      ['a property', 'x', { properties: [value('a', 'String', 'a'), value('n-u:p', 'String', 'x')] }],
      ['one name of many', 'x', { properties: [value('p', 'Name', 'y', 'n-u:x')] }],
      ['a path', 'x', { properties: [value('p', 'Path', '/a/n-u:x')] }],
    ];
    for (const [what, name, more] of USES) {
      it(`stays as long as ${what} has it`, async () => {
        await add('n-u');
        await create(name, more);
        await refused(drop('n-u'), 'CONFLICT', 'namespace_in_use', /'n-u', but '\/content\/(n-u:)?x' is/);
        await remove(name);
        await create('free', { properties: [value('p', 'String', 'n-u:x'), value('q', 'Name', 'n-uu')] });
        assert.equal(await drop('n-u'), true);
        await remove('free');
      });
    }

    it('stays as long as a node type, a version or something out of the tree has it', async () => {
      await register("<n-t = 'u:t'> [typed] - n-t:p (string) [other] - n-t:p (string)");
      await refused(drop('n-t'), 'CONFLICT', 'namespace_in_use', /node type '(typed|other)'/);
      await unregister('typed', 'other');
      await drop('n-t');
      await add('n-v');
      await create('kept', { mixins: ['mix:versionable'], properties: [value('n-v:p', 'String', 'x')] });
      await subject.send('checkpoint', { path: '/content/kept' }, ADMIN);
      await subject.send(
        'setProperties',
        { path: '/content/kept', properties: [{ name: 'n-v:p', value: null }] },
        ADMIN,
      );
      await refused(drop('n-v'), 'CONFLICT', 'namespace_in_use', /what a version has frozen/);
      await add('n-o');
      await subject.plant(nodeOf('nowhere', 'n-o:x'));
      await refused(drop('n-o'), 'CONFLICT', 'namespace_in_use', /something that you may not see/);
    });
  });

  describe('a node type', () => {
    it('changes only so that no node loses by it; the node with the lowest identifier is told', async () => {
      await register('[doc] - p (string) [note] - p (string)');
      for (const id of ['zz', 'aa', 'mm'])
        await subject.plant(nodeOf(subject.view(ADMIN).require('/content').id, id, { type: 'doc' }));
      await refused(register('[doc] - p (string) mandatory'), 'CONFLICT', 'node_type_in_use', /'\/content\/aa' is/);
      await refused(unregister('note', 'doc'), 'CONFLICT', 'node_type_in_use', /'doc', which is to go/);
      assert.deepEqual(await register('[doc] - p (undefined)\n[note] - p (string) mandatory'), ['doc', 'note']);
      assert.equal(await unregister('note'), true);
    });

    it('does not tell where a node is that the caller may not read', async () => {
      const path = '/content/aa';
      await subject.send(
        'setAccessControl',
        { path: '/', principal: 'ann', privileges: ['jcr:nodeTypeManagement'] },
        ADMIN,
      );
      await subject.send('setAccessControl', { path, principal: 'ann', privileges: ['read'], allow: false }, ADMIN);
      await refused(
        register('[doc] - p (undefined) mandatory', ANN),
        'CONFLICT',
        'node_type_in_use',
        /but one that you may not read is/,
      );
    });

    it('is looked for in the nodes, however many of them change at once', async () => {
      const names = Array.from({ length: 21 }, (_, n) => `t${n}`);
      const all = (count: number, more = '') =>
        names
          .slice(0, count)
          .map((name) => `[${name}] - p (string) ${more}`)
          .join('\n');
      await register(all(21));
      await create('late', { nodeType: 't19' });
      await refused(register(all(20, 'mandatory')), 'CONFLICT', 'node_type_in_use', /'t19'.*'\/content\/late' is/);
      await refused(register(all(21, 'mandatory')), 'CONFLICT', 'node_type_in_use', /'t19'.*'\/content\/late' is/);
    });

    it('and a mixin of the same node go on together', async () => {
      await register('[base] [plus] mixin - * (undefined)');
      await create('combined', { nodeType: 'base', mixins: ['plus'] });
      await refused(register('[base] - c (string)'), 'CONFLICT', 'node_type_in_use', /'base'.*'\/content\/combined'/);
      await register('[base] - c (undefined)');
    });
  });
});
