import assert from 'node:assert/strict';
import { bpmn, flows } from '../support/bpmn.js';
import { eventually } from '../support/eventually.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { createRoute } from './support/route-client.js';

const task = (key: string, fields: Readonly<Record<string, string>>, more = '') =>
  bpmn(
    `<bpmn:startEvent id="s"/>
  <bpmn:serviceTask id="call" camunda:class="eip" camunda:resultVariable="reply">
    <bpmn:extensionElements>${Object.entries(fields)
      .map(
        ([name, value]) =>
          `<camunda:field name="${name}"><camunda:expression>${value}</camunda:expression></camunda:field>`,
      )
      .join('')}</bpmn:extensionElements>
  </bpmn:serviceTask>
  ${more}
  <bpmn:endEvent id="e"/>
  ${flows('s', 'call', 'e')}`,
    { key, root: '<bpmn:error id="no" errorCode="DECLINED"/>' },
  );

const CAUGHT = `<bpmn:boundaryEvent id="declined" attachedToRef="call"><bpmn:errorEventDefinition errorRef="no" camunda:errorCodeVariable="code" camunda:errorMessageVariable="why"/></bpmn:boundaryEvent>
  <bpmn:endEvent id="refused"/>${flows('declined', 'refused')}`;

describe('service tasks that call routes', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer({ env: { MILLRACE_JOB_SLOTS: '2', MILLRACE_ANSWER_WAIT: '1s' } });
    admin = server.as('admin');
    const models = {
      asking: task('asking', {
        endpointUri: 'direct:price',
        body: '${item}',
        inputs: 'count, unit=currency',
        outputs: 'total, seller=By, whole=@body',
      }),
      declining: task('declining', { endpointUri: 'direct:decline' }, CAUGHT),
      failing: task('failing', { endpointUri: 'direct:fail' }),
      outside: task('outside', { endpointUri: 'file:/etc' }),
      held: task('held', { endpointUri: 'direct:held', inputs: 'number' }),
    };
    for (const [name, content] of Object.entries(models))
      await admin.run('mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }', {
        input: { name, resources: [{ name: `${name}.bpmn`, content }] },
      });
  });
  after(() => server.remove());

  const start = async (definitionKey: string, given: Readonly<Record<string, unknown>> = {}) => {
    const variables = Object.entries(given).map(([name, value]) => ({ name, value }));
    const { startProcess } = await admin.run(
      `mutation ($input: StartProcessInput!) { startProcess(input: $input) { id state variables { name value } activityInstances { activityId } } }`,
      { input: { definitionKey, variables } },
    );
    return {
      ...startProcess,
      values: Object.fromEntries(startProcess.variables.map(({ name, value }) => [name, value])),
    };
  };

  it('are given its reply', async () => {
    await createRoute(
      admin,
      'price',
      `
- setHeader: { name: total, simple: { expression: "\${header.count} * 1", resultType: java.lang.String } }
- setHeader: { name: by, constant: somebody }
- setBody: { simple: "\${body} in \${header.unit}" }`,
    );
    const { state, values } = await start('asking', { item: 'apples', count: 3, currency: 'EUR' });
    assert.equal(state, 'completed');
    assert.deepEqual([values.reply, values.whole, values.seller], ['apples in EUR', 'apples in EUR', 'somebody']);
    assert.equal(values.total, '3 * 1');
  });

  it('leave by the event that catches the error of a route', async () => {
    await createRoute(
      admin,
      'decline',
      '- throwException: { exceptionType: org.camunda.bpm.engine.delegate.BpmnError, message: "DECLINED: too dear" }',
    );
    const { state, values, activityInstances } = await start('declining');
    assert.equal(state, 'completed');
    assert.deepEqual([values.code, values.why], ['DECLINED', 'too dear']);
    assert.equal(activityInstances.at(-1)?.activityId, 'refused');
  });

  it('are tried again when the route fails, and are an incident in the end', async () => {
    await createRoute(
      admin,
      'fail',
      '- to: "mock:tried"\n- throwException: { exceptionType: java.io.IOException, message: gone }',
    );
    const { id } = await start('failing');
    await admin.run('mutation { advanceClock(by: "PT1H") }');
    const { processInstance } = await admin.run(
      'query ($id: ID!) { processInstance(id: $id) { state incidents { edges { node { message } } } } }',
      { id },
    );
    assert.deepEqual(
      processInstance?.incidents.edges.map(({ node }) => node.message),
      ['java.io.IOException: gone'],
    );
    const { mockEndpoint } = await admin.run('{ mockEndpoint(name: "tried") { receivedCounter } }');
    assert.equal(mockEndpoint.receivedCounter, 3);
  });

  it('call routes alone', async () => {
    const { id } = await start('outside');
    await admin.run('mutation { advanceClock(by: "PT1H") }');
    const { processInstance } = await admin.run(
      'query ($id: ID!) { processInstance(id: $id) { incidents { edges { node { message } } } } }',
      { id },
    );
    assert.match(processInstance?.incidents.edges[0]?.node.message ?? '', /expected an endpoint of a route/);
  });

  it('hold no slot of the jobs meanwhile', async () => {
    await createRoute(admin, 'held', '- delay: { constant: 3600000 }\n- setBody: { simple: "${header.number}" }');
    const ids = await Promise.all(
      [1, 2, 3, 4, 5].map(async (value) => {
        const { startProcess } = await admin.run(
          `mutation { startProcess(input: { definitionKey: "held", variables: [{ name: "number", value: ${value} }] }) { id } }`,
        );
        return startProcess.id;
      }),
    );
    const inflight = async () =>
      (await admin.run('{ route(id: "held") { exchangesInflight } }')).route?.exchangesInflight;
    await eventually('all of them wait in the route', async () => (await inflight()) === 5);
    // Another job runs beside them.
    assert.equal((await start('declining')).state, 'completed');
    await admin.run('mutation { advanceClock(by: "PT1H") }');
    for (const [at, id] of ids.entries()) {
      const { processInstance } = await admin.run(
        'query ($id: ID!) { processInstance(id: $id) { state variables { name value } } }',
        { id },
      );
      assert.equal(processInstance?.state, 'completed');
      assert.equal(processInstance?.variables.find(({ name }) => name === 'reply')?.value, at + 1);
    }
  });
});

