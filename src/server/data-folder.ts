import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { messageOf, ServiceError } from '../shared/errors.js';

/** The right to be the only server on a data folder. */
interface ServerLock {
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

/** What lies in a data folder, and in that of each partition; `log.db` is left out, as the store says what became of it. */
const FILES = ['sessions.db', 'admin-password'];
const FOLDERS = ['blobs', 'system'];
const PARTITION_FILES = [
  'head',
  'index.db',
  'records.db',
  ...['log', 'index', 'records'].map((name) => `${name}.db-wal`),
];

/** @throws CONFLICT where a folder lies in a file's place, or a file in a folder's */
export function requireKinds(dataFolder: string): void {
  for (const name of FILES) requireKind(join(dataFolder, name), 'file');
  for (const name of FOLDERS) requireKind(join(dataFolder, name), 'folder');
  for (const entry of readdirSync(dataFolder, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === 'blobs') continue;
    for (const name of PARTITION_FILES) requireKind(join(dataFolder, entry.name, name), 'file');
  }
}

function requireKind(path: string, kind: 'file' | 'folder'): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isDirectory() === (kind === 'folder')) return;
  throw new ServiceError(
    'CONFLICT',
    `expected a ${kind} at ${resolve(path)}, but it is a ${kind === 'file' ? 'folder' : 'file'}; put it aside, or restore a backup`,
    { reason: 'data_folder_unusable', resourceId: path },
  );
}

/**
 * Makes a folder, for its owner alone, and those above it, as far as they are missing. One at a time: where the file system answers ENOENT to
 * the making itself, as /proc does, Node's own `recursive` goes on for ever.
 */
export function makeFolder(folder: string): void {
  const path = resolve(folder);
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (thrown) {
    if (!isFolder(path)) throw thrown; // else somebody has made it just now
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
