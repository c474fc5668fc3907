import { log } from '../shared/log.js';
import { systemTime } from '../shared/time.js';
import type { Store } from '../store/index.js';

/** Tells, for as long as this takes, that it waits for the log. */
export async function whileTelling<T>(store: Store, everyMs: number, work: () => Promise<T>): Promise<T> {
  const look = () => {
    for (const partition of store.partitions) {
      const ms = Math.round(partition.waitedMs());
      if (ms > everyMs) log.warn({ partition: partition.id, ms }, 'the start waits for the log');
    }
  };
  const looking = systemTime.every(everyMs, look);
  return work().finally(() => looking.cancel());
}
