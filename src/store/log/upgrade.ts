import { existsSync } from 'node:fs';
import { log as serverLog } from '../../shared/log.js';
import { Thread, workerThread } from '../../shared/thread.js';
import type { ThreadService } from '../../shared/thread-service.js';
import { systemTime } from '../../shared/time.js';
import { type Database, openDatabase } from '../sqlite.js';
import { commitSum, metaSum, outcomeSum } from './checksum.js';
import { NamesFill } from './fill-names.js';
import { metaOf, writeMeta } from './meta.js';
import { formatOf } from './replica-file.js';
import { BODY_SUM, columnsIn, createTables, LOG_FORMAT, ROW_SUM, type TableShape } from './schema.js';
import { StoredRows, storedCollections } from './stored-rows.js';

/** The format without checksums, the oldest that is known. */
const FORMAT_WITHOUT_SUMS = 2;
/** The formats from which on all is read as it is, and indexes are made anew with the tables: commits of 3 are not packed, runs of 4 have columns, names of 5 have none. */
const FORMATS_AS_THEY_ARE = [3, 4, 5];
/** The last format without columns of the names of principals. */
const FORMAT_WITHOUT_NAMES = 5;
/** How many commits or outcomes are given checksums by one transaction. */
const ROWS_MAX = 1_000;
/** After so many transactions what they wrote is copied into the file. */
const CHECKPOINT_EVERY = 64;

/** Upgrades a `log.db` of a former format, in a thread of its own; resolves at once where there is nothing to upgrade. */
export async function upgraded(path: string, shapes: readonly TableShape[]): Promise<void> {
  if (!existsSync(path)) return;
  const database = openDatabase(path);
  const format = formatOf(database);
  database.close();
  if (format !== FORMAT_WITHOUT_SUMS && !FORMATS_AS_THEY_ARE.includes(format)) return;
  const begun = systemTime.monotonic();
  serverLog.info({ path, format }, 'a log of a former format is upgraded');
  let isThrough = false;
  const thread = new Thread<never>(
    workerThread(new URL(import.meta.url), { data: { path, shapes } satisfies Upgrading }),
    {
      started: () => {
        isThrough = true;
        thread.end();
      },
    },
  );
  await thread.ended;
  if (!isThrough) throw thread.lost;
  serverLog.info({ path, ms: Math.round(systemTime.monotonic() - begun) }, 'the log is upgraded');
}

interface Upgrading {
  readonly path: string;
  readonly shapes: readonly TableShape[];
}

/** The thread that upgrades one file before it says that it has started. What it throws reaches whoever waits for its end. */
export function inThread({ path, shapes }: Upgrading): ThreadService<never> {
  const database = openDatabase(path);
  try {
    // Indexes that are others now take their time.
    createTables(database, shapes);
    upgrade(database, shapes);
  } finally {
    database.close();
  }
  return {};
}

/** How far an upgrade is: the revision of the file that it is of, and what is left. A server of the former format may have written meanwhile. */
interface Progress {
  readonly revision: number;
  readonly table: string;
  /** The last row of it that is done. */
  readonly at: number;
}

