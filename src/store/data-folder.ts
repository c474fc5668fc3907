import { constants, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { badRequest } from '../shared/errors.js';

/** A partition is `system` or a workspace's id; nothing that means something to a file system. */
const PARTITION = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Whether this can be a partition's name; what is left of a removed one, and whatever else lies in a data folder, has others. */
export const isPartition = (name: string): boolean => PARTITION.test(name);

/** Where a partition's files are within the data folder. @throws BAD_REQUEST for what cannot be a partition's name */
export function partitionFolder(dataFolder: string, partition: string): string {
  if (isPartition(partition)) return join(dataFolder, partition);
  throw badRequest(`expected the id of a partition, but found '${partition}'`);
}

/**
 * Removes the partition's files. At first its folder gets a name that no partition has, in one step that is durable: what is left of it after a crash is
 * nobody's log, and goes when this is repeated.
 */
export async function removePartitionFolder(dataFolder: string, partition: string): Promise<void> {
  const folder = partitionFolder(dataFolder, partition);
  const removed = `${folder}.removed`;
  await rm(removed, { recursive: true, force: true });
  if (!existsSync(folder)) return;
  await rename(folder, removed);
  await syncFolder(dataFolder);
  await rm(removed, { recursive: true, force: true });
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
