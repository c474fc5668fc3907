import assert from 'node:assert/strict';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HistoryFile } from '../../../src/eip/history/history-file.js';
import type { HistoryFilter } from '../../../src/eip/history/history-query.js';
import { RecordPacker, type RecordToPack } from '../../../src/eip/history/packed-records.js';
import { openDatabase } from '../../../src/store/files.js';

const HOUR = 3_600_000;
const packer = new RecordPacker([{ routeId: 'orders', stepId: 'to1', endpointUri: 'mock:out' }]);

const record = (exchangeId: string, createdAt: number, given: Partial<RecordToPack> = {}): RecordToPack => ({
  ...{ exchangeId, createdAt, routeId: 'orders', completedAt: createdAt + 1, elapsed: 1_500, status: 'completed' },
  ...{
    exceptionType: null,
    exceptionMessage: null,
    stackTrace: null,
    businessKey: null,
    bodyType: 'String',
    bodySize: 4,
  },
  ...{ headers: '{"a":{"type":"int","value":1}}', forgotten: 0 },
  ...{ steps: [{ step: 0, entered: 5, taken: 9 }], stepCount: 1 },
  ...given,
});

const packed = (...records: readonly RecordToPack[]) => {
  for (const one of records) packer.add(one);
  return packer.take();
};

