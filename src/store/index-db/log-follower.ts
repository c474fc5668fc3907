import { systemTime } from '../../shared/time.js';
import { leanDocumentOf } from '../document-text.js';
import type { CommitBody } from '../log/log.js';
import { commitBodyOf } from '../log/packed.js';
import { type StoredRow, soundText, storedColumns } from '../read/stored-text.js';
import { openDatabase } from '../sqlite.js';
import { CachedStatements } from '../statements.js';
import type { Change } from './projection.js';
import type { IndexPlace } from './schema.js';

/** One batch: how many commits, for how long, how many documents. What comes first ends it. */
const COMMITS_MAX = 500;
const BATCH_MS = 25;
const DOCUMENTS_MAX = 2_000;
/** How many rows of a scan are read at a time. */
const SCAN_ROWS = 500;

type Touched = readonly [collection: string, id: string, revision: number];

/** Changes of a batch of commits, and where it ends. */
export interface Followed {
  readonly changes: readonly Change[];
  readonly place: IndexPlace;
  readonly isLast: boolean;
}

/** Reads `log.db` for the indexer: what commits changed, and whole collections. Each call is one short read transaction. */
export class LogFollower {
  readonly #log: CachedStatements;

  constructor(path: string) {
    this.#log = new CachedStatements(openDatabase(path, { readOnly: true, mapped: false }));
  }

  close(): void {
    this.#log.close();
  }

  /** The partition's history: another one means that nothing known of it holds. */
  epoch(): string {
    return String(this.#log.prepare("SELECT value FROM meta WHERE key = 'epoch'").get()?.value ?? '');
  }

  newest(): IndexPlace {
    const row = this.#log.prepare('SELECT revision, id FROM commits ORDER BY revision DESC LIMIT 1').get();
    return row === undefined
      ? { revision: 0, commitId: '' }
      : { revision: Number(row.revision), commitId: String(row.id) };
  }

  /** Whether the commit at the place is still known, or all behind it are: then following can go on from there. */
  continues({ revision, commitId }: IndexPlace): boolean {
    const at = this.#log.prepare('SELECT id FROM commits WHERE revision = ?').get(revision);
    if (at !== undefined) return String(at.id) === commitId;
    const first = this.#log.prepare('SELECT min(revision) AS revision FROM commits').get()?.revision ?? null;
    return first === null ? revision === 0 : Number(first) === revision + 1;
  }

  /**
   * What the commits behind the place changed in the followed collections (null: none is followed); undefined: they are not all there any more,
   * or of another epoch, or damaged. A document that is damaged is left as it was.
   */
  after(place: IndexPlace, epoch: string, follows: ((collection: string) => boolean) | null): Followed | undefined {
    return this.#log.snapshot(() => {
      if (this.epoch() !== epoch || !this.continues(place)) return undefined;
      if (follows === null) return { changes: [], place: this.newest(), isLast: true };
      const touched = new Map<string, Touched>();
      const collected = this.#collect(place, follows, touched);
      if (collected === undefined) return undefined;
      const changes = [...touched.values()].flatMap((one) => this.#change(...one));
      return { changes, place: collected.last, isLast: collected.isLast };
    });
  }

  /** Collects what one batch of commits touched, each document once. */
  #collect(
    place: IndexPlace,
    follows: (collection: string) => boolean,
    touched: Map<string, Touched>,
  ): { last: IndexPlace; isLast: boolean } | undefined {
    const started = systemTime.monotonic();
    const sql = 'SELECT revision, id, body FROM commits WHERE revision > ? ORDER BY revision LIMIT ?';
    let last = place;
    let count = 0;
    for (const { revision, id, body } of this.#log.prepare(sql).iterate(place.revision, COMMITS_MAX)) {
      // Only now is it known that there is one more.
      if (touched.size >= DOCUMENTS_MAX || systemTime.monotonic() - started > BATCH_MS) return { last, isLast: false };
      const docs = docsOf(body);
      // What it changed is not known any more.
      if (docs === undefined) return undefined;
      for (const [collection, document] of docs) {
        if (follows(collection)) touched.set(`${collection}/${document}`, [collection, document, revision]);
      }
      last = { revision, commitId: id };
      count++;
    }
    return { last, isLast: count < COMMITS_MAX };
  }

  /** The documents of a collection behind the row `n`, in the order of their rows. */
  scan(collection: string, n: number): { changes: readonly Change[]; n: number; isLast: boolean } {
    if (!this.#has(collection)) return { changes: [], n, isLast: true };
    const sql = `SELECT n, revision, ${storedColumns()} FROM "d_${collection}" WHERE n > ? ORDER BY n LIMIT ?`;
    const rows = this.#log.prepare(sql).all(n, SCAN_ROWS);
    const changes = rows.flatMap((row) => changeOf(collection, row));
    return { changes, n: rows.at(-1)?.n ?? n, isLast: rows.length < SCAN_ROWS };
  }

  #change(collection: string, id: string, revision: number): Change[] {
    const row = this.#log.prepare(`SELECT revision, ${storedColumns()} FROM "d_${collection}" WHERE id = ?`).get(id);
    return row === undefined ? [{ collection, id, revision, document: null }] : changeOf(collection, row);
  }

  #has(collection: string): boolean {
    return this.#log.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(`d_${collection}`) !== undefined;
  }
}

/** The document of a row; none where it is damaged, which whoever reads it is told. */
function changeOf(collection: string, row: StoredRow): Change[] {
  const body = soundText(row);
  if (body === undefined) return [];
  const id = String(row.id);
  return [{ collection, id, revision: Number(row.revision), document: leanDocumentOf({ id, body }) }];
}

/** Which documents a commit wrote or removed; undefined where it cannot be read. */
function docsOf(body: string): CommitBody['docs'] | undefined {
  try {
    return commitBodyOf(body).docs;
  } catch {
    return undefined;
  }
}
