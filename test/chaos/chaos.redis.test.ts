import { redis } from './ground/redis.js';
import { redisPower } from './ground/redis-power.js';
import { shortChaos } from './short-chaos.js';

// Slow: short runs of all that may happen to a Redis.

for (const kind of [redis, redisPower]) shortChaos(kind);
