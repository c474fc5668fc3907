import { renameSync, rmSync } from 'node:fs';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { badRequest } from '../../shared/errors.js';
import { isDamage } from '../damage.js';
import { openDatabase } from '../sqlite.js';
import { CachedStatements } from '../statements.js';
import { rowsIn } from './packed-rows.js';
import type { Reached, RecordEntry, RecordQuery, RecordRow, RecordsPart, Retention } from './record.js';

/** Of `zlib.deflate`: entries that have just come are packed fast, those that stay are packed well. */
const FAST_LEVEL = 1;
const GOOD_LEVEL = 6;

/** One part of a read looks at so many rows, and so many entries, at most: others have their turn. */
const PART_ROWS_MAX = 10_000;
const PART_ENTRIES_MAX = 1_000;

/** Small entries are put together until they have so many rows, or come from so long a time, ms. */
const MERGED_ROWS = 500;
const MERGED_MS = 86_400_000;
/** So many entries are looked at in one go. */
const MERGE_ENTRIES_MAX = 5_000;

const ENTRIES = 'SELECT n, count, body FROM entry WHERE stream = ? AND last >= ? AND first < ?';

/** One partition's `records.db`. The rows of a stream are counted: an entry has the number of its first one. */
export class RecordFile {
  readonly #file: CachedStatements;
  /** By stream: the number of the next row. */
  readonly #next = new Map<string, number>();
  /** By stream: the entry from which on small ones may be put together. */
  readonly #mergedTo = new Map<string, number>();

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
    const next = new Map<string, number>();
    this.#atomically(() => {
      const insert = this.#file.prepare(
        'INSERT INTO entry (stream, n, first, last, count, body) VALUES (?, ?, ?, ?, ?, ?)',
      );
      for (const { stream, first, last, count, rows } of entries) {
        const n = next.get(stream) ?? this.#nextOf(stream);
        insert.run(stream, n, first, last, count, deflateRawSync(rows, { level: FAST_LEVEL }));
        next.set(stream, n + count);
      }
      if (reached !== undefined)
        this.#file.prepare('INSERT OR REPLACE INTO reached VALUES (?, ?)').run(reached.stream, reached.place);
    });
    for (const [stream, n] of next) this.#next.set(stream, n);
  }

  /** How far rows of the stream reach, as the last of them told. */
  reached(stream: string): string | undefined {
    return this.#file.prepare('SELECT place FROM reached WHERE stream = ?').get(stream)?.place as string | undefined;
  }

  /** Some of the wanted rows. */
  read(stream: string, query: RecordQuery): RecordsPart {
    const { limit, newestFirst = false } = query;
    const rows: string[] = [];
    let [seenRows, seenEntries] = [0, 0];
    for (const entry of this.#entries(stream, query)) {
      const [n, count] = [Number(entry.n), Number(entry.count)];
      rows.push(...wanted(entry.body, n, query));
      if (rows.length >= limit) return { rows: rows.slice(0, limit), behind: undefined };
      seenRows += count;
      if (++seenEntries === PART_ENTRIES_MAX || seenRows >= PART_ROWS_MAX)
        return { rows, behind: String(newestFirst ? n : n + count - 1) };
    }
    return { rows, behind: undefined };
  }

  /** The entries that may have wanted rows, as they are read. */
  #entries(stream: string, query: RecordQuery) {
    const { from, to } = timesOf(query);
    const sql = query.newestFirst
      ? `${ENTRIES} AND n < ? ORDER BY n DESC LIMIT ?`
      : `${ENTRIES} AND n + count > ? + 1 ORDER BY n LIMIT ?`;
    return this.#file.prepare(sql).iterate(stream, from, to, placeOf(query), PART_ENTRIES_MAX);
  }

  /** Removes entries that are too old, and the oldest beyond the number of rows. */
  trim(stream: string, { ageMaxMs, rowsMax }: Retention, now: number): void {
    this.#atomically(() => {
      const next = this.#nextOf(stream);
      if (ageMaxMs !== undefined)
        this.#file.prepare('DELETE FROM entry WHERE stream = ? AND last < ?').run(stream, now - ageMaxMs);
      if (rowsMax !== undefined) this.#trimRows(stream, rowsMax);
      // Where nothing is left the next row has its number all the same.
      this.#file.prepare('INSERT OR REPLACE INTO sequence VALUES (?, ?)').run(stream, next);
    });
  }

  #trimRows(stream: string, rowsMax: number): void {
    let rows = 0;
    for (const entry of this.#file.prepare('SELECT n, count FROM entry WHERE stream = ? ORDER BY n DESC').all(stream)) {
      rows += Number(entry.count);
      if (rows < rowsMax) continue;
      this.#file.prepare('DELETE FROM entry WHERE stream = ? AND n < ?').run(stream, entry.n);
      return;
    }
  }

  /** Puts small neighbours together, so that there are few entries of a stream, however slowly its rows came. */
  merge(stream: string): void {
    const sql = 'SELECT n, first, last, count FROM entry WHERE stream = ? AND n >= ? ORDER BY n LIMIT ?';
    const found = this.#file.prepare(sql).all(stream, this.#mergedTo.get(stream) ?? 0, MERGE_ENTRIES_MAX);
    let group: Merged | undefined;
    this.#atomically(() => {
      for (const row of found) {
        const one: Merged = { from: Number(row.n), to: Number(row.n), ...factsOf(row) };
        const both = group && together(group, one);
        if (both === undefined && group !== undefined) this.#merge(stream, group);
        group = both ?? one;
      }
      if (group !== undefined) this.#merge(stream, group);
    });
    if (group !== undefined) this.#mergedTo.set(stream, group.from);
  }

  #merge(stream: string, { from, to, first, last, count }: Merged): void {
    if (from === to) return;
    const sql = 'SELECT body FROM entry WHERE stream = ? AND n BETWEEN ? AND ? ORDER BY n';
    const bodies = this.#file.prepare(sql).all(stream, from, to);
    const rows = JSON.stringify(bodies.flatMap(({ body }) => rowsIn(textOf(body))));
    this.#file.prepare('DELETE FROM entry WHERE stream = ? AND n > ? AND n <= ?').run(stream, from, to);
    const update = 'UPDATE entry SET first = ?, last = ?, count = ?, body = ? WHERE stream = ? AND n = ?';
    this.#file.prepare(update).run(first, last, count, deflateRawSync(rows, { level: GOOD_LEVEL }), stream, from);
  }

  #nextOf(stream: string): number {
    const known = this.#next.get(stream);
    if (known !== undefined) return known;
    const last = this.#file.prepare('SELECT n + count AS next FROM entry WHERE stream = ? ORDER BY n DESC').get(stream);
    const kept = this.#file.prepare('SELECT next FROM sequence WHERE stream = ?').get(stream);
    const next = Math.max(Number(last?.next ?? 1), Number(kept?.next ?? 1));
    this.#next.set(stream, next);
    return next;
  }

  #atomically(work: () => void): void {
    this.#file.prepare('BEGIN IMMEDIATE').run();
    try {
      work();
      this.#file.prepare('COMMIT').run();
    } catch (thrown) {
      if (this.#file.database.isTransaction) this.#file.prepare('ROLLBACK').run();
      throw thrown;
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
      CREATE TABLE IF NOT EXISTS entry (stream TEXT NOT NULL, n INTEGER NOT NULL, first NUMERIC NOT NULL, last NUMERIC NOT NULL, count INTEGER NOT NULL, body BLOB NOT NULL);
      CREATE TABLE IF NOT EXISTS reached (stream TEXT PRIMARY KEY, place TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS sequence (stream TEXT PRIMARY KEY, next INTEGER NOT NULL);
      CREATE INDEX IF NOT EXISTS entry_stream ON entry (stream, n, count, first, last);
    `);
    return new CachedStatements(database);
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

/** Neighbours that become one entry. `from`, `to`: the first and the last of them. */
interface Merged {
  readonly from: number;
  readonly to: number;
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

const factsOf = (row: Readonly<Record<string, unknown>>) => ({
  first: Number(row.first),
  last: Number(row.last),
  count: Number(row.count),
});

/** Undefined: they stay apart. */
function together(a: Merged, b: Merged): Merged | undefined {
  const [first, last, count] = [Math.min(a.first, b.first), Math.max(a.last, b.last), a.count + b.count];
  if (count > MERGED_ROWS || last - first > MERGED_MS) return undefined;
  return { from: a.from, to: b.to, first, last, count };
}

/** The number of the row behind which is read. */
function placeOf({ behind, newestFirst = false }: RecordQuery): number {
  if (behind === undefined) return newestFirst ? Number.MAX_SAFE_INTEGER : 0;
  if (!/^\d{1,15}$/.test(behind)) throw badRequest(`expected the place of a row, but found '${behind}'`);
  return Number(behind);
}

const textOf = (body: unknown): string => inflateRawSync(body as Uint8Array).toString();

const timesOf = ({ from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: RecordQuery) => ({ from, to });

/** The rows of an entry that are asked for, as they are read: the place of each, a blank, its JSON. `first`: the place of its first row. */
function wanted(body: unknown, first: number, query: RecordQuery): string[] {
  const text = textOf(body);
  const fields = Object.entries(query.match ?? {});
  // Most entries have nothing of a rare user: to look for the text takes a fraction of reading it.
  if (fields.some(([, value]) => value !== null && !text.includes(JSON.stringify(value)))) return [];
  const { from, to } = timesOf(query);
  const place = placeOf(query);
  const isBehind = (number: number) => (query.newestFirst ? number < place : number > place);
  const matches = (row: RecordRow) =>
    fields.every(([name, value]) => ((row as unknown as Record<string, unknown>)[name] ?? null) === value);
  const rows = rowsIn(text).map((row, i) => ({ row, number: first + i }));
  if (query.newestFirst) rows.reverse();
  return rows
    .filter(({ row, number }) => isBehind(number) && row.at >= from && row.at < to && matches(row))
    .map(({ row, number }) => `${number} ${JSON.stringify(row)}`);
}
