import { sharedRedis } from './shared-redis.js';

/** The log of the servers of this run: `MILLRACE_TEST_LOG=redis` runs the scenarios a second time, on Redis. */
export const isOnRedis = process.env.MILLRACE_TEST_LOG === 'redis';

const urls = new Map<string, string>();

/** The log is waited for longer than callers would bear: a machine that does much else may hold it up, which says nothing of what a test asks. */
const PATIENCE = { MILLRACE_LOG_ANSWER: '20s' };

/** The settings of a server on this folder for the log of this run: the same database whenever a server is started on it. */
export async function logSettings(folder: string): Promise<Readonly<Record<string, string>>> {
  if (!isOnRedis) return PATIENCE;
  const url = urls.get(folder) ?? (await sharedRedis()).url();
  urls.set(folder, url);
  return { ...PATIENCE, REDIS_URL: url };
}

/** Gives the folder a log with what the log of another one has; where logs lie in their folders there is nothing to do. */
export async function copyLogOfRun(from: string, to: string): Promise<void> {
  if (!isOnRedis) return;
  const [source, target] = [await logSettings(from), await logSettings(to)];
  await (await sharedRedis()).copy(source.REDIS_URL ?? '', target.REDIS_URL ?? '');
}
