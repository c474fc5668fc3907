import assert from 'node:assert/strict';
import { type ListQuery, RequestLists } from '../../src/graphql/request-lists.js';
import type { ListRequest, Page } from '../../src/store/index.js';
import { createTables, shapeOf } from '../../src/store/log/schema.js';
import { openDatabase } from '../../src/store/sqlite.js';
import { CachedStatements } from '../../src/store/statements.js';
import { callerNamed, openThings } from '../contract/support/things.js';

describe('the lists of a request', () => {
  const database = openDatabase(':memory:');
  createTables(database, [shapeOf(openThings)]);
  const statements = new CachedStatements(database);
  after(() => database.close());

  const pageOfReader: Page = { rows: [], hasNextPage: true, hasPreviousPage: false, totalCount: null, revision: 7 };
  const request = () => {
    const asked: ListRequest[] = [];
    const readList = async (list: ListRequest) => {
      asked.push(list);
      return pageOfReader;
    };
    const query = async (lists: readonly ListRequest[]) => Promise.all(lists.map(readList));
    const lists = new RequestLists({ caller: callerNamed('ann'), replica: { statements }, readList, query });
    return { lists, asked };
  };
  const listOf = (kind: string, column = 'kind'): ListQuery => ({
    collection: openThings.name,
    of: openThings,
    where: [{ op: 'eq', column, value: kind }],
    order: [],
    count: false,
    field: 'things',
    path: [kind],
  });
  const isShort = (page: Page) => page.revision === 0;

  it('are read by this thread where they are short, and by a reader where they are not', async () => {
    const { lists, asked } = request();
    assert.ok(isShort(await lists.list(listOf('a'))));
    assert.equal(await lists.list(listOf('b', 'name')), pageOfReader);
    const { path: _, of: __, ...list } = listOf('b', 'name');
    assert.deepEqual(asked, [{ ...list, caller: callerNamed('ann') }]);
  });

  it('are read by this thread up to four: a query may have thousands of them in one turn', async () => {
    const { lists, asked } = request();
    const pages = await Promise.all([...'abcdef'].map((kind) => lists.list(listOf(kind))));
    assert.deepEqual(pages.map(isShort), [true, true, true, true, false, false]);
    assert.equal(asked.length, 2);
    assert.ok(!isShort(await lists.related(listOf('g'))));
  });

  it('keep their places where a page has some of each, and are all the readers where it has many', async () => {
    const few = request();
    const some = [listOf('a'), listOf('b', 'name'), listOf('c')];
    const pages = await Promise.all(some.map((list) => few.lists.related(list)));
    assert.deepEqual(pages.map(isShort), [true, false, true]);
    assert.equal(few.asked.length, 1);
    const many = request();
    await Promise.all([...'abcde'].map((kind) => many.lists.related(listOf(kind))));
    assert.equal(many.asked.length, 5);
  });

  it('are refused to whom they were asked for', async () => {
    const { lists } = request();
    await assert.rejects(lists.list({ ...listOf('a'), after: '?' }), { code: 'BAD_REQUEST' });
    await assert.rejects(lists.related({ ...listOf('a'), first: -1 }), { code: 'BAD_REQUEST' });
  });
});
