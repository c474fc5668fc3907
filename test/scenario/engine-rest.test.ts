import assert from 'node:assert/strict';
import { bpmn, element, extended, flows, line } from '../support/bpmn.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { ADMIN_PASSWORD } from '../support/test-server.js';
import { restClient } from './support/rest-client.js';

const properties = extended('<camunda:properties><camunda:property name="unit" value="EUR"/></camunda:properties>');
const charge = element(
  'serviceTask',
  'charge',
  { 'camunda:type': 'external', 'camunda:topic': 'charge', 'camunda:taskPriority': '4' },
  properties,
);
const ORDER = bpmn(
  `${line(['charge'], charge)}<bpmn:boundaryEvent id="declined" attachedToRef="charge"><bpmn:errorEventDefinition errorRef="e"/></bpmn:boundaryEvent>${element('userTask', 'pay')}${flows('declined', 'pay')}`,
  { key: 'order', attributes: 'camunda:versionTag="v1"', root: '<bpmn:error id="e" errorCode="DECLINED"/>' },
);
const WAITING = bpmn(
  `${element('startEvent', 'start')}<bpmn:intermediateCatchEvent id="paid"><bpmn:messageEventDefinition messageRef="m"/></bpmn:intermediateCatchEvent>${element('endEvent', 'end')}${flows('start', 'paid', 'end')}`,
  { key: 'waiting', root: '<bpmn:message id="m" name="Paid"/>' },
);

