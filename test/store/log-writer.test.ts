import assert from 'node:assert/strict';
import type { Scalar } from '../../src/store/index.js';
import type { CommitRecord } from '../../src/store/log/log.js';
import { createTables, type TableShape } from '../../src/store/log/schema.js';
import { LogWriter } from '../../src/store/log/writer.js';
import { type Database, openDatabase } from '../../src/store/sqlite.js';

const shape: TableShape = {
  name: 'thing',
  columns: ['kind', 'state'],
  multi: ['tag'],
  steady: ['kind'],
  indexes: [
    { name: 'kind', columns: ['kind'], unique: false },
    { name: 'state', columns: ['state'], unique: false },
  ],
};

describe('what the writer of the log leaves behind', () => {
  let database: Database;
  let writer: LogWriter;
  let revision = 0;
  beforeEach(() => {
    database = openDatabase(':memory:');
    createTables(database, [shape]);
    writer = new LogWriter(database, [shape]);
  });
  afterEach(() => writer.close());

  const write = (body: string | null, columns: readonly Scalar[] = [], tags: readonly string[] = []) => {
    const document = { collection: 'thing', id: 'a', body, columns, multi: body === null ? [] : [tags] };
    const commit: CommitRecord = {
      ...{ revision: ++revision, id: `c${revision}`, at: 0, events: 0, body: '{}', outcome: null },
      documents: [document],
    };
    writer.append([commit]);
  };
  const found = (where: string) =>
    database
      .prepare(`SELECT body FROM d_thing WHERE ${where}`)
      .all()
      .map((row) => row.body);
  const tags = () =>
    database
      .prepare('SELECT value FROM m_thing_tag ORDER BY value')
      .all()
      .map((row) => row.value);

  it('is found by what changed, also where a steady column did', () => {
    write('1', ['x', 'new']);
    write('2', ['x', 'old']);
    assert.deepEqual([found("c_kind = 'x' AND c_state = 'old'"), found("c_state = 'new'")], [['2'], []]);
    write('3', ['y', 'old']);
    assert.deepEqual([found("c_kind = 'y'"), found("c_kind = 'x'")], [['3'], []]);
    write('4', [null, null]);
    assert.deepEqual([found('c_kind IS NULL AND c_state IS NULL'), found("c_kind = 'y'")], [['4'], []]);
  });

  it('has the multi values of the last writing, and none when it is gone', () => {
    write('1', ['x', null]);
    assert.deepEqual(tags(), []);
    write('2', ['x', null], ['a', 'b']);
    assert.deepEqual(tags(), ['a', 'b']);
    write('3', ['x', null], ['b', 'c']);
    assert.deepEqual(tags(), ['b', 'c']);
    write('4', ['x', null]);
    assert.deepEqual(tags(), []);
    write('5', ['y', null], ['d']);
    write(null);
    assert.deepEqual([tags(), found('1')], [[], []]);
  });
});
