import { log } from '../../shared/log.js';
import { systemTime } from '../../shared/time.js';
import type { Loss, Store } from '../../store/index.js';

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

/** Tells of a MILLRACE_ACCEPT_LOSS that was not needed: left as it is, it would accept the next loss unseen. */
export function tellUnusedAcceptance(acceptLoss: string | undefined, losses: readonly Loss[]): void {
  if (acceptLoss === undefined || losses.some(({ isAccepted }) => isAccepted === true)) return;
  log.warn(
    { path: acceptLoss },
    'MILLRACE_ACCEPT_LOSS is set, but nothing is lost that it would have to accept: unset it, or the next loss of that log is accepted unseen',
  );
}
