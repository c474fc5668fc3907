import { LocalLogs } from '../../../src/store/log/local-logs.js';
import type { Logs } from '../../../src/store/log/logs.js';
import { parseRedisUrl } from '../../../src/store/log/redis-address.js';
import { RedisLogs } from '../../../src/store/log/redis-logs.js';
import type { ChildPlace } from '../log-kit.js';

/** The logs of the place that a test names to its child. */
export function logsOfChild({ folder, redisUrl }: ChildPlace): Logs {
  if (redisUrl === undefined) return new LocalLogs(folder);
  const address = parseRedisUrl(redisUrl);
  if (address === undefined) throw new Error(`'${redisUrl}' is no URL of a Redis server`);
  return new RedisLogs({ address, dataFolder: folder });
}
