import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { openSessionFile } from '../../../src/server/session/session-file.js';
import { MemorySessionStore, type SessionStore } from '../../../src/server/session/session-store.js';
import { Sessions } from '../../../src/server/session/sessions.js';
import { VirtualClock } from '../../../src/shared/clock.js';
import { type DataFolder, dataFolder } from '../../support/data-folder.js';

const MINUTE = 60_000;
const limits = { idleMs: 30 * MINUTE, absoluteMs: 12 * 60 * MINUTE, perUserMax: 3 };
const START = 1_700_000_000_000;

const stores: Record<string, (folder: string) => Promise<SessionStore>> = {
  'in memory': async () => new MemorySessionStore(),
  'in a file': (folder) => openSessionFile(join(folder, 'sessions.db')),
};

for (const [place, open] of Object.entries(stores)) {
  describe(`sessions ${place}`, () => {
    let folder: DataFolder;
    let clock: VirtualClock;
    let sessions: Sessions;
    beforeEach(async () => {
      folder = dataFolder();
      clock = new VirtualClock(START);
      sessions = new Sessions(await open(folder.path), clock, limits);
    });
    afterEach(async () => {
      await sessions.close();
      folder.remove();
    });
    const pass = (ms: number) => clock.set(clock.now() + ms);

    it('are found by their secret, which nobody else learns', async () => {
      const { secret, record } = await sessions.begin('ann');
      assert.equal((await sessions.find(secret))?.userId, 'ann');
      assert.equal(await sessions.find(record.id), undefined);
      assert.equal(await sessions.isAlive(record.id), true);
      assert.equal(await sessions.isAlive(secret), false);
    });

    it('end when no request came for half an hour', async () => {
      const { secret, record } = await sessions.begin('ann');
      pass(30 * MINUTE);
      assert.ok(await sessions.find(secret));
      pass(30 * MINUTE);
      assert.equal(await sessions.isAlive(record.id), true);
      pass(1);
      assert.equal(await sessions.find(secret), undefined);
    });

    it('end after twelve hours, however busy', async () => {
      const { secret } = await sessions.begin('ann');
      for (let quarter = 1; quarter < 48; quarter++) {
        pass(15 * MINUTE);
        assert.ok(await sessions.find(secret));
      }
      pass(15 * MINUTE);
      assert.equal(await sessions.find(secret), undefined);
    });

    it('are not kept alive by asking whether they live', async () => {
      const { record } = await sessions.begin('ann');
      pass(20 * MINUTE);
      assert.equal(await sessions.isAlive(record.id), true);
      pass(20 * MINUTE);
      assert.equal(await sessions.isAlive(record.id), false);
    });

    it('tell their end once, whether they are ended or expire', async () => {
      const ended: string[] = [];
      sessions.onEnd((id) => ended.push(id));
      const first = await sessions.begin('ann');
      const second = await sessions.begin('ann');
      await sessions.end(first.record.id);
      await sessions.end(first.record.id);
      pass(31 * MINUTE);
      await sessions.sweep();
      await sessions.sweep();
      assert.deepEqual(ended, [first.record.id, second.record.id]);
    });

    it('are swept when their time is over, and no earlier', async () => {
      const { secret, record } = await sessions.begin('ann');
      const { secret: other } = await sessions.begin('bob');
      pass(20 * MINUTE);
      await sessions.find(secret);
      pass(20 * MINUTE);
      await sessions.sweep();
      assert.equal(await sessions.isAlive(record.id), true);
      assert.equal(await sessions.find(other), undefined);
    });

    it('push out the oldest of a user who has too many', async () => {
      const all = [];
      for (let n = 0; n < 4; n++) {
        all.push(await sessions.begin('ann'));
        pass(1);
      }
      const bob = await sessions.begin('bob');
      const alive = await Promise.all([...all, bob].map(({ record }) => sessions.isAlive(record.id)));
      assert.deepEqual(alive, [false, true, true, true, true]);
    });

    it('end all together for a user', async () => {
      const [ann, bob] = [await sessions.begin('ann'), await sessions.begin('bob')];
      await sessions.endAllOf('ann');
      assert.equal(await sessions.find(ann.secret), undefined);
      assert.ok(await sessions.find(bob.secret));
    });

    it('stay ended when a request comes in at the same moment', async () => {
      const { secret, record } = await sessions.begin('ann');
      pass(2 * MINUTE);
      await Promise.all([sessions.find(secret), sessions.end(record.id), sessions.find(secret)]);
      assert.equal(await sessions.find(secret), undefined);
    });
  });
}

