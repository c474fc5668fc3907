import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { log as serverLog } from '../../shared/log.js';
import { openDatabase } from '../sqlite.js';
import { formatOf } from './replica-file.js';
import { isUpgradable } from './upgrade.js';

/** Upgrades a `log.db` of the former format, in a thread of its own; resolves at once where there is nothing to upgrade. */
export async function upgraded(path: string): Promise<void> {
  if (!existsSync(path)) return;
  const database = openDatabase(path);
  const format = formatOf(database);
  database.close();
  if (!isUpgradable(format)) return;
  const begun = performance.now();
  serverLog.info({ path, format }, 'a log of a former format is upgraded');
  await new Promise<void>((resolve, reject) => {
    const worker = new Worker(new URL('./upgrade-thread.js', import.meta.url), { workerData: { path } });
    worker.once('error', reject);
    worker.once('exit', () => resolve());
  });
  serverLog.info({ path, ms: Math.round(performance.now() - begun) }, 'the log is upgraded');
}
