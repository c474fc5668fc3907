import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../shared/errors.js';
import { systemTime } from '../../shared/time.js';
import { checkBlobs } from '../blob/check-blobs.js';
import { checkPartition } from './check-partition.js';
import type { Finding } from './finding.js';
import type { ScrubReport, ScrubThreadData } from './scrubber.js';

// The thread that walks all that is stored once, in a small part of the time, and ends. Whatever it is told means that it is to end now.

/** For each ms of work so many of rest: a twentieth of the time where the server has nothing else to do, else a hundredth. And how long one rest is. */
const REST_IDLE = 19;
const REST_BUSY = 99;
/** With this share of a processor the server is busy: it takes some dozens of calls a second. */
const BUSY = 0.1;
const REST_MS_MIN = 2;
const REST_MS_MAX = 60_000;

const { dataFolder, partitions } = workerData as ScrubThreadData;
const told = new AbortController();
const report = (message: ScrubReport) => parentPort?.postMessage(message);
parentPort?.once('message', () => told.abort());

const found = (finding: Finding) => report({ kind: 'found', finding });
for (const partition of partitions) await walk(partition, checkPartition(dataFolder, partition, found));
await walk('blobs', checkBlobs(dataFolder, partitions, found));
report({ kind: 'through' });
parentPort?.close();

async function walk(partition: string, steps: Generator<void>): Promise<void> {
  try {
    await pacedly(steps);
  } catch (thrown) {
    report({ kind: 'failed', partition, message: messageOf(thrown) });
  }
}

async function pacedly(steps: Generator<void>): Promise<void> {
  for (let restFor = REST_IDLE; ; ) {
    const begun = systemTime.monotonic();
    if (told.signal.aborted) return void steps.return(undefined);
    if (steps.next().done) return;
    const worked = systemTime.monotonic();
    const used = process.cpuUsage();
    await resting(Math.min(REST_MS_MAX, Math.max(REST_MS_MIN, restFor * (worked - begun))));
    const { user, system } = process.cpuUsage(used);
    restFor = (user + system) / 1_000 > BUSY * (systemTime.monotonic() - worked) ? REST_BUSY : REST_IDLE;
  }
}

/** Ends early when it is told to. */
function resting(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = systemTime.after(ms, resolve).hold();
    told.signal.onabort = () => {
      timer.cancel();
      resolve();
    };
  });
}
