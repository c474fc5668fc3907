import { existsSync } from 'node:fs';
import { log as serverLog } from '../../shared/log.js';
import { workerThread } from '../../shared/thread.js';
import { systemTime } from '../../shared/time.js';
import { openDatabase } from '../sqlite.js';
import { formatOf } from './replica-file.js';
import type { TableShape } from './schema.js';
import { isUpgradable } from './upgrade.js';

/** Upgrades a `log.db` of a former format, in a thread of its own; resolves at once where there is nothing to upgrade. */
export async function upgraded(path: string, shapes: readonly TableShape[]): Promise<void> {
  if (!existsSync(path)) return;
  const database = openDatabase(path);
  const format = formatOf(database);
  database.close();
  if (!isUpgradable(format)) return;
  const begun = systemTime.monotonic();
  serverLog.info({ path, format }, 'a log of a former format is upgraded');
  await new Promise<void>((resolve, reject) => {
    const thread = workerThread(new URL('./upgrade-thread.js', import.meta.url), { workerData: { path, shapes } });
    let isThrough = false;
    thread.onMessage(() => {
      isThrough = true;
    });
    thread.onExit((reason) => (isThrough ? resolve() : reject(reason)));
  });
  serverLog.info({ path, ms: Math.round(systemTime.monotonic() - begun) }, 'the log is upgraded');
}
