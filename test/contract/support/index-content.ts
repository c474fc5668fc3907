import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Fault } from '../../../src/store/index-db/applier.js';
import { PartitionIndex } from '../../../src/store/index-db/partition-index.js';
import type { AnyProjection } from '../../../src/store/index-db/projection.js';
import { type Database, openDatabase } from '../../../src/store/sqlite.js';
import { indexerModule } from './indexer-fixture.js';

/** Everything that the fixture's projections say, and the revision that they say it of. */
export function indexContent(folder: string): unknown {
  const database = openDatabase(join(folder, 'index.db'), { readOnly: true });
  try {
    return {
      letters: database.prepare('SELECT * FROM letters ORDER BY collection, id, letter').all().map(plain),
      revisions: database.prepare('SELECT * FROM revisions ORDER BY id').all().map(plain),
      revision: database.prepare("SELECT value FROM meta WHERE key = 'revision'").get()?.value ?? null,
    };
  } finally {
    database.close();
  }
}

/** Follows the folder's log to its end. */
export function indexToEnd(folder: string, projections: readonly AnyProjection[] = indexerModule.projections): Fault[] {
  const faults: Fault[] = [];
  const index = new PartitionIndex(folder, projections, (fault) => faults.push(fault));
  while (index.step());
  index.close();
  return faults;
}

/** What an index that is built from nothing says of the same log. */
export function rebuiltContent(folder: string, log: Database): unknown {
  const other = join(folder, `rebuilt-${Math.random()}`);
  mkdirSync(other);
  log.exec(`VACUUM INTO '${join(other, 'log.db')}'`);
  indexToEnd(other);
  return indexContent(other);
}

const plain = (row: object) => ({ ...row });
