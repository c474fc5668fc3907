import type { SteadyClock } from '../../shared/clock.js';
import { log } from '../../shared/log.js';
import { type AnyCollection, BlobHolders, type FileBlobStore, type RedisLogs } from '../../store/index.js';
import { DAY_MS, MINUTE_MS, type RecurringWork } from './recurring.js';

/** Removes, day by day, blobs that no document of any partition holds and nobody wrote or touched lately. */
export const sweepBlobs = (
  blobs: FileBlobStore,
  {
    dataFolder,
    keptMs,
    collections,
  }: { readonly dataFolder: string; readonly keptMs: number; readonly collections: readonly AnyCollection[] },
): RecurringWork => ({
  name: 'blob sweep',
  everyMs: DAY_MS,
  work: async (isClosed) => {
    const holders = BlobHolders.open(dataFolder, collections);
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
