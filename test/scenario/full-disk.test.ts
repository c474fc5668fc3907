import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { isOnRedis } from '../support/log-of-run.js';
import { eventually, KillableServer } from './support/killable-server.js';
import { becomesReady, readiness } from './support/readiness.js';

const CREATE = 'mutation ($name: String!) { createFolder(input: { path: "/content", name: $name }) { path } }';

/** How long files of a process may become; beyond that each write to them fails, as on a disk that is full. */
const limitFiles = (pid: number | undefined, bytes: string) =>
  spawnSync('prlimit', ['--pid', `${pid}`, `--fsize=${bytes}:`]);

describe('a server whose disk takes no writes', function () {
  this.timeout(60_000);
  let server: KillableServer;
  before(async function () {
    // Linux alone lets one process limit another.
    if (isOnRedis || spawnSync('prlimit', ['--version']).error !== undefined) return this.skip();
    server = new KillableServer();
    await server.start();
  });
  after(() => server?.remove());

  it('is not ready, says why, still reads, and is ready again when there is room', async () => {
    const { baseUrl, child } = server.process;
    const admin = server.client('admin');
    await admin.run(CREATE, { name: 'before' });
    assert.equal(limitFiles(child.pid, '1').status, 0);
    try {
      await eventually('it is not ready', async () => (await readiness(baseUrl)).status === 503, 5_000);
      const { body } = await readiness(baseUrl);
      assert.deepEqual([body.status, body.reason], ['unavailable', 'log_away']);
      assert.equal((await admin.run('{ node(path: "/content/before") { name } }')).node?.name, 'before');
      await assert.rejects(admin.run(CREATE, { name: 'full' }), { code: 'UNAVAILABLE' });
    } finally {
      assert.equal(limitFiles(child.pid, 'unlimited').status, 0);
    }
    await becomesReady(baseUrl);
    await admin.run(CREATE, { name: 'after' });
    const { children } = await admin.run('{ children(path: "/content") { edges { node { name } } } }');
    const names = children.edges.map(({ node }) => node.name);
    assert.ok(names.includes('before') && names.includes('after') && !names.includes('full'), names.join());
  });
});
