import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import { RedisServer } from '../support/redis-server.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { becomesReady, readiness } from './support/readiness.js';

const CREATE = 'mutation ($name: String!) { createFolder(input: { path: "/content", name: $name }) { path } }';

describe('a server whose Redis goes away', function () {
  this.timeout(60_000);
  let redis: RedisServer;
  let server: LiveServer;
  before(async () => {
    redis = await RedisServer.start();
    server = await liveServer({ clock: 'system', env: { REDIS_URL: redis.url(), MILLRACE_LOG_ANSWER: '1500ms' } });
  });
  after(async () => {
    await server.remove();
    await redis.remove();
  });

  it('tells administrators of itself among those that share it', async () => {
    const asked = Date.now();
    const { cluster } = await server
      .as('admin')
      .run('{ cluster { enabled nodeId members { nodeId hostName started lastHeartbeat alive self } } }');
    assert.ok(cluster);
    const [own, ...others] = cluster.members;
    assert.ok(own);
    const { started, lastHeartbeat, ...rest } = own;
    const nodeId = readFileSync(join(server.folder, 'server-id'), 'utf8');
    assert.deepEqual({ ...rest, others }, { nodeId, hostName: hostname(), alive: true, self: true, others: [] });
    assert.deepEqual([cluster.enabled, cluster.nodeId], [true, nodeId]);
    for (const at of [started, lastHeartbeat]) assert.ok(asked - Date.parse(String(at)) < 60_000, String(at));
    await redis.kill();
    const isAlive = async () =>
      (await server.as('admin').run('{ cluster { members { alive } } }')).cluster?.members[0]?.alive;
    await eventually('it is not heard of any more', async () => (await isAlive()) === false, 20_000);
    await redis.start();
    await eventually('it is heard of again', async () => (await isAlive()) === true, 20_000);
    await becomesReady(server.baseUrl);
  });

  it('is not ready, says why, still reads, and is ready again when Redis is', async () => {
    assert.deepEqual(await readiness(server.baseUrl), { status: 200, body: { status: 'ready' } });
    await redis.kill();
    const begun = performance.now();
    await eventually('it is not ready', async () => (await readiness(server.baseUrl)).status === 503, 5_000);
    const { body } = await readiness(server.baseUrl);
    assert.deepEqual([body.status, body.reason], ['unavailable', 'log_away']);
    assert.ok(!JSON.stringify(body).includes('redis'), "where it is is nobody's business");
    assert.ok(performance.now() - begun < 5_000);
    const admin = server.as('admin');
    const { node } = await admin.run('{ node(path: "/content") { path } }');
    assert.equal(node?.path, '/content');
    await assert.rejects(admin.run(CREATE, { name: 'away' }), { code: 'UNAVAILABLE' });
    await redis.start();
    await becomesReady(server.baseUrl);
    assert.equal((await admin.run(CREATE, { name: 'back' })).createFolder.path, '/content/back');
  });

  it('notices also that it hangs', async () => {
    redis.signal('SIGSTOP');
    try {
      await eventually('it is not ready', async () => (await readiness(server.baseUrl)).status === 503, 5_000);
    } finally {
      redis.signal('SIGCONT');
    }
    await becomesReady(server.baseUrl);
    await server.as('admin').run(CREATE, { name: 'awake' });
  });

  it('that is told to evict keys is noticed: not ready while it may, a warning while it merely could', async () => {
    await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru', 'maxmemory', '1gb');
    await redis.command('CLIENT', 'KILL', 'TYPE', 'normal');
    await eventually('it is not ready', async () => (await readiness(server.baseUrl)).status === 503);
    await eventually('it says why', async () => (await readiness(server.baseUrl)).body.reason === 'log_evicts');
    await server.as('admin').run(CREATE, { name: 'meanwhile' });
    await redis.command('CONFIG', 'SET', 'maxmemory', '0', 'appendfsync', 'everysec');
    await redis.command('CLIENT', 'KILL', 'TYPE', 'normal');
    const reasons = async () => {
      const { status, body } = await readiness(server.baseUrl);
      return `${status} ${JSON.stringify(body.warnings, ['reason'])}`;
    };
    await eventually('it warns', async () => {
      return (await reasons()) === '200 [{"reason":"log_not_flushed"},{"reason":"log_may_evict"}]';
    });
    await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'noeviction', 'appendfsync', 'always');
    await redis.command('CLIENT', 'KILL', 'TYPE', 'normal');
    await eventually('all is well', async () => (await reasons()) === '200 undefined');
  });
});
