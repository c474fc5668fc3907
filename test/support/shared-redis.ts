import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { RedisServer } from './redis-server.js';

let shared: Promise<RedisServer> | undefined;

/**
 * One redis-server for all tests of this process, as long as it lives: each test takes a database of its own, and what a first start has left is copied
 * from one that stays. It ends with the process.
 */
export function sharedRedis(): Promise<RedisServer> {
  shared ??= started();
  return shared;
}

async function started(): Promise<RedisServer> {
  const server = await RedisServer.start();
  process.on('exit', () => rmSync(dirname(server.socket), { recursive: true, force: true }));
  return server;
}
