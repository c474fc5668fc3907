import assert from 'node:assert/strict';
import fc from 'fast-check';
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

describe('an index', () => {
  const shapeWith = (seldomTied: boolean): TableShape => ({
    ...{ name: 'thing', columns: ['id', 'at'], multi: [], steady: [] },
    indexes: [
      { name: 'at', columns: ['at'], unique: false, seldomTied },
      { name: 'place', columns: ['at', 'id'], unique: false },
    ],
  });
  const columnsOf = (database: Database, index: string) =>
    database
      .prepare(`PRAGMA index_info(${index})`)
      .all()
      .map(({ name }) => name);

  it('holds the id once, or not at all where its values seldom repeat', () => {
    const database = openDatabase(':memory:');
    createTables(database, [shapeWith(true)]);
    assert.deepEqual(columnsOf(database, 'i_thing_at'), ['c_at']);
    assert.deepEqual(columnsOf(database, 'i_thing_place'), ['c_at', 'id']);
    database.close();
  });

  it('of a former version is made anew, with what was written before', () => {
    const database = openDatabase(':memory:');
    createTables(database, [shapeWith(false)]);
    // A former version kept the id in a column of its own, too.
    database.exec('ALTER TABLE d_thing ADD COLUMN c_id');
    database.exec(`INSERT INTO d_thing VALUES (1, 'a', 1, 0, 0, '{}', 7, 'a')`);
    createTables(database, [shapeWith(true)]);
    assert.deepEqual(columnsOf(database, 'i_thing_at'), ['c_at']);
    const writer = new LogWriter(database, [shapeWith(true)]);
    const documents = [{ collection: 'thing', id: 'a', body: '{}', columns: ['a', 8], multi: [] }];
    writer.append([{ revision: 1, id: 'c', at: 0, events: 0, body: '{}', outcome: null, documents }]);
    const rows = database.prepare('SELECT id, c_at, c_id FROM d_thing INDEXED BY i_thing_at WHERE c_at > 0').all();
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [{ id: 'a', c_at: 8, c_id: null }],
    );
    writer.close();
  });
});

describe('a group of commits', () => {
  const named: TableShape = {
    ...{ name: 'named', columns: ['name'], multi: [], steady: [] },
    indexes: [{ name: 'name', columns: ['name'], unique: true }],
  };
  const shapes = [shape, named];
  const commitOf = (revision: number, documents: CommitRecord['documents']): CommitRecord => ({
    ...{ revision, id: `c${revision}`, at: revision, events: 1, body: `"${revision}"` },
    outcome: revision % 3 === 0 ? { id: `c${revision}`, body: 'done' } : null,
    documents,
  });
  const TABLES = ['commits', 'outcome', 'd_thing', 'm_thing_tag', 'd_named'];

  /** All rows after the groups; a row's place in its table is nobody's business. */
  function rowsAfter(groups: readonly (readonly CommitRecord[])[]): unknown {
    const database = openDatabase(':memory:');
    createTables(database, shapes);
    const writer = new LogWriter(database, shapes);
    for (const group of groups) writer.append(group);
    const rows = TABLES.map((table) => {
      const texts = database.prepare(`SELECT * FROM ${table}`).all();
      return texts.map((row) => JSON.stringify({ ...row, n: undefined })).sort();
    });
    writer.close();
    return rows;
  }

  const thing = fc.record({
    collection: fc.constant('thing'),
    id: fc.integer({ min: 0, max: 40 }).map((n) => `t${n}`),
    body: fc.constantFrom('1', '2', '3'),
    columns: fc.tuple(fc.constantFrom('x', 'x', 'x', 'y'), fc.constantFrom(null, 1, 2)),
    multi: fc.constantFrom<string[][]>([[]], [[]], [['a']], [['a', 'b']]),
  });
  const gone = thing.map(({ collection, id }) => ({ collection, id, body: null, columns: [], multi: [] }));
  const written = fc.oneof({ weight: 4, arbitrary: thing }, { weight: 1, arbitrary: gone });

  it('leaves behind what its commits leave behind one by one', () => {
    const property = fc.property(fc.array(fc.array(written, { maxLength: 3 }), { maxLength: 70 }), (commits) => {
      const records = commits.map((documents, i) => commitOf(i + 1, documents));
      const before = records.slice(0, 10);
      const group = records.slice(10);
      const together = rowsAfter([before, group]);
      assert.deepEqual(together, rowsAfter(records.map((record) => [record])));
    });
    fc.assert(property, { numRuns: 60 });
  });

  it('may hand a unique name from one document to the next', () => {
    const name = (id: string, value: string | null) => ({
      ...{ collection: 'named', id, body: value === null ? null : '{}' },
      ...{ columns: value === null ? [] : [value], multi: [] },
    });
    const steps = [
      [name('a', 'n'), name('b', 'm')],
      [name('b', 'p')],
      [name('a', 'm')],
      [name('c', 'n')],
      [name('c', null), name('d', 'n')],
      ...Array.from({ length: 20 }, (_, i) => [name(`e${i}`, `e${i}`)]),
    ];
    const records = steps.map((documents, i) => commitOf(i + 1, documents));
    assert.deepEqual(rowsAfter([records]), rowsAfter(records.map((record) => [record])));
  });
});

