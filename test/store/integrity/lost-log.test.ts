import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { decodePosition } from '../../../src/store/feed/position.js';
import { copyLog } from '../../../src/store/log/copy-log.js';
import { openDatabase } from '../../../src/store/sqlite.js';
import { add, counters } from '../../support/test-domain.js';
import { ann, storedCounters } from './stored-counters.js';

describe('a log that has lost something', () => {
  const stored = storedCounters();

  const isRefused = async (problem: RegExp) => {
    const told = { code: 'CONFLICT', message: problem };
    await assert.rejects(stored.begin(), told);
    await assert.rejects(stored.begin(), {
      code: 'CONFLICT',
      message: new RegExp(`MILLRACE_ACCEPT_LOSS=${stored.path()} `),
    });
    assert.equal(stored.check().length > 0, true);
  };

  /** With the setting it begins anew, and says so; what was left lies beside it. */
  const isAccepted = async () => {
    const { partition, store } = await stored.begin(stored.path());
    assert.equal(partition.replica.read().get(counters, 'c1'), undefined);
    assert.equal(store.integrity.losses.length, 1);
    await partition.send(add, { id: 'c1', by: 1 }, ann);
    await stored.end();
    const again = await stored.begin();
    assert.equal(again.partition.replica.read().get(counters, 'c1')?.value, 1);
    assert.deepEqual(again.store.integrity.losses, []);
  };

  it('as the file is deleted is refused, in a sentence that says how to go on', async () => {
    await stored.fill();
    rmSync(stored.path());
    await isRefused(/which had 81 commits, but it is missing; restore a backup, or set MILLRACE_ACCEPT_LOSS=/);
    await isAccepted();
  });

  it('as the file is empty is refused', async () => {
    await stored.fill();
    truncateSync(stored.path());
    await isRefused(/but it is empty; /);
    await isAccepted();
  });

  it('as the folder is deleted is refused where the partition is known', async () => {
    await stored.fill();
    rmSync(dirname(stored.path()), { recursive: true });
    const { store } = await stored.begin();
    await assert.rejects(store.open('q', 'q', true), { code: 'CONFLICT', message: /q\/log\.db, but it is missing; / });
  });

  it('as half of the file is gone is refused', async () => {
    await stored.fill();
    truncateSync(stored.path(), stored.bytes().length / 2);
    await isRefused(/but it was cut: it has \d+ bytes of \d+; /);
    await isAccepted();
    assert.ok(readdirSync(dirname(stored.path())).some((name) => /^log\.db\.lost-\d+$/.test(name)));
  });

  it('as the file holds something else is refused', async () => {
    await stored.fill();
    stored.write(Buffer.from('x'.repeat(10_000)));
    await isRefused(/but it (cannot be read|was cut)/);
    await isAccepted();
  });

  it('as a folder is in its place is refused', async () => {
    await stored.fill();
    rmSync(stored.path());
    mkdirSync(stored.path());
    await isRefused(/but it is a folder; /);
    await isAccepted();
  });

  it('as another empty one is in its place is refused', async () => {
    await stored.fill();
    rmSync(stored.path());
    openDatabase(stored.path()).close();
    await isRefused(/but it holds nothing; /);
  });

  it('as its write-ahead log was cut goes on in another history, and says so', async () => {
    await stored.fill();
    const { partition } = await stored.begin();
    const positions: string[] = [];
    for (let i = 0; i < 40; i++) {
      await partition.send(add, { id: 'c1', by: 1 }, ann);
      positions.push(partition.replica.feed.position());
    }
    const { epoch } = partition.replica.feed;
    // As a power cut with a disk that lied leaves it: the files as they are now, without the end of the write-ahead log.
    const [log, wal, head] = ['log.db', 'log.db-wal', 'head'].map((file) => stored.bytes(file));
    await stored.end();
    stored.write(log ?? Buffer.alloc(0));
    stored.write((wal ?? Buffer.alloc(0)).subarray(0, Math.floor((wal?.length ?? 0) * 0.9)), 'log.db-wal');
    stored.write(head ?? Buffer.alloc(0), 'head');
    rmSync(stored.path('log.db-shm'), { force: true });
    assert.match(stored.check()[0]?.problem ?? '', /it has lost commits that were durable: it had 121, and has 1\d\d/);

    const after = await stored.begin();
    const [loss] = after.store.integrity.losses;
    assert.equal(loss?.had, 121);
    assert.ok((loss?.has ?? 121) < 121 && (loss?.has ?? 0) > 81, loss?.message);
    assert.notEqual(after.partition.replica.feed.epoch, epoch);
    for (const position of [positions[0], positions.at(-1)]) {
      const [place] = decodePosition(position ?? '');
      assert.throws(() => after.partition.replica.feed.check(place ?? null), { code: 'RESYNC_REQUIRED' });
    }
    await after.partition.send(add, { id: 'c1', by: 1 }, ann);
    await stored.end();
    assert.deepEqual((await stored.begin()).store.integrity.losses, [], 'told once');
    assert.deepEqual(stored.check(), []);
  });

  it('as an older copy was put in its place goes on in another history', async () => {
    await stored.fill();
    const copy = `${dirname(stored.path())}.copy`;
    cpSync(stored.path(), copy);
    const { partition } = await stored.begin();
    const { epoch } = partition.replica.feed;
    for (let i = 0; i < 5; i++) await partition.send(add, { id: 'c1', by: 1 }, ann);
    await stored.end();
    cpSync(copy, stored.path());
    rmSync(stored.path('log.db-wal'));
    const after = await stored.begin();
    assert.equal(after.store.integrity.losses[0]?.had, 86);
    assert.notEqual(after.partition.replica.feed.epoch, epoch);
  });

  it('as its write-ahead log and the head are gone goes on in another history', async () => {
    const { partition } = await stored.begin();
    for (let i = 0; i < 40; i++) await partition.send(add, { id: 'c1', by: 1 }, ann);
    const { epoch } = partition.replica.feed;
    const log = stored.bytes('log.db');
    await stored.end();
    stored.write(log);
    for (const file of ['log.db-wal', 'log.db-shm', 'head']) rmSync(stored.path(file), { force: true });
    assert.match(stored.check()[0]?.problem ?? '', /the file 'head' beside it is gone/);
    const after = await stored.begin();
    const [loss] = after.store.integrity.losses;
    assert.match(loss?.message ?? '', /has lost the file 'head' beside it/);
    assert.ok((loss?.has ?? 40) < 40);
    assert.notEqual(after.partition.replica.feed.epoch, epoch);
    await after.partition.send(add, { id: 'c1', by: 1 }, ann);
    await stored.end();
    assert.deepEqual((await stored.begin()).store.integrity.losses, [], 'told once');
    assert.deepEqual(stored.check(), []);
  });

  it('is none in a copy, which has no head yet, nor in a log that never had one', async () => {
    await stored.fill();
    const copy = `${dirname(stored.path())}.copy`;
    mkdirSync(copy);
    await copyLog(dirname(stored.path()), copy);
    rmSync(dirname(stored.path()), { recursive: true });
    cpSync(copy, dirname(stored.path()), { recursive: true });
    assert.deepEqual(stored.check(), []);
    assert.deepEqual((await stored.begin()).store.integrity.losses, []);
    await stored.end();
    const database = openDatabase(stored.path());
    database.exec(`DELETE FROM meta WHERE key = 'head'`);
    database.close();
    rmSync(stored.path('head'));
    assert.deepEqual((await stored.begin()).store.integrity.losses, []);
  });

  it('is none where only the head is torn or old', async () => {
    await stored.fill();
    for (const head of [Buffer.alloc(0), stored.bytes('head').subarray(0, 50), Buffer.from('garbage')]) {
      stored.write(head, 'head');
      const { partition, store } = await stored.begin();
      assert.deepEqual(store.integrity.losses, []);
      const old = stored.bytes('head');
      await partition.send(add, { id: 'c1', by: 1 }, ann);
      await stored.end();
      stored.write(old, 'head');
      assert.deepEqual((await stored.begin()).store.integrity.losses, []);
      await stored.end();
    }
  });
});
