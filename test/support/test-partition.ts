import { join } from 'node:path';
import { systemClock } from '../../src/shared/clock.js';
import { newId } from '../../src/shared/ids.js';
import { LocalLog } from '../../src/store/log/local-log.js';
import type { Log } from '../../src/store/log/log.js';
import { MemoryLog } from '../../src/store/log/memory-log.js';
import { createTables, shapeOf } from '../../src/store/log/schema.js';
import { Partition } from '../../src/store/partition.js';
import { Replica } from '../../src/store/replica.js';
import { type Database, openDatabase } from '../../src/store/sqlite.js';
import { storeCollections } from '../../src/store/store.js';
import { callerNamed, counters, testOperations } from './test-domain.js';
import type { TestParts } from './test-store.js';

/** A log of its own for each test, by name: what holds for one must hold for all. `folder`: for those that need one. */
export const logs: Readonly<Record<string, (folder: string) => { log: Log; replica: Replica }>> = {
  'the memory log': () => {
    const database = prepared(':memory:');
    return { log: new MemoryLog(database, shapes), replica: new Replica(database) };
  },
  'the local log': (folder) => {
    const path = join(folder, `${newId(0)}.db`);
    prepared(path).close();
    return { log: new LocalLog(path, shapes), replica: new Replica(openDatabase(path, { readOnly: true })) };
  },
};

const shapes = [...storeCollections, counters].map(shapeOf);

function prepared(path: string): Database {
  const database = openDatabase(path);
  createTables(database, shapes);
  database.exec(`INSERT INTO meta VALUES ('epoch', 'e1')`);
  return database;
}

/** A partition of the test domain whose log is wrapped: to hold it back, or to make it fail. */
export function partitionOn(
  { log, replica }: { log: Log; replica: Replica },
  wrap: (log: Log) => Log,
  parts: TestParts = {},
): Partition {
  return new Partition({
    id: 'test',
    workspace: 'test',
    log: wrap(log),
    replica,
    clock: parts.clock ?? systemClock,
    automatic: true,
    jobSlots: parts.jobSlots ?? 16,
    callerOf: callerNamed,
    operations: [...testOperations, ...(parts.operations ?? [])],
    evaluators: parts.evaluators ?? {},
    jobTypes: parts.jobTypes ?? [],
    reactions: parts.reactions ?? [],
  });
}
