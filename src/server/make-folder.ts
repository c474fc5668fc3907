import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

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
