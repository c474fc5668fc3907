import { join } from 'node:path';
import type { CommitRecord } from '../../../src/store/log/log.js';
import type { OpenedLog } from '../../../src/store/log/logs.js';
import { writeMeta } from '../../../src/store/log/meta.js';
import { type AnyCollection, shapeOf } from '../../../src/store/log/schema.js';
import { entryOf } from '../../../src/store/overlay.js';
import { type Database, openDatabase } from '../../../src/store/sqlite.js';
import type { LogPlace } from '../log-kit.js';
import { openThings, ownThings } from './things.js';

interface AnyDocument {
  readonly id: string;
}

/** One document of a commit: written, or (without `document`) removed. */
export interface Change {
  readonly collection: AnyCollection;
  readonly id: string;
  readonly document?: AnyDocument;
}

/** A partition's log that a test fills with commits of things, past any decider. */
export class ThingLog {
  /** `log.db`, to be looked at, and to be tampered with. */
  readonly database: Database;
  readonly #opened: OpenedLog;
  #revision: number;

  private constructor(opened: OpenedLog, path: string) {
    this.#opened = opened;
    this.#revision = opened.replica.revision();
    this.database = openDatabase(path);
  }

  /** For logs whose replica is a file. */
  static async open(place: Pick<LogPlace, 'folder' | 'logs'>, partition: string): Promise<ThingLog> {
    const opened = await place.logs().open(partition, [openThings, ownThings].map(shapeOf));
    return new ThingLog(opened, join(place.folder, partition, 'log.db'));
  }

  get revision(): number {
    return this.#revision;
  }

  put(collection: AnyCollection, ...documents: AnyDocument[]): Promise<number> {
    return this.commit(documents.map((document) => ({ collection, id: document.id, document })));
  }

  remove(collection: AnyCollection, ...ids: string[]): Promise<number> {
    return this.commit(ids.map((id) => ({ collection, id })));
  }

  /** One commit; gives its revision when it is durable. */
  async commit(changes: readonly Change[]): Promise<number> {
    const record = recordOf(++this.#revision, changes);
    await this.#opened.log.append([record]);
    return record.revision;
  }

  /** Forgets the commits up to a revision, as the feed's retention does. */
  trim(upTo: number): Promise<void> {
    return this.#opened.log.trim(upTo, 0);
  }

  setEpoch(epoch: string): void {
    writeMeta(this.database, 'epoch', epoch);
  }

  async close(): Promise<void> {
    this.database.close();
    await this.#opened.log.close();
    this.#opened.replica.close();
  }
}

function recordOf(revision: number, changes: readonly Change[]): CommitRecord {
  const docs = changes.map(({ collection, id }) => [collection.name, id]);
  return {
    revision,
    id: `commit-${revision}`,
    at: revision,
    events: 0,
    body: JSON.stringify({ events: [], docs, cause: {}, userId: 'ann', type: 'test' }),
    outcome: null,
    documents: changes.map(({ collection, id, document }) => {
      return { collection: collection.name, ...entryOf({ collection, id, document: document ?? null }) };
    }),
  };
}
