import type { CachedStatements } from '../../store/files.js';
import { DisposableFile } from './disposable-file.js';
import { BUCKET_MS, COUNTED, Counts, countedIn, type StatsBucket } from './exchange-counts.js';
import type { ExchangeRecord } from './exchange-record.js';
import { conditionOf, type HistoryPlace, type HistoryQuery, type StatsQuery } from './history-query.js';
import { type ExchangeSummary, type PackedRecords, recordAt, summariesOf } from './packed-records.js';

/** Raised when the tables are others; what another form has kept is thrown away. */
const FORMAT = 2;

/** So many rows are removed in one go. */
const TRIM_ROWS = 10_000;

/** Retention of the history: by age, and by number of rows. */
export interface HistoryRetention {
  /** ms */
  readonly ageMaxMs: number;
  readonly rowsMax: number;
  /** Of the counts, ms. */
  readonly countsAgeMaxMs: number;
}

/** Counts of a route, or of something else, by its id, as they are kept. */
export interface KeptStatistic {
  readonly id: string;
  /** Null: nothing. */
  readonly body: string | null;
}

/** A page of the list, and how long the whole of it is where that was asked for. */
export interface HistoryPage<Row = ExchangeSummary> {
  readonly rows: readonly Row[];
  /** Whether there are more in the direction in which was read. */
  readonly isMore: boolean;
  readonly total: number | null;
}

const TABLES = `
  CREATE TABLE exchange (
    createdAt INTEGER NOT NULL, exchangeId TEXT NOT NULL, routeId TEXT NOT NULL, completedAt INTEGER NOT NULL, elapsed INTEGER NOT NULL,
    failed INTEGER NOT NULL, businessKey TEXT, batch INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (createdAt, exchangeId, routeId)
  ) WITHOUT ROWID;
  CREATE INDEX exchange_id ON exchange (exchangeId);
  CREATE INDEX exchange_route ON exchange (routeId, createdAt, exchangeId, failed, elapsed);
  CREATE INDEX exchange_failed ON exchange (createdAt, exchangeId, routeId, elapsed) WHERE failed = 1;
  CREATE TABLE batch (id INTEGER PRIMARY KEY, newest INTEGER NOT NULL, words TEXT NOT NULL, bytes BLOB NOT NULL);
  CREATE INDEX batch_newest ON batch (newest);
  ${COUNTED}
  CREATE TABLE statistic (id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
`;

const NO_BYTES = new Uint8Array();

type Found = Readonly<Record<string, unknown>>;

const SUMMARY = 'createdAt, exchangeId, routeId, completedAt, elapsed, failed, businessKey';

/** One workspace's `history.db`: its exchanges, as they were packed, with what lists and look-ups need beside them. No truth: it is begun anew where it is damaged. */
export class HistoryFile {
  readonly #store: DisposableFile;
  #rows = 0;

  /** `onDamage`: told why a file was thrown away. */
  constructor(path: string, onDamage: (reason: string) => void) {
    const begun = () => {
      this.#rows = 0;
    };
    this.#store = new DisposableFile({ path, format: FORMAT, tables: TABLES, pragmas: PRAGMAS, onDamage, begun });
    this.#rows = this.#count();
  }

