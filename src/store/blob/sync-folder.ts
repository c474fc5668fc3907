import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Makes the entries of a folder durable: files that were made in it, renamed or removed. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
