import { SteadyClock } from '../../../src/shared/clock.js';
import { LogPatience } from '../../../src/store/decide/outbox.js';
import type { Log } from '../../../src/store/log/log.js';
import type { OpenedLog } from '../../../src/store/log/logs.js';
import { Partition } from '../../../src/store/partition/partition.js';
import { storeCollections } from '../../../src/store/store.js';
import { callerNamed, counters, testOperations } from '../../support/test-domain.js';
import { ANSWER_MS, type TestParts } from '../../support/test-store.js';

/** A partition of the test domain whose log is wrapped: to hold it back, or to make it fail. */
export function partitionOn({ log, replica }: OpenedLog, wrap: (log: Log) => Log, parts: TestParts = {}): Partition {
  return new Partition({
    id: 'test',
    workspace: 'test',
    log: wrap(log),
    replica,
    collections: [...storeCollections(), counters],
    clock: parts.clock ?? new SteadyClock(),
    ...(parts.time !== undefined && { time: parts.time }),
    automatic: true,
    jobSlots: parts.jobSlots ?? 16,
    callerOf: callerNamed,
    operations: [...testOperations, ...(parts.operations ?? [])],
    evaluators: parts.evaluators ?? {},
    jobTypes: parts.jobTypes ?? [],
    reactions: parts.reactions ?? [],
    followers: [...(parts.committed === undefined ? [] : [{ committed: parts.committed }]), ...(parts.followers ?? [])],
    patience: parts.patience ?? new LogPatience(parts.answerMs ?? ANSWER_MS),
  });
}
