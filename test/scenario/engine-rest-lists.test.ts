import assert from 'node:assert/strict';
import { bpmn, element, line } from '../support/bpmn.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { restClient } from './support/rest-client.js';

const external = element('serviceTask', 'pay', { 'camunda:type': 'external', 'camunda:topic': 'charge' });
const CHARGE = bpmn(line(['pay'], external), {
  key: 'charge',
  attributes: 'camunda:versionTag="v1" camunda:historyTimeToLive="P30D"',
});
const ASK = bpmn(line(['say'], element('userTask', 'say', { name: 'Ask', 'camunda:assignee': 'ann' })), { key: 'ask' });

describe("Camunda's lists by REST", function () {
  this.timeout(60_000);
  let server: LiveServer;
  let first: { readonly id: string; readonly definitionId: string };
  const ask = restClient(() => server);
  const get = async (path: string, user = 'admin') => (await ask('GET', path, { user })).json;
  const start = async (key: string, body: object = {}) =>
    (await ask('POST', `/process-definition/key/${key}/start`, { body, user: 'admin' })).json;

  before(async () => {
    server = await liveServer({ users: [{ userId: 'robot', roles: ['worker'] }, { userId: 'ann' }] });
    const body = new FormData();
    body.append('deployment-name', 'lists');
    for (const [name, model] of [
      ['charge.bpmn', CHARGE],
      ['ask.bpmn', ASK],
    ] as const)
      body.append(name, new Blob([model]), name);
    const deployed = await ask('POST', '/deployment/create', { body, user: 'admin' });
    assert.equal(deployed.status, 200, deployed.text);
    first = await start('charge', { businessKey: 'k1', variables: { n: { value: 1, type: 'Long' } } });
    await start('charge', { businessKey: 'k2' });
    await start('ask', { businessKey: 'k3' });
  });
  after(() => server.remove());

  it('has deployments', async () => {
    const [deployed, ...more] = await get('/deployment?name=lists');
    assert.deepEqual(
      [deployed.links, deployed.name, deployed.source, deployed.tenantId, more],
      [[], 'lists', null, null, []],
    );
    assert.deepEqual(await get(`/deployment/${deployed.id}`), deployed);
    assert.deepEqual(await get('/deployment/count?nameLike=%25ist%25'), { count: 1 });
    const all = await get('/deployment');
    assert.deepEqual(await get('/deployment?firstResult=1&maxResults=1'), all.slice(1, 2));
    assert.deepEqual(await get('/deployment?sortBy=deploymentTime&sortOrder=desc'), all.toReversed());
    assert.deepEqual(await get('/deployment?firstResult=1000'), []);
  });

  it('has definitions, by id, by key and as XML', async () => {
    const definition = await get('/process-definition/key/charge');
    assert.deepEqual(
      [definition.id, definition.version, definition.versionTag, definition.historyTimeToLive, definition.resource],
      [first.definitionId, 1, 'v1', 30, 'charge.bpmn'],
    );
    assert.deepEqual(await get(`/process-definition/${definition.id}`), definition);
    assert.deepEqual(await get('/process-definition?key=charge&latestVersion=true'), [definition]);
    assert.deepEqual(await get('/process-definition?key=charge&version=2'), []);
    assert.deepEqual(await get('/process-definition/count?keysIn=charge,ask'), { count: 2 });
    const xml = await get('/process-definition/key/charge/xml');
    assert.deepEqual(xml, { id: definition.id, bpmn20Xml: CHARGE });
    assert.equal((await ask('GET', '/process-definition/key/none')).status, 404);
  });

  it('has running instances with their variables', async () => {
    const [instance] = await get('/process-instance?businessKey=k1');
    assert.deepEqual([instance.id, instance.ended, instance.suspended, instance.links], [first.id, false, false, []]);
    assert.deepEqual(await get(`/process-instance/${first.id}`), instance);
    assert.deepEqual(await get('/process-instance/count?processDefinitionKey=charge&active=true'), { count: 2 });
    assert.deepEqual(await get('/process-instance?suspended=true'), []);
    const n = { type: 'Long', value: 1, valueInfo: {} };
    assert.deepEqual(await get(`/process-instance/${first.id}/variables`), { n });
    assert.deepEqual(await get(`/process-instance/${first.id}/variables/n`), n);
    assert.equal((await ask('GET', `/process-instance/${first.id}/variables/m`)).status, 404);
    assert.equal((await ask('GET', `/process-instance/${first.id}`, { user: 'ann' })).status, 404);
    assert.deepEqual(await get('/process-instance', 'ann'), []);
  });

  it('has tasks of workers', async () => {
    const tasks = await get('/external-task?topicName=charge&sortBy=createTime&sortOrder=asc', 'robot');
    const [task] = tasks;
    assert.deepEqual(
      [tasks.length, task.processInstanceId, task.businessKey, task.workerId, task.retries],
      [2, first.id, 'k1', null, null],
    );
    assert.ok(!('variables' in task) && !('createTime' in task));
    assert.deepEqual(await get(`/external-task/${task.id}`), task);
    assert.deepEqual(await get('/external-task/count?notLocked=true'), { count: 2 });
    assert.deepEqual(await get('/external-task/count', 'ann'), { count: 0 });
    await ask('POST', `/external-task/${task.id}/lock`, { body: { workerId: 'w', lockDuration: 60_000 } });
    assert.equal((await ask('GET', `/external-task/${task.id}/errorDetails`)).status, 204);
    const failure = { workerId: 'w', retries: 0, errorMessage: 'away', errorDetails: 'trace' };
    await ask('POST', `/external-task/${task.id}/failure`, { body: failure });
    assert.deepEqual(await get('/external-task/count?noRetriesLeft=true'), { count: 1 });
    const details = await ask('GET', `/external-task/${task.id}/errorDetails`);
    assert.deepEqual([details.status, details.type, details.text], [200, 'text/plain', 'trace']);
    const retry = (user: string, retries = 2) =>
      ask('PUT', `/external-task/${task.id}/retries`, { body: { retries }, user });
    assert.equal((await retry('robot')).status, 403);
    assert.equal((await retry('admin')).status, 204);
    assert.equal((await get(`/external-task/${task.id}`)).retries, 2);
    assert.equal((await retry('admin', 0)).status, 204);
    assert.deepEqual(await get('/external-task/count?noRetriesLeft=true'), { count: 1 });
  });

  it('has tasks of users', async () => {
    const [task, ...more] = await get('/task?processDefinitionKey=ask', 'ann');
    assert.deepEqual(
      [task.name, task.assignee, task.taskDefinitionKey, task.priority, task.taskState, task.suspended, more],
      ['Ask', 'ann', 'say', 50, 'Created', false, []],
    );
    assert.match(task.created, /\+0000$/);
    assert.deepEqual(await get(`/task/${task.id}`, 'ann'), task);
    assert.deepEqual(await get('/task/count?assignee=ann', 'ann'), { count: 1 });
    assert.deepEqual(await get('/task/count?unassigned=true', 'ann'), { count: 0 });
    assert.equal((await ask('GET', `/task/${task.id}`, { user: 'robot' })).status, 404);
  });

  it('says what of a query it does not know', async () => {
    const wrong = async (path: string) => {
      const { status, json } = await ask('GET', path, { user: 'admin' });
      assert.deepEqual([status, json.type, json.code], [400, 'InvalidRequestException', null], path);
      return json.message;
    };
    assert.match(await wrong('/task?nonsense=1'), /^expected one of taskId, .* but found 'nonsense'$/);
    await wrong('/task?maxResults=-1');
    await wrong('/task?sortBy=name');
    await wrong('/task?sortBy=nonsense&sortOrder=asc');
    await wrong('/task?sortBy=name&sortOrder=up');
    await wrong('/task?unassigned=perhaps');
    await wrong('/task?priority=high');
    await wrong('/task?nameLike=A%25');
  });
});
