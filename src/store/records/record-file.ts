import { renameSync, rmSync } from 'node:fs';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { badRequest } from '../../shared/errors.js';
import { isDamage } from '../damage.js';
import { openDatabase } from '../sqlite.js';
import { CachedStatements } from '../statements.js';
import type { Reached, RecordEntry, RecordQuery, Retention } from './record.js';

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

  /** Writes all entries, and how far they reach, or nothing. */
  append(entries: readonly RecordEntry[], reached?: Reached): void {
    const insert = this.#file.prepare('INSERT INTO entry (stream, first, last, count, body) VALUES (?, ?, ?, ?, ?)');
    this.#file.prepare('BEGIN IMMEDIATE').run();
    try {
      for (const { stream, first, last, count, lines } of entries) {
        insert.run(stream, first, last, count, deflateRawSync(lines, { level: LEVEL }));
      }
      if (reached !== undefined)
        this.#file.prepare('INSERT OR REPLACE INTO reached VALUES (?, ?)').run(reached.stream, reached.place);
      this.#file.prepare('COMMIT').run();
    } catch (thrown) {
      if (this.#file.database.isTransaction) this.#file.prepare('ROLLBACK').run();
      throw thrown;
    }
  }

  /** How far rows of the stream reach, as the last of them told. */
  reached(stream: string): string | undefined {
    return this.#file.prepare('SELECT place FROM reached WHERE stream = ?').get(stream)?.place as string | undefined;
  }

  /** The wanted rows: the place of each, a blank, its JSON. */
  read(stream: string, query: RecordQuery): string[] {
    const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY, limit, newestFirst = false } = query;
    const matches = matcherOf(query.match);
    const order = newestFirst ? 'DESC' : 'ASC';
    const { n, line } = placeOf(query);
    const isBehind = (i: number) => (newestFirst ? i < line : i > line);
    const part = newestFirst ? 'n <= ?' : 'n >= ?';
    const sql = `SELECT n, body FROM entry WHERE stream = ? AND last >= ? AND first < ? AND ${part} ORDER BY n ${order}`;
    const found: string[] = [];
    for (const entry of this.#file.prepare(sql).iterate(stream, from, to, n)) {
      const rows = rowsOf(entry.body)
        .filter(({ i }) => Number(entry.n) !== n || isBehind(i))
        .filter(({ at, json }) => at >= from && at < to && matches(json));
      if (newestFirst) rows.reverse();
      found.push(...rows.slice(0, limit - found.length).map(({ i, json }) => `${entry.n}.${i} ${json}`));
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
      CREATE TABLE IF NOT EXISTS reached (stream TEXT PRIMARY KEY, place TEXT NOT NULL);
      CREATE INDEX IF NOT EXISTS entry_stream ON entry (stream, n, first, last);
    `);
    return new CachedStatements(database);
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

/** The entry and the line in it behind which is read. */
function placeOf({ behind, newestFirst = false }: RecordQuery): { n: number; line: number } {
  if (behind === undefined) return { n: newestFirst ? Number.MAX_SAFE_INTEGER : 0, line: 0 };
  const [n, line] = behind.split('.').map(Number);
  if (!Number.isSafeInteger(n) || !Number.isSafeInteger(line))
    throw badRequest(`expected the place of a row, but found '${behind}'`);
  return { n: n as number, line: line as number };
}

function rowsOf(body: Uint8Array): { i: number; at: number; json: string }[] {
  const lines = inflateRawSync(body).toString().split('\n');
  return lines.map((line, i) => {
    const blank = line.indexOf(' ');
    return { i, at: Number(line.slice(0, blank)), json: line.slice(blank + 1) };
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