describe('the file of sessions', () => {
  let folder: DataFolder;
  beforeEach(() => {
    folder = dataFolder();
  });
  afterEach(() => folder.remove());
  const file = () => join(folder.path, 'sessions.db');
  const open = async (clock: VirtualClock) => new Sessions(await openSessionFile(file()), clock, limits);

  it('has them after a restart, with the time of the last request to the minute', async () => {
    const clock = new VirtualClock(START);
    const before = await open(clock);
    const { secret } = await before.begin('ann');
    clock.set(START + 20 * MINUTE);
    await before.find(secret);
    await before.close();
    clock.set(START + 45 * MINUTE);
    const after = await open(clock);
    assert.equal((await after.find(secret))?.userId, 'ann');
    await after.close();
  });

  it('has none that began by a clock that was set back before the restart: it would last longer than any may', async () => {
    const before = await open(new VirtualClock(START));
    const { secret } = await before.begin('ann');
    await before.close();
    const after = await open(new VirtualClock(START - 60 * MINUTE));
    assert.equal(await after.find(secret), undefined);
    await after.close();
  });

  it('holds no secret, and is for its owner alone', async () => {
    const sessions = await open(new VirtualClock(START));
    const { secret, record } = await sessions.begin('ann');
    await sessions.close();
    const content = readFileSync(file(), 'latin1');
    assert.ok(content.includes(record.id));
    assert.ok(!content.includes(secret));
    assert.equal(statSync(file()).mode & 0o777, 0o600);
  });

  it('has what was answered before a kill -9', async () => {
    const module = new URL('../../../src/server/session/session-file.js', import.meta.url).href;
    const record = { id: 'x', userId: 'ann', createdAt: START, lastSeenAt: START, expiresAt: START + MINUTE };
    const script = `import { openSessionFile } from ${JSON.stringify(module)};
      const store = await openSessionFile(${JSON.stringify(file())});
      await store.put(${JSON.stringify(record)});
      console.log('kept');
      setInterval(() => {}, 1000);`;
    writeFileSync(join(folder.path, 'keep.mjs'), script);
    const child = spawn(process.execPath, [join(folder.path, 'keep.mjs')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const store = await openSessionFile(file());
    assert.deepEqual(await store.get('x'), record);
    await store.close();
  });

  it('refuses to open what cannot be a file, and names it', async () => {
    await assert.rejects(openSessionFile(folder.path), { code: 'CONFLICT', message: new RegExp(folder.path) });
  });

  it('goes on when its thread has gone, and has then what was begun meanwhile', async () => {
    const threads: Worker[] = [];
    const noted = (worker: Worker) => threads.push(worker);
    process.on('worker', noted);
    const store = await openSessionFile(file());
    const record = (id: string) => ({ id, userId: 'ann', createdAt: START, lastSeenAt: START, expiresAt: START + 1e9 });
    await store.put(record('a'));
    await store.put(record('b'));
    threads[0]?.postMessage({ end: true });
    await once(threads[0] as Worker, 'exit');
    await Promise.all([store.put(record('c')), store.remove('a'), store.put(record('d'))]);
    assert.equal(threads.length, 2);
    await store.close();
    process.off('worker', noted);
    const again = await openSessionFile(file());
    assert.deepEqual((await again.ofUser('ann')).map(({ id }) => id).sort(), ['b', 'c', 'd']);
    await again.close();
  });

  it('that is damaged is put aside, and another one begun', async () => {
    for (const damage of [
      () => writeFileSync(file(), 'x'.repeat(8_192)),
      () => writeFileSync(file(), readFileSync(file()).fill(7, 4_096)),
    ]) {
      const before = await open(new VirtualClock(START));
      await before.begin('ann');
      await before.close();
      damage();
      rmSync(`${file()}-wal`, { force: true });
      const sessions = await open(new VirtualClock(START));
      const { secret } = await sessions.begin('ann');
      await sessions.close();
      const again = await open(new VirtualClock(START));
      assert.equal((await again.find(secret))?.userId, 'ann');
      await again.close();
      assert.ok(readdirSync(folder.path).some((name) => name.startsWith('sessions.db.damaged-')));
    }
  });
});
