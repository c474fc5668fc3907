import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  checkBlobs,
  checkPartition,
  type Database,
  type Finding,
  partitionsIn,
  type Report,
  StoredDocuments,
} from '../store/index.js';
import { domainModules } from './wire/domains.js';

/** What the domains promise of what they store. */
function* invariants(database: Database, report: Report): Generator<void> {
  const stored = new StoredDocuments(database);
  for (const { check } of domainModules) if (check !== undefined) yield* check(stored, report);
}

/**
 * `npm run check -- <data folder>`: compares all that is stored with its checksums, and with what it must be, without changing anything; a server may use the folder
 * meanwhile. A line on standard output for each finding. Gives the code to exit with: 0 nothing was found, 1 something was, 2 there is no such
 * folder.
 */
export function check(dataFolder: string | undefined, print: (line: string) => void): 0 | 1 | 2 {
  if (dataFolder === undefined || !existsSync(dataFolder)) {
    print(
      `expected the path of a data folder: npm run check -- <folder>${dataFolder ? `, but there is no ${dataFolder}` : ''}`,
    );
    return 2;
  }
  const partitions = partitionsIn(dataFolder);
  let count = 0;
  const found = ({ file, what, id, problem }: Finding) => {
    count++;
    print(`${file}  ${what}${id === null ? '' : ` ${id}`}: ${problem}`);
  };
  // A server that uses the folder may have removed it meanwhile.
  const isThere = (partition: string) => existsSync(join(dataFolder, partition));
  for (const partition of partitions) {
    const foundThere = (finding: Finding) => void (isThere(partition) && found(finding));
    for (const _ of checkPartition(dataFolder, partition, foundThere, invariants));
  }
  for (const _ of checkBlobs(dataFolder, partitions.filter(isThere), found));
  print(
    `${partitions.length} logs and the blobs of ${resolve(dataFolder)} were walked: ${count === 0 ? 'nothing' : count} was found wrong`,
  );
  return count === 0 ? 0 : 1;
}
