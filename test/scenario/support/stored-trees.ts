import { join } from 'node:path';
import { type Database, openDatabase } from '../../../src/store/sqlite.js';

/** Reads the documents of a partition as they are stored. */
export function reading<T>(folder: string, partition: string, work: (database: Database) => T): T {
  const database = openDatabase(join(folder, partition, 'log.db'), { readOnly: true });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** The partition of the workspace `web`. */
export const partitionOf = (folder: string): string =>
  reading(folder, 'system', (database) =>
    String(database.prepare(`SELECT id FROM d_workspace WHERE c_name = 'web'`).get()?.id),
  );

/** The `count` of a statement on the workspace `web`. */
export const storedCount = (folder: string, sql: string, partition = partitionOf(folder)): number =>
  reading(folder, partition, (database) => Number(database.prepare(sql).get()?.count));

const BELOW = `WITH RECURSIVE tree (id, path) AS (
  SELECT id, '' FROM d_node WHERE c_parent IS NULL AND c_name = ''
  UNION ALL SELECT d.id, t.path || '/' || d.c_name FROM tree t JOIN d_node d ON d.c_parent = t.id)
  SELECT path FROM tree WHERE path LIKE ? || '/%' ORDER BY path`;

/** The paths of all nodes below; `as`: what the path itself is called. */
export const storedBelow = (database: Database, path: string, as = path): string[] =>
  database
    .prepare(BELOW)
    .all(path)
    .map((row) => as + String(row.path).slice(path.length));
