import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Fault } from '../../../src/store/index-db/applier.js';
import { Checkpointer } from '../../../src/store/index-db/checkpointer.js';
import { Indexer } from '../../../src/store/index-db/indexer.js';
import { openDatabase } from '../../../src/store/sqlite.js';
import { Changes } from '../../support/changes.js';
import type { LogKit } from '../log-kit.js';
import { indexContent, indexToEnd, rebuiltContent } from '../support/index-content.js';
import { placeFixture } from '../support/log-fixture.js';
import { ThingLog } from '../support/thing-log.js';
import { openThings, thing } from '../support/things.js';

const modules = [new URL('../support/indexer-fixture.js', import.meta.url).href];
const LONG_MS = 20_000;

/** Projections follow the log in a thread of their own, and both files stay short. */
export function indexerContract(kit: LogKit): void {
  describe('the indexer', () => {
    const indexers: Indexer[] = [];
    const logs: ThingLog[] = [];
    const faults: [partition: string, message: string, fault: Fault | null][] = [];
    const faulty = new Changes();
    const start = () => {
      const onFault = (...fault: (typeof faults)[number]) => {
        faults.push(fault);
        faulty.tell();
      };
      const indexer = new Indexer({ dataFolder: folder(), modules, onFault });
      indexers.push(indexer);
      return indexer;
    };
    const partition = async (name: string) => {
      const log = await ThingLog.open(place(), name);
      logs.push(log);
      return log;
    };
    const place = placeFixture(kit, async () => {
      await Promise.all(indexers.splice(0).map((indexer) => indexer.close()));
      for (const log of logs.splice(0)) await log.close();
      faults.length = 0;
    });
    const folder = () => place().folder;

    it('tells when it has reached a revision', async () => {
      const log = await partition('p1');
      const indexer = start();
      assert.equal(indexer.revision('p1'), null);
      indexer.advance('p1', await log.put(openThings, thing('a', { name: 'x' })));
      assert.equal(await indexer.reached('p1', 1, LONG_MS), true);
      const later = indexer.reached('p1', 3, LONG_MS);
      for (const name of ['y', 'z']) indexer.advance('p1', await log.put(openThings, thing('a', { name })));
      assert.equal(await later, true);
      assert.equal(indexer.revision('p1'), 3);
      assert.deepEqual(indexContent(join(folder(), 'p1')), rebuiltContent(join(folder(), 'p1'), log.database));
    });

    it('finds by itself what came while it was at work', async () => {
      const log = await partition('p1');
      const indexer = start();
      for (let at = 1; at <= 1_500; at++)
        indexer.advance('p1', await log.put(openThings, thing(`t${at % 90}`, { name: `n${at}` })));
      assert.equal(await indexer.reached('p1', 1_500, LONG_MS), true);
      assert.deepEqual(indexContent(join(folder(), 'p1')), rebuiltContent(join(folder(), 'p1'), log.database));
    });

    it('says when a revision is not reached in time', async () => {
      const log = await partition('p1');
      const indexer = start();
      await log.put(openThings, thing('a'));
      assert.equal(await indexer.reached('p1', 2, 100), false);
      assert.equal(await indexer.reached('p1', 1, LONG_MS), true);
    });

    it('follows several partitions, and forgets one', async () => {
      const indexer = start();
      const names = ['p1', 'p2', 'p3'];
      for (const name of names)
        indexer.advance(name, await (await partition(name)).put(openThings, thing(name, { name })));
      for (const name of names) assert.equal(await indexer.reached(name, 1, LONG_MS), true);
      const waiting = indexer.reached('p2', 9, LONG_MS);
      indexer.forget('p2');
      assert.equal(await waiting, false);
      assert.equal(indexer.revision('p2'), null);
      indexer.advance('p2', 1);
      assert.equal(await indexer.reached('p2', 1, LONG_MS), true, 'and takes it up again');
    });

    it('reports a document that a projection cannot take, and goes on', async () => {
      const log = await partition('p1');
      const indexer = start();
      await log.put(openThings, thing('a', { name: 'poison' }));
      assert.equal(await indexer.reached('p1', 1, LONG_MS), true);
      assert.deepEqual(
        faults.map(([name, , fault]) => [name, fault?.projection, fault?.id]),
        [['p1', 'letters', 'a']],
      );
    });

    it('reports a log that is not there, and takes it up when it is', async () => {
      const indexer = start();
      const reached = indexer.reached('p1', 1, LONG_MS);
      await faulty.until(() => faults.length > 0);
      indexer.advance('p1', await (await partition('p1')).put(openThings, thing('a')));
      assert.equal(await reached, true);
    });

    it('ends between two batches, and answers those who wait', async () => {
      const log = await partition('p1');
      const indexer = start();
      for (let at = 1; at <= 500; at++) indexer.advance('p1', await log.put(openThings, thing(`t${at}`)));
      const waiting = indexer.reached('p1', 9_999, LONG_MS);
      await indexer.close();
      assert.equal(await waiting, false);
      assert.equal(await indexer.reached('p1', 9_999, LONG_MS), false);
      await indexer.close();
    });

    for (const perCommit of kit.kills > 0 ? ['1', '40'] : []) {
      it(`loses nothing when its process is killed in the middle (${perCommit} documents a commit)`, async () => {
        const victim = fileURLToPath(new URL('../support/indexer-victim.js', import.meta.url));
        for (let round = 0; round < 4; round++) {
          const child = spawn(process.execPath, [victim, JSON.stringify(place().child), perCommit], {
            stdio: ['ignore', 'pipe', 'inherit'],
          });
          for (let dots = 0; dots < 1 + round * 3; dots++) await once(child.stdout, 'data');
          child.kill('SIGKILL');
          await once(child, 'exit');
        }
        const log = await partition('p1');
        assert.ok(log.revision > 0);
        indexToEnd(join(folder(), 'p1'));
        assert.deepEqual(indexContent(join(folder(), 'p1')), rebuiltContent(join(folder(), 'p1'), log.database));
      });
    }
  });

  describe('a checkpointer', () => {
    let log: ThingLog;
    const place = placeFixture(kit, () => log.close());
    const MEGABYTES = 1024 * 1024;

    it('lets it begin anew, although a commit ends behind each copy', async () => {
      const path = join(place().folder, 'p1', 'log.db');
      log = await ThingLog.open(place(), 'p1');
      const database = openDatabase(path);
      const other = openDatabase(path);
      const checkpoint = (sql: string) => {
        const isMeanwhile = sql.includes('PASSIVE');
        if (isMeanwhile)
          other.exec(`BEGIN IMMEDIATE; INSERT OR REPLACE INTO meta VALUES ('probe', 'meanwhile', ${log.revision})`);
        const result = database.prepare(sql).get();
        if (isMeanwhile) other.exec('COMMIT');
        return result;
      };
      const watched = {
        exec: (sql: string) => database.exec(sql),
        prepare: (sql: string) => ({ get: () => checkpoint(sql) }),
      };
      const write = async (megabytes: number) => {
        for (let at = 0; at < megabytes; at++)
          await log.put(openThings, {
            ...thing(`t${at}`),
            filler: String(log.revision % 7).repeat(MEGABYTES),
          } as never);
      };
      await write(10);
      new Checkpointer(watched as never, path).whileBusy(10_000);
      const { size } = statSync(`${path}-wal`);
      await write(9);
      assert.equal(statSync(`${path}-wal`).size, size);
      for (const one of [other, database]) one.close();
    });

    it('copies a long write-ahead log while it grows, and cuts it when idle', async () => {
      const path = join(place().folder, 'p1', 'log.db');
      log = await ThingLog.open(place(), 'p1');
      const database = openDatabase(path);
      const checkpointer = new Checkpointer(database, path);
      const walBytes = () => statSync(`${path}-wal`).size;
      const write = async (megabytes: number) => {
        for (let at = 0; at < megabytes; at++) {
          await log.put(openThings, {
            ...thing(`t${at}`),
            filler: String(log.revision % 7).repeat(MEGABYTES),
          } as never);
        }
      };
      await write(3);
      checkpointer.whileBusy(10_000);
      assert.ok(statSync(path).size < 2 * MEGABYTES, 'not yet worth it');
      await write(17);
      checkpointer.whileBusy(20_000);
      assert.ok(statSync(path).size > 9 * MEGABYTES);
      const before = walBytes();
      await write(5);
      assert.equal(walBytes(), before, 'the file begins anew');
      await write(65);
      checkpointer.whileBusy(20_200);
      assert.ok(walBytes() > 60 * MEGABYTES, 'not twice at once');
      checkpointer.whileBusy(90_000);
      assert.equal(walBytes(), 0);
      await write(1);
      const reader = openDatabase(path, { readOnly: true });
      reader.exec('BEGIN');
      reader.prepare('SELECT count(*) FROM commits').get();
      await write(1);
      assert.equal(checkpointer.whenIdle(), false, 'somebody reads');
      reader.exec('COMMIT');
      assert.equal(checkpointer.whenIdle(), true);
      assert.equal(walBytes(), 0);
      assert.equal(checkpointer.whenIdle(), true);
      for (const one of [reader, database]) one.close();
    });
  });
}
