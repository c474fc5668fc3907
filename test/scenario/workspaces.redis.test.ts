import assert from 'node:assert/strict';
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { GraphqlClient } from '../support/graphql-client.js';
import { RedisServer } from '../support/redis-server.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { doWorkspace } from './support/workspaces.js';

const CREATE = 'mutation ($name: String!) { createFolder(input: { path: "/content", name: $name }) { path } }';
const THERE = '{ node(path: "/content/kept") { name } }';

describe('workspaces on Redis', function () {
  this.timeout(60_000);
  let redis: RedisServer;
  let server: LiveServer;
  let system: GraphqlClient;
  before(async () => {
    redis = await RedisServer.start();
    server = await liveServer({ clock: 'system', env: { REDIS_URL: redis.url() } });
    system = server.as('admin', 'system');
  });
  after(async () => {
    await server.remove();
    await redis.remove();
  });

  const idOf = (before: readonly string[]) =>
    readdirSync(server.folder).find(
      (name) => !before.includes(name) && existsSync(join(server.folder, name, 'log.db')),
    );
  const keysOf = async (id: string): Promise<string[]> =>
    ((await redis.command('KEYS', '*')) as string[]).filter((key) => key.includes(id)).sort();

  it('keep their keys while they are stopped, also where the data folder has lost them, and leave none behind', async () => {
    const others = readdirSync(server.folder);
    const before = (await redis.command('KEYS', '*')) as string[];
    await doWorkspace(system, 'create', 'shop');
    const id = idOf(others) ?? '';
    const shop = server.as('admin', 'shop');
    await shop.run(CREATE, { name: 'kept' });
    await doWorkspace(system, 'stop', 'shop');
    const stopped = await keysOf(id);
    assert.ok(stopped.length > 3, stopped.join());
    renameSync(join(server.folder, id), join(server.folder, '.aside'));
    await doWorkspace(system, 'start', 'shop');
    assert.equal((await shop.run(THERE)).node?.name, 'kept', 'the replica is made anew');
    await doWorkspace(system, 'delete', 'shop');
    assert.deepEqual(await keysOf(id), []);
    const left = ((await redis.command('KEYS', '*')) as string[]).filter((key) => !before.includes(key));
    assert.deepEqual(
      left.filter((key) => !key.includes('{system}')),
      [],
      'system tells of it, and nothing else',
    );
    assert.equal(existsSync(join(server.folder, id)), false);
  });
});
