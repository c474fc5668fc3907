import { sharedRedis } from './shared-redis.js';

/** The log of the servers of this run: `MILLRACE_TEST_LOG=redis` runs the scenarios a second time, on Redis. */
export const isOnRedis = process.env.MILLRACE_TEST_LOG === 'redis';

const urls = new Map<string, string>();

/** The settings of a server on this folder for the log of this run: the same database whenever a server is started on it. */
export async function logSettings(folder: string): Promise<Readonly<Record<string, string>>> {
  if (!isOnRedis) return {};
  const url = urls.get(folder) ?? (await sharedRedis()).url();
  urls.set(folder, url);
  return { REDIS_URL: url };
}
