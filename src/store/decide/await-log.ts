import type { Log } from '../log/log.js';

/** Between two looks whether the log is back, ms. */
const LOOK_MS = 500;

/** Tries to make the log usable again until it is, or until nobody needs it any more. */
export async function awaitLog(log: Log, isClosed: () => boolean): Promise<void> {
  let isUsable = false;
  while (!isUsable && !isClosed()) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS).unref());
    isUsable = await log.recover().then(
      () => true,
      () => false,
    );
  }
}
