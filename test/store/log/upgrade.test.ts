import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkPartition } from '../../../src/store/integrity/check-partition.js';
import type { Finding } from '../../../src/store/integrity/finding.js';
import { LocalLogs } from '../../../src/store/log/local-logs.js';
import { formatOf } from '../../../src/store/log/replica-file.js';
import { shapeOf } from '../../../src/store/log/schema.js';
import { upgrade } from '../../../src/store/log/upgrade.js';
import { type Database, openDatabase } from '../../../src/store/sqlite.js';
import { temporaryFolder } from '../../support/temporary.js';
import { callerNamed, counters, set } from '../../support/test-domain.js';
import { openTestPartition, openTestStore } from '../../support/test-store.js';

const DOCUMENTS = 1_700;

describe('a log of the former format, which had no checksums', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  after(() => folder.remove());
  let former = '';
  let places = 0;

  before(async () => {
    former = join(folder.path, 'former');
    const store = openTestStore({ folder: null, logs: new LocalLogs(former) });
    const partition = await openTestPartition(store);
    const ann = { caller: callerNamed('ann') };
    await Promise.all(
      Array.from({ length: DOCUMENTS }, (_, i) =>
        partition.send(
          set,
          { id: `c${i}`, group: `g${i % 7}`, value: i, tags: i % 3 === 0 ? ['x', `t${i}`] : [] },
          i % 2 === 0 ? { ...ann, commandId: `key-${i}` } : ann,
        ),
      ),
    );
    await store.close(100);
    former = copyOf(former);
    takeSumsAway(join(former, 'test', 'log.db'));
    rmSync(join(former, 'test', 'head'));
    former = copyOf(former);
  });

  /** A copy of its own, as this process may hold files of another for a while. */
  function copyOf(place: string): string {
    const copy = join(folder.path, `${places++}`);
    cpSync(place, copy, { recursive: true, filter: (file) => !file.endsWith('-shm') });
    return copy;
  }

  const isWhole = async (place: string) => {
    const store = openTestStore({ folder: null, logs: new LocalLogs(place) });
    const partition = await openTestPartition(store);
    const found = partition.read({ readMax: 5_000 }).range(counters, 'value', [0], 5_000);
    assert.deepEqual([found.length, found.at(-1)?.value], [DOCUMENTS, DOCUMENTS - 1]);
    await partition.send(set, { id: 'new', group: 'g', value: -1, tags: [] }, { caller: callerNamed('ann') });
    await store.close(100);
    const findings: Finding[] = [];
    for (const _ of checkPartition(copyOf(place), 'test', (finding) => findings.push(finding)));
    assert.deepEqual(findings, []);
  };

  it('has them when it is opened', async () => {
    const place = copyOf(former);
    const database = openDatabase(join(place, 'test', 'log.db'), { readOnly: true });
    assert.equal(formatOf(database), 2);
    database.close();
    await isWhole(place);
  });

  it('has them also where the upgrade was cut off, as often as that may be', async () => {
    for (const statements of [1, 4, 9, 14, 21]) {
      const place = copyOf(former);
      for (let times = 0; times < 3; times++) cutOff(join(place, 'test', 'log.db'), statements + times);
      await isWhole(copyOf(place));
    }
  });

  it('has them also where a server of the former format wrote in between', async () => {
    const place = copyOf(former);
    const path = join(place, 'test', 'log.db');
    cutOff(path, 12);
    const database = openDatabase(path);
    database.exec(
      `UPDATE d_counter SET body = replace(body, '"tags":["x"', '"tags":["y"'), revision = ${DOCUMENTS + 1}`,
    );
    database.exec(
      `INSERT INTO commits (revision, id, at, events, body) VALUES (${DOCUMENTS + 1}, 'c', 1, 0, '{"docs":[]}')`,
    );
    database.close();
    await isWhole(copyOf(place));
  });
});

/** Runs the upgrade as far as some of its transactions. */
function cutOff(path: string, transactions: number): void {
  const database = openDatabase(path);
  let left = transactions;
  const cut = new Proxy(database, {
    get(target, name) {
      const value = Reflect.get(target, name, target) as unknown;
      if (name !== 'exec') return typeof value === 'function' ? value.bind(target) : value;
      return (sql: string) => {
        if (sql === 'COMMIT' && left-- === 0) throw new Error('cut off');
        return target.exec(sql);
      };
    },
  }) as Database;
  try {
    upgrade(cut);
  } catch (thrown) {
    assert.match(String(thrown), /cut off/);
  }
  database.close();
}

/** Makes the file what a server of format 2 left. */
function takeSumsAway(path: string): void {
  const database = openDatabase(path);
  for (const table of ['meta', 'commits', 'outcome']) database.exec(`ALTER TABLE ${table} DROP COLUMN sum`);
  const shapes = [counters].map(shapeOf);
  for (const table of [
    'job',
    'incident',
    'reactionPosition',
    'longJob',
    'longJobPiece',
    ...shapes.map(({ name }) => name),
  ]) {
    const isThere =
      database.prepare('SELECT 1 AS one FROM sqlite_master WHERE name = ?').get(`d_${table}`) !== undefined;
    if (!isThere) continue;
    for (const column of ['body_sum', 'row_sum']) database.exec(`ALTER TABLE "d_${table}" DROP COLUMN ${column}`);
  }
  database.exec(`UPDATE meta SET value = '2' WHERE key = 'format'; DELETE FROM meta WHERE key IN ('base', 'head')`);
  database.close();
}
