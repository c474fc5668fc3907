import { renameSync, rmSync } from 'node:fs';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { isDamage } from '../damage.js';
import { openDatabase } from '../sqlite.js';
import { CachedStatements } from '../statements.js';
import type { RecordEntry, RecordQuery, Retention } from './record.js';

/** Of `zlib.deflate`: the middle between time and size. */
const LEVEL = 4;

/** One partition's `records.db`. */
export class RecordFile {
  readonly #file: CachedStatements;

  /** A damaged file is put aside, and a new one begun: nothing depends on what it held. */
  constructor(path: string) {
    try {
      this.#file = openRecords(path);
    } catch (thrown) {
      if (!isDamage(thrown)) throw thrown;
      renameSync(path, `${path}.damaged`);
      for (const end of ['-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
      this.#file = openRecords(path);
    }
  }

  /** Writes all entries or none. */
  append(entries: readonly RecordEntry[]): void {
    const insert = this.#file.prepare('INSERT INTO entry (stream, first, last, count, body) VALUES (?, ?, ?, ?, ?)');
    this.#file.prepare('BEGIN IMMEDIATE').run();
    try {
      for (const { stream, first, last, count, lines } of entries) {
        insert.run(stream, first, last, count, deflateRawSync(lines, { level: LEVEL }));
      }
      this.#file.prepare('COMMIT').run();
    } catch (thrown) {
      if (this.#file.database.isTransaction) this.#file.prepare('ROLLBACK').run();
      throw thrown;
    }
  }

  /** The wanted rows as JSON texts. */
  read(stream: string, query: RecordQuery): string[] {
    const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, limit, newestFirst = false } = query;
    const matches = matcherOf(query.match);
    const order = newestFirst ? 'DESC' : 'ASC';
    const sql = `SELECT body FROM entry WHERE stream = ? AND last >= ? AND first < ? ORDER BY n ${order}`;
    const found: string[] = [];
    for (const { body } of this.#file.prepare(sql).iterate(stream, from, to)) {
      const rows = rowsOf(body).filter(({ at, json }) => at >= from && at < to && matches(json));
      if (newestFirst) rows.reverse();
      found.push(...rows.slice(0, limit - found.length).map(({ json }) => json));
      if (found.length >= limit) break;
    }
    return found;
  }

  /** Removes entries that are too old, and the oldest beyond the number of rows. */
  trim(stream: string, { ageMaxMs, rowsMax }: Retention, now: number): void {
    if (ageMaxMs !== undefined) {
      this.#file.prepare('DELETE FROM entry WHERE stream = ? AND last < ?').run(stream, now - ageMaxMs);
    }
    if (rowsMax === undefined) return;
    let rows = 0;
    for (const entry of this.#file.prepare('SELECT n, count FROM entry WHERE stream = ? ORDER BY n DESC').all(stream)) {
      rows += Number(entry.count);
      if (rows < rowsMax) continue;
      this.#file.prepare('DELETE FROM entry WHERE stream = ? AND n < ?').run(stream, entry.n);
      return;
    }
  }

  close(): void {
    this.#file.close();
  }
}

function openRecords(path: string): CachedStatements {
  const database = openDatabase(path);
  try {
    // What a power cut may take is what may be lost. Only this thread writes here, so it may as well checkpoint.
    database.exec(`
      PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=1000;
      CREATE TABLE IF NOT EXISTS entry (n INTEGER PRIMARY KEY, stream TEXT NOT NULL, first NUMERIC NOT NULL, last NUMERIC NOT NULL, count INTEGER NOT NULL, body BLOB NOT NULL);
      CREATE INDEX IF NOT EXISTS entry_stream ON entry (stream, n, first, last);
    `);
    return new CachedStatements(database);
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

function rowsOf(body: Uint8Array): { at: number; json: string }[] {
  const lines = inflateRawSync(body).toString().split('\n');
  return lines.map((line) => {
    const blank = line.indexOf(' ');
    return { at: Number(line.slice(0, blank)), json: line.slice(blank + 1) };
  });
}

function matcherOf(match: RecordQuery['match']): (json: string) => boolean {
  const fields = Object.entries(match ?? {});
  if (fields.length === 0) return () => true;
  return (json) => {
    const row = JSON.parse(json) as Record<string, unknown>;
    return fields.every(([name, value]) => (row[name] ?? null) === value);
  };
}
