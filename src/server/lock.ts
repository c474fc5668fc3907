import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { messageOf, ServiceError } from '../shared/errors.js';
import { makeFolder } from './make-folder.js';

/** The right to be the only server on a data folder. */
export interface ServerLock {
  /** Gives it back; once it is, it stays so. Ending the process does it too, however it ends. */
  release(): void;
}

/**
 * Makes this process the only server on the data folder, which is made where it is missing. The operating system holds the lock for the
 * process, so it is free at once after a kill -9.
 * @throws CONFLICT when another server uses the folder, or it cannot be made or written
 */
export function acquireServerLock(dataFolder: string): ServerLock {
  const database = openLockFile(dataFolder);
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
  } catch (thrown) {
    database.close();
    if (!isBusy(thrown)) throw unusable(dataFolder, thrown);
    throw new ServiceError(
      'CONFLICT',
      `expected to be the only server on the data folder '${dataFolder}', but another one is using it; stop that one, or set MILLRACE_DATA to another folder`,
      { reason: 'data_folder_in_use', resourceId: dataFolder },
    );
  }
  return { release: () => void (database.isOpen && database.close()) };
}

function openLockFile(dataFolder: string): InstanceType<typeof DatabaseSync> {
  try {
    makeFolder(dataFolder);
    return new DatabaseSync(join(dataFolder, 'server.lock'));
  } catch (thrown) {
    throw unusable(dataFolder, thrown);
  }
}

const unusable = (dataFolder: string, thrown: unknown) =>
  new ServiceError(
    'CONFLICT',
    `expected a data folder at '${dataFolder}' that this user may write, but: ${messageOf(thrown)}; set MILLRACE_DATA to another folder`,
    { reason: 'data_folder_unusable', resourceId: dataFolder },
  );

const isBusy = (thrown: unknown): boolean =>
  thrown instanceof Error && /database is locked|SQLITE_BUSY/.test(thrown.message);
