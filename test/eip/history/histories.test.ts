import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Histories, type KeptExchanges } from '../../../src/eip/history/histories.js';
import { RecordPacker } from '../../../src/eip/history/packed-records.js';
import { systemTime } from '../../../src/shared/time.js';

const packer = new RecordPacker([]);

function batch(count: number, prefix: string, status: 'completed' | 'failed' = 'completed') {
  for (let at = 0; at < count; at++)
    packer.add({
      ...{ exchangeId: `${prefix}${at}`, routeId: 'orders', createdAt: at, completedAt: at, elapsed: 5, status },
      ...{
        exceptionType: null,
        exceptionMessage: null,
        stackTrace: null,
        businessKey: null,
        bodyType: null,
        bodySize: null,
      },
      ...{ headers: null, forgotten: 0, steps: [], stepCount: 0 },
    });
  return packer.take();
}

describe('histories of exchanges', () => {
  let dataFolder: string;
  let histories: Histories;
  let faults: string[];
  const retention = { ageMaxMs: 1e12, rowsMax: 1e6, countsAgeMaxMs: 1e12 };
  const open = () => new Histories({ dataFolder, retention, now: () => 0, onFault: (message) => faults.push(message) });

  beforeEach(() => {
    dataFolder = mkdtempSync(join(tmpdir(), 'histories-'));
    for (const partition of ['w1', 'w2']) mkdirSync(join(dataFolder, partition));
    faults = [];
    histories = open();
  });

  afterEach(async () => {
    await histories.close();
    rmSync(dataFolder, { recursive: true, force: true });
  });

  const idsOf = async (partition: string) =>
    (await histories.list(partition, { filter: {}, limit: 100 })).rows.map(({ exchangeId }) => exchangeId);

  it('keeps what it takes over, each workspace for itself', async () => {
    void histories.take('w1', { completed: batch(2, 'c'), failed: batch(1, 'f', 'failed') });
    void histories.take('w2', { completed: batch(1, 'x'), failed: null });
    assert.deepEqual(await idsOf('w1'), ['c1', 'f0', 'c0']);
    assert.deepEqual(await idsOf('w2'), ['x0']);
    assert.equal((await histories.find('w1', 'f0'))?.status, 'failed');
    assert.deepEqual(histories.skipped('w1'), { completed: 0, failed: 0 });
  });

  it('writes what it took over before it closes', async () => {
    void histories.take('w1', { completed: batch(50, 'c'), failed: null });
    await histories.close();
    histories = open();
    assert.equal((await idsOf('w1')).length, 50);
  });

  it('leaves out completed exchanges, never failed ones, while writing is a second behind', async () => {
    let now = 0;
    const late = new Histories({ dataFolder, retention, now: () => 0, time: { ...systemTime, monotonic: () => now } });
    try {
      void late.take('w1', { completed: batch(3, 'a'), failed: null });
      now = 999;
      void late.take('w1', { completed: batch(3, 'b'), failed: null });
      now = 1_000;
      void late.take('w1', { completed: batch(4, 'c'), failed: batch(2, 'f', 'failed') });
      assert.deepEqual(late.skipped('w1'), { completed: 4, failed: 0 });
      const { total } = await late.list('w1', { filter: {}, limit: 1, counts: true });
      assert.equal(total, 8);
      void late.take('w1', { completed: batch(1, 'd'), failed: null });
      assert.equal((await late.list('w1', { filter: {}, limit: 1, counts: true })).total, 9);
    } finally {
      await late.close();
    }
  });

  it('begins a damaged file anew, and says so', async () => {
    writeFileSync(join(dataFolder, 'w1', 'history.db'), 'this is no database'.repeat(500));
    void histories.take('w1', { completed: batch(1, 'a'), failed: null });
    assert.deepEqual(await idsOf('w1'), ['a0']);
    assert.equal(faults.length, 1);
    assert.match(faults[0] ?? '', /'w1' was damaged/);
  });

  it('tells who follows a workspace of what can be read from now on', async () => {
    const told: KeptExchanges[] = [];
    const end = histories.follow('w1', (kept) => told.push(kept));
    await histories.take('w1', { completed: batch(49, 'c'), failed: batch(2, 'f', 'failed') });
    await histories.take('w2', { completed: batch(1, 'x'), failed: null });
    end();
    await histories.take('w1', { completed: batch(1, 'd'), failed: null });
    assert.deepEqual(
      told.map(({ rows, hours }) => [rows.length, rows[0]?.exchangeId, hours]),
      [[50, 'f0', [0]]],
    );
  });

  it('has a file opened again that was closed', async () => {
    void histories.take('w1', { completed: batch(1, 'a'), failed: null });
    await histories.forget('w1');
    assert.deepEqual(await idsOf('w1'), ['a0']);
    assert.deepEqual(faults, []);
  });
});