describe("Camunda's REST", function () {
  this.timeout(60_000);
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'robot', roles: ['worker'] }, { userId: 'ann' }] });
    admin = server.as('admin');
    await admin.run(
      'mutation ($order: String!, $waiting: String!) { deployProcess(input: { name: "m", resources: [{ name: "order.bpmn", content: $order }, { name: "waiting.bpmn", content: $waiting }] }) { id } }',
      { order: ORDER, waiting: WAITING },
    );
  });
  after(() => server.remove());

  const ask = restClient(() => server);
  const start = async (variables: object = {}, businessKey = 'k') =>
    (await ask('POST', '/process-definition/key/order/start', { body: { variables, businessKey }, user: 'admin' }))
      .json;
  const topic = { topicName: 'charge', lockDuration: 60_000 };
  const fetchTasks = async (more: object = {}, ofTopic: object = {}, workerId = 'w') => {
    const body = { workerId, maxTasks: 10, usePriority: true, topics: [{ ...topic, ...ofTopic }], ...more };
    const answer = await ask('POST', '/external-task/fetchAndLock', { body });
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  };
  const lockOne = async (workerId = 'w') => {
    const [task, ...more] = await fetchTasks({}, {}, workerId);
    assert.ok(task !== undefined && more.length === 0);
    return task;
  };
  const post = (task: { readonly id: string }, verb: string, body?: unknown) =>
    ask('POST', `/external-task/${task.id}/${verb}`, { body });
  const stateOf = async (id: string) =>
    (await admin.run(`{ processInstance(id: "${id}") { state variables { name type value valueInfo } } }`))
      .processInstance;

  it('answers with plain JSON, by HTTP Basic alone, and knows its workspaces', async () => {
    const { status, type, json } = await ask('GET', '/version');
    assert.deepEqual([status, type, json], [200, 'application/json', { version: '7.23.0' }]);
    for (const path of ['/engine/web/version', '/web/version', '/engine/system/version', '//version'])
      assert.equal((await ask('GET', path, { user: 'admin' })).status, 200, path);
    const stranger = await ask('GET', '/version', { user: null });
    assert.deepEqual(
      [stranger.status, stranger.type, stranger.json.type, stranger.headers.get('www-authenticate')],
      [401, 'application/json', 'AuthenticationException', 'Basic realm="millrace", charset="UTF-8"'],
    );
    assert.equal((await ask('GET', '/engine/none/version')).status, 404);
    const none = await ask('GET', '/external-task/x/nothing');
    assert.deepEqual([none.status, none.json.type, none.json.code], [404, 'NotFoundException', null]);
    assert.match((await ask('GET', '/nothing')).json.message, /there is none at '\/engine-rest\/nothing'$/);
    const wrong = await ask('PUT', '/external-task/fetchAndLock');
    assert.deepEqual([wrong.status, wrong.json.type, wrong.headers.get('allow')], [405, 'NotAllowedException', 'POST']);
    const head = await ask('HEAD', '/version');
    assert.deepEqual([head.status, head.type, head.text], [200, 'application/json', '']);
    assert.deepEqual((await ask('GET', '/engine')).json, [{ name: 'system' }, { name: 'web' }]);
    assert.equal((await ask('GET', '/version')).headers.get('set-cookie'), null);
  });

  it('gives no session’s cookie anything', async () => {
    const { headers } = server.as('admin');
    const signedIn = await fetch(`${server.baseUrl}/auth/login`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }),
    });
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    const { status } = await fetch(`${server.baseUrl}/engine-rest/version`, { headers: { cookie } });
    assert.equal(status, 401);
  });

  it('starts processes, and lets workers have their tasks', async () => {
    const started = await start({ amount: { value: 7, type: 'Integer' } }, 'order-1');
    assert.deepEqual(
      [started.businessKey, started.ended, started.suspended, started.tenantId, started.links[0].rel],
      ['order-1', false, false, null, 'self'],
    );
    const task = await lockOne();
    assert.deepEqual(Object.keys(task).sort(), [
      ...[
        'activityId',
        'activityInstanceId',
        'businessKey',
        'createTime',
        'errorDetails',
        'errorMessage',
        'executionId',
      ],
      ...['extensionProperties', 'id', 'lockExpirationTime', 'priority', 'processDefinitionId', 'processDefinitionKey'],
      ...['processDefinitionVersionTag', 'processInstanceId', 'retries', 'suspended', 'tenantId', 'topicName'],
      ...['variables', 'workerId'],
    ]);
    assert.deepEqual(
      [task.topicName, task.workerId, task.businessKey, task.priority, task.processDefinitionVersionTag],
      ['charge', 'w', 'order-1', 4, 'v1'],
    );
    assert.deepEqual(task.variables, { amount: { type: 'Integer', value: 7, valueInfo: {} } });
    assert.match(task.lockExpirationTime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0000$/);
    assert.match(task.createTime, /\.\d{3}\+0000$/);
    assert.deepEqual(task.extensionProperties, {});
    assert.equal((await post(task, 'unlock')).status, 204);
    assert.equal((await post(task, 'unlock', 'null')).status, 204);
    const [again] = await fetchTasks({}, { includeExtensionProperties: true, variables: [] });
    assert.deepEqual([again.extensionProperties, again.variables], [{ unit: 'EUR' }, {}]);
    const done = await post(again, 'complete', { workerId: 'w', variables: { receipt: { value: 'r' } } });
    assert.deepEqual([done.status, done.text], [204, '']);
    assert.equal((await stateOf(started.id))?.state, 'completed');
  });

  it('gives workers what both one definition and a list of them allow', async () => {
    await start();
    const one = { processDefinitionKey: 'order' };
    assert.deepEqual(await fetchTasks({}, { ...one, processDefinitionKeyIn: ['other'] }), []);
    const [task, ...more] = await fetchTasks({}, { ...one, processDefinitionKeyIn: ['other', 'order'] });
    assert.ok(task !== undefined && more.length === 0);
    assert.equal((await post(task, 'complete', { workerId: 'w' })).status, 204);
  });

  it('starts processes where instructions say', async () => {
    const begin = (instruction: object, user = 'admin') =>
      ask('POST', '/process-definition/key/order/start', {
        body: { startInstructions: [instruction], skipIoMappings: true, withVariablesInReturn: true },
        user,
      });
    const pay = { type: 'startBeforeActivity', activityId: 'pay' };
    const { status, json } = await begin({ ...pay, variables: { paid: { value: 3, type: 'Integer', local: false } } });
    assert.deepEqual([status, json.variables.paid.value], [200, 3]);
    const query = 'query ($id: ID!) { processInstance(id: $id) { activeActivityIds } }';
    const { processInstance } = await admin.run(query, { id: json.id });
    assert.deepEqual(processInstance?.activeActivityIds, ['pay']);
    const byGraphql =
      'mutation { startProcess(input: { definitionKey: "order", instructions: [{ type: startBeforeActivity, activityId: "pay", variables: [{ name: "paid", value: 3 }] }] }) { activeActivityIds } }';
    assert.deepEqual((await admin.run(byGraphql)).startProcess, { activeActivityIds: ['pay'] });
    const local = await begin({ ...pay, variables: { note: { value: 'x', local: true } } });
    assert.deepEqual(local.json.variables, {});
    for (const wrong of [{ type: 'cancel', activityId: 'pay' }, { type: 'startTransition' }, { ...pay, variables: 3 }])
      assert.equal((await begin(wrong)).status, 400, JSON.stringify(wrong));
  });

  it('refuses as Camunda does: another worker 400, what is not there 404, a failed run 500', async () => {
    await start();
    const task = await lockOne('first');
    const other = await post(task, 'complete', { workerId: 'second' });
    assert.deepEqual([other.status, other.json.type, typeof other.json.message], [400, 'RestException', 'string']);
    assert.equal((await post(task, 'extendLock', { workerId: 'second', newDuration: 5 })).status, 400);
    assert.equal((await post(task, 'lock', { workerId: 'second', lockDuration: 5 })).status, 400);
    assert.equal((await post({ id: 'none' }, 'complete', { workerId: 'first' })).status, 404);
    const uncaught = await post(task, 'bpmnError', { workerId: 'first', errorCode: 'OTHER' });
    assert.deepEqual([uncaught.status, uncaught.json.type], [500, 'ProcessEngineException']);
    assert.equal((await ask('POST', '/external-task/x/complete', { body: '{' })).status, 400);
    const plain = await ask('POST', '/external-task/fetchAndLock', { body: '{}', contentType: 'text/plain' });
    assert.deepEqual([plain.status, plain.json.type], [415, 'NotSupportedException']);
    const byAnn = await ask('POST', `/external-task/${task.id}/complete`, { body: { workerId: 'first' }, user: 'ann' });
    assert.deepEqual([byAnn.status, byAnn.json.type], [403, 'AuthorizationException']);
    assert.equal((await post(task, 'extendLock', { workerId: 'first', newDuration: 99_999 })).status, 204);
    assert.equal((await post(task, 'lock', { workerId: 'first', lockDuration: 99_999 })).status, 204);
    assert.equal((await post(task, 'complete', { workerId: 'first' })).status, 204);
  });

  it('takes failures with retries, and opens an incident without', async () => {
    const { id } = await start();
    const task = await lockOne();
    const failed = { workerId: 'w', errorMessage: 'away', errorDetails: 'trace', retries: 1, retryTimeout: 0 };
    assert.equal((await post(task, 'failure', failed)).status, 204);
    const again = await lockOne();
    assert.deepEqual([again.retries, again.errorMessage, again.errorDetails], [1, 'away', 'trace']);
    assert.equal((await post(again, 'failure', { ...failed, retries: 0 })).status, 204);
    assert.deepEqual(await fetchTasks(), []);
    const { incidents } = await admin.run(
      `{ incidents(processInstanceId: "${id}") { edges { node { type message } } } }`,
    );
    assert.deepEqual(incidents.edges, [{ node: { type: 'failedExternalTask', message: 'away' } }]);
    await admin.run(`mutation { cancelProcessInstance(id: "${id}") }`);
  });

  it('gives variables back as they came: types, texts of objects, files', async () => {
    const order = { objectTypeName: 'org.Order', serializationDataFormat: 'application/json' };
    const java = { objectTypeName: 'a.B', serializationDataFormat: 'application/x-java-serialized-object' };
    const file = { filename: 'a.txt', mimeType: 'text/plain', encoding: 'UTF-8' };
    const variables = {
      anInt: { value: 5, type: 'integer', valueInfo: {} },
      aLong: { value: 5, type: 'Long', valueInfo: {} },
      long64: { value: '9007199254740993', type: 'Long', valueInfo: {} },
      aShort: { value: 5, type: 'Short', valueInfo: {} },
      aDouble: { value: 1.5, type: 'Double', valueInfo: {} },
      whole: { value: 2, type: 'Double', valueInfo: {} },
      text: { value: 'a', type: 'String', valueInfo: {} },
      flag: { value: true, type: 'BOOLEAN', valueInfo: {} },
      none: { value: null, type: 'Null', valueInfo: {} },
      noDate: { value: null, type: 'Date', valueInfo: {} },
      date: { value: '2026-01-31T08:00:00.000+0000', type: 'Date', valueInfo: {} },
      json: { value: '{"a":[1,"x"]}', type: 'Json', valueInfo: {} },
      scalar: { value: '7', type: 'Json', valueInfo: {} },
      xml: { value: '<a/>', type: 'Xml', valueInfo: {} },
      object: { value: '{"id":1}', type: 'Object', valueInfo: order },
      serialized: { value: 'rO0ABXQAAWE=', type: 'Object', valueInfo: java },
      doc: { value: Buffer.from('hällo').toString('base64'), type: 'File', valueInfo: { ...file } },
      bytes: { value: 'AQI=', type: 'Bytes', valueInfo: {} },
    };
    const { id } = await start(variables);
    const named: Record<string, string> = { anInt: 'Integer', flag: 'Boolean' };
    const expected = Object.fromEntries(
      Object.entries(variables).map(([name, given]) => [name, { ...given, type: named[name] ?? given.type }]),
    );
    const answer = await ask('POST', '/external-task/fetchAndLock', {
      body: { workerId: 'w', maxTasks: 1, topics: [topic] },
    });
    assert.ok(answer.text.includes('"value":9007199254740993'), 'with all digits');
    assert.ok(answer.text.includes('"whole":{"type":"Double","value":2.0,'), 'a Double has a fraction');
    const digits =
      '{ "modifications": { "sent": { "value": 9007199254740995, "type": "Long" }, "bare": { "value": -9007199254740995 } } }';
    assert.equal((await ask('POST', `/process-instance/${id}/variables`, { body: digits })).status, 204);
    const sent = (await stateOf(id))?.variables.filter(({ type }: { readonly type: string }) => type === 'Long') ?? [];
    assert.deepEqual(
      sent.map(({ name, value }) => [name, value]),
      [
        ['aLong', 5],
        ['bare', '-9007199254740995'],
        ['long64', '9007199254740993'],
        ['sent', '9007199254740995'],
      ],
    );
    const [task] = answer.json;
    assert.deepEqual(task.variables, {
      ...expected,
      long64: { value: 9007199254740992, type: 'Long', valueInfo: {} }, // as JavaScript reads it
      doc: { value: null, type: 'File', valueInfo: file },
    });
    const data = await ask('GET', `/execution/${id}/localVariables/doc/data`);
    assert.deepEqual([data.status, data.text, data.type], [200, 'hällo', 'text/plain; charset=UTF-8']);
    assert.equal(data.headers.get('content-disposition'), `attachment; filename="a.txt"; filename*=UTF-8''a.txt`);
    // Camunda's client in Java asks for it so.
    const ofExecution = `/process-instance/${task.executionId}/variables/doc/data`;
    assert.equal((await ask('GET', ofExecution)).text, 'hällo');
    assert.equal((await ask('GET', `/process-instance/${id}/variables/bytes/data`)).type, 'application/octet-stream');
    assert.equal((await ask('GET', `/process-instance/${id}/variables/text/data`)).status, 400);
    assert.equal((await ask('GET', `/process-instance/${id}/variables/other/data`)).status, 404);
    assert.equal((await ask('GET', `/process-instance/${id}/variables/doc/data`, { user: 'ann' })).status, 404);
    const { long64: _, doc: __, ...same } = task.variables;
    assert.equal((await post(task, 'complete', { workerId: 'w', variables: same })).status, 204);
    const object = (await stateOf(id))?.variables.find(({ name }: { readonly name: string }) => name === 'object');
    assert.deepEqual(object, {
      name: 'object',
      type: 'Json',
      value: { id: 1 },
      valueInfo: { type: 'Object', ...order },
    });
  });

  it('sets variables of an instance for who works on it, and completes tasks', async () => {
    const { id } = await start({ a: { value: 1 } });
    const set = (user: string) =>
      ask('POST', `/process-instance/${id}/variables`, {
        body: { modifications: { b: { value: 2, type: 'Integer' } } },
        user,
      });
    assert.equal((await set('robot')).status, 403);
    const task = await lockOne();
    assert.equal((await set('robot')).status, 204);
    assert.equal((await set('ann')).status, 403);
    const error = { workerId: 'w', errorCode: 'DECLINED', errorMessage: 'no', variables: { why: { value: 'x' } } };
    assert.equal((await post(task, 'bpmnError', error)).status, 204);
    const { tasks } = await admin.run(`{ tasks(processInstanceId: "${id}") { edges { node { id } } } }`);
    const body = { variables: { paid: { value: true } }, withVariablesInReturn: true };
    const done = await ask('POST', `/task/${tasks.edges[0]?.node.id}/complete`, { body, user: 'admin' });
    assert.deepEqual(Object.keys(done.json).sort(), ['a', 'b', 'paid', 'why']);
    assert.equal((await stateOf(id))?.state, 'completed');
  });

  it('brings messages', async () => {
    const started = await ask('POST', '/process-definition/key/waiting/start', {
      body: { businessKey: 'm1' },
      user: 'admin',
    });
    const body = { messageName: 'Paid', businessKey: 'm1', resultEnabled: true, processVariables: { n: { value: 1 } } };
    const answer = await ask('POST', '/message', { body });
    assert.deepEqual([answer.status, answer.json[0].resultType], [200, 'Execution']);
    assert.equal((await stateOf(started.json.id))?.state, 'completed');
    const none = await ask('POST', '/message', { body });
    assert.deepEqual([none.status, none.json.type, none.json.code], [400, 'RestException', 0]);
    assert.match(none.json.message, /MismatchingMessageCorrelationException: Cannot correlate message 'Paid': /);
  });

  it('brings messages by variables, with their types as Camunda compares them, and to all', async () => {
    const begin = async (variables: object) =>
      (await ask('POST', '/process-definition/key/waiting/start', { body: { variables }, user: 'admin' })).json.id;
    const message = (more: object) => ask('POST', '/message', { body: { messageName: 'Paid', ...more } });
    const [a, b] = [await begin({ n: { value: 1, type: 'Long' } }), await begin({ n: { value: 1 } })];
    assert.equal((await message({ correlationKeys: { n: { value: '1' } } })).status, 400);
    const found = await message({
      correlationKeys: { n: { value: 1 } },
      processVariables: { got: { value: true } },
      resultEnabled: true,
      variablesInResultEnabled: true,
    });
    assert.equal(found.status, 200, found.text);
    const [{ execution, variables, ...result }] = found.json;
    assert.deepEqual(result, { resultType: 'Execution', processInstance: null });
    assert.deepEqual([execution.processInstanceId, execution.ended, execution.tenantId], [b, true, null]);
    assert.match(execution.id, new RegExp(`^${b}:\\d+$`));
    assert.deepEqual(variables.got, { type: 'Boolean', value: true, valueInfo: {} });
    assert.equal((await message({ localCorrelationKeys: { n: { value: 1, type: 'Long' } } })).status, 400);
    assert.equal((await message({ correlationKeys: { n: { value: 1, type: 'long' } } })).status, 204);
    assert.equal((await stateOf(a))?.state, 'completed');
    const some = [await begin({}), await begin({})];
    assert.equal((await message({})).status, 400);
    const all = await message({ all: true, resultEnabled: true, processVariablesLocal: { own: { value: 1 } } });
    const ids = all.json.map((each: { execution: { processInstanceId: string } }) => each.execution.processInstanceId);
    assert.deepEqual(ids.sort(), some.sort());
    assert.deepEqual((await message({ all: true, resultEnabled: true })).json, []);
    assert.equal((await message({ all: true })).status, 204);
    assert.equal((await stateOf(some[0]))?.state, 'completed');
    const scoped = await begin({});
    const processVariablesToTriggeredScope = { own: { value: 1 } };
    assert.equal((await message({ processInstanceId: scoped, processVariablesToTriggeredScope })).status, 204);
    assert.deepEqual((await stateOf(scoped))?.variables, []);
  });

  it('refuses messages as Camunda does', async () => {
    const message = async (body: object) => (await ask('POST', '/message', { body })).json;
    const invalid = (text: string) => ({ type: 'InvalidRequestException', message: text, code: null });
    assert.deepEqual(await message({}), invalid('No message name supplied'));
    assert.deepEqual(
      await message({ messageName: 'Paid', variablesInResultEnabled: true }),
      invalid("Parameter 'variablesInResultEnabled' cannot be used without 'resultEnabled' set to true."),
    );
    const tenant = { messageName: 'Paid', tenantId: 't' };
    assert.deepEqual(
      await message({ ...tenant, withoutTenantId: true }),
      invalid("Parameter 'tenantId' cannot be used together with parameter 'withoutTenantId'."),
    );
    assert.match((await message(tenant)).message, /MismatchingMessageCorrelationException/);
    assert.match((await message({ messageName: 'Paid', correlationKeys: { a: { value: [1] } } })).type, /Invalid/);
    const path = '/process-definition/key/waiting/tenant-id/t/start';
    const started = await ask('POST', path, { body: {}, user: 'admin' });
    assert.deepEqual([started.status, started.json.type], [404, 'RestException']);
    assert.equal(started.json.message, 'No matching process definition with key: waiting and tenant-id: t');
  });

  it('gives structures as text, or as what they are', async () => {
    const object = {
      value: '{"b":[2]}',
      type: 'Object',
      valueInfo: { objectTypeName: 'a.B', serializationDataFormat: 'application/json' },
    };
    await start({ plain: { value: { a: [1] } }, object });
    const shown = async (deserializeValues: boolean) => {
      const [task] = await fetchTasks({}, { deserializeValues });
      await post(task, 'unlock');
      return [task.variables.plain.value, task.variables.object.value, task.id];
    };
    assert.deepEqual((await shown(false)).slice(0, 2), ['{"a":[1]}', '{"b":[2]}']);
    const [plain, structure, id] = await shown(true);
    assert.deepEqual([plain, structure], [{ a: [1] }, { b: [2] }]);
    await lockOne();
    await post({ id }, 'complete', { workerId: 'w' });
  });

  it('stores no transient variables', async () => {
    const secret = { value: 'x', type: 'String', valueInfo: { transient: true } };
    const { id } = await start({ secret, kept: { value: 1 } });
    const task = await lockOne();
    assert.deepEqual(Object.keys(task.variables), ['kept']);
    await post(task, 'complete', { workerId: 'w', variables: { secret } });
    assert.deepEqual(
      (await stateOf(id))?.variables.map(({ name }: { readonly name: string }) => name),
      ['kept'],
    );
  });

  it('refuses Bytes and Files that are no Base64', async () => {
    for (const type of ['Bytes', 'File']) {
      const body = { variables: { a: { value: '???', type } } };
      const { status, json } = await ask('POST', '/process-definition/key/order/start', { body, user: 'admin' });
      assert.deepEqual([status, json.type], [400, 'InvalidRequestException']);
      assert.match(json.message, /^expected Base64 for variable 'a'/);
    }
  });

  it('deletes variables of an instance, and keeps texts with NUL', async () => {
    const { id } = await start({ a: { value: 1 }, b: { value: 2 }, nul: { value: 'a\u0000b' } });
    const path = `/process-instance/${id}/variables`;
    const body = { modifications: { a: { value: 3 }, c: { value: 4 } }, deletions: ['a', 'b', 'unknown'] };
    assert.equal((await ask('POST', path, { body, user: 'admin' })).status, 204);
    const [task] = await fetchTasks();
    assert.deepEqual(Object.keys(task.variables).sort(), ['c', 'nul']);
    assert.equal(task.variables.nul.value, 'a\u0000b');
    assert.equal((await ask('POST', path, { body: { deletions: [1] }, user: 'admin' })).status, 400);
    await post(task, 'complete', { workerId: 'w' });
  });

  it('gives the bytes of local variables where a scope is large', async () => {
    const item = extended(
      '<camunda:inputOutput><camunda:inputParameter name="own">${doc}</camunda:inputParameter></camunda:inputOutput>',
    );
    const loop =
      '<bpmn:multiInstanceLoopCharacteristics><bpmn:loopCardinality>60</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>';
    const many = element('serviceTask', 'many', { 'camunda:type': 'external', 'camunda:topic': 'many' }, item + loop);
    const model = bpmn(line(['many'], many), { key: 'large' });
    await admin.run(
      'mutation ($model: String!) { deployProcess(input: { name: "many", resources: [{ name: "many.bpmn", content: $model }] }) { id } }',
      { model },
    );
    const doc = { value: Buffer.from('bytes').toString('base64'), type: 'File', valueInfo: { filename: 'd.txt' } };
    await ask('POST', '/process-definition/key/large/start', { body: { variables: { doc } }, user: 'admin' });
    const tasks = await fetchTasks({ maxTasks: 60 }, { topicName: 'many' });
    assert.equal(tasks.length, 60);
    const got = await ask('GET', `/execution/${tasks[59].executionId}/localVariables/doc/data`);
    assert.deepEqual([got.status, got.text], [200, 'bytes']);
  });

  describe('for Camunda Modeler', () => {
    const form = (content: string, more: Record<string, string> = {}) => {
      const body = new FormData();
      body.append('deployment-name', 'from the modeler');
      body.append('deployment-source', 'Camunda Modeler');
      for (const [name, value] of Object.entries(more)) body.append(name, value);
      body.append('diagram.bpmn', new Blob([content]), 'diagram.bpmn');
      return body;
    };
    const model = bpmn(line(['x'], element('task', 'x')), { key: 'drawn' });

    it('deploys files, and gives what is there already', async () => {
      assert.deepEqual((await ask('GET', '/deployment?maxResults=0', { user: 'admin' })).json, []);
      const more = { 'enable-duplicate-filtering': 'true', 'tenant-id': '' };
      const first = await ask('POST', '/deployment/create', { body: form(model, more), user: 'admin' });
      assert.equal(first.status, 200, first.text);
      const [definition] = Object.values(first.json.deployedProcessDefinitions) as { key: string; id: string }[];
      assert.deepEqual(
        [first.json.name, first.json.source, first.json.tenantId, definition?.key],
        ['from the modeler', 'Camunda Modeler', null, 'drawn'],
      );
      const second = await ask('POST', '/deployment/create', { body: form(model, more), user: 'admin' });
      assert.deepEqual(second.json, first.json);
      const started = await ask('POST', `/process-definition/${definition?.id}/start`, { body: {}, user: 'admin' });
      assert.equal(started.json.definitionId, definition?.id);
    });

    it('deploys decisions and forms with the diagram', async () => {
      const decision =
        '<definitions xmlns="https://www.omg.org/spec/DMN/20191111/MODEL/" xmlns:camunda="http://camunda.org/schema/1.0/dmn" id="d" name="d" namespace="n"><decision id="fare" name="Fare" camunda:historyTimeToLive="P7D"><literalExpression id="l"><text>1</text></literalExpression></decision></definitions>';
      const body = form(model.replaceAll('drawn', 'together'));
      body.append('fare.dmn', new Blob([decision]), 'fare.dmn');
      body.append('ask.form', new Blob(['{"type":"default","id":"ask","components":[]}']), 'ask.form');
      const { status, json, text } = await ask('POST', '/deployment/create', { body, user: 'admin' });
      assert.equal(status, 200, text);
      const [{ id, ...fare }] = Object.values(json.deployedDecisionDefinitions) as [{ readonly id: string }];
      assert.match(id, /^fare:1:/);
      assert.deepEqual(fare, {
        ...{ key: 'fare', name: 'Fare', version: 1, versionTag: null, category: null, resource: 'fare.dmn' },
        ...{ deploymentId: json.id, tenantId: null, historyTimeToLive: 7 },
        ...{ decisionRequirementsDefinitionId: null, decisionRequirementsDefinitionKey: null },
      });
      assert.equal(Object.keys(json.deployedProcessDefinitions).length, 1);
    });

    it('tells why a model cannot be read', async () => {
      const { status, json } = await ask('POST', '/deployment/create', {
        body: form(
          model.replace('<bpmn:task id="x"', '<bpmn:serviceTask id="x"').replace('</bpmn:task>', '</bpmn:serviceTask>'),
        ),
        user: 'admin',
      });
      assert.deepEqual([status, json.type], [400, 'ParseException']);
      assert.match(json.message, /^ENGINE-09005 Could not parse BPMN process\./);
      assert.equal(json.details['diagram.bpmn'].errors[0].mainElementId, 'x');
      assert.equal((await ask('POST', '/deployment/create', { body: form(model), user: 'ann' })).status, 403);
      assert.equal((await ask('POST', '/deployment/create', { body: {}, user: 'admin' })).status, 400);
    });
  });

  describe('that is waited for', () => {
    const wait = (signal?: AbortSignal) =>
      ask('POST', '/external-task/fetchAndLock', {
        body: { workerId: 'w', maxTasks: 1, asyncResponseTimeout: 30_000, topics: [topic] },
        ...(signal && { signal }),
      });

    it('is answered as soon as there is work', async () => {
      const waiting = wait();
      await start();
      const [task] = (await waiting).json;
      await post(task, 'complete', { workerId: 'w' });
    });

    it('locks nothing for who is gone', async () => {
      const control = new AbortController();
      const waiting = wait(control.signal);
      await ask('GET', '/version');
      control.abort();
      await assert.rejects(waiting);
      await ask('GET', '/version');
      await start();
      const task = await lockOne('other');
      await post(task, 'complete', { workerId: 'other' });
    });

    it('is not waited for longer than half an hour', async () => {
      const body = { workerId: 'w', maxTasks: 1, asyncResponseTimeout: 1_800_001, topics: [topic] };
      const { status, json } = await ask('POST', '/external-task/fetchAndLock', { body });
      assert.deepEqual([status, json.type], [400, 'InvalidRequestException']);
    });

    it('ends with nothing when the server ends', async () => {
      const own = await liveServer();
      const { headers } = own.as('admin');
      const waiting = fetch(`${own.baseUrl}/engine-rest/external-task/fetchAndLock`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ workerId: 'w', maxTasks: 1, asyncResponseTimeout: 600_000, topics: [topic] }),
      });
      await own.as('admin').run('{ me { username } }');
      await own.remove();
      assert.equal(await (await waiting).text(), '[]');
    });
  });
});
