import { join } from 'node:path';
import { badRequest } from '../shared/errors.js';

/** A partition is `system` or a workspace's id; nothing that means something to a file system. */
const PARTITION = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Where a partition's files are within the data folder. @throws BAD_REQUEST for what cannot be a partition's name */
export function partitionFolder(dataFolder: string, partition: string): string {
  if (PARTITION.test(partition)) return join(dataFolder, partition);
  throw badRequest(`expected the id of a partition, but found '${partition}'`);
}
