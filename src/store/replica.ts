import { type ServiceError, unavailable } from '../shared/errors.js';
import type { Document, IndexDefinition, Scalar } from './collection.js';
import { damagedRow } from './damage.js';
import { bodySum, commitSum, outcomeSum } from './log/checksum.js';
import { type MetaKey, metaFrom, READ_META } from './log/meta.js';
import { type AnyCollection, columnOf, multiTableOf, tableOf } from './log/schema.js';
import type { CountRange, FindOptions } from './state.js';
import { type Reading, type Statements, toldStatement } from './statements.js';

/** A document as the replica holds it. */
export interface Row {
  readonly id: string;
  readonly body: string;
  /** The body as it was read, once it was. */
  document?: Document;
  /** Set where the body is not what was written: what whoever wants the document is told. */
  damage?: ServiceError;
}

/** A row as it is read, by the columns {@link STORED}, with the checksum that was written with it. */
type StoredRow = Row & { readonly sum: number };

const STORED = 'id, body, body_sum AS sum';

/** Not a parameter alone: SQLite plans by its value, and would prepare the statement anew each time, which takes longer than to run it. */
const LIMIT = 'LIMIT ? + 0';

/** The newest commit is never trimmed. One statement: each opens a view of the file of its own. */
const REVISION = `SELECT coalesce(
  (SELECT max(revision) FROM commits),
  (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'trimmed'),
  0
) AS revision`;

/** Commits, each with the checksum of the one before. */
const CHAINED = `SELECT c.revision, c.id, c.at, c.events, c.sum, c.body, p.sum AS before FROM commits c
  LEFT JOIN commits p ON p.revision = c.revision - 1`;
/** How many commits are looked at for one that is sound. */
const NEWEST_COMMITS = 10;

/** A commit as the feed keeps it. */
export interface CommitRow {
  readonly revision: number;
  readonly id: string;
  /** ms, domain clock */
  readonly at: number;
  readonly body: string;
  /** Set where it is not what was written. */
  damage?: ServiceError;
}

type ChainedRow = CommitRow & { readonly events: number; readonly sum: number; readonly before: number | null };

/** A database as far as it is read. */
export interface ReadDatabase extends Statements {
  close(): void;
}

/** Reads `log.db` on the main thread: point reads and small ranges, always the newest durable state. */
export class Replica {
  // Referenced for as long as its statements: they die with it.
  readonly #database: ReadDatabase;
  readonly #listeners: ((damage: ServiceError) => void)[] = [];
  readonly #statements = new Map<string, Reading>();
  readonly #walks = new WeakMap<IndexDefinition, Map<string, string>>();
  #isClosed = false;

  constructor(database: ReadDatabase) {
    this.#database = database;
  }

  /** Says who else is told of what is found damaged, each time that it is read. */
  onDamage(listener: (damage: ServiceError) => void): void {
    this.#listeners.push(listener);
  }

  #onDamage = (damage: ServiceError): void => {
    for (const listener of this.#listeners) listener(damage);
  };

  /** Whatever is read from now on is refused as UNAVAILABLE. */
  close(): void {
    this.#isClosed = true;
    this.#statements.clear();
    this.#database.close();
  }

  /** Runs `work`, whose reads all see one revision. Not within itself. */
  atOnce<T>(work: () => T): T {
    this.prepare('BEGIN').all();
    try {
      return work();
    } finally {
      this.prepare('ROLLBACK').all(); // whatever happened: an open one holds the write-ahead log
    }
  }

  /** The newest durable revision; 0 before the first commit. */
  revision(): number {
    return (this.prepare(REVISION).get() as { revision: number }).revision;
  }

  /** When the newest commit that is sound was decided: ms, domain clock; 0 before the first. */
  lastCommitAt(): number {
    const newest = `${CHAINED} WHERE c.revision > ? ORDER BY c.revision DESC ${LIMIT}`;
    return this.#chained(newest, 0, NEWEST_COMMITS).find(({ damage }) => damage === undefined)?.at ?? 0;
  }

  /** @throws DATA_DAMAGED */
  meta(key: MetaKey): string | undefined {
    return metaFrom(this.prepare(READ_META), key);
  }

  /** The text of a document. @throws DATA_DAMAGED it is not what was written */
  body(collection: AnyCollection, id: string): string | undefined {
    const statement = this.prepare(`SELECT body, body_sum AS sum FROM ${tableOf(collection)} WHERE id = ?`);
    const row = statement.get(id) as { body: string; sum: number } | undefined;
    if (row === undefined) return undefined;
    if (bodySum(id, row.body) !== row.sum) throw this.#damaged(collection.name, id);
    return row.body;
  }

