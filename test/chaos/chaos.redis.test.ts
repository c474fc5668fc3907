import { redis } from './ground/redis.js';
import { redisPower } from './ground/redis-power.js';
import { shortChaos } from './short-chaos.js';

for (const kind of [redis, redisPower]) shortChaos(kind);
