import assert from 'node:assert/strict';
import { bpmn, flows } from '../support/bpmn.js';
import { eventually } from '../support/eventually.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { createRoute, send } from './support/route-client.js';

const ORDER = bpmn(
  `<bpmn:startEvent id="s"/>
  <bpmn:userTask id="pack" camunda:assignee="dora"/>
  <bpmn:intermediateCatchEvent id="paid"><bpmn:messageEventDefinition messageRef="m"/></bpmn:intermediateCatchEvent>
  <bpmn:intermediateCatchEvent id="go"><bpmn:signalEventDefinition signalRef="g"/></bpmn:intermediateCatchEvent>
  <bpmn:endEvent id="e"/>
  ${flows('s', 'pack', 'paid', 'go', 'e')}`,
  { key: 'order', root: '<bpmn:message id="m" name="paid"/><bpmn:signal id="g" name="go"/>' },
);
const RESERVED = bpmn(`<bpmn:startEvent id="s"/><bpmn:endEvent id="e"/>${flows('s', 'e')}`, {
  key: 'reserved',
  attributes: 'camunda:candidateStarterUsers="somebody"',
});

describe('processes from routes', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  let dora: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'dora', roles: ['deployer'] }] });
    [admin, dora] = [server.as('admin'), server.as('dora')];
    await admin.run(`mutation { setAccessControl(input: { path: "/etc/eip/routes", entries: [
      { principal: "dora", privileges: ["jcr:all"], allow: true }] }) { entries { principal } } }`);
    for (const [name, content] of Object.entries({ order: ORDER, reserved: RESERVED }))
      await admin.run('mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }', {
        input: { name, resources: [{ name: `${name}.bpmn`, content }] },
      });
  });
  after(() => server.remove());

  const instance = async (id: unknown) =>
    (
      await admin.run(
        `query ($id: ID!) { processInstance(id: $id) { state businessKey startUserId variables { name type value } tasks { edges { node { id } } } } }`,
        { id },
      )
    ).processInstance;

  it('are started, and taken on by tasks, messages and signals, as the deployer', async () => {
    await createRoute(
      dora,
      'start',
      `
- unmarshal: { json: {} }
- to:
    uri: "bpm:start"
    parameters: { processDefinitionKey: order, businessKey: "\${header.number}", variable.rush: "\${header.rush}" }`,
    );
    const body = JSON.stringify({ items: [{ sku: 'a', count: 2 }], total: 12.5 });
    const { headers, exception } = await send(admin, 'direct:start', body, { number: 'o-1', rush: true });
    const id = headers.CamelBpmProcessInstanceId;
    const started = await instance(id);
    assert.deepEqual(
      [exception, started?.state, started?.businessKey, started?.startUserId],
      [null, 'active', 'o-1', 'dora'],
    );
    const variables = Object.fromEntries((started?.variables ?? []).map(({ name, value }) => [name, value]));
    assert.deepEqual(variables, { items: [{ sku: 'a', count: 2 }], total: 12.5, rush: true });
    await createRoute(
      dora,
      'goon',
      `
- to: { uri: "bpm:complete", parameters: { taskId: "\${header.task}", variable.packed: "\${header.box}" } }
- to: { uri: "bpm:correlate", parameters: { messageName: paid, businessKey: "\${header.number}", bodyVariable: receipt } }
- to: { uri: "bpm:signal", parameters: { signalName: go } }`,
    );
    const gone = await send(admin, 'direct:goon', 'r-7', {
      task: started?.tasks.edges[0]?.node.id,
      number: 'o-1',
      box: 3,
    });
    assert.deepEqual([gone.exception, gone.headers.CamelBpmProcessInstanceId], [null, id]);
    await eventually('the signal has reached it', async () => (await instance(id))?.state === 'completed');
    const ended = await instance(id);
    const set = Object.fromEntries((ended?.variables ?? []).map(({ name, value }) => [name, value]));
    assert.deepEqual([set.packed, set.receipt], [3, 'r-7']);
  });

  it('are refused by classes that a route can catch', async () => {
    const refusals: readonly (readonly [string, string, RegExp])[] = [
      [
        'unknown',
        'bpm:start?processDefinitionKey=odrer',
        /^org.camunda.bpm.engine.exception.NotFoundException: NOT_FOUND: .*order/,
      ],
      [
        'notdora',
        'bpm:start?processDefinitionKey=reserved',
        /^org.camunda.bpm.engine.AuthorizationException: FORBIDDEN/,
      ],
      ['notask', 'bpm:complete?taskId=none', /^org.camunda.bpm.engine.exception.NotFoundException/],
      ['nobody', 'bpm:correlate?messageName=nothing', /^org.camunda.bpm.engine.exception.NotFoundException/],
      [
        'badname',
        'bpm:signal?signalName=go&variable.=x',
        /^org.camunda.bpm.engine.BadUserRequestException: BAD_REQUEST/,
      ],
      ['nokey', 'bpm:start', /^java.lang.IllegalArgumentException: .*processDefinitionKey/],
    ];
    for (const [id, uri, expected] of refusals) {
      await createRoute(
        dora,
        id,
        `
- doTry:
    steps:
      - to: { uri: "${uri}" }
    doCatch:
      - exception: ["java.lang.RuntimeException"]
        steps:
          - setBody: { simple: "\${exception.class.name}: \${exception.message}" }`,
      );
      const { body, exception } = await send(admin, `direct:${id}`);
      assert.equal(exception, null, id);
      assert.match(body ?? '', expected, id);
    }
  });
});