  /** Documents whose first columns of the index equal `prefix`. */
  find(
    collection: AnyCollection,
    index: IndexDefinition,
    prefix: readonly Scalar[],
    { limit, descending = false, from }: FindOptions & { readonly limit: number },
  ): Row[] {
    const isFrom = from !== undefined;
    const statement = this.#walk(index, `find ${prefix.length} ${isFrom} ${descending}`, () => {
      const equal = index.columns.slice(0, prefix.length).map((column) => `${columnOf(column)} = ?`);
      const behind = isFrom ? [`${columnOf(index.columns[prefix.length] ?? 'id')} ${descending ? '<=' : '>='} ?`] : [];
      return walkSql(collection, index, { where: [...equal, ...behind], known: prefix.length, descending });
    });
    return this.#sound(collection, isFrom ? statement.all(...prefix, from, limit) : statement.all(...prefix, limit));
  }

  /** How many documents have a value in the range in the column that follows the prefix. */
  count(collection: AnyCollection, index: IndexDefinition, prefix: readonly Scalar[], range: CountRange): number {
    const { from, below } = range;
    const statement = this.#walk(index, `count ${prefix.length} ${from !== undefined} ${below !== undefined}`, () => {
      const next = columnOf(index.columns[prefix.length] ?? 'id');
      const where = [
        ...equalTo(index, prefix.length),
        ...(from === undefined ? [] : [`${next} >= ?`]),
        ...(below === undefined ? [] : [`${next} < ?`]),
      ];
      return `SELECT count(*) AS found FROM ${tableOf(collection)} WHERE ${where.join(' AND ')}`;
    });
    const bounds = [from, below].filter((bound) => bound !== undefined);
    return Number(statement.get(...prefix, ...bounds)?.found);
  }

  /** The n-th document, from 0, of those that the prefix gives; all columns of the unique index but the last are in it. */
  nth(collection: AnyCollection, index: IndexDefinition, prefix: readonly Scalar[], n: number): Row | undefined {
    const statement = this.#walk(index, `nth ${prefix.length}`, () => {
      const where = equalTo(index, prefix.length).join(' AND ');
      const last = columnOf(index.columns[prefix.length] ?? 'id');
      return `SELECT ${STORED} FROM ${tableOf(collection)} WHERE ${where} ORDER BY ${last} LIMIT 1 OFFSET ? + 0`;
    });
    return this.#sound(collection, statement.all(...prefix, n))[0];
  }

  /** What those of the documents that the prefix gives have in the column that follows it. */
  keysOf(
    collection: AnyCollection,
    index: IndexDefinition,
    prefix: readonly Scalar[],
    ids: readonly string[],
  ): readonly Scalar[] {
    const statement = this.#walk(index, `keys ${prefix.length}`, () => {
      // The unary plus keeps SQLite from walking over all that the prefix gives.
      const where = index.columns.slice(0, prefix.length).map((column) => `+${columnOf(column)} = ?`);
      const key = columnOf(index.columns[prefix.length] ?? 'id');
      const known = 'id IN (SELECT value FROM json_each(?))';
      return `SELECT ${key} AS key FROM ${tableOf(collection)} WHERE ${[...where, known].join(' AND ')}`;
    });
    return statement.all(...prefix, JSON.stringify(ids)).map(({ key }) => key as Scalar);
  }

  /** Documents in the index's order from `from` on. */
  range(collection: AnyCollection, index: IndexDefinition, from: readonly Scalar[], limit: number): Row[] {
    const statement = this.#walk(index, `range ${from.length}`, () => {
      const names = [...index.columns.map(columnOf), 'id'].slice(0, from.length);
      const where = [`(${names.join(', ')}) >= (${names.map(() => '?').join(', ')})`];
      return walkSql(collection, index, { where, known: 0, descending: false });
    });
    return this.#sound(collection, statement.all(...from, limit));
  }

  findMulti(collection: AnyCollection, column: string, value: string, limit: number): Row[] {
    const sql = `SELECT d.id, d.body, d.body_sum AS sum FROM ${multiTableOf(collection, column)} m JOIN ${tableOf(collection)} d ON d.id = m.id WHERE m.value = ? ORDER BY m.id ${LIMIT}`;
    return this.#sound(collection, this.prepare(sql).all(value, limit));
  }

  /** The kept outcome of a client's command. @throws DATA_DAMAGED */
  outcome(commandId: string): string | undefined {
    const row = this.prepare('SELECT at, revision, sum, body FROM outcome WHERE id = ?').get(commandId) as
      | { at: number; revision: number; sum: number; body: string }
      | undefined;
    if (row !== undefined && outcomeSum(commandId, row.at, row.revision, row.body) !== row.sum)
      throw this.#damaged('outcome', commandId);
    return row?.body;
  }

  commitId(revision: number): string | undefined {
    const row = this.prepare('SELECT id FROM commits WHERE revision = ?').get(revision) as { id: string } | undefined;
    return row?.id;
  }

  /** Commits after `revision`, oldest first; those with events, or all. */
  commitsAfter(revision: number, limit: number, which: 'events' | 'all' = 'events'): CommitRow[] {
    const wanted = which === 'all' ? '' : 'AND c.events > 0';
    return this.#chained(`${CHAINED} WHERE c.revision > ? ${wanted} ORDER BY c.revision ${LIMIT}`, revision, limit);
  }

  #chained(sql: string, revision: number, limit: number): CommitRow[] {
    const rows = this.prepare(sql).all(revision, limit) as unknown as ChainedRow[];
    for (const row of rows) {
      const before = row.before ?? this.#baseBefore(row.revision);
      if (before === null || commitSum(before, row, row.body) !== row.sum)
        row.damage = this.#damaged('commit', String(row.revision));
    }
    return rows;
  }

  /** The checksum before the first commit that is kept; null: that commit is not the first. */
  #baseBefore(revision: number): number | null {
    const [at, sum] = (this.meta('base') ?? '').split(' ');
    return Number(at) === revision - 1 ? Number(sum) : null;
  }

  /** The rows, those marked whose body is not what was written. */
  #sound(collection: AnyCollection, found: readonly unknown[]): Row[] {
    const rows = found as StoredRow[];
    for (const row of rows) {
      if (bodySum(row.id, row.body) !== row.sum) row.damage = this.#damaged(collection.name, row.id);
    }
    return rows;
  }

  #damaged(what: string, id: string): ServiceError {
    const damage = damagedRow(what, id);
    this.#onDamage(damage);
    return damage;
  }

  /** All commits that are kept behind `revision`, oldest first. */
  commitsBehind(revision: number, limit: number): CommitRow[] {
    const sql = `SELECT revision, id, at, body FROM commits WHERE revision > ? ORDER BY revision ${LIMIT}`;
    return this.prepare(sql).all(revision, limit) as unknown as CommitRow[];
  }

  /** The statement of a walk over an index: its text is made once. */
  #walk(index: IndexDefinition, kind: string, sql: () => string): Reading {
    let kinds = this.#walks.get(index);
    if (kinds === undefined) {
      kinds = new Map();
      this.#walks.set(index, kinds);
    }
    let text = kinds.get(kind);
    if (text === undefined) {
      text = sql();
      kinds.set(kind, text);
    }
    return this.prepare(text);
  }

  /** A statement that reads, of a text that is prepared once. What it gives of a document may be damaged. */
  prepare(sql: string): Reading {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      if (this.#isClosed) throw unavailable('the partition is closed', { reason: 'workspace_stopped' });
      statement = toldStatement(this.#database, sql, this.#onDamage);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** That the index's first columns have the values; a document whose first column is null is not in it. */
const equalTo = ({ columns }: IndexDefinition, known: number): string[] => [
  ...columns.slice(0, known).map((column) => `${columnOf(column)} = ?`),
  `${columnOf(columns[0] ?? 'id')} IS NOT NULL`,
];

interface Walk {
  readonly where: readonly string[];
  /** How many of the index's first columns have one value. */
  readonly known: number;
  readonly descending: boolean;
}

function walkSql(collection: AnyCollection, { columns, unique }: IndexDefinition, { where, known, descending }: Walk) {
  const names = columns.map(columnOf);
  // A unique index has no ties; asked for the id, or for it once more, SQLite would sort what is in order already.
  const isOrdered = names.at(-1) === 'id' || (unique === true && known < names.length);
  const order = [...names.slice(known), ...(isOrdered ? [] : ['id'])];
  const terms = order.map((name) => (descending ? `${name} DESC` : name)).join(', ');
  return `SELECT ${STORED} FROM ${tableOf(collection)} WHERE ${where.join(' AND ')} AND ${names[0]} IS NOT NULL ORDER BY ${terms} ${LIMIT}`;
}
