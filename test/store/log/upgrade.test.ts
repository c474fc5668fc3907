import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../../src/store/damage.js';
import { decodePosition } from '../../../src/store/feed/position.js';
import { checkPartition } from '../../../src/store/integrity/check-partition.js';
import { commitSum } from '../../../src/store/log/checksum.js';
import { LocalLogs } from '../../../src/store/log/local-logs.js';
import { metaOf, writeMeta } from '../../../src/store/log/meta.js';
import { commitBodyOf, Packer } from '../../../src/store/log/packed.js';
import { formatOf } from '../../../src/store/log/replica-file.js';
import { LOG_FORMAT, shapeOf } from '../../../src/store/log/schema.js';
import { upgrade } from '../../../src/store/log/upgrade.js';
import { type Database, openDatabase } from '../../../src/store/sqlite.js';
import { temporaryFolder } from '../../support/temporary.js';
import { add, callerNamed, counters, set } from '../../support/test-domain.js';
import { openTestPartition, openTestStore } from '../../support/test-store.js';

const DOCUMENTS = 1_700;

describe('a log of format 2, which had no checksums', function () {
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
    const found = partition.replica.read({ readMax: 5_000 }).range(counters, 'value', [0], 5_000);
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

describe('a log of a format that is read as it is', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  for (const format of ['3', '4'])
    it(`is followed, and has the indexes of today, and these alone: ${format}`, async () => {
      const place = join(folder.path, `former ${format}`);
      const ann = { caller: callerNamed('ann') };
      const former = openTestStore({ folder: null, logs: new LocalLogs(place) });
      const wrote = await openTestPartition(former);
      for (const by of [1, 2, 3]) await wrote.send(add, { id: 'c', by }, ann);
      const position = wrote.replica.feed.position(1);
      await former.close(100);
      const copy = join(folder.path, `copy ${format}`);
      cpSync(place, copy, { recursive: true, filter: (file) => !file.endsWith('-shm') });
      makeFormer(join(copy, 'test', 'log.db'), format);

      const store = openTestStore({ folder: null, logs: new LocalLogs(copy) });
      const partition = await openTestPartition(store);
      await partition.send(add, { id: 'c', by: 4 }, ann);
      const told: unknown[] = [];
      const [after] = decodePosition(position);
      const ended = new AbortController().signal;
      for await (const { event, revision } of partition.replica.feed.follow(after ?? null, ended, { toEnd: true }))
        told.push([revision, (event.data as { readonly value: number }).value]);
      assert.deepEqual(told, [
        [2, 3],
        [3, 6],
        [4, 10],
      ]);
      await store.close(100);

      const findings: Finding[] = [];
      for (const _ of checkPartition(copy, 'test', (finding) => findings.push(finding)));
      assert.deepEqual(findings, []);
      const database = openDatabase(join(copy, 'test', 'log.db'), { readOnly: true });
      assert.equal(formatOf(database), LOG_FORMAT);
      const indexed = database.prepare('PRAGMA index_info(i_counter_group)').all();
      assert.deepEqual(
        indexed.map(({ name }) => name),
        ['c_group', 'c_value'],
      );
      assert.deepEqual(database.prepare('PRAGMA index_info(i_counter_former)').all(), []);
      database.close();
    });

  /** Makes the file what a server of that format left: commits of 3 tell everything each time, those of 4 have each document in a list of its own. */
  function makeFormer(path: string, format: string): void {
    const database = openDatabase(path);
    let chain = Number((metaOf(database, 'base') ?? '').split(' ')[1]);
    const rows = database.prepare('SELECT revision, id, at, events, body FROM commits ORDER BY revision').all();
    for (const { revision, id, at, events, body } of rows) {
      const told = commitBodyOf(String(body));
      const text = format === '3' ? JSON.stringify(told) : new Packer().pack(told);
      assert.notEqual(text, body);
      const facts = { revision: Number(revision), id: String(id), at: Number(at), events: Number(events) };
      chain = commitSum(chain, facts, text);
      database.prepare('UPDATE commits SET body = ?, sum = ? WHERE revision = ?').run(text, chain, facts.revision);
    }
    database.exec('DROP INDEX i_counter_group');
    database.exec('CREATE INDEX i_counter_group ON d_counter (c_group, c_value, id) WHERE c_group IS NOT NULL');
    database.exec('CREATE INDEX i_counter_former ON d_counter (c_value) WHERE c_value IS NOT NULL');
    writeMeta(database, 'format', format);
    database.close();
  }
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
    upgrade(cut, [shapeOf(counters)]);
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
