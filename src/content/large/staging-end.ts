import { messageOf } from '../../shared/errors.js';
import { log } from '../../shared/log.js';
import type { LargeWork } from './make-ready.js';
import { abandonStaging } from './staging.js';

/** When what was staged but not put into the tree is given up: its command is decided long before. */
export const GIVEN_UP_MS = 60_000;

/** What is not in the tree by then is swept. When the server ends before, the next start sweeps it. */
export function giveUp(work: LargeWork, partition: string, rootId: string, afterMs: number): void {
  abandonLater(rootId, afterMs, () => work.send(partition, abandonStaging, { rootId }));
}

/** As {@link giveUp}, in another way. */
export function abandonLater(rootId: string, afterMs: number, abandon: () => Promise<unknown>): void {
  setTimeout(() => {
    abandon().catch((thrown: unknown) => {
      log.warn({ reason: messageOf(thrown), rootId }, 'what was staged and not finished is swept later');
    });
  }, afterMs).unref();
}
