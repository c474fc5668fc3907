import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { badRequest } from '../shared/errors.js';

/** A partition is `system` or a workspace's id; nothing that means something to a file system. */
const PARTITION = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Where a partition's files are within the data folder. @throws BAD_REQUEST for what cannot be a partition's name */
export function partitionFolder(dataFolder: string, partition: string): string {
  if (PARTITION.test(partition)) return join(dataFolder, partition);
  throw badRequest(`expected the id of a partition, but found '${partition}'`);
}

/** Makes the entries of a folder durable: files that were made in it, renamed or removed. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
