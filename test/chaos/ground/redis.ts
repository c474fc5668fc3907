import { spawnSync } from 'node:child_process';
import type { Random } from '../../support/random.js';
import { RedisServer } from '../../support/redis-server.js';
import { Arena } from '../arena.js';
import { sleep } from '../ledger.js';
import type { Kind } from './ground.js';
import { RedisProxy } from './redis-proxy.js';

interface Between {
  readonly redis: RedisServer;
  readonly proxy: RedisProxy;
  readonly random: Random;
}

/** What can happen to Redis, and to what lies between. Each is over when it resolves. */
const FAULTS: Readonly<Record<string, (between: Between) => Promise<unknown>>> = {
  'redis-server is killed': async ({ redis, random }) => {
    await redis.kill();
    await sleep(random.below(8_000));
    await redis.start();
  },
  'CLIENT KILL': ({ redis }) => redis.command('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'),
  'CLIENT KILL again and again': async ({ redis, random }) => {
    for (let times = 2 + random.below(6); times > 0; times--) {
      await redis.command('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      await sleep(random.below(300));
    }
  },
  'the network is cut': async ({ proxy }) => proxy.cut(),
  'the network hangs': async ({ proxy, random }) => {
    proxy.hold(true);
    await sleep(random.below(8_000));
    proxy.hold(false);
  },
  'the network hangs, then is cut': async ({ proxy, random }) => {
    proxy.hold(true);
    await sleep(random.below(4_000));
    proxy.cut();
    proxy.hold(false);
  },
  'replies are lost': async ({ proxy, random }) => {
    proxy.swallow(true);
    await sleep(random.below(200));
    proxy.cut();
    proxy.swallow(false);
  },
  'redis-server is paused': async ({ redis, random }) => {
    redis.signal('SIGSTOP');
    await sleep(random.below(8_000));
    redis.signal('SIGCONT');
  },
  'DEBUG SLEEP': ({ redis, random }) => redis.command('DEBUG', 'SLEEP', String(random.below(40) / 10)),
};

/** Redis is killed, cut and paused while callers go on. */
export const redis: Kind = {
  name: 'redis',
  missing: () => (spawnSync('redis-server', ['--version']).status === 0 ? undefined : 'there is no redis-server'),
  async open() {
    const server = await RedisServer.start(['--enable-debug-command', 'yes']);
    const proxy = await RedisProxy.start(server.socket);
    const arena = new Arena({ env: { REDIS_URL: proxy.url } });
    await arena.start();
    return {
      arena,
      async strike(random) {
        const what = random.pick(Object.keys(FAULTS));
        await FAULTS[what]?.({ redis: server, proxy, random });
        return what;
      },
      async close() {
        proxy.close();
        await server.remove();
        arena.remove();
      },
    };
  },
};
