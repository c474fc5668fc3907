import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ServiceError } from '../shared/errors.js';

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
