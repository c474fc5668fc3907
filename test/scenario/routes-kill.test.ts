import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.js';
import { KillableServer } from './support/killable-server.js';

// Slow: servers are killed while routes start and stop.

describe('routes of a server that is killed', function () {
  this.timeout(120_000);
  let server: KillableServer;
  beforeEach(async () => {
    server = new KillableServer();
    await server.start();
  });
  afterEach(() => server.remove());

  const create = (id: string, steps: string, uri = `direct:${id}`) =>
    server.client('admin').run('mutation ($input: CreateRouteInput!) { createRoute(input: $input) { id } }', {
      input: { routeId: id, autoStart: true, yaml: `- from:\n    uri: ${uri}\n    steps:\n${steps}` },
    });
  const status = async (id: string) =>
    (await server.client('admin').run('query ($id: ID!) { route(id: $id) { status } }', { id })).route?.status;
  const kill = async () => {
    await server.end('SIGKILL');
    await server.start();
  };
  const QUICK = '      - to: mock:done\n';

  it('run again where they ran, and rest where they rested', async () => {
    for (const id of ['ran', 'paused', 'stopped']) await create(id, QUICK);
    await server.client('admin').run('mutation { suspendRoute(input: { id: "paused" }) { id } }');
    await server.client('admin').run('mutation { stopRoute(input: { id: "stopped" }) { id } }');
    await kill();
    await eventually('it runs', async () => (await status('ran')) === 'Started');
    assert.deepEqual([await status('paused'), await status('stopped')], ['Suspended', 'Stopped']);
  });

  it('have stopped where they were stopping, though exchanges were under way', async () => {
    const wait = '      - delay:\n          expression:\n            constant:\n              expression: "60000"\n';
    await create('busy', wait, 'timer:busy?repeatCount=1&delay=1');
    const stopping = server
      .client('admin')
      .ask('mutation { stopRoute(input: { id: "busy", timeout: 600 }) { status } }')
      .catch(() => undefined);
    await eventually('it stops', async () => ['Stopping', 'Stopped'].includes((await status('busy')) ?? ''));
    await kill();
    await stopping;
    await eventually('it has stopped', async () => (await status('busy')) === 'Stopped');
  });

  it('are started or not, and never left between', async () => {
    await create('between', QUICK);
    await server.client('admin').run('mutation { stopRoute(input: { id: "between" }) { id } }');
    for (let round = 0; round < 3; round++) {
      const starting = server
        .client('admin')
        .ask('mutation { startRoute(input: { id: "between" }) { status } }')
        .catch(() => undefined);
      await kill();
      await starting;
      await eventually('it is there', async () => ['Started', 'Stopped'].includes((await status('between')) ?? ''));
    }
    await server.client('admin').run('mutation { startRoute(input: { id: "between" }) { id } }');
    assert.equal(await status('between'), 'Started');
  });

  it('serve HTTP again where they ran, and answer nobody in place of one that rests; who waited sees the connection end', async () => {
    const wait = '      - delay: { constant: 60000 }\n';
    await create('serves', QUICK, 'platform-http:/serves?authentication=none');
    await create('waits', wait, 'platform-http:/waits?authentication=none');
    await create('rests', QUICK, 'platform-http:/rests?authentication=none');
    await server.client('admin').run('mutation { suspendRoute(input: { id: "rests" }) { id } }');
    const ask = async (path: string) => (await fetch(`${server.process.baseUrl}/routes/web/${path}`)).status;
    assert.deepEqual([await ask('serves'), await ask('rests')], [204, 503]);
    const waiting = ask('waits').catch(() => 'gone');
    await kill();
    assert.equal(await waiting, 'gone');
    await eventually('it serves', async () => (await ask('serves')) === 204);
    assert.equal(await ask('rests'), 503);
    await server.client('admin').run('mutation { resumeRoute(input: { id: "rests" }) { id } }');
    assert.equal(await ask('rests'), 204);
  });
});