  get #file(): CachedStatements {
    return this.#store.statements;
  }

  /** How many exchanges it has. */
  get rows(): number {
    return this.#rows;
  }

  /** Writes a batch, or nothing. */
  append(packed: PackedRecords): void {
    this.#sound(() => this.#atomically(() => this.#insert(packed)));
  }

  /** Removes what is older than is kept, and the oldest beyond the number of rows: a part of it at a time. True: there is more. */
  trim({ ageMaxMs, rowsMax, countsAgeMaxMs }: HistoryRetention, now: number): boolean {
    return this.#sound(() => {
      const horizon = this.#horizon(now - ageMaxMs, rowsMax);
      let removed = 0;
      this.#atomically(() => {
        this.#file.prepare('DELETE FROM counted WHERE start < ?').run(now - countsAgeMaxMs - BUCKET_MS);
        if (horizon === undefined) return;
        const { createdAt, exchangeId, routeId } = horizon;
        removed = Number(
          this.#file
            .prepare('DELETE FROM exchange WHERE (createdAt, exchangeId, routeId) < (?, ?, ?)')
            .run(createdAt, exchangeId, routeId).changes,
        );
        this.#file.prepare('DELETE FROM batch WHERE newest < ?').run(createdAt);
      });
      this.#rows -= removed;
      return removed >= TRIM_ROWS;
    });
  }

  list(query: HistoryQuery): HistoryPage {
    return this.#page(query, (found) => found.map(summary));
  }

  /** As {@link list}, with all that is kept of each. */
  records(query: HistoryQuery): HistoryPage<ExchangeRecord> {
    return this.#page(query, (found) => this.#recordsOf(found));
  }

  #page<Row>(query: HistoryQuery, rowsOf: (found: readonly Found[]) => Row[]): HistoryPage<Row> {
    return this.#sound(() => {
      const { filter, limit, fromEnd = false, counts = false } = query;
      const { sql, values } = conditionOf(filter, query);
      const order = fromEnd ? 'ASC' : 'DESC';
      const found = this.#file
        .prepare(
          `SELECT ${SUMMARY}, batch, at FROM exchange WHERE ${sql} ORDER BY createdAt ${order}, exchangeId ${order}, routeId ${order} LIMIT ?`,
        )
        .all(...values, limit + 1);
      const rows = rowsOf(found.slice(0, limit));
      if (fromEnd) rows.reverse();
      return { rows, isMore: found.length > limit, total: counts ? this.#total(query) : null };
    });
  }

  /** The exchange of that id; of several the first, of a route where one is given. */
  find(exchangeId: string, routeId?: string): ExchangeRecord | null {
    return this.#sound(() => {
      const sql =
        'SELECT batch, at FROM exchange WHERE exchangeId = ? AND (? IS NULL OR routeId = ?) ORDER BY createdAt, routeId LIMIT 1';
      const row = this.#file.prepare(sql).get(exchangeId, routeId ?? null, routeId ?? null);
      return row === undefined ? null : (this.#recordsOf([row])[0] ?? null);
    });
  }

  /** Rows of one batch, which mostly lie together, have it read once. */
  #recordsOf(found: readonly Found[]): ExchangeRecord[] {
    const select = this.#file.prepare('SELECT words, bytes FROM batch WHERE id = ?');
    const read = (id: unknown): Omit<PackedRecords, 'count'> => {
      const { words, bytes } = select.get(id as number) ?? { words: '[]', bytes: NO_BYTES };
      return { words: JSON.parse(String(words)) as string[], bytes: bytes as Uint8Array };
    };
    let last: unknown;
    let packed: Omit<PackedRecords, 'count'> | undefined;
    return found.flatMap(({ batch, at }) => {
      if (packed === undefined || batch !== last) packed = read(batch);
      last = batch;
      return packed.bytes === NO_BYTES ? [] : [recordAt(packed, Number(at))];
    });
  }

  /** The routes that exchanges began in between two instants, ms. */
  routesBetween(from: number, to: number): string[] {
    return this.#sound(() => {
      // An hour may have very many exchanges, of few routes: each is looked for by itself.
      const next = this.#file.prepare('SELECT min(routeId) AS routeId FROM exchange WHERE routeId > ?');
      const within = this.#file.prepare(
        'SELECT 1 FROM exchange WHERE routeId = ? AND createdAt >= ? AND createdAt < ? LIMIT 1',
      );
      const found: string[] = [];
      let routeId: string | null = '';
      for (;;) {
        routeId = next.get(routeId)?.routeId as string | null;
        if (routeId === null) return found;
        if (within.get(routeId, from, to) !== undefined) found.push(routeId);
      }
    });
  }

  /** The first exchange that began from an instant on, ms; of a route where one is given. Null: there is none. */
  firstFrom(from: number): number | null {
    return this.#sound(() => {
      const sql = 'SELECT createdAt FROM exchange WHERE createdAt >= ? ORDER BY createdAt LIMIT 1';
      const row = this.#file.prepare(sql).get(from);
      return row === undefined ? null : Number(row.createdAt);
    });
  }

  /** Buckets in which nothing is are left out. */
  stats(query: StatsQuery): StatsBucket[] {
    return this.#sound(() => countedIn(this.#file, query));
  }

  statistics(): KeptStatistic[] {
    return this.#sound(() => {
      const found = this.#file.prepare('SELECT id, body FROM statistic').all();
      return found.map(({ id, body }) => ({ id: String(id), body: String(body) }));
    });
  }

  keepStatistics(statistics: readonly KeptStatistic[]): void {
    this.#sound(() =>
      this.#atomically(() => {
        const put = this.#file.prepare('INSERT OR REPLACE INTO statistic VALUES (?, ?)');
        const remove = this.#file.prepare('DELETE FROM statistic WHERE id = ?');
        for (const { id, body } of statistics) {
          if (body === null) remove.run(id);
          else put.run(id, body);
        }
      }),
    );
  }

  close(): void {
    this.#store.close();
  }

  #insert(packed: PackedRecords): void {
    const insert = this.#file.prepare('INSERT OR REPLACE INTO exchange VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
    const { words, bytes } = packed;
    const added = this.#file
      .prepare('INSERT INTO batch (newest, words, bytes) VALUES (0, ?, ?)')
      .run(JSON.stringify(words), bytes);
    const batch = Number(added.lastInsertRowid);
    const counts = new Counts();
    let newest = 0;
    for (const row of summariesOf(packed)) {
      const { createdAt, exchangeId, routeId, completedAt, elapsed, status, businessKey, at } = row;
      const failed = status === 'failed' ? 1 : 0;
      insert.run(createdAt, exchangeId, routeId, completedAt, elapsed, failed, businessKey, batch, at);
      if (createdAt > newest) newest = createdAt;
      counts.add(row);
    }
    this.#file.prepare('UPDATE batch SET newest = ? WHERE id = ?').run(newest, batch);
    counts.write(this.#file);
    this.#rows += packed.count;
  }

  #total({ filter }: HistoryQuery): number {
    if (Object.values(filter).every((value) => value === undefined)) return this.#rows;
    const { sql, values } = conditionOf(filter);
    return Number(this.#file.prepare(`SELECT count(*) AS n FROM exchange WHERE ${sql}`).get(...values)?.n);
  }

  /** What comes before it in the order of lists is removed next; undefined: all is kept. */
  #horizon(oldest: number, rowsMax: number): HistoryPlace | undefined {
    const before = 'SELECT count(*) AS n FROM (SELECT 1 FROM exchange WHERE createdAt < ? LIMIT ?)';
    const tooOld = Number(this.#file.prepare(before).get(oldest, TRIM_ROWS)?.n);
    const tooMany = Math.min(TRIM_ROWS, this.#rows - rowsMax);
    const excess = Math.max(tooOld, tooMany);
    if (excess <= 0) return undefined;
    const sql =
      'SELECT createdAt, exchangeId, routeId FROM exchange ORDER BY createdAt, exchangeId, routeId LIMIT 1 OFFSET ?';
    const first = this.#file.prepare(sql).get(excess);
    return first === undefined
      ? { createdAt: Number.MAX_SAFE_INTEGER, exchangeId: '', routeId: '' }
      : (first as unknown as HistoryPlace);
  }

  #count(): number {
    return this.#sound(() => Number(this.#file.prepare('SELECT count(*) AS n FROM exchange').get()?.n));
  }

  #sound<T>(work: () => T): T {
    return this.#store.sound(work);
  }

  #atomically(work: () => void): void {
    const rows = this.#rows;
    try {
      this.#store.atomically(work);
    } catch (thrown) {
      this.#rows = rows;
      throw thrown;
    }
  }
}

/** A power cut may take what came last. Only this thread writes here, so it checkpoints as well. */
const PRAGMAS = 'PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=4000; PRAGMA cache_size=-65536;';

const summary = (row: Found): ExchangeSummary => ({
  exchangeId: String(row.exchangeId),
  routeId: String(row.routeId),
  createdAt: Number(row.createdAt),
  completedAt: Number(row.completedAt),
  elapsed: Number(row.elapsed),
  status: row.failed === 1 ? 'failed' : 'completed',
  businessKey: row.businessKey === null ? null : String(row.businessKey),
});
