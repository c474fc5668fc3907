import { redis } from './ground/redis.js';
import { shortChaos } from './short-chaos.js';

shortChaos(redis);
