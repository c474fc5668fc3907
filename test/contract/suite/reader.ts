import assert from 'node:assert/strict';
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceError } from '../../../src/shared/errors.js';
import { Indexer } from '../../../src/store/index-db/indexer.js';
import { CREATE_META } from '../../../src/store/index-db/schema.js';
import type { ListRequest } from '../../../src/store/read/list-request.js';
import { type IndexProgress, Reader, type ReaderOptions, type ReadLine } from '../../../src/store/read/reader.js';
import { openDatabase } from '../../../src/store/sqlite.js';
import type { LogKit } from '../log-kit.js';
import { placeFixture } from '../support/log-fixture.js';
import {
  block,
  countThings,
  endless,
  fails,
  indexedLetters,
  indexedNames,
  longCall,
  refuses,
} from '../support/reader-fixture.js';
import { ThingLog } from '../support/thing-log.js';
import { callerNamed, openThings, thing } from '../support/things.js';

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

/** The reader's threads: what is committed, with a deadline. */
export function readerContract(kit: LogKit): void {
  describe('the reader', () => {
    const readers: Reader[] = [];
    const logs: ThingLog[] = [];
    const place = placeFixture(kit, async () => {
      await Promise.all(readers.splice(0).map((reader) => reader.close()));
      for (const log of logs.splice(0)) await log.close();
    });
    const folder = () => place().folder;
    const read = (options: Partial<ReaderOptions> = {}) => {
      const reader = new Reader({ dataFolder: folder(), modules, ...options });
      readers.push(reader);
      return reader;
    };
    const partition = async (name: string) => {
      const log = await ThingLog.open(place(), name);
      logs.push(log);
      return log;
    };
    const busy = (reader: Reader, ms: number, deadlineMs?: number) =>
      reader.query('p1', block, { ms }, ann, deadlineMs === undefined ? {} : { deadlineMs });
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
      const log = await partition('p1');
      const reader = read();
      await log.put(openThings, thing('a'));
      const first = await reader.list('p1', request);
      assert.deepEqual([first.rows.map(({ id }) => id), first.totalCount, first.revision], [['a'], 1, 1]);
      await log.put(openThings, thing('b'));
      const second = await reader.list('p1', request);
      assert.deepEqual([second.rows.map(({ id }) => id), second.totalCount, second.revision], [['a', 'b'], 2, 2]);
    });

    it('keeps partitions apart, and closes those that were not read for long', async () => {
      const reader = read();
      const names = Array.from({ length: 40 }, (_, at) => `p${at}`);
      for (const name of names) await (await partition(name)).put(openThings, thing(name));
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

    it('reads nothing of a partition that is closed, and gives nothing of one that is closed meanwhile', async () => {
      await partition('p1');
      let refusal: Error | undefined;
      const reader = read({ refusal: (id) => (id === 'p1' ? refusal : undefined) });
      assert.equal((await reader.list('p1', request)).totalCount, 0);
      const underWay = reader.list('p1', request);
      refusal = new Error('it is stopped');
      await assert.rejects(underWay, refusal);
      await assert.rejects(reader.list('p1', request), refusal);
      refusal = undefined;
      assert.equal((await reader.list('p1', request)).totalCount, 0);
    });

    it('runs named queries, with the revision of what they saw', async () => {
      await (await partition('p1')).put(openThings, thing('a', { kind: 'x' }), thing('b', { kind: 'x' }), thing('c'));
      const found = await read().query('p1', countThings, { kind: 'x' }, ann);
      assert.deepEqual(found, { answer: 2, revision: 1, indexRevision: null });
    });

    it('hands refusals over as they are, and everything else as a bug', async () => {
      await (await partition('p1')).put(openThings, thing('a'));
      const reader = read();
      await assert.rejects(reader.query('p1', refuses, null, ann), {
        name: 'ServiceError',
        code: 'BAD_REQUEST',
        message: 'expected something else',
        info: { reason: 'something_else', resourceId: 'x' },
      });
      await assert.rejects(reader.query('p1', fails, null, ann), { name: 'Error', message: /no such table/ });
      await assert.rejects(reader.query('p1', { ...fails, name: 'unknown' }, null, ann), {
        name: 'Error',
        message: /'unknown'/,
      });
      await assert.rejects(reader.list('p1', { ...request, after: 'forged' }), { code: 'BAD_REQUEST' });
      assert.equal((await reader.list('p1', request)).rows.length, 1, 'and goes on');
    });

    it('refuses what runs too long and replaces the thread; the others do not notice', async () => {
      await (await partition('p1')).put(openThings, thing('a'));
      const reader = read();
      const long = reader.query('p1', endless, null, ann, { deadlineMs: 300 });
      const others = [reader.list('p1', request), reader.list('p1', request)];
      await assert.rejects(long, { code: 'LIMIT_EXCEEDED' });
      for (const page of await Promise.all(others)) assert.equal(page.rows.length, 1);
    });

    it('survives that SQLite and scripts are given up at any moment', async () => {
      await (await partition('p1')).put(openThings, ...Array.from({ length: 500 }, (_, at) => thing(`t${at}`)));
      const reader = read({ threads: 2 });
      for (let at = 0; at < 8; at++) {
        const deadlineMs = 5 + 13 * at;
        const given = [
          () => busy(reader, 150, deadlineMs),
          () => reader.query('p1', endless, null, ann, { deadlineMs }),
          () => reader.query('p1', longCall, null, ann, { deadlineMs }),
        ][at % 3]?.();
        // Those that come while too many threads are still within SQLite do not get one.
        await assert.rejects(given ?? Promise.resolve(), (thrown: ServiceError) =>
          /LIMIT_EXCEEDED|UNAVAILABLE/.test(thrown.code),
        );
      }
      assert.equal((await reader.list('p1', request)).totalCount, 500);
    }).timeout(20_000);

    it('refuses what could not begin in time', async () => {
      await partition('p1');
      const reader = read();
      const long = busy(reader, 200);
      await assert.rejects(busy(reader, 0, 50), { code: 'UNAVAILABLE' });
      assert.equal((await long).answer, 'done');
    });

    it('lets only so many queries be there at once, and refuses nothing else', async () => {
      await partition('p1');
      const reader = read({ queriesMax: 2 });
      const ask = (line?: ReadLine) => reader.list('p1', request, line && { line });
      const running = busy(reader, 50);
      const queries = [ask('query'), ask('query')];
      await assert.rejects(ask('query'), (thrown: ServiceError) => thrown.info.reason === 'overloaded');
      await Promise.all([running, ...queries, ask(), ask('own'), ask('readBack')]);
      await ask('query');
    });

    it('lets what is read back of a change go on in turns with all else', async () => {
      await partition('p1');
      const reader = read();
      const running = busy(reader, 50);
      const order: string[] = [];
      const ask = async (name: string, line: ReadLine) => {
        await reader.list('p1', request, { line });
        order.push(name);
      };
      const all = ['q1', 'q2', 'q3'].map((name) => ask(name, 'query'));
      all.push(...['b1', 'b2'].map((name) => ask(name, 'readBack')));
      await Promise.all([running, ...all]);
      assert.deepEqual(order, ['b1', 'q1', 'b2', 'q2', 'q3']);
    });

    it('uses as many threads as it may', async () => {
      await partition('p1');
      const reader = read({ threads: 2 });
      const long = reader.query('p1', endless, null, ann, { deadlineMs: 500 });
      assert.equal((await busy(reader, 1)).answer, 'done');
      await assert.rejects(long, { code: 'LIMIT_EXCEEDED' });
    });

    it('tells which module it could not load', async () => {
      await partition('p1');
      const reader = read({ modules: [new URL('./missing.js', import.meta.url).href] });
      await assert.rejects(reader.list('p1', request), /missing\.js/);
      await assert.rejects(reader.list('p1', request), /missing\.js/);
    });

    it('refuses everything once closed', async () => {
      await partition('p1');
      const reader = read();
      const running = busy(reader, 300);
      const waiting = busy(reader, 0);
      const closed = reader.close();
      for (const one of [running, waiting, busy(reader, 0)]) await assert.rejects(one, { code: 'UNAVAILABLE' });
      await closed;
    });

    it('sees a log that was replaced by another', async () => {
      await (await partition('p1')).put(openThings, thing('a'));
      const reader = read();
      await reader.list('p1', request);
      await logs.pop()?.close();
      for (const file of ['log.db', 'log.db-wal', 'log.db-shm', 'head'])
        rmSync(join(folder(), 'p1', file), { force: true });
      await (await partition('p1')).put(openThings, thing('b'));
      assert.equal((await reader.list('p1', request)).rows.at(-1)?.id, 'b');
    });

    describe('with an index', () => {
      it('runs a query that needs the index when it is there', async () => {
        await (await partition('p1')).put(openThings, thing('a'));
        indexAt('p1', 1, ['b', 'a']).close();
        const found = await read().query('p1', indexedNames, null, ann, { afterRevision: 1 });
        assert.deepEqual(found, { answer: ['a', 'b'], revision: 1, indexRevision: 1 });
      });

      it('waits until the index has what the caller has seen', async () => {
        await (await partition('p1')).put(openThings, thing('a'));
        const database = indexAt('p1', 0, []);
        const asked: unknown[] = [];
        const index: IndexProgress = {
          damaged() {},
          async reached(name, revision) {
            asked.push([name, revision]);
            database.exec("UPDATE meta SET value = 1 WHERE key = 'revision'; INSERT INTO word VALUES ('late')");
            return true;
          },
        };
        const found = await read({ index }).query('p1', indexedNames, null, ann, { afterRevision: 1 });
        assert.deepEqual(found.answer, ['late']);
        assert.deepEqual(asked, [['p1', 1]]);
        database.close();
      });

      it('has an index made anew that is found to be damaged, and asks again', async () => {
        const log = await partition('p1');
        const indexer = new Indexer({
          dataFolder: folder(),
          modules: [new URL('../support/indexer-fixture.js', import.meta.url).href],
        });
        const path = join(folder(), 'p1', 'index.db');
        const reader = read({ index: indexer });
        for (const [from, name] of [
          [4_096, 'ab'],
          [0, 'abc'],
          [4_096, 'abcd'],
        ] as const) {
          const revision = await log.put(openThings, thing('a', { name }));
          indexer.advance('p1', revision);
          const asked = { afterRevision: revision };
          const letters = () => reader.query('p1', indexedLetters, null, ann, asked);
          assert.equal((await letters()).answer.join(''), name);
          const database = openDatabase(path);
          database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
          database.close();
          reader.forget('p1');
          const file = openSync(path, 'r+');
          writeSync(file, Buffer.alloc(statSync(path).size - from, 'x'), 0, undefined, from);
          closeSync(file);
          const all = await Promise.all([
            letters(),
            letters(),
            reader.query('p1', countThings, { kind: 'other' }, ann),
          ]);
          assert.deepEqual(
            all.map(({ answer }) => answer),
            [[...name], [...name], 0],
          );
        }
        await indexer.close();
      });

      it('refuses when the index does not come in time', async () => {
        await (await partition('p1')).put(openThings, thing('a'));
        const late: IndexProgress = { damaged() {}, reached: async () => false };
        await assert.rejects(read({ index: late }).query('p1', indexedNames, null, ann), { code: 'UNAVAILABLE' });
        await assert.rejects(read().query('p1', indexedNames, null, ann), { code: 'UNAVAILABLE' });
      });
    });
  });
}
