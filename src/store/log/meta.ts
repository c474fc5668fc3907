import { damagedLog, isDamaged } from '../damage.js';
import type { Database } from '../sqlite.js';
import type { Prepared } from '../statements.js';
import { metaSum } from './checksum.js';

/** The facts of the table `meta`: which history this is (`epoch`), how it is kept (`format`, `log`), what of it is gone (`trimmed`, `base`: the last commit that is gone, and its checksum), since when a commit tells what it removed (`removals`), that it is a copy that no server has opened yet (`copied`, instead of `epoch`), and that there is a head beside it that a power cut does not take (`head`). */
export type MetaKey = 'epoch' | 'format' | 'log' | 'trimmed' | 'base' | 'upgrade' | 'removals' | 'copied' | 'head';

/** The statement that a fact is read by; its one parameter is the key. */
export const READ_META = 'SELECT value, sum FROM meta WHERE key = ?';

/** The fact that {@link READ_META} finds. @throws DATA_DAMAGED */
export function metaFrom(statement: Pick<Prepared, 'get'>, key: MetaKey): string | undefined {
  const row = statement.get(key) as { value: string; sum: number } | undefined;
  if (row !== undefined && row.sum !== metaSum(key, row.value)) {
    throw damagedLog(`what it says of '${key}' has another checksum than was written with it`);
  }
  return row?.value;
}

export const metaKeys: readonly MetaKey[] = [
  'epoch',
  'format',
  'log',
  'trimmed',
  'base',
  'upgrade',
  'removals',
  'copied',
  'head',
];

/** The facts that are damaged: they are taken away, as all but which log it is of can be told anew. */
export function dropDamaged(database: Database): MetaKey[] {
  const statement = database.prepare(READ_META);
  const damaged = metaKeys.filter((key) => {
    try {
      metaFrom(statement, key);
      return false;
    } catch (thrown) {
      if (isDamaged(thrown)) return true;
      throw thrown;
    }
  });
  for (const key of damaged) database.prepare('DELETE FROM meta WHERE key = ?').run(key);
  return damaged;
}

export const metaOf = (database: Database, key: MetaKey): string | undefined =>
  metaFrom(database.prepare(READ_META), key);

export function writeMeta(database: Database, key: MetaKey, value: string): void {
  database
    .prepare('INSERT OR REPLACE INTO meta (key, value, sum) VALUES (?, ?, ?)')
    .run(key, value, metaSum(key, value));
}
