import { messageOf } from '../../shared/errors.js';
import type { ThreadService } from '../../shared/thread-service.js';
import { systemTime } from '../../shared/time.js';
import { checkBlobs } from '../blob/check-blobs.js';
import type { Finding } from '../damage.js';
import { checkPartition } from './check-partition.js';

export interface ScrubThreadData {
  readonly dataFolder: string;
  readonly partitions: readonly string[];
}

/** A message of the scrubber's thread. */
export type ScrubReport =
  | { readonly kind: 'found'; readonly finding: Finding }
  | { readonly kind: 'failed'; readonly partition: string; readonly message: string }
  /** The last one: it may end. */
  | { readonly kind: 'through' };

/** For each ms of work so many of rest: a twentieth of the time where the server has nothing else to do, else a hundredth. And how long one rest is. */
const REST_IDLE = 19;
const REST_BUSY = 99;
/** With this share of a processor the server is busy: it takes some dozens of calls a second. */
const BUSY = 0.1;
const REST_MS_MIN = 2;
const REST_MS_MAX = 60_000;

/** The thread that walks all that is stored once, in a small part of the time. */
export function inThread(data: ScrubThreadData, report: (report: ScrubReport) => void): ThreadService<never> {
  const told = new AbortController();
  void walkAll(data, report, told.signal);
  return { end: () => told.abort() };
}

async function walkAll(
  { dataFolder, partitions }: ScrubThreadData,
  report: (report: ScrubReport) => void,
  signal: AbortSignal,
): Promise<void> {
  const found = (finding: Finding) => report({ kind: 'found', finding });
  const walk = async (partition: string, steps: Generator<void>) => {
    try {
      await pacedly(steps, signal);
    } catch (thrown) {
      report({ kind: 'failed', partition, message: messageOf(thrown) });
    }
  };
  for (const partition of partitions) await walk(partition, checkPartition(dataFolder, partition, found));
  await walk('blobs', checkBlobs(dataFolder, partitions, found));
  report({ kind: 'through' });
}

async function pacedly(steps: Generator<void>, signal: AbortSignal): Promise<void> {
  for (let restFor = REST_IDLE; ; ) {
    const begun = systemTime.monotonic();
    if (signal.aborted) return void steps.return(undefined);
    if (steps.next().done) return;
    const worked = systemTime.monotonic();
    const used = process.cpuUsage();
    await resting(Math.min(REST_MS_MAX, Math.max(REST_MS_MIN, restFor * (worked - begun))), signal);
    const { user, system } = process.cpuUsage(used);
    restFor = (user + system) / 1_000 > BUSY * (systemTime.monotonic() - worked) ? REST_BUSY : REST_IDLE;
  }
}

/** Ends early when it is told to. */
function resting(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = systemTime.after(ms, resolve).hold();
    signal.onabort = () => {
      timer.cancel();
      resolve();
    };
  });
}
