import assert from 'node:assert/strict';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { VirtualClock } from '../../../src/shared/clock.js';
import { Collected } from '../../../src/store/records/collected.js';
import { PackedRows } from '../../../src/store/records/packed-rows.js';
import type { RecordRow } from '../../../src/store/records/record.js';
import { Records, type RecordsOptions } from '../../../src/store/records/records.js';
import { openDatabase } from '../../../src/store/sqlite.js';
import { eventually } from '../../support/eventually.js';
import type { LogKit } from '../log-kit.js';
import { placeFixture } from '../support/log-fixture.js';

interface Row extends RecordRow {
  readonly route: string;
  readonly n: number;
}

const row = (n: number, route = 'r'): Row => ({ at: n, route, n });
const ALL = { limit: 5_000 };

/** Records: the second way to write, for facts on which nobody decides. They are files of the server, whatever its log is. */
export function recordsContract(kit: LogKit): void {
  describe('records', () => {
    const opened: Records[] = [];
    const faults: string[] = [];
    const place = placeFixture(kit, async () => {
      await Promise.all(opened.splice(0).map((records) => records.close()));
      faults.length = 0;
    });
    const folder = () => place().folder;
    const open = (options: Partial<RecordsOptions> = {}) => {
      const onFault = (message: string) => faults.push(message);
      const records = new Records({ dataFolder: folder(), retention: {}, onFault, ...options });
      opened.push(records);
      return records;
    };
    beforeEach(() => {
      for (const name of ['p1', 'p2']) mkdirSync(join(folder(), name));
    });
    const numbers = (rows: readonly Row[]) => rows.map(({ n }) => n);
    const rowsOf = (placed: readonly { readonly row: Row }[]) => placed.map((one) => one.row);
    const entries = (partition: string) => {
      const database = openDatabase(join(folder(), partition, 'records.db'), { readOnly: true });
      const rows = database
        .prepare('SELECT stream, count FROM entry ORDER BY rowid')
        .all()
        .map((entry) => ({ ...entry }));
      database.close();
      return rows;
    };

    it('gives back what was appended, in the order in which it was', async () => {
      const records = open();
      for (let n = 0; n < 1_200; n++) records.append('p1', 'exchange', row(n));
      assert.deepEqual(
        await records.read('p1', 'exchange', ALL),
        Array.from({ length: 1_200 }, (_, n) => row(n)),
      );
      await records.close();
      assert.equal((await open().read('p1', 'exchange', ALL)).length, 1_200);
    });

    it('keeps any row as it was', async () => {
      const records = open();
      let stream = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(fc.record({ at: fc.nat(), value: fc.jsonValue() })), async (rows) => {
          const name = `s${stream++}`;
          for (const one of rows) records.append('p1', name, one);
          assert.deepEqual(await records.read('p1', name, ALL), JSON.parse(JSON.stringify(rows)));
        }),
        { numRuns: 20 },
      );
    });

    it('keeps partitions and streams apart', async () => {
      const records = open();
      records.append('p1', 'a', row(1));
      records.append('p1', 'b', row(2));
      records.append('p2', 'a', row(3));
      await records.flush();
      assert.deepEqual(numbers(await records.read('p1', 'a', ALL)), [1]);
      assert.deepEqual(numbers(await records.read('p1', 'b', ALL)), [2]);
      assert.deepEqual(numbers(await records.read('p2', 'a', ALL)), [3]);
      assert.deepEqual(await records.read('p2', 'none', ALL), []);
    });

    it('collects rows into entries of 500', async () => {
      const records = open();
      for (let n = 0; n < 1_100; n++) records.append('p1', 'a', row(n));
      await records.flush();
      assert.deepEqual(
        entries('p1').map(({ count }) => count),
        [500, 500, 100],
      );
    });

    it('writes by itself after a moment', async () => {
      const records = open();
      await records.read('p1', 'a', ALL);
      records.append('p1', 'a', row(1));
      await eventually('the thread has written', () => entries('p1').length > 0);
      assert.deepEqual(
        entries('p1').map(({ count }) => count),
        [1],
      );
    });

    it('reads by time, by field, from either end, and so many', async () => {
      const records = open();
      for (let n = 0; n < 1_000; n++) records.append('p1', 'a', row(n, n % 2 === 0 ? 'even' : 'odd'));
      const read = async (query: object) => numbers(await records.read<Row>('p1', 'a', { ...ALL, ...query }));
      assert.deepEqual(await read({ from: 498, to: 502 }), [498, 499, 500, 501]);
      assert.deepEqual(await read({ from: 990, match: { route: 'odd' } }), [991, 993, 995, 997, 999]);
      assert.deepEqual(await read({ limit: 3 }), [0, 1, 2]);
      assert.deepEqual(await read({ limit: 3, newestFirst: true }), [999, 998, 997]);
      assert.deepEqual(await read({ to: 501, limit: 3, newestFirst: true, match: { route: 'odd' } }), [499, 497, 495]);
      assert.deepEqual(await read({ match: { route: null } }), []);
    });

    it('reads on behind a place, from either end', async () => {
      const records = open();
      for (let n = 0; n < 1_200; n++) records.append('p1', 'a', row(n));
      const pages = async (newestFirst: boolean) => {
        const found: number[] = [];
        for (let behind: string | undefined; ; ) {
          const page = await records.page<Row>('p1', 'a', { limit: 333, newestFirst, ...(behind && { behind }) });
          found.push(...page.map(({ row: { n } }) => n));
          behind = page.at(-1)?.place;
          if (behind === undefined) return found;
        }
      };
      const all = Array.from({ length: 1_200 }, (_, n) => n);
      assert.deepEqual(await pages(false), all);
      assert.deepEqual(await pages(true), all.toReversed());
    });

    it('writes rows with how far they reach, or nothing', async () => {
      const records = open();
      assert.equal(await records.reached('p1', 'a'), undefined);
      await records.write('p1', [row(1), row(2)], { stream: 'a', place: 'x 7' });
      await records.write('p1', [], { stream: 'a', place: 'x 8' });
      await assert.rejects(records.write('p9', [row(1)], { stream: 'a', place: 'x 9' }));
      assert.deepEqual(numbers(await records.read('p1', 'a', ALL)), [1, 2]);
      await records.close();
      const again = open();
      assert.equal(await again.reached('p1', 'a'), 'x 8');
      assert.equal(await again.reached('p1', 'b'), undefined);
    });

    it('refuses limits that are none, and partitions that are none', async () => {
      const records = open();
      for (const limit of [0, -1, 1.5])
        await assert.rejects(records.read('p1', 'a', { limit }), { code: 'BAD_REQUEST' });
      await assert.rejects(records.read('p1', 'a', { limit: 5_001 }), { code: 'LIMIT_EXCEEDED' });
      await assert.rejects(records.read('../p1', 'a', ALL), { code: 'BAD_REQUEST' });
    });

    it('forgets what is too old or too much', async () => {
      const clock = new VirtualClock(10_000);
      const records = open({ clock, retention: { old: { ageMaxMs: 5_000 }, many: { rowsMax: 700 } } });
      for (const stream of ['old', 'many', 'kept']) {
        for (let n = 0; n < 4; n++) {
          for (let at = 0; at < 300; at++) records.append('p1', stream, row(n * 3_000 + at));
          await records.flush();
        }
      }
      clock.set(100_000);
      records.append('p1', 'kept', row(12_000));
      await records.flush();
      const counts = new Map<unknown, number>();
      for (const { stream, count } of entries('p1')) counts.set(stream, (counts.get(stream) ?? 0) + Number(count));
      assert.deepEqual(
        [...counts],
        [
          ['many', 900],
          ['kept', 1_201],
        ],
      );
    });

    it('forgets what is too old also where nothing is written any more, and counts on behind it', async () => {
      const clock = new VirtualClock(10_000);
      const records = open({ clock, retention: { old: { ageMaxMs: 5_000 } } });
      for (let n = 0; n < 3; n++) records.append('p1', 'old', { ...row(n), at: 9_000 });
      const [{ place } = assert.fail()] = await records.page('p1', 'old', { limit: 1, newestFirst: true });
      clock.set(100_000);
      await records.trim('p1');
      assert.deepEqual(entries('p1'), []);
      await records.close();
      const again = open({ clock, retention: {} });
      again.append('p1', 'old', row(3));
      assert.deepEqual(numbers(await again.page<Row>('p1', 'old', { ...ALL, behind: place }).then(rowsOf)), [3]);
    });

    it('puts together what came slowly, and every row keeps its place', async () => {
      const clock = new VirtualClock(0);
      const records = open({ clock, retention: { a: {}, b: {} } });
      for (let n = 0; n < 1_200; n++) {
        const stream = n % 100 === 50 ? 'b' : 'a';
        // From the thousandth on, days lie between them.
        await records.write('p1', [{ ...row(n), at: n < 1_000 ? n : n * 50_000_000 }], { stream, place: `${n}` });
      }
      const before = await records.page<Row>('p1', 'a', ALL);
      await records.trim('p1');
      assert.deepEqual(await records.page<Row>('p1', 'a', ALL), before);
      const middle = before[600]?.place ?? '';
      assert.deepEqual(await records.page<Row>('p1', 'a', { ...ALL, behind: middle }), before.slice(601));
      assert.deepEqual(
        await records.page<Row>('p1', 'a', { ...ALL, behind: middle, newestFirst: true }),
        before.slice(0, 600).toReversed(),
      );
      const counts = entries('p1')
        .filter(({ stream }) => stream === 'a')
        .map(({ count }) => Number(count));
      assert.deepEqual(counts.slice(0, 2), [500, 490]);
      assert.ok(
        counts.slice(2).every((count) => count <= 2),
        counts.join(),
      );
      await records.write('p1', [row(1)], { stream: 'a', place: 'x' });
      await records.trim('p1');
      assert.equal((await records.page<Row>('p1', 'a', ALL)).length, before.length + 1);
    });

    it('keeps packed rows as others', async () => {
      const records = open({ retention: { a: {} } });
      const packed = new PackedRows({ fields: ['route', 'kind'], list: 'about' });
      packed.begin(5).field('r').field('k').text('task/', 't1').text('task/', 't1').text('', 't1').end();
      packed.begin(3).field('other').field('k').end();
      packed.begin(4).field('r').field('"\n').text('', 'path').end();
      await records.write('p1', [row(1)], { stream: 'a', place: '' }, packed);
      const other = { at: 3, route: 'other', kind: 'k', about: [] };
      const all = [
        row(1),
        { at: 5, route: 'r', kind: 'k', about: ['task/t1', 't1'] },
        other,
        { at: 4, route: 'r', kind: '"\n', about: ['path'] },
      ];
      assert.deepEqual(await records.read('p1', 'a', ALL), all);
      assert.deepEqual(await records.read('p1', 'a', { ...ALL, match: { route: 'other' } }), [other]);
      assert.deepEqual(await records.read('p1', 'a', { ...ALL, from: 4, newestFirst: true }), [all[3], all[1]]);
      await records.trim('p1');
      assert.equal(entries('p1').length, 1);
      assert.deepEqual(await records.read('p1', 'a', ALL), all);
    });

    it('looks through all of a large stream for the few that are wanted, part by part', async () => {
      const records = open();
      const rows = Array.from({ length: 25_000 }, (_, n) => row(n, n % 9_000 === 7 ? 'rare' : 'r'));
      await records.write('p1', rows, { stream: 'a', place: '' });
      for (const newestFirst of [false, true]) {
        const found = numbers(await records.read<Row>('p1', 'a', { ...ALL, match: { route: 'rare' }, newestFirst }));
        assert.deepEqual(found, newestFirst ? [18_007, 9_007, 7] : [7, 9_007, 18_007]);
      }
      assert.deepEqual(await records.read('p1', 'a', { ...ALL, match: { route: 'none' } }), []);
    });

    it('reports and counts what the disk refuses, and goes on', async () => {
      const records = open();
      records.append('p9', 'a', row(1));
      records.append('p1', 'a', row(2));
      await records.flush();
      assert.equal(records.dropped, 1);
      assert.match(faults[0] ?? '', /'p9'/);
      assert.deepEqual(numbers(await records.read('p1', 'a', ALL)), [2]);
    });

    it('begins a new file when the old one is damaged', async () => {
      writeFileSync(join(folder(), 'p1', 'records.db'), 'no database at all '.repeat(500));
      const records = open();
      records.append('p1', 'a', row(1));
      assert.deepEqual(numbers(await records.read('p1', 'a', ALL)), [1]);
      assert.ok(statSync(join(folder(), 'p1', 'records.db.damaged')).size > 5_000);
    });

    it('closes a partition and opens it again', async () => {
      const records = open();
      records.append('p1', 'a', row(1));
      await records.forget('p1');
      assert.deepEqual(numbers(await records.read('p1', 'a', ALL)), [1]);
    });

    it('takes nothing once closed', async () => {
      const records = open();
      await records.close();
      records.append('p1', 'a', row(1));
      assert.equal(records.dropped, 1);
      await assert.rejects(records.read('p1', 'a', ALL), { code: 'UNAVAILABLE' });
      await records.close();
    });
  });

  describe('what is collected', () => {
    it('holds only so much, and drops the oldest first', () => {
      const collected = new Collected(1_000);
      for (let n = 0; n < 10; n++) {
        collected.add('p1', 'a', n, JSON.stringify({ n, filler: 'x'.repeat(270) }));
        collected.close();
      }
      assert.equal(collected.dropped, 7);
      assert.deepEqual(
        collected.take()?.entries.map(({ first }) => first),
        [7, 8, 9],
      );
      assert.equal(collected.take(), undefined);
    });

    it('drops a row that is too large', () => {
      const collected = new Collected(1_000_000);
      collected.add('p1', 'a', 1, 'x'.repeat(300_000));
      collected.close();
      assert.equal(collected.dropped, 1);
      assert.equal(collected.take(), undefined);
    });
  });
}
