import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ServiceError } from '../../../src/shared/errors.js';
import { CREATE_META } from '../../../src/store/index-db/schema.js';
import type { ListRequest } from '../../../src/store/read/list-request.js';
import { type IndexProgress, Reader, type ReaderOptions } from '../../../src/store/read/reader.js';
import { openDatabase } from '../../../src/store/sqlite.js';
import { temporaryFolder } from '../support/folder.js';
import { LogFile } from '../support/log-file.js';
import { callerNamed, openThings, ownThings, thing } from '../support/things.js';

const ann = callerNamed('ann');
const modules = [new URL('../support/reader-fixture.js', import.meta.url).href];
const request: ListRequest = {
  collection: 'openThing',
  where: [],
  order: [],
  count: true,
  caller: ann,
  field: 'things',
};

describe('the reader', () => {
  const folder = temporaryFolder();
  const readers: Reader[] = [];
  const logs: LogFile[] = [];
  const read = (options: Partial<ReaderOptions> = {}) => {
    const reader = new Reader({ dataFolder: folder(), modules, ...options });
    readers.push(reader);
    return reader;
  };
  const partition = (name: string) => {
    mkdirSync(join(folder(), name), { recursive: true });
    const log = new LogFile(join(folder(), name, 'log.db'), [openThings, ownThings]);
    logs.push(log);
    return log;
  };
  afterEach(async () => {
    await Promise.all(readers.splice(0).map((reader) => reader.close()));
    for (const log of logs.splice(0)) log.close();
  });
  const block = (reader: Reader, ms: number, deadlineMs?: number) =>
    reader.query('p1', 'block', { ms }, ann, deadlineMs === undefined ? {} : { deadlineMs });
  /** An `index.db` with one projection, at a revision. */
  const indexAt = (name: string, revision: number, words: readonly string[]) => {
    const database = openDatabase(join(folder(), name, 'index.db'));
    database.exec(`BEGIN; ${CREATE_META}; CREATE TABLE word (word TEXT)`);
    database.prepare("INSERT INTO meta VALUES ('revision', ?)").run(revision);
    for (const word of words) database.prepare('INSERT INTO word VALUES (?)').run(word);
    database.exec('COMMIT');
    return database;
  };

  it('lists what is committed, at the revision that it names', async () => {
    const log = partition('p1');
    const reader = read();
    log.put(openThings, thing('a'));
    const first = await reader.list('p1', request);
    assert.deepEqual([first.rows.map(({ id }) => id), first.totalCount, first.revision], [['a'], 1, 1]);
    log.put(openThings, thing('b'));
    const second = await reader.list('p1', request);
    assert.deepEqual([second.rows.map(({ id }) => id), second.totalCount, second.revision], [['a', 'b'], 2, 2]);
  });

  it('keeps partitions apart, and closes those that were not read for long', async () => {
    const reader = read();
    const names = Array.from({ length: 40 }, (_, at) => `p${at}`);
    for (const name of names) partition(name).put(openThings, thing(name));
    for (const name of [...names, ...names]) {
      const { rows } = await reader.list(name, request);
      assert.deepEqual(
        rows.map(({ id }) => id),
        [name],
      );
    }
  });

  it('refuses a partition that is not here, or whose name is none', async () => {
    const reader = read();
    await assert.rejects(reader.list('nowhere', request), { code: 'UNAVAILABLE' });
    for (const name of ['', '..', '../p1', 'a/b', '.hidden']) {
      await assert.rejects(reader.list(name, request), { code: 'BAD_REQUEST' }, name);
    }
  });

  it('runs named queries, with the revision of what they saw', async () => {
    partition('p1').put(openThings, thing('a', { kind: 'x' }), thing('b', { kind: 'x' }), thing('c'));
    const found = await read().query<number>('p1', 'countThings', { kind: 'x' }, ann);
    assert.deepEqual(found, { answer: 2, revision: 1, indexRevision: null });
  });

  it('hands refusals over as they are, and everything else as a bug', async () => {
    partition('p1').put(openThings, thing('a'));
    const reader = read();
    await assert.rejects(reader.query('p1', 'refuses', null, ann), {
      name: 'ServiceError',
      code: 'BAD_REQUEST',
      message: 'expected something else',
      info: { reason: 'something_else', resourceId: 'x' },
    });
    await assert.rejects(reader.query('p1', 'fails', null, ann), { name: 'Error', message: /no such table/ });
    await assert.rejects(reader.query('p1', 'unknown', null, ann), { name: 'Error', message: /'unknown'/ });
    await assert.rejects(reader.list('p1', { ...request, after: 'forged' }), { code: 'BAD_REQUEST' });
    assert.equal((await reader.list('p1', request)).rows.length, 1, 'and goes on');
  });

  it('refuses what runs too long and replaces the thread; the others do not notice', async () => {
    partition('p1').put(openThings, thing('a'));
    const reader = read();
    const long = reader.query('p1', 'endless', null, ann, { deadlineMs: 300 });
    const others = [reader.list('p1', request), reader.list('p1', request)];
    await assert.rejects(long, { code: 'LIMIT_EXCEEDED' });
    for (const page of await Promise.all(others)) assert.equal(page.rows.length, 1);
  });

  it('survives that SQLite and scripts are given up at any moment', async () => {
    partition('p1').put(openThings, ...Array.from({ length: 500 }, (_, at) => thing(`t${at}`)));
    const reader = read({ threads: 2 });
    for (let at = 0; at < 8; at++) {
      const name = ['endless', 'longCall', 'block'][at % 3] ?? '';
      const given = reader.query('p1', name, { ms: 150 }, ann, { deadlineMs: 5 + 13 * at });
      // Those that come while too many threads are still within SQLite do not get one.
      await assert.rejects(given, (thrown: ServiceError) => /LIMIT_EXCEEDED|UNAVAILABLE/.test(thrown.code));
    }
    assert.equal((await reader.list('p1', request)).totalCount, 500);
  }).timeout(20_000);

  it('refuses what could not begin in time', async () => {
    partition('p1');
    const reader = read();
    const long = block(reader, 200);
    await assert.rejects(block(reader, 0, 50), { code: 'UNAVAILABLE' });
    assert.equal((await long).answer, 'done');
  });

  it('lets only so many wait', async () => {
    partition('p1');
    const reader = read({ queueMax: 2 });
    const running = block(reader, 50);
    await nextTurn();
    const waiting = [block(reader, 0), block(reader, 0)];
    await assert.rejects(block(reader, 0), { code: 'UNAVAILABLE' });
    await Promise.all([running, ...waiting]);
  });

  it('uses as many threads as it may', async () => {
    partition('p1');
    const reader = read({ threads: 2 });
    const long = reader.query('p1', 'endless', null, ann, { deadlineMs: 500 });
    assert.equal((await block(reader, 1)).answer, 'done');
    await assert.rejects(long, { code: 'LIMIT_EXCEEDED' });
  });

  it('tells which module it could not load', async () => {
    partition('p1');
    const reader = read({ modules: [new URL('./missing.js', import.meta.url).href] });
    await assert.rejects(reader.list('p1', request), /missing\.js/);
    await assert.rejects(reader.list('p1', request), /missing\.js/);
  });

  it('refuses everything once closed', async () => {
    partition('p1');
    const reader = read();
    const running = block(reader, 300);
    const waiting = block(reader, 0);
    const closed = reader.close();
    for (const one of [running, waiting, block(reader, 0)]) await assert.rejects(one, { code: 'UNAVAILABLE' });
    await closed;
  });

  it('sees a log that was replaced by another', async () => {
    partition('p1').put(openThings, thing('old'));
    const reader = read();
    await reader.list('p1', request);
    logs.pop()?.close();
    for (const end of ['', '-wal', '-shm']) rmSync(join(folder(), 'p1', `log.db${end}`), { force: true });
    partition('p1').put(openThings, thing('new'));
    assert.deepEqual(
      (await reader.list('p1', request)).rows.map(({ id }) => id),
      ['new'],
    );
  });

  describe('with an index', () => {
    it('runs a query that needs the index when it is there', async () => {
      partition('p1').put(openThings, thing('a'));
      indexAt('p1', 1, ['b', 'a']).close();
      const found = await read().query('p1', 'indexedNames', null, ann, { afterRevision: 1 });
      assert.deepEqual(found, { answer: ['a', 'b'], revision: 1, indexRevision: 1 });
    });

    it('waits until the index has what the caller has seen', async () => {
      partition('p1').put(openThings, thing('a'));
      const database = indexAt('p1', 0, []);
      const asked: unknown[] = [];
      const index: IndexProgress = {
        async reached(name, revision) {
          asked.push([name, revision]);
          database.exec("UPDATE meta SET value = 1 WHERE key = 'revision'; INSERT INTO word VALUES ('late')");
          return true;
        },
      };
      const found = await read({ index }).query('p1', 'indexedNames', null, ann, { afterRevision: 1 });
      assert.deepEqual(found.answer, ['late']);
      assert.deepEqual(asked, [['p1', 1]]);
      database.close();
    });

    it('refuses when the index does not come in time', async () => {
      partition('p1').put(openThings, thing('a'));
      const late: IndexProgress = { reached: async () => false };
      await assert.rejects(read({ index: late }).query('p1', 'indexedNames', null, ann), { code: 'UNAVAILABLE' });
      await assert.rejects(read().query('p1', 'indexedNames', null, ann), { code: 'UNAVAILABLE' });
    });
  });
});
