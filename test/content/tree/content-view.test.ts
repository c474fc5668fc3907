import assert from 'node:assert/strict';
import {
  ContentView,
  contentChildren,
  contentReferences,
  smallChildren,
  valuesOf,
} from '../../../src/content/index.js';
import type { Caller } from '../../../src/shared/caller.js';
import type { Page } from '../../../src/store/index.js';
import { openSubject } from '../support/open-subject.js';
import { ADMIN, ANN } from '../support/tree.js';

describe('the tree as a caller sees it', () => {
  const subject = openSubject();

  const send = (name: string, input: object, by = ADMIN) => subject.send(name, input, by);
  const create = (path: string, name: string, more: object = {}) =>
    send('createNode', { path, name, nodeType: 'nt:unstructured', allowSameNameSiblings: true, ...more });
  const hide = (path: string, allow = false) =>
    send('setAccessControl', { path, principal: 'ann', privileges: ['read'], allow });
  const idAt = (path: string) => subject.view(ADMIN).require(path).id;
  const nameOf = ({ body }: { body: string }) => (JSON.parse(body) as { name: string }).name;
  const asked = { partition: 'test', now: 0, first: 10, after: null, count: true };

  before(async () => {
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

    it('has all that are shown of what is kept elsewhere, however many', async () => {
      const steps = (from: number, to: number) =>
        Array.from({ length: to - from }, (_, n) => {
          const input = { path: '/content/many', name: `n${from + n}`, nodeType: 'nt:unstructured' };
          return { field: 'createNode', input: { ...input, mixins: ['mix:versionable'] } };
        });
      const path = '/jcr:system/jcr:versionStorage';
      const there = page(path, { first: 300 }).rows.length;
      await create('/content', 'many');
      for (const from of [there, 100]) await send('contentTransaction', steps(from, from === there ? 100 : 200));
      assert.equal(page(path, { first: 300 }).rows.length, 200);
      await send('contentTransaction', steps(200, 201));
      const [all, first] = [page(path, { first: 300 }), page(path, { first: 200 })];
      assert.deepEqual([all.rows.length, all.totalCount, all.hasNextPage], [201, 201, false]);
      assert.deepEqual([first.rows.length, first.hasNextPage], [200, true]);
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
      for (const first of [-1, 1.5]) assert.equal(small(ADMIN, { first }), undefined);
      assert.deepEqual(small(ADMIN, { first: 0 }), [[], true, 4]);
      assert.deepEqual(small(ADMIN, { first: 4 }), [['c', 'a', 'b', 'a'], false, 4]);
      assert.equal(small(ANN), undefined, 'one of them is hidden');
      assert.equal(small(ANN, { first: 1 }), undefined, 'one to be counted may be hidden');
      assert.deepEqual(small(ANN, { first: 1, count: false }), [['c'], true, null]);
    });

    it('is left to a reader where that cannot be done at once', () => {
      const small = (view: ContentView, path: string) => {
        const parent = subject.view(ADMIN).require(path);
        return smallChildren(view, parent, { first: 10, after: null, count: false });
      };
      assert.notEqual(small(subject.quickView(ADMIN), '/content'), undefined);
      assert.equal(small(subject.view(ADMIN), '/content'), undefined, 'nothing is read at once');
      assert.equal(small(subject.quickView(ANN), '/content/shut'), undefined, 'the node is hidden');
      assert.equal(small(subject.quickView(ADMIN), '/jcr:system/jcr:versionStorage'), undefined, 'kept elsewhere');
    });

    it('goes on in the same order, whoever has read the one before', async () => {
      await send('createNode', { path: '/content', name: 'named', nodeType: 'nt:folder' });
      for (const name of ['b', 'c', 'a']) await send('createFolder', { path: '/content/named', name });
      for (const [path, expected] of [
        ['/content/list', ['c', 'a', 'b', 'a']],
        ['/content/named', ['a', 'b', 'c']],
      ] as const) {
        const view = subject.quickView(ADMIN);
        const parent = view.require(path);
        for (const count of [1, 2]) {
          const first = smallChildren(view, parent, { first: count, after: null, count: true });
          const after = first?.rows.at(-1)?.cursor ?? null;
          const next = smallChildren(view, parent, { first: 10, after, count: true });
          assert.deepEqual(
            next?.rows.map(({ node }) => node.name),
            expected.slice(count),
            path,
          );
          assert.deepEqual(names(page(path, { after })), expected.slice(count), path);
          assert.deepEqual([first?.hasNextPage, first?.hasPreviousPage], [true, false]);
          assert.deepEqual([next?.hasNextPage, next?.hasPreviousPage], [false, true]);
          assert.deepEqual([first?.totalCount, next?.totalCount], [expected.length, expected.length]);
        }
      }
    });

    it('counts up to a thousand at once', async () => {
      await send('createFolder', { path: '/content', name: 'thousand' });
      const fill = (from: number, count: number) => {
        const path = '/content/thousand';
        const steps = Array.from({ length: count }, (_, n) => ({ path, name: `n${from + n}` }));
        return send(
          'contentTransaction',
          steps.map((input) => ({ field: 'createFolder', input })),
        );
      };
      const counted = () => {
        const view = subject.quickView(ADMIN);
        return smallChildren(view, view.require('/content/thousand'), { first: 1, after: null, count: true })
          ?.totalCount;
      };
      for (let n = 0; n < 10; n++) await fill(100 * n, 100);
      assert.equal(counted(), 1_000);
      await fill(1_000, 1);
      assert.equal(counted(), undefined);
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

    it('shows a node for its content that refers, to those who may read both', async () => {
      await create('/content', 'aim', { mixins: ['mix:referenceable'] });
      const id = await create('/content', 'goal', { mixins: ['mix:referenceable'] });
      const { nodeId } = id as { nodeId: string };
      const to = (name: string, type = 'Reference') => ({
        properties: [{ name, value: { type, multiple: true, values: [nodeId, nodeId] } }],
      });
      const other = { name: 'other', value: { type: 'Reference', multiple: false, values: [idAt('/content/aim')] } };
      for (const [name, more] of [
        ['both', to('own')],
        ['doc', {}],
        ['shut', {}],
      ] as const)
        await create('/content/goal', name, more);
      await create('/content/goal/both', 'jcr:content', to('inner'));
      await create('/content/goal/doc', 'jcr:content', {
        properties: [...to('inner').properties, ...to('weak', 'WeakReference').properties, other],
      });
      await create('/content/goal/shut', 'jcr:content', to('inner'));
      await hide('/content/goal/shut');
      await hide('/content/goal/shut/jcr:content', true);
      const told = (by: Caller) => {
        const { rows, totalCount } = subject.query(contentReferences, { ...asked, targetId: nodeId }, by).answer;
        return [
          totalCount,
          ...rows.map((row) => `${nameOf(row)} ${row.isWeak} ${[...row.propertyNames].sort().join()}`),
        ];
      };
      assert.deepEqual(told(ADMIN), [
        4,
        'both false inner,own',
        'doc false inner',
        'shut false inner',
        'doc true weak',
      ]);
      assert.deepEqual(told(ANN), [3, 'both false inner,own', 'doc false inner', 'doc true weak']);
    });

    it('has at most five thousand', () => {
      assert.equal(page({ first: 5_000 }).rows.length, 3);
      assert.deepEqual([page({ first: 3 }).hasNextPage, page({ first: 0 }).hasNextPage], [false, true]);
      assert.throws(() => page({ first: 5_001 }), { code: 'LIMIT_EXCEEDED' });
      for (const first of [-1, 1.5]) assert.throws(() => page({ first }), { code: 'BAD_REQUEST' });
    });

    it('leaves out what lies in a hidden folder, however deep', async () => {
      const { nodeId } = (await create('/content', 'far', { mixins: ['mix:referenceable'] })) as { nodeId: string };
      const value = { type: 'Reference', multiple: false, values: [nodeId] };
      const holder = { properties: [{ name: 'to', value }] };
      for (const name of ['open', 'closed']) {
        await create('/content/far', name);
        await create(`/content/far/${name}`, 'sub');
        await create(`/content/far/${name}/sub`, `in-${name}`, holder);
      }
      await hide('/content/far/closed');
      const counted = (by: Caller) => {
        const { rows, totalCount } = subject.query(contentReferences, { ...asked, targetId: nodeId }, by).answer;
        return [totalCount, ...rows.map(nameOf)];
      };
      assert.deepEqual(counted(ADMIN), [2, 'in-open', 'in-closed']);
      assert.deepEqual(counted(ANN), [1, 'in-open']);
      await hide('/content/far/open/sub/in-open');
      assert.deepEqual(counted(ANN), [0]);
    });

    it('has those that the caller may read', () => {
      assert.deepEqual(
        told(page({}, ANN)).map(([name]) => name),
        ['one', 'two'],
      );
      assert.equal(page({}, ANN).totalCount, 2);
    });
  });

  describe('nodes of one page', () => {
    /** A view that reads what is small by itself; what it was told of, and asked the state. */
    const viewOf = (by: Caller) => {
      const read: number[] = [];
      const { statements } = subject.partition.replica;
      let asked = 0;
      const state = new Proxy(subject.partition.replica.read(), {
        get: (target, method) => {
          const value = Reflect.get(target, method, target) as unknown;
          if (method === 'find') asked++;
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
      const reads = {
        prepare: (sql: string) => statements.prepare(sql),
        onRead: (size: number) => void read.push(size),
      };
      return { view: new ContentView(state, by, reads), read, asked: () => asked };
    };
    const textOf = (view: ContentView, path: string) => {
      const { properties } = view.contentOf(view.require(path));
      return properties.text && valuesOf(properties.text).map(String).join();
    };
    const given = (text: string) => ({
      properties: [{ name: 'text', value: { type: 'String', multiple: false, values: [text] } }],
    });
    const PAGE = ['small', 'large', 'two', 'bare', 'hidden', 'mine'].map((name) => `/content/files/${name}`);

    before(async () => {
      await create('/content', 'files');
      for (const path of PAGE) await create('/content/files', path.slice('/content/files/'.length), given('own'));
      for (const [name, text] of [
        ['small', 'content'],
        ['large', 'x'.repeat(10_000)],
        ['two', 'first'],
        ['two', 'second'],
        ['hidden', 'secret'],
      ] as const)
        await create(`/content/files/${name}`, 'jcr:content', given(text));
      await hide('/content/files/hidden/jcr:content');
    });

    it('show their contents, of several the first, as far as one may read them', () => {
      const expected = ['content', 'x'.repeat(10_000), 'first', 'own'];
      for (const isTogether of [false, true]) {
        for (const [by, last] of [
          [ADMIN, 'secret'],
          [ANN, 'own'],
        ] as const) {
          const { view } = viewOf(by);
          if (isTogether) view.together(PAGE.map((path) => view.require(path)));
          assert.deepEqual(
            PAGE.slice(0, 5).map((path) => textOf(view, path)),
            [...expected, last],
          );
        }
      }
    });

    it('are read below at once, fifty of them, and what is read is told', () => {
      const { view, read, asked } = viewOf(ADMIN);
      const page = ['small', 'bare', 'mine'].map((name) => view.require(`/content/files/${name}`));
      const before = asked();
      view.together(page);
      assert.deepEqual(
        page.map((node) => view.contentOf(node).name),
        ['jcr:content', 'bare', 'mine'],
      );
      assert.deepEqual(
        page.map((node) => view.hasChildren(node)),
        [true, false, false],
      );
      assert.deepEqual([read.length, asked() - before], [1, 0]);
      assert.ok((read[0] ?? 0) > 100, 'the characters of the one content');
    });

    it('have children where one of the first five may be read; of more a reader is asked', async () => {
      const child = async (name: string) => {
        await create('/content/files/mine', name);
        await hide(`/content/files/mine/${name}`);
      };
      const hasChildren = () =>
        [subject.view(ANN), viewOf(ANN).view].map((view) => {
          const node = view.require('/content/files/mine');
          view.together([node]);
          return view.hasChildren(node);
        });
      assert.deepEqual(hasChildren(), [false, false]);
      for (const name of ['a', 'b', 'c', 'd']) await child(name);
      assert.deepEqual(hasChildren(), [false, false]);
      await child('e');
      assert.deepEqual(hasChildren(), [undefined, undefined]);
      await hide('/content/files/mine/c', true);
      assert.deepEqual(hasChildren(), [true, true]);
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
