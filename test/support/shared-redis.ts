import { RedisServer } from './redis-server.js';

let shared: Promise<RedisServer> | undefined;

/** One redis-server for all tests of this run: each takes a database of its own. */
export function sharedRedis(): Promise<RedisServer> {
  shared ??= RedisServer.start();
  return shared;
}

// Outside of any test: mocha calls it when all are through.
if (typeof after === 'function') {
  after(async () => {
    await (await shared)?.remove();
    shared = undefined;
  });
}