describe('a service task that calls a route', () => {
  it('is called again when the server was ended meanwhile, and no retry is used up', async () => {
    const env = { MILLRACE_DRAIN_TIMEOUT: '500ms', MILLRACE_ANSWER_WAIT: '100ms' };
    const first = await liveServer({ env });
    const model = task('waiting', { endpointUri: 'direct:waiting' });
    const input = { name: 'waiting', resources: [{ name: 'waiting.bpmn', content: model }] };
    await first
      .as('admin')
      .run('mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }', { input });
    await createRoute(first.as('admin'), 'waiting', '- delay: { constant: 3600000 }\n- setBody: { constant: done }');
    const { startProcess } = await first
      .as('admin')
      .run('mutation { startProcess(input: { definitionKey: "waiting" }) { id } }');
    await first.end();
    const second = await liveServer({ folder: first.folder, env });
    const instance = async () =>
      (
        await second
          .as('admin')
          .run(
            'query ($id: ID!) { processInstance(id: $id) { state jobs { edges { node { retries } } } variables { name value } } }',
            { id: startProcess.id },
          )
      ).processInstance;
    const inflight = async () =>
      (await second.as('admin').run('{ route(id: "waiting") { exchangesInflight } }')).route?.exchangesInflight;
    await eventually('it is called again', async () => (await inflight()) === 1);
    assert.deepEqual(
      (await instance())?.jobs.edges.map(({ node }) => node.retries),
      [3],
    );
    await second.as('admin').run('mutation { advanceClock(by: "PT1H") }');
    await eventually('it is over', async () => (await instance())?.state === 'completed');
    await second.remove();
  });
});