describe('a file of exchanges', () => {
  let folder: string;
  let path: string;
  let damages: string[];
  let file: HistoryFile;
  const open = () => new HistoryFile(path, (reason) => damages.push(reason));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'history-'));
    path = join(folder, 'history.db');
    damages = [];
    file = open();
  });

  afterEach(() => {
    file.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const ids = (filter: HistoryFilter = {}, more = {}) =>
    file.list({ filter, limit: 100, ...more }).rows.map(({ exchangeId }) => exchangeId);

  it('gives an exchange with its steps, also after it was opened again', () => {
    file.append(packed(record('a', 1), record('b', 2, { routeId: 'other', headers: null })));
    file.close();
    file = open();
    assert.equal(file.rows, 2);
    assert.deepEqual(file.find('a'), {
      ...{ exchangeId: 'a', routeId: 'orders', createdAt: 1, completedAt: 2, elapsed: 1_500, status: 'completed' },
      ...{
        exceptionType: null,
        exceptionMessage: null,
        stackTrace: null,
        businessKey: null,
        bodyType: 'String',
        bodySize: 4,
      },
      ...{ headers: '{"a":{"type":"int","value":1}}', forgotten: 0 },
      steps: [{ routeId: 'orders', stepId: 'to1', endpointUri: 'mock:out', entered: 5, taken: 9 }],
    });
    assert.equal(file.find('b', 'other')?.headers, null);
    assert.equal(file.find('b', 'orders'), null);
    assert.equal(file.find('c'), null);
  });

  it('lists the newest first, and those of one instant by their ids', () => {
    file.append(packed(record('b', 5), record('a', 7), record('c', 5)));
    file.append(packed(record('d', 6)));
    assert.deepEqual(ids(), ['a', 'd', 'c', 'b']);
  });

  it('lists what all filters let through', () => {
    file.append(
      packed(
        record('a', 10, { routeId: 'one', businessKey: 'order-1' }),
        record('b', 20, { routeId: 'two', status: 'failed', elapsed: 1_000_000 }),
        record('c', 30, { routeId: 'three', elapsed: 999_999 }),
        record('d', 40, { routeId: 'one', elapsed: 5_000_000 }),
      ),
    );
    assert.deepEqual(ids({ routes: ['one', 'two'] }), ['d', 'b', 'a']);
    assert.deepEqual(ids({ status: 'failed' }), ['b']);
    assert.deepEqual(ids({ status: 'completed', from: 20 }), ['d', 'c']);
    assert.deepEqual(ids({ from: 10, to: 30 }), ['b', 'a']);
    assert.deepEqual(ids({ text: 'order' }), ['a']);
    assert.deepEqual(ids({ text: 'hre' }), ['c']);
    assert.deepEqual(ids({ text: "'; DROP TABLE exchange" }), []);
    assert.deepEqual(ids({ elapsed: [[0, 1_000]] }), ['c', 'a']);
    assert.deepEqual(
      ids({
        elapsed: [
          [1_000, 5_000],
          [5_000, null],
        ],
      }),
      ['d', 'b'],
    );
    assert.deepEqual(ids({ elapsed: [] }), []);
    assert.equal(file.list({ filter: { routes: ['one'] }, limit: 1, counts: true }).total, 2);
    assert.equal(file.list({ filter: {}, limit: 1, counts: true }).total, 4);
  });

  it('goes through the list by pages in both directions', () => {
    file.append(packed(...Array.from({ length: 5 }, (_, at) => record(`e${at}`, at))));
    const place = (at: number) => ({ createdAt: at, exchangeId: `e${at}`, routeId: 'orders' });
    assert.deepEqual(ids({}, { limit: 2 }), ['e4', 'e3']);
    assert.deepEqual(ids({}, { limit: 2, after: place(3) }), ['e2', 'e1']);
    assert.deepEqual(ids({}, { limit: 2, fromEnd: true }), ['e1', 'e0']);
    assert.deepEqual(ids({}, { limit: 2, fromEnd: true, before: place(1) }), ['e3', 'e2']);
    assert.equal(file.list({ filter: {}, limit: 2, after: place(2) }).isMore, false);
    assert.equal(file.list({ filter: {}, limit: 2, after: place(3) }).isMore, true);
  });

  it('removes what is too old and too much, and goes on counting it', () => {
    const keep = { ageMaxMs: 100, rowsMax: 3, countsAgeMaxMs: 2 * HOUR };
    file.append(packed(...Array.from({ length: 5 }, (_, at) => record(`e${at}`, at))));
    assert.equal(file.trim(keep, 50), false);
    assert.deepEqual(ids(), ['e4', 'e3', 'e2']);
    file.trim(keep, 103);
    assert.deepEqual(ids(), ['e4', 'e3']);
    assert.equal(file.rows, 2);
    file.trim(keep, 500);
    assert.deepEqual(ids(), []);
    assert.equal(file.find('e4'), null);
    const stats = { from: 0, to: HOUR, interval: HOUR, boundaries: [1_000] };
    assert.deepEqual(file.stats(stats), [{ start: 0, bands: [5, 0] }]);
    file.trim(keep, 4 * HOUR);
    assert.deepEqual(file.stats(stats), []);
  });

  it('counts exchanges by when they began and how long they took', () => {
    const minutes = (count: number) => count * 60_000;
    file.append(
      packed(
        record('a', minutes(0), { elapsed: 999_999 }),
        record('b', minutes(4), { elapsed: 1_000_000, status: 'failed' }),
        record('c', minutes(5), { elapsed: 5_000_000, routeId: 'other' }),
        record('d', minutes(61), { elapsed: 4_999_999 }),
      ),
    );
    const query = { from: 0, to: 2 * HOUR, interval: minutes(5), boundaries: [1_000, 5_000] };
    assert.deepEqual(file.stats(query), [
      { start: 0, bands: [1, 1, 0] },
      { start: minutes(5), bands: [0, 0, 1] },
      { start: minutes(60), bands: [0, 1, 0] },
    ]);
    assert.deepEqual(file.stats({ ...query, interval: HOUR, status: 'completed', routes: ['orders'] }), [
      { start: 0, bands: [1, 0, 0] },
      { start: HOUR, bands: [0, 1, 0] },
    ]);
  });

  it('tells where something is', () => {
    file.append(packed(record('a', 10, { routeId: 'one' }), record('b', HOUR, { routeId: 'two' })));
    assert.equal(file.firstFrom(0), 10);
    assert.equal(file.firstFrom(11), HOUR);
    assert.equal(file.firstFrom(HOUR + 1), null);
    assert.deepEqual(file.routesBetween(0, HOUR + 1), ['one', 'two']);
    assert.deepEqual(file.routesBetween(0, HOUR), ['one']);
  });

  it('is begun anew where it is damaged, or of another form', () => {
    file.append(packed(record('a', 1)));
    file.close();
    for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
    writeFileSync(path, 'no database at all, but long enough to have a header of one'.repeat(100));
    file = open();
    assert.equal(damages.length, 1);
    file.append(packed(record('b', 2)));
    assert.deepEqual(ids(), ['b']);
    file.close();
    const other = openDatabase(path);
    other.exec('PRAGMA user_version = 77');
    other.close();
    file = open();
    assert.deepEqual([damages.length, file.rows], [1, 0]);
  });

  it('is begun anew where it is damaged or removed while it is open', () => {
    const many = Array.from({ length: 5_000 }, (_, at) =>
      record(`exchange-${at}`, at, { businessKey: 'x'.repeat(100) }),
    );
    file.append(packed(...many));
    file.close();
    const other = openDatabase(path);
    other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    other.close();
    file = open();
    const { size } = statSync(path);
    const handle = openSync(path, 'r+');
    for (let at = 8_192; at < size; at += 4_096) writeSync(handle, Buffer.alloc(4_096, 0xa5), 0, 4_096, at);
    closeSync(handle);
    assert.equal(file.find('exchange-7'), null);
    assert.equal(damages.length, 1);
    file.append(packed(record('a', 1)));
    assert.deepEqual(ids(), ['a']);
    for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
    file.append(packed(record('b', 2)));
    assert.deepEqual([ids(), damages.length, file.rows], [['b'], 2, 1]);
    file.close();
    file = open();
    assert.deepEqual(ids(), ['b']);
  });

  it('goes on where another one could not be begun at once', () => {
    file.append(packed(record('a', 1)));
    rmSync(folder, { recursive: true });
    assert.throws(() => file.append(packed(record('b', 2))));
    mkdirSync(folder);
    file.append(packed(record('c', 3)));
    assert.deepEqual(ids(), ['c']);
  });

  it('keeps what is counted, and forgets it', () => {
    file.keepStatistics([
      { id: 'a', body: '1' },
      { id: 'b', body: '2' },
    ]);
    file.keepStatistics([
      { id: 'a', body: null },
      { id: 'b', body: '3' },
    ]);
    file.close();
    file = open();
    assert.deepEqual(file.statistics(), [{ id: 'b', body: '3' }]);
  });
});
