import assert from 'node:assert/strict';
import type { InstanceState } from '../../src/engine/element/instance-state.js';
import { bpmn, element, line } from '../support/bpmn.js';
import { eventually } from '../support/eventually.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { replayAll } from '../support/stored-instances.js';
import { endOf } from './support/jobs.js';
import { KillableServer } from './support/killable-server.js';

// Slow: a server is killed within work on hundreds of instances.

const SIZE = 400;
const model = bpmn(line(['wait'], element('userTask', 'wait')), { key: 'many' });

const BEGIN = `mutation ($input: SetVariablesAsyncInput!) { begun: setVariablesAsync(input: $input) { id type status abortable } }`;
const PROGRESS = 'query ($id: ID!) { jobProgress(job: $id) { status itemsProcessed } }';

describe('work on many instances on a server that is killed', function () {
  this.timeout(180_000);
  const server = new KillableServer();
  before(async () => {
    await server.start();
    const input = { name: 'many', resources: [{ name: 'many.bpmn', content: model }] };
    await admin().run('mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }', { input });
    const start = 'startProcess(input: { definitionKey: "many" }) { id }';
    const some = Array.from({ length: 20 }, (_, n) => `s${n}: ${start}`).join(' ');
    for (let n = 0; n < SIZE; n += 20) await admin().run(`mutation { ${some} }`);
  });
  after(() => server.remove());

  const admin = (): GraphqlClient => server.client('admin');
  const processed = async (id: string) =>
    Number((await admin().run(PROGRESS, { id })).jobProgress?.itemsProcessed ?? 0);

  it('reaches each of them once', async () => {
    const input = { processInstances: { definitionKey: 'many' }, variables: [{ name: 'seen', value: 'yes' }] };
    const { begun } = (await admin().run(BEGIN, { input })) as unknown as { begun: { id: string } };
    await eventually('some of it is done', async () => (await processed(begun.id)) > 0);
    await server.end('SIGKILL');
    await server.start();
    const end = await endOf(admin(), begun.id);
    assert.deepEqual([end.status, end.errorMessage], ['completed', null]);
    assert.deepEqual([end.itemsTotal, end.itemsProcessed, end.itemsError].map(Number), [SIZE, SIZE, 0]);
    await server.end();
    const replayed = replayAll(server.folder);
    assert.equal(replayed.length, SIZE);
    for (const { id, runs, stored, again } of replayed) {
      assert.equal(runs, 2, `instance ${id} was started, and changed once`);
      assert.deepEqual(again, stored);
      assert.equal((stored as InstanceState).scopes[0]?.variables.seen?.value, 'yes');
    }
    await server.start();
  });

  it('starts each of them anew, once', async () => {
    const of = 'processInstances: { definitionKey: "many" }';
    const cancel = `mutation { begun: modifyProcessInstances(input: { ${of}, instructions: [{ type: cancel, activityId: "wait" }] }) { id } }`;
    const { begun: cancelled } = (await admin().run(cancel)) as unknown as { begun: { id: string } };
    assert.equal(Number((await endOf(admin(), cancelled.id)).itemsProcessed), SIZE);
    const { begun } = (await admin().run(
      `mutation { begun: restartProcessInstances(input: { ${of} }) { id } }`,
    )) as unknown as { begun: { id: string } };
    await eventually('some of it is done', async () => (await processed(begun.id)) > 0);
    await server.end('SIGKILL');
    await server.start();
    const end = await endOf(admin(), begun.id);
    assert.deepEqual([end.status, Number(end.itemsTotal), Number(end.itemsProcessed)], ['completed', SIZE, SIZE]);
    const running = '{ processInstances(definitionKey: "many", active: true) { totalCount } }';
    assert.equal((await admin().run(running)).processInstances.totalCount, SIZE);
    await server.end();
    for (const { stored, again } of replayAll(server.folder)) assert.deepEqual(again, stored);
    await server.start();
  });
});
