import type { SteadyClock } from '../../shared/clock.js';
import { log } from '../../shared/log.js';
import {
  type AnyCollection,
  type BlobDamage,
  BlobHolders,
  blobFile,
  type FileBlobStore,
  type Finding,
  type RedisLogs,
  Scrubber,
  type Store,
} from '../../store/index.js';
import type { Config } from '../settings/config.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, type RecurringWork, sendUntilDone } from './recurring.js';

/** Removes, hour by hour, long jobs that ended so long ago, and those that were not started within a day. `now`: of the domain clock, ms. */
export const sweepLongJobs = (
  store: Store,
  { keptMs, now }: { readonly keptMs: number; readonly now: () => number },
): RecurringWork => ({
  name: 'old long jobs',
  everyMs: HOUR_MS,
  work: (isClosed) => {
    const input = () => ({ unstartedBefore: now() - DAY_MS, endedBefore: now() - keptMs });
    return sendUntilDone(store, store.longJobs.operations.sweepLongJobs, { input, isClosed });
  },
});

/** Removes, day by day, blobs that no document of any partition holds and nobody wrote or touched lately. */
export const sweepBlobs = (
  blobs: FileBlobStore,
  {
    dataFolder,
    keptMs,
    collections,
    known,
  }: {
    readonly dataFolder: string;
    readonly keptMs: number;
    readonly collections: readonly AnyCollection[];
    /** All partitions that there are, open or not. */
    readonly known: () => readonly string[];
  },
): RecurringWork => ({
  name: 'blob sweep',
  everyMs: DAY_MS,
  work: async (isClosed) => {
    const holders = BlobHolders.open(dataFolder, collections, known());
    try {
      // At the end of the server nothing more is removed, and the look through the rest is quick.
      const swept = await blobs.sweep((sha256) => isClosed() || holders.holds(sha256), keptMs);
      if (swept.blobs > 0) log.info(swept, 'blobs that nobody holds were removed');
    } finally {
      holders.close();
    }
  },
});

/** Looks at how Redis keeps what it is given, beside each connect. */
export const lookAtRedis = (logs: RedisLogs): RecurringWork => ({
  name: 'how Redis keeps its data',
  everyMs: MINUTE_MS,
  work: () => logs.look(),
});

/** Less is no news: machines correct their clocks, ms. */
const AHEAD_MS_TOLD = 1_000;

/** Logs when the machine's clock is found set back, so that timers wait longer than they say, and when it has caught up. */
export function watchClock(clock: SteadyClock): RecurringWork {
  let wasAhead = false;
  const work = async () => {
    const aheadMs = clock.aheadMs();
    const isAhead = aheadMs > (wasAhead ? 0 : AHEAD_MS_TOLD);
    if (isAhead && !wasAhead)
      log.warn({ aheadMs }, 'the machine’s clock was set back: timers go at half speed until it has caught up');
    if (!isAhead && wasAhead) log.info('the machine’s clock has caught up');
    wasAhead = isAhead;
  };
  return { name: 'clock', everyMs: 10_000, work };
}

/** When a start, with all that follows it, is over. */
const FIRST_MS = 10_000;

/** Compares all that is stored with its checksums, in the background; what is found is told by the store. */
export const backgroundCheck = ({ dataFolder, checkEveryMs }: Config, store: Store, blobs: FileBlobStore): Scrubber =>
  new Scrubber({
    dataFolder,
    partitions: () => store.partitions.map(({ id }) => id),
    found: (finding) => found(finding, store, blobs),
    firstMs: Math.min(FIRST_MS, checkEveryMs),
    everyMs: checkEveryMs,
  });

function found(finding: Finding, store: Store, blobs: FileBlobStore): void {
  // A damaged blob is not given out any more, and tells of itself.
  if (finding.what === 'blob' && finding.id !== null) blobs.distrust(finding.id, finding.problem);
  // Files of one that was closed meanwhile may be gone, and that is right.
  else if (store.refusal(finding.file.split('/')[0] ?? '') === undefined) store.integrity.found(finding);
}

/** A blob was met with that is damaged, or is whole again. */
export function tellOfBlob({ integrity }: Store, { sha256, problem }: BlobDamage): void {
  const blob = { file: blobFile(sha256), what: 'blob', id: sha256 };
  if (problem === null) integrity.mended(blob);
  else integrity.found({ ...blob, problem });
}
