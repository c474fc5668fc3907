import { systemClock } from '../../src/shared/clock.js';
import type { Log } from '../../src/store/log/log.js';
import { MemoryLog } from '../../src/store/log/memory-log.js';
import { createTables, shapeOf } from '../../src/store/log/schema.js';
import { Partition } from '../../src/store/partition.js';
import { Replica } from '../../src/store/replica.js';
import { openDatabase } from '../../src/store/sqlite.js';
import { storeCollections } from '../../src/store/store.js';
import { callerNamed, counters, testOperations } from './test-domain.js';
import type { TestParts } from './test-store.js';

/** A partition of the test domain in memory whose log is wrapped: to hold it back, or to make it fail. */
export function partitionOn(wrap: (log: Log) => Log, parts: TestParts = {}): Partition {
  const database = openDatabase(':memory:');
  const shapes = [...storeCollections, counters].map(shapeOf);
  createTables(database, shapes);
  database.exec(`INSERT INTO meta VALUES ('epoch', 'e1')`);
  return new Partition({
    id: 'test',
    workspace: 'test',
    log: wrap(new MemoryLog(database, shapes)),
    replica: new Replica(database),
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
