import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { ServiceError } from '../../shared/errors.js';
import { systemTime } from '../../shared/time.js';
import { syncFolder } from '../data-folder.js';
import { metaOf, writeMeta } from './meta.js';

/**
 * Copies a partition's log as of its newest commit. The copy knows no epoch and has no head: the server that first opens it begins another history, as whatever
 * came behind is not in it. Gives the revision.
 */
export async function copyLog(from: string, to: string): Promise<number> {
  const path = join(to, 'log.db');
  copyDatabase(join(from, 'log.db'), path, requireOwnHistory);
  const copy = new DatabaseSync(path);
  try {
    copy.exec(`PRAGMA synchronous=FULL; BEGIN; DELETE FROM meta WHERE key IN ('epoch', 'head')`);
    writeMeta(copy, 'copied', String(systemTime.now()));
    copy.exec('COMMIT');
    return Number(copy.prepare('SELECT max(revision) AS newest FROM commits').get()?.newest ?? 0);
  } finally {
    copy.close();
    await synced(path);
    await syncFolder(to);
  }
}

/** Copies the partition's records, if it has any. */
export async function copyRecords(from: string, to: string): Promise<void> {
  if (!existsSync(join(from, 'records.db'))) return;
  copyDatabase(join(from, 'records.db'), join(to, 'records.db'), () => {});
  await synced(join(to, 'records.db'));
  await syncFolder(to);
}

/** The whole file as one reader sees it, whatever is written meanwhile, without the pages that are free. */
function copyDatabase(from: string, to: string, check: (database: Opened) => void): void {
  const database = new DatabaseSync(from, { readOnly: true, timeout: 5_000 });
  try {
    check(database);
    database.prepare('VACUUM INTO ?').run(to);
  } finally {
    database.close();
  }
}

type Opened = InstanceType<typeof DatabaseSync>;

function requireOwnHistory(database: Opened): void {
  const replicaOf = metaOf(database, 'log');
  if (replicaOf === undefined) return;
  throw new ServiceError(
    'CONFLICT',
    `the documents of this data folder are in ${replicaOf}: copy those first, as Redis says (BGSAVE, or its append-only files), then the folder 'blobs' and the file 'admin-password'`,
    { reason: 'log_in_redis' },
  );
}

async function synced(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
