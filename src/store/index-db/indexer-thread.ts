import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../shared/errors.js';
import { systemTime, type Timer } from '../../shared/time.js';
import { partitionFolder } from '../partition-folder.js';
import { FollowedPartition } from './followed-partition.js';
import type { IndexerReport, IndexerRequest, IndexerThreadData } from './indexer-message.js';
import type { AnyProjection, IndexerModule } from './projection.js';

// The thread that follows every partition's log: one batch of one partition after the other, so that none waits for the rebuild of another.

/** How long nothing must have happened before write-ahead logs are cut. */
const IDLE_MS = 2_000;
/** After a failure of the disk. */
const AGAIN_MS = 1_000;

const { dataFolder, modules } = workerData as IndexerThreadData;
const projections: AnyProjection[] = [];
for (const url of modules) {
  const { indexerModule } = (await import(url)) as { indexerModule: IndexerModule };
  projections.push(...indexerModule.projections);
}
const partitions = new Map<string, FollowedPartition>();
const ready = new Set<string>();
const unrested = new Set<string>();
const failed = new Map<string, Timer>();
let isPumping = false;
let idle = systemTime.after(IDLE_MS, rest);

const report = (message: IndexerReport) => parentPort?.postMessage(message);

parentPort?.on('message', (message: IndexerRequest) => {
  if (message.kind === 'wake') wake(message.partition);
  else if (message.kind === 'forget') forget(message.partition);
  else if (message.kind === 'renew') renew(message.partition);
  else close();
});

function wake(partition: string): void {
  ready.add(partition);
  if (isPumping) return;
  isPumping = true;
  systemTime.soon(pump);
}

/** Whoever reads the index found it damaged. */
function renew(partition: string): void {
  try {
    partitions.get(partition)?.renew();
  } catch (thrown) {
    return fail(partition, thrown);
  }
  wake(partition);
}

function pump(): void {
  const [partition] = ready;
  if (partition === undefined) {
    isPumping = false;
    restLater();
    return;
  }
  ready.delete(partition);
  unrested.add(partition);
  try {
    const followed = partitions.get(partition) ?? follow(partition);
    // Back to the end of the queue: the others come first.
    const isMore = followed.step();
    if (isMore) ready.add(partition);
    report({ kind: 'reached', partition, revision: followed.revision, isLast: !isMore });
  } catch (thrown) {
    fail(partition, thrown);
  }
  systemTime.soon(pump);
}

function follow(partition: string): FollowedPartition {
  const folder = partitionFolder(dataFolder, partition);
  const followed = new FollowedPartition(folder, projections, (fault) =>
    report({ kind: 'fault', partition, fault, message: fault.message }),
  );
  partitions.set(partition, followed);
  return followed;
}

/** What failed is opened anew after a while; the index loses nothing by it. */
function fail(partition: string, thrown: unknown): void {
  report({ kind: 'fault', partition, fault: null, message: messageOf(thrown) });
  drop(partition);
  failed.set(
    partition,
    systemTime.after(AGAIN_MS, () => wake(partition)),
  );
}

function drop(partition: string): void {
  failed.get(partition)?.cancel();
  failed.delete(partition);
  ready.delete(partition);
  unrested.delete(partition);
  partitions.get(partition)?.close();
  partitions.delete(partition);
}

function forget(partition: string): void {
  drop(partition);
  report({ kind: 'forgotten', partition });
}

function rest(): void {
  if (isPumping) return;
  for (const partition of unrested) {
    try {
      if (partitions.get(partition)?.rest() !== false) unrested.delete(partition);
    } catch (thrown) {
      fail(partition, thrown);
    }
  }
  if (unrested.size > 0) restLater();
}

function restLater(): void {
  idle.cancel();
  idle = systemTime.after(IDLE_MS, rest);
}

/** Ends by itself, outside of SQLite. */
function close(): void {
  for (const partition of [...partitions.keys()]) drop(partition);
  process.exit();
}