describe('a table of documents of which only one may have a place', () => {
  const seats: TableShape = {
    name: 'seat',
    columns: ['row', 'place'],
    multi: ['tag'],
    steady: [],
    indexes: [{ name: 'place', columns: ['row', 'place'], unique: true }],
  };
  type Seats = ReadonlyMap<string, string>;
  const some = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('1', '2', '3', '4'));
  const unique = some.map(
    (all): Seats =>
      new Map(Object.entries(all).filter(([, place], i, list) => list.findIndex((one) => one[1] === place) === i)),
  );

  it("lets them take each other's within a commit, in any order", () => {
    fc.assert(
      fc.property(fc.array(unique, { maxLength: 6 }), fc.boolean(), fc.boolean(), (states, isReversed, isOneGroup) => {
        const database = openDatabase(':memory:');
        createTables(database, [seats]);
        const writer = new LogWriter(database, [seats]);
        let before: Seats = new Map();
        const commits = states.map((state, revision): CommitRecord => {
          const ids = [...new Set([...before.keys(), ...state.keys()])];
          before = state;
          const documents = ids.map((id) => {
            const place = state.get(id);
            return place === undefined
              ? { collection: 'seat', id, body: null, columns: [], multi: [] }
              : { collection: 'seat', id, body: place, columns: ['x', place], multi: [[`${id}${place}`]] };
          });
          const facts = { id: `c${revision}`, at: 0, events: 0, body: '{}', outcome: null };
          return { revision: revision + 1, ...facts, documents: isReversed ? documents.reverse() : documents };
        });
        if (isOneGroup) writer.append(commits);
        else for (const commit of commits) writer.append([commit]);
        const rows = database.prepare('SELECT id, c_row, c_place FROM d_seat ORDER BY id').all();
        const tags = database.prepare('SELECT value FROM m_seat_tag ORDER BY value').all();
        const expected = [...before].sort(([a], [b]) => (a < b ? -1 : 1));
        assert.deepEqual(
          rows.map((row) => [row.id, row.c_row, row.c_place]),
          expected.map(([id, place]) => [id, 'x', place]),
        );
        assert.deepEqual(
          tags.map(({ value }) => value),
          expected.map(([id, place]) => `${id}${place}`),
        );
        writer.close();
      }),
    );
  });

  it('refuses two that end with the same', () => {
    const database = openDatabase(':memory:');
    createTables(database, [seats]);
    const writer = new LogWriter(database, [seats]);
    const documents = ['a', 'b'].map((id) => ({ collection: 'seat', id, body: '1', columns: ['x', '1'], multi: [[]] }));
    const commit = { revision: 1, id: 'c', at: 0, events: 0, body: '{}', outcome: null, documents };
    assert.throws(() => writer.append([commit]), /UNIQUE/);
    assert.equal(database.prepare('SELECT count(*) AS found FROM d_seat').get()?.found, 0);
    writer.close();
  });
});
