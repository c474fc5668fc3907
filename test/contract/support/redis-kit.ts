import type { RedisServer } from '../../support/redis-server.js';
import { sharedRedis } from '../../support/shared-redis.js';
import { temporaryFolder } from '../../support/temporary.js';
import type { LogKit, LogPlace } from '../log-kit.js';
import { logsOfChild } from './child-logs.js';

/** Redis, with a redis-server of the tests' own. */
export const redisKit: LogKit = {
  name: 'the Redis log',
  hasFiles: true,
  kills: Number(process.env.MILLRACE_TEST_REDIS_KILLS ?? 16),
  modelRuns: 10,
  make: async () => placeOn(await sharedRedis()),
};

/** A data folder and a database of their own. */
export function placeOn(server: RedisServer): LogPlace {
  const { path: folder, remove } = temporaryFolder();
  const child = { folder, redisUrl: server.url() };
  return {
    folder,
    logs: () => logsOfChild(child),
    child,
    killOther: () => server.restart(),
    remove: async () => remove(),
  };
}
