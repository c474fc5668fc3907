import assert from 'node:assert/strict';
import { bpmn, element, line, timer } from '../support/bpmn.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { Events } from './support/events.js';
import { doWorkspace } from './support/workspaces.js';

const WAITS = bpmn(line(['wait'], element('intermediateCatchEvent', 'wait', {}, timer('duration', 'PT1H'))), {
  key: 'waits',
});
const CREATE_FILE = `mutation ($name: String!, $content: Base64!) {
  createFile(input: { path: "/etc/bpm/processes", name: $name, mimeType: "application/bpmn+xml", content: $content }) { path } }`;
const ENGINES = '{ workspace(name: "web") { processEngine { enabled running } } }';

describe('a workspace whose process engine is off', function () {
  this.timeout(60_000);
  let server: LiveServer;
  let system: GraphqlClient;
  let web: GraphqlClient;
  let instance: string;
  before(async () => {
    server = await liveServer();
    [system, web] = [server.as('admin', 'system'), server.as('admin')];
    await web.run(CREATE_FILE, { name: 'waits.bpmn', content: Buffer.from(WAITS).toString('base64') });
    instance = await start(web, 'waits');
    await start(web, 'incident-handling');
  });
  after(() => server.remove());

  const start = async (client: GraphqlClient, definitionKey: string): Promise<string> =>
    (
      await client.run('mutation ($input: StartProcessInput!) { startProcess(input: $input) { id } }', {
        input: { definitionKey },
      })
    ).startProcess.id;
  const enable = async (bpmEnabled: boolean) => {
    const input = { name: 'web', bpmEnabled };
    const query = 'mutation ($input: UpdateWorkspaceInput!) { updateWorkspace(input: $input) { errors { code } } }';
    assert.equal((await system.run(query, { input })).updateWorkspace.errors, null);
  };
  const engine = async () => (await system.run(ENGINES)).workspace?.processEngine;
  const stateOf = async () =>
    (await web.run('query ($id: ID!) { processInstance(id: $id) { state } }', { id: instance })).processInstance?.state;
  const isOff = async (query: string) => {
    const { data, errors } = await web.ask(query);
    assert.deepEqual(
      errors?.map(({ extensions }) => [extensions.code, extensions.reason, extensions.details]),
      [['UNAVAILABLE', 'engine_off', { engine: 'bpm' }]],
      query,
    );
    return data;
  };

  it('goes on until it is started anew', async () => {
    await enable(false);
    assert.deepEqual(await engine(), { enabled: false, running: true });
    assert.equal((await web.run('{ tasks { totalCount } }')).tasks.totalCount, 1);
    await doWorkspace(system, 'restart', 'web');
    assert.deepEqual(await engine(), { enabled: false, running: false });
  });

  it('answers no field of processes, and everything else', async () => {
    await isOff('{ tasks { totalCount } }');
    await isOff('{ processDefinitions { totalCount } }');
    await isOff('mutation { startProcess(input: { definitionKey: "waits" }) { id } }');
    const data = await isOff('{ processInstance(id: "x") { id } node(path: "/content") { path } }');
    assert.deepEqual(data, { processInstance: null, node: { path: '/content' } });
    assert.equal((await system.run('{ tasks { totalCount } }')).tasks.totalCount, 0, 'another workspace has its own');
  });

  for (const isSingle of [false, true])
    it(`says so to whoever follows tasks ${isSingle ? 'beside other things' : 'alone'}, whose stream goes on`, async () => {
      const events = new Events(web, isSingle);
      try {
        const changed = events.follow('subscription { nodeChanged(path: "/content") { path } }');
        const tasks = events.follow('subscription { taskAssigned { timestamp } }');
        await events.connected(isSingle ? 1 : 2);
        await tasks.events(1);
        assert.equal(tasks.results[0]?.errors?.[0]?.extensions?.reason, 'engine_off');
        await web.run(`mutation { createFolder(input: { path: "/content", name: "followed-${isSingle}" }) { path } }`);
        assert.equal((await changed.events(1)).length, 1);
      } finally {
        events.close();
      }
    });

  it('runs no timer and deploys nothing, and does all of it when it is on again', async () => {
    await system.run('mutation { advanceClock(by: "PT2H") }');
    const content = Buffer.from(WAITS.replace('id="waits"', 'id="later"')).toString('base64');
    const { data, errors, extensions } = await web.ask(CREATE_FILE, { variables: { name: 'later.bpmn', content } });
    assert.equal(errors, undefined);
    assert.equal(data?.createFile.path, '/etc/bpm/processes/later.bpmn');
    assert.equal(extensions?.refusedModels, undefined);
    await enable(true);
    assert.deepEqual(await engine(), { enabled: true, running: false });
    await doWorkspace(system, 'restart', 'web');
    assert.deepEqual(await engine(), { enabled: true, running: true });
    assert.equal(await stateOf(), 'active', 'on a clock that stands, what was due waits for it');
    await system.run('mutation { advanceClock(by: "PT1S") }');
    assert.equal(await stateOf(), 'completed');
    assert.equal((await web.run('{ tasks { totalCount } }')).tasks.totalCount, 1);
    await start(web, 'later');
  });
});
