import { messageOf } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import type { Operation, Partition, Store } from '../../store/index.js';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Work that is done again and again. */
export interface RecurringWork {
  /** Names it in the log. */
  readonly name: string;
  readonly everyMs: number;
  /** Done once at the beginning, then each time; never twice at once. What it throws is logged. `isClosed`: whether to stop soon. */
  readonly work: (isClosed: () => boolean) => Promise<void>;
}

/** Does each work again and again, by the machine's clock, until `close`, which resolves when none of it runs any more. */
export function recur(works: readonly RecurringWork[]): { close(): Promise<void> } {
  const going = works.map(begin);
  return {
    close: async () => {
      await Promise.all(going.map((one) => one.close()));
    },
  };
}

function begin({ name, everyMs, work }: RecurringWork): { close(): Promise<void> } {
  let isClosed = false;
  let running: Promise<void> = Promise.resolve();
  const once = () => {
    running = running
      .then(() => (isClosed ? undefined : work(() => isClosed)))
      .catch((thrown: unknown) => log.warn({ reason: messageOf(thrown), work: name }, 'it is tried again later'));
  };
  const timer = setInterval(once, everyMs).unref();
  once();
  return {
    close: async () => {
      isClosed = true;
      clearInterval(timer);
      await running;
    },
  };
}

/** Sends the operation to each partition, in the system's name, until it answers that nothing is left to do. */
export async function sendUntilDone<I>(
  { partitions }: Pick<Store, 'partitions'>,
  operation: Operation<I, boolean>,
  { input, isClosed }: { readonly input: () => I; readonly isClosed: () => boolean },
): Promise<void> {
  await inEach(partitions, async (partition) => {
    let isMore = true;
    while (isMore && !isClosed()) isMore = await partition.sendAsSystem(operation, input());
  });
}

/** Does the work in one partition after the other. One that is closed meanwhile is passed over, and keeps the others from nothing. */
export async function inEach(
  partitions: readonly Partition[],
  work: (partition: Partition) => Promise<void>,
): Promise<void> {
  for (const partition of partitions) {
    if (!partition.isOpen) continue;
    try {
      await work(partition);
    } catch (thrown) {
      if (partition.isOpen) throw thrown;
    }
  }
}
