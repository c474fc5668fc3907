import { statSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../src/store/sqlite.js';
import { engineInStore } from './engine-in-store.js';

/** What instances of (d) that wait at their tasks take on disk, when nothing is left in write-ahead logs: bytes for each of them. */
export interface BytesOnDisk {
  readonly log: number;
  readonly index: number;
  /** Of `log.db`: the tables and indexes that take most, the largest first. */
  readonly trees: readonly { readonly name: string; readonly bytes: number }[];
}

const CALLERS = 50;
const TREES = 12;

/** `instances`: how many are started in a store in the folder. */
export async function bytesOnDisk(folder: string, instances: number): Promise<BytesOnDisk> {
  const engine = await engineInStore(folder);
  for (let started = 0; started < instances; started += CALLERS)
    await Promise.all(Array.from({ length: CALLERS }, () => engine.start('d')));
  await engine.close();
  const path = join(folder, 'bench', 'log.db');
  const database = openDatabase(path);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const sizes = database
    .prepare('SELECT name, sum(pgsize) AS size FROM dbstat GROUP BY name ORDER BY size DESC LIMIT ?')
    .all(TREES);
  database.close();
  return {
    log: statSync(path).size / instances,
    index: statSync(join(folder, 'bench', 'index.db')).size / instances,
    trees: sizes.map(({ name, size }) => ({ name: String(name), bytes: Number(size) / instances })),
  };
}