/** Makes a `log.db` of a former format one of the present. What is cut off goes on from where it was. Nobody else may have the file open. */
export function upgrade(database: Database, shapes: readonly TableShape[]): void {
  if (formatOf(database) === FORMAT_WITHOUT_SUMS) addSums(database);
  for (const shape of shapes) addNames(database, shape);
  writeMeta(database, 'format', String(LOG_FORMAT));
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

/** Gives it its checksums, in many transactions. */
function addSums(database: Database): void {
  addColumns(database);
  const revision = Number(database.prepare('SELECT max(revision) AS revision FROM commits').get()?.revision ?? 0);
  const tables = ['commits', 'outcome', ...storedCollections(database).map((name) => `d_${name}`)];
  const begun = begunAt(database, revision);
  const left = begun === undefined ? tables : tables.slice(tables.indexOf(begun.table));
  let pieces = 0;
  for (const table of left) {
    let at: number | null = table === begun?.table ? begun.at : 0;
    while (at !== null) {
      at = piece(database, { revision, table, at });
      if (++pieces % CHECKPOINT_EVERY === 0) database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    }
  }
  inTransaction(database, () => {
    for (const { key, value } of database.prepare('SELECT key, value FROM meta').all()) {
      database.prepare('UPDATE meta SET sum = ? WHERE key = ?').run(metaSum(String(key), String(value)), String(key));
    }
    writeMeta(database, 'format', String(FORMAT_WITHOUT_NAMES));
    writeMeta(database, 'removals', String(revision));
    database.exec(`DELETE FROM meta WHERE key = 'upgrade'`);
  });
}

/** Fills columns of names, in many transactions. */
function addNames(database: Database, shape: TableShape): void {
  const fill = new NamesFill(database, shape);
  for (let at: number | null = 0; at !== null; ) {
    const from: number = at;
    at = inTransaction(database, () => fill.after(from));
  }
}

function addColumns(database: Database): void {
  const add = (table: string, column: string) => {
    if (columnsIn(database, `"${table}"`).includes(column)) return;
    database.exec(`ALTER TABLE "${table}" ADD COLUMN ${column} INTEGER NOT NULL DEFAULT 0`);
  };
  inTransaction(database, () => {
    for (const table of ['meta', 'commits', 'outcome']) add(table, 'sum');
    for (const name of storedCollections(database)) {
      add(`d_${name}`, BODY_SUM);
      add(`d_${name}`, ROW_SUM);
    }
  });
}

function begunAt(database: Database, revision: number): Progress | undefined {
  const text = metaOf(database, 'upgrade');
  const progress = text === undefined ? undefined : (JSON.parse(text) as Progress);
  return progress?.revision === revision ? progress : undefined;
}

/** One transaction: gives the last row that is done by now, or null when none is left. */
const piece = (database: Database, { revision, table, at }: Progress): number | null =>
  inTransaction(database, () => {
    const reached = fill(database, table, at);
    if (reached !== null) writeMeta(database, 'upgrade', JSON.stringify({ revision, table, at: reached }));
    return reached;
  });

/** Gives some rows of the table their checksums; gives the last of them, or null when none is left. */
function fill(database: Database, table: string, at: number): number | null {
  if (table === 'commits') return fillCommits(database, at);
  if (table === 'outcome') return fillOutcomes(database, at);
  const update = database.prepare(`UPDATE "${table}" SET ${BODY_SUM} = ?, ${ROW_SUM} = ? WHERE n = ?`);
  const rows = new StoredRows(database, table.slice(2)).after(at);
  for (const { n, expected } of rows) update.run(expected.body, expected.row, n);
  return rows.at(-1)?.n ?? null;
}

function fillCommits(database: Database, at: number): number | null {
  const sql = 'SELECT revision, id, at, events, body FROM commits WHERE revision > ? ORDER BY revision LIMIT ?';
  const rows = database.prepare(sql).all(at, ROWS_MAX) as unknown as CommitRow[];
  const before = database.prepare('SELECT sum FROM commits WHERE revision = ?').get(at);
  if (before === undefined && rows[0] !== undefined) writeMeta(database, 'base', `${rows[0].revision - 1} 0`);
  let chain = Number(before?.sum ?? 0);
  const update = database.prepare('UPDATE commits SET sum = ? WHERE revision = ?');
  for (const row of rows) {
    chain = commitSum(chain, row, row.body);
    update.run(chain, row.revision);
  }
  return rows.at(-1)?.revision ?? null;
}

interface CommitRow {
  readonly revision: number;
  readonly id: string;
  readonly at: number;
  readonly events: number;
  readonly body: string;
}

function fillOutcomes(database: Database, at: number): number | null {
  const sql = 'SELECT rowid AS n, id, at, revision, body FROM outcome WHERE rowid > ? ORDER BY rowid LIMIT ?';
  const rows = database.prepare(sql).all(at, ROWS_MAX);
  const update = database.prepare('UPDATE outcome SET sum = ? WHERE rowid = ?');
  for (const row of rows) {
    update.run(outcomeSum(String(row.id), Number(row.at), Number(row.revision), String(row.body)), row.n);
  }
  return rows.length === 0 ? null : Number(rows.at(-1)?.n);
}

function inTransaction<T>(database: Database, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (thrown) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw thrown;
  }
}
