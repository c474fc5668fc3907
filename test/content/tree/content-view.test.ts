import assert from 'node:assert/strict';
import { contentChildren, contentReferences, smallChildren } from '../../../src/content/index.js';
import type { Caller } from '../../../src/shared/caller.js';
import type { Page } from '../../../src/store/index.js';
import { temporaryFolder } from '../../support/temporary.js';
import { ADMIN, ANN } from '../support/tree.js';
import { Subject } from '../tree-model/subject.js';

describe('the tree as a caller sees it', () => {
  const folder = temporaryFolder();
  const subject = new Subject({ scratch: folder.path, folder: null });

  const send = (name: string, input: object, by = ADMIN) => subject.send(name, input, by);
  const create = (path: string, name: string, more: object = {}) =>
    send('createNode', { path, name, nodeType: 'nt:unstructured', allowSameNameSiblings: true, ...more });
  const hide = (path: string, allow = false) =>
    send('setAccessControl', { path, principal: 'ann', privileges: ['read'], allow });
  const idAt = (path: string) => subject.view(ADMIN).require(path).id;
  const nameOf = ({ body }: { body: string }) => (JSON.parse(body) as { name: string }).name;
  const asked = { partition: 'test', now: 0, first: 10, after: null, count: true };

  before(async () => {
    await subject.open();
    for (const name of ['list', 'shut']) await create('/content', name);
    for (const path of ['/content/list', '/content/shut']) {
      for (const name of ['c', 'a', 'b', 'a']) await create(path, name);
    }
    await hide('/content/list/b');
    await hide('/content/shut');
    await hide('/content/shut/b', true);
    for (const [path, name] of [
      ['/content/list', 'c'],
      ['/content/list', 'b'],
    ] as const)
      await create(`${path}/${name}`, 'below');
    await hide('/content/list/b/below');
  });
  after(async () => {
    await subject.close();
    folder.remove();
  });

  describe('a page of children', () => {
    const page = (path: string, more: object = {}, by: Caller = ADMIN): Page =>
      subject.query(contentChildren, { ...asked, parentId: idAt(path), ...more }, by).answer;
    const names = (found: Page) => found.rows.map(nameOf);

    it('has all that fit, in their order', () => {
      const all = page('/content/list');
      assert.deepEqual(names(all), ['c', 'a', 'b', 'a']);
      assert.deepEqual([all.hasNextPage, all.hasPreviousPage, all.totalCount], [false, false, 4]);
      assert.equal(page('/content/list', { first: 4 }).hasNextPage, false);
      assert.equal(page('/content/list', { first: 3 }).hasNextPage, true);
      assert.equal(page('/content/list', { count: false }).totalCount, null);
      assert.deepEqual(
        [names(page('/content/list', { first: 0 })), page('/content/list', { first: 0 }).hasNextPage],
        [[], true],
      );
    });

    it('goes on behind another one', () => {
      const first = page('/content/list', { first: 2 });
      assert.deepEqual(names(first), ['c', 'a']);
      const second = page('/content/list', { first: 2, after: first.rows.at(-1)?.cursor ?? null });
      assert.deepEqual([names(second), second.hasNextPage, second.hasPreviousPage], [['b', 'a'], false, true]);
      assert.throws(() => page('/content/shut', { after: first.rows[0]?.cursor ?? null }), { code: 'BAD_REQUEST' });
    });

    it('has those that the caller may read, and counts them', () => {
      const list = page('/content/list', {}, ANN);
      assert.deepEqual([names(list), list.totalCount], [['c', 'a', 'a'], 3]);
      assert.throws(() => page('/content/shut', {}, ANN), { code: 'BAD_REQUEST', message: 'Node not found' });
    });

    it('has at most five thousand', () => {
      assert.equal(page('/content/list', { first: 5_000 }).rows.length, 4);
      assert.throws(() => page('/content/list', { first: 5_001 }), { code: 'LIMIT_EXCEEDED' });
      for (const first of [-1, 1.5]) assert.throws(() => page('/content/list', { first }), { code: 'BAD_REQUEST' });
    });

    it('is of versions and their histories, too', async () => {
      await create('/content', 'versioned', { mixins: ['mix:versionable'] });
      for (let n = 0; n < 3; n++) {
        await send('checkin', { path: '/content/versioned' });
        await send('checkout', { path: '/content/versioned' });
      }
      const history = `${idAt('/content/versioned')}.history`;
      const of = (more: object = {}) =>
        subject.query(contentChildren, { ...asked, parentId: history, ...more }, ADMIN).answer;
      const all = names(of());
      assert.equal(all.length, of().totalCount);
      assert.ok(all.length >= 4, 'a root version and three more');
      const [one, rest] = [of({ first: 2 }), of({ after: of({ first: 2 }).rows.at(-1)?.cursor ?? null })];
      assert.deepEqual([...names(one), ...names(rest)], all);
      assert.deepEqual(
        [one.hasNextPage, one.hasPreviousPage, rest.hasNextPage, rest.hasPreviousPage],
        [true, false, false, true],
      );
      assert.equal(of({ first: all.length }).hasNextPage, false);
      assert.equal(of({ count: false }).totalCount, null);
    });

    it('is read at once where it is short and nothing in it is hidden', () => {
      const small = (by: Caller, more: object = {}) => {
        const view = subject.quickView(by);
        const found = smallChildren(view, view.require('/content/list'), {
          first: 10,
          after: null,
          count: true,
          ...more,
        });
        return found && [found.rows.map(({ node }) => node.name), found.hasNextPage, found.totalCount];
      };
      assert.deepEqual(small(ADMIN), [['c', 'a', 'b', 'a'], false, 4]);
      assert.deepEqual(small(ADMIN, { first: 2 }), [['c', 'a'], true, 4]);
      assert.deepEqual(small(ADMIN, { first: 100, count: false }), [['c', 'a', 'b', 'a'], false, null]);
      assert.equal(small(ADMIN, { first: 101 }), undefined);
      assert.equal(small(ADMIN, { first: -1 }), undefined);
      assert.equal(small(ANN), undefined, 'one of them is hidden');
      assert.equal(small(ANN, { first: 1 }), undefined, 'one to be counted may be hidden');
      assert.deepEqual(small(ANN, { first: 1, count: false }), [['c'], true, null]);
    });

    it('says which of them have some themselves', () => {
      for (const view of [subject.view(ADMIN), subject.quickView(ADMIN), subject.view(ANN), subject.quickView(ANN)]) {
        const isAdmin = view.caller === ADMIN;
        const shown = ['c', 'a', ...(isAdmin ? ['b'] : [])].map((name) => view.require(`/content/list/${name}`));
        view.together(shown);
        assert.deepEqual(
          shown.map((node) => view.hasChildren(node)),
          [true, false, ...(isAdmin ? [true] : [])],
        );
      }
    });
  });

  describe('a page of references', () => {
    before(async () => {
      await create('/content', 'target', { mixins: ['mix:referenceable'] });
      const refer = (path: string, type: string, name: string) =>
        send('setProperties', {
          path,
          properties: [{ name, value: { type, multiple: false, values: [idAt('/content/target')] } }],
        });
      for (const name of ['one', 'two', 'hidden']) await create('/content', name);
      await refer('/content/one', 'Reference', 'to');
      await refer('/content/one', 'Reference', 'also');
      await refer('/content/two', 'WeakReference', 'weak');
      await refer('/content/hidden', 'Reference', 'to');
      await hide('/content/hidden');
    });
    const page = (more: object = {}, by: Caller = ADMIN) =>
      subject.query(contentReferences, { ...asked, targetId: idAt('/content/target'), ...more }, by).answer;
    const told = (found: ReturnType<typeof page>) =>
      found.rows.map((row) => [nameOf(row), row.isWeak, [...row.propertyNames].sort().join()]);

    it('has those that refer, the strong ones first', () => {
      assert.deepEqual(told(page()), [
        ['one', false, 'also,to'],
        ['hidden', false, 'to'],
        ['two', true, 'weak'],
      ]);
      assert.deepEqual([page().totalCount, page({ count: false }).totalCount], [3, null]);
    });

    it('goes on behind another one', () => {
      const first = page({ first: 2 });
      assert.deepEqual([first.hasNextPage, first.hasPreviousPage], [true, false]);
      const rest = page({ first: 1, after: first.rows.at(-1)?.cursor ?? null });
      assert.deepEqual([told(rest), rest.hasNextPage, rest.hasPreviousPage], [[['two', true, 'weak']], false, true]);
    });

    it('has those that the caller may read', () => {
      assert.deepEqual(
        told(page({}, ANN)).map(([name]) => name),
        ['one', 'two'],
      );
      assert.equal(page({}, ANN).totalCount, 2);
    });
  });

  it('tells whether one may change a node', async () => {
    await create('/content', 'mine', { mixins: ['mix:versionable'] });
    await send('setAccessControl', { path: '/content/mine', principal: 'ann', privileges: ['modifyProperties'] });
    const isWritable = (by: Caller) => subject.view(by).isWritable(subject.view(by).require('/content/mine'));
    assert.deepEqual([isWritable(ANN), isWritable({ ...ANN, userId: 'ben' })], [true, false]);
    await send('lockNode', { path: '/content/mine' });
    assert.equal(isWritable(ANN), false);
    await send('unlockNode', { path: '/content/mine' });
    await send('checkin', { path: '/content/mine' });
    assert.deepEqual([isWritable(ANN), isWritable(ADMIN)], [false, false]);
  });
});
