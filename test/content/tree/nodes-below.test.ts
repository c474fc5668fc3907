import assert from 'node:assert/strict';
import { contentBelow, type NodeFilter } from '../../../src/content/index.js';
import type { Caller } from '../../../src/shared/caller.js';
import { openSubject } from '../support/open-subject.js';
import { ADMIN, ANN } from '../support/tree.js';

describe('the nodes below a path that fit', () => {
  const subject = openSubject();
  const send = (name: string, input: object) => subject.send(name, input, ADMIN);
  const create = (path: string, name: string, more: object = {}) =>
    send('createNode', { path, name, nodeType: 'nt:unstructured', allowSameNameSiblings: true, ...more });
  const value = (type: string, ...values: readonly unknown[]) => ({ type, multiple: values.length > 1, values });
  const set = (path: string, properties: object) =>
    send('setProperties', {
      path,
      properties: Object.entries(properties).map(([name, given]) => ({ name, value: given })),
    });
  const file = (path: string, name: string, mimeType: string) =>
    send('writeNode', { path: `${path}/${name}`, content: { inline: 'eA==', size: 1 }, mimeType });
  const hide = (path: string, allow = false) =>
    send('setAccessControl', { path, principal: 'ann', privileges: ['read'], allow });

  type Asked = Partial<NodeFilter & { path: string; first: number; after: string | null }>;
  const below = ({ path = '/content/x', first = 1_000, after = null, ...filter }: Asked, by: Caller = ADMIN) => {
    const asked = { path, first, after, filter: { properties: {}, ...filter }, partition: 'test', now: 0 };
    const answer = subject.query(contentBelow, asked, by).answer;
    return { ...answer, paths: answer.found.map((one) => one.path.slice(path.length + 1)) };
  };
  const paths = (asked: Asked, by: Caller = ADMIN) => below(asked, by).paths;

  before(async () => {
    await create('/content', 'x');
    for (const name of ['b', 'a', 'a', 'a-z']) await create('/content/x', name);
    for (const path of ['/content/x/a', '/content/x/a[2]']) {
      await create(path, 'in');
      await file(path, '1.csv', 'text/csv');
    }
    await file('/content/x/b', '2.csv', 'text/plain');
    await file('/content/x/b', '3.txt', 'text/plain');
    await set('/content/x/b/2.csv/jcr:content', { 'jcr:description': value('String', 'new') });
    await set('/content/x/a', {
      status: value('String', 'new'),
      count: value('Long', 3),
      rate: value('Double', 1.5),
      tags: value('String', 'x', 'y'),
      on: value('Boolean', true),
      at: value('Date', '2026-01-01T01:00:00.000+01:00'),
    });
  });

  it('come in the order of their paths, parents first, with a content as a part of its node', () => {
    const all = ['a', 'a/1.csv', 'a/in', 'a[2]', 'a[2]/1.csv', 'a[2]/in', 'a-z', 'b', 'b/2.csv', 'b/3.txt'];
    assert.deepEqual(paths({}), all);
    assert.deepEqual(paths({ path: '/content/x/a' }), ['1.csv', 'in']);
  });

  it('go on where a page ended, whatever its size, and be it that what was there has gone', async () => {
    const all = paths({});
    for (let first = 1; first <= all.length + 1; first++) {
      const pages: string[] = [];
      let after: string | null = null;
      do {
        const page = below({ first, after });
        pages.push(...page.paths);
        after = page.after;
      } while (after !== null);
      assert.deepEqual(pages, all, `pages of ${first}`);
    }
    await create('/content/x/b', 'going');
    await create('/content/x/b/going', 'deep');
    const behind = below({ path: '/content/x/b', first: 3 });
    assert.deepEqual(behind.paths.at(-1), 'going');
    await send('deleteNode', { path: '/content/x/b/going' });
    assert.deepEqual(below({ path: '/content/x/b', after: behind.after }).paths, []);
    assert.throws(() => below({ path: '/content/x/a', after: behind.after }), { code: 'BAD_REQUEST' });
  });

  it('are those of a type or its subtypes, of a name, and of a media type', () => {
    assert.deepEqual(paths({ nodeType: 'nt:file' }), ['a/1.csv', 'a[2]/1.csv', 'b/2.csv', 'b/3.txt']);
    assert.deepEqual(paths({ nodeType: 'nt:hierarchyNode', name: '?.t*t' }), ['b/3.txt']);
    assert.deepEqual(paths({ name: '*.csv' }), ['a/1.csv', 'a[2]/1.csv', 'b/2.csv']);
    assert.deepEqual(paths({ name: '*.csv', mimeType: 'text/csv' }), ['a/1.csv', 'a[2]/1.csv']);
    assert.deepEqual(paths({ mimeType: 'image/*' }), []);
    assert.throws(() => paths({ nodeType: 'nt:fil' }), { code: 'BAD_REQUEST', message: /there is no 'nt:fil'/ });
    const evil = `${'*a'.repeat(200)}b`;
    assert.deepEqual(paths({ name: evil }), []);
  });

  it('have a property of a value, of one of several, or none', () => {
    const having = (properties: Record<string, string | null>) => paths({ properties });
    for (const [name, text] of Object.entries({ status: 'new', count: '3', rate: '1.50', tags: 'y', on: 'true' }))
      assert.deepEqual(having({ [name]: text }), ['a'], name);
    assert.deepEqual(having({ at: '2026-01-01T00:00:00.000Z' }), ['a']);
    assert.deepEqual(having({ status: 'new', count: '4' }), []);
    assert.deepEqual(having({ 'jcr:description': 'new' }), ['b/2.csv']);
    assert.deepEqual(paths({ name: 'a', properties: { status: null } }), ['a[2]']);
  });

  it('are those that the caller may read, also below what it may not', async () => {
    await hide('/content/x/a[2]');
    await hide('/content/x/a[2]/in', true);
    assert.deepEqual(paths({ name: '*n' }, ANN), ['a/in', 'a[2]/in']);
    assert.throws(() => paths({ path: '/content/x/a[2]' }, ANN), { message: /Node not found/ });
    assert.throws(() => paths({ path: '/jcr:system/jcr:versionStorage' }), { message: /kept elsewhere/ });
  });

  it('are looked for among so many nodes for each page, and the next one goes on', async () => {
    const steps = (from: number) =>
      Array.from({ length: 100 }, (_, n) => ({
        field: 'createNode',
        input: { path: '/content/many', name: `n${String(from + n).padStart(4, '0')}`, nodeType: 'nt:unstructured' },
      }));
    await create('/content', 'many');
    for (let from = 0; from < 5_100; from += 100) await send('contentTransaction', steps(from));
    const first = below({ path: '/content/many', name: 'n5*' });
    assert.deepEqual([first.paths, first.after === null], [[], false]);
    const second = below({ path: '/content/many', name: 'n5*', after: first.after });
    assert.deepEqual([second.paths.length, second.paths[0], second.after], [100, 'n5000', null]);
  });
});
