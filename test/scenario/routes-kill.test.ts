import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../src/store/files.js';
import { eventually } from '../support/eventually.js';
import { KillableServer } from './support/killable-server.js';

// Slow: servers are killed while routes start and stop.

describe('routes of a server that is killed', function () {
  this.timeout(120_000);
  let server: KillableServer;
  before(async () => {
    server = new KillableServer();
    await server.start();
  });
  after(() => server.remove());

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

  it('have what they counted up to the last ten seconds, and a history that can be read, however it was left', async () => {
    const admin = () => server.client('admin');
    const send = () => admin().run('mutation { sendToEndpoint(input: { endpointUri: "direct:counted" }) { success } }');
    const total = async () =>
      (await admin().run('{ historyExchanges(routes: ["counted"]) { totalCount } }')).historyExchanges.totalCount;
    const counted = async () =>
      (await admin().run('{ route(id: "counted") { exchangesTotal } }')).route?.exchangesTotal;
    await create('counted', QUICK);
    for (let at = 0; at < 3; at++) await send();
    await eventually('they are kept', async () => (await total()) === 3);
    await eventually('what is counted is kept', () => historiesIn(server.folder).some(isCounted));
    await send();
    await kill();
    assert.ok([3, 4].includes(await total()));
    assert.ok([3, 4].includes(Number(await counted())));
    await server.end('SIGKILL');
    for (const path of historiesIn(server.folder)) writeFileSync(path, Buffer.alloc(65_536, 0xa5));
    await server.start();
    assert.equal(await total(), 0);
    await eventually('it runs', async () => (await status('counted')) === 'Started');
    await send();
    await eventually('it is kept', async () => (await total()) === 1);
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

const historiesIn = (folder: string): string[] =>
  readdirSync(folder)
    .map((name) => join(folder, name, 'history.db'))
    .filter((path) => existsSync(path));

/** Whether three exchanges are kept as counted there. */
function isCounted(path: string): boolean {
  const file = openDatabase(path);
  try {
    const found = file.prepare("SELECT body FROM statistic WHERE id = 'counted'").get();
    return found !== undefined && /"completed":3,/.test(String(found.body));
  } finally {
    file.close();
  }
}
