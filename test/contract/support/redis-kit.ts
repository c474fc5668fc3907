import { RedisServer } from '../../support/redis-server.js';
import { temporaryFolder } from '../../support/temporary.js';
import type { LogKit, LogPlace } from '../log-kit.js';
import { logsOfChild } from './child-logs.js';

/** Redis, with a redis-server of the tests' own. */
export const redisKit: LogKit = {
  name: 'the Redis log',
  hasFiles: true,
  kills: Number(process.env.MILLRACE_TEST_REDIS_KILLS ?? 24),
  modelRuns: 20,
  make: async () => placeOn(await sharedServer()),
};

/** A data folder and a database of their own. */
export function placeOn(server: RedisServer): LogPlace {
  const { path: folder, remove } = temporaryFolder();
  const child = { folder, redisUrl: server.url() };
  return {
    folder,
    logs: () => logsOfChild(child),
    child,
    killOther: async () => {
      await server.kill();
      await server.start();
    },
    remove: async () => remove(),
  };
}

let shared: Promise<RedisServer> | undefined;

/** One server for all tests: each has a database of its own. */
export function sharedServer(): Promise<RedisServer> {
  shared ??= RedisServer.start();
  return shared;
}

after(async () => {
  await (await shared)?.remove();
  shared = undefined;
});
