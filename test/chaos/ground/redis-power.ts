import { mkdirSync } from 'node:fs';
import { dataFolder } from '../../support/data-folder.js';
import { RedisServer } from '../../support/redis-server.js';
import { Arena } from '../arena.js';
import { restoreDisk } from '../restore-disk.js';
import type { Kind } from './ground.js';
import { preloadFor, unbuilt } from './power.js';
import { redis } from './redis.js';

/** The power of the machine goes that Redis is on; the server is on another one. */
export const redisPower: Kind = {
  name: 'redis-power',
  missing: () => redis.missing?.() ?? unbuilt(),
  async open() {
    const own = dataFolder();
    const env = preloadFor(own.path);
    const { POWER_LOSS_ROOT: folder, POWER_LOSS_NOTES: notes } = env;
    for (const one of [folder, notes]) mkdirSync(one);
    const server = await RedisServer.start(['--dir', folder], env);
    const arena = new Arena({ env: { REDIS_URL: server.url() } });
    await arena.start();
    return {
      arena,
      async strike(random) {
        await server.kill();
        const { lost, survived } = restoreDisk(folder, notes, random, random.chance(0.4) ? 'none' : 'some');
        await server.start();
        return `power loss of Redis (${lost} of ${lost + survived} unflushed changes lost)`;
      },
      async close() {
        await server.remove();
        arena.remove();
        own.remove();
      },
    };
  },
};
