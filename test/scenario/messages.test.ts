import assert from 'node:assert/strict';
import { bpmn, definitions, element, extended, flows, line } from '../support/bpmn.js';
import { eventually } from '../support/eventually.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { KillableServer } from './support/killable-server.js';
import { Person, variablesOf } from './support/person.js';

// Slow: more instances wait than a decision looks at itself.

const root = '<bpmn:message id="m" name="paid"/>';
const MODEL = bpmn(
  line(['hear', 'then'], element('receiveTask', 'hear', { messageRef: 'm' }) + element('userTask', 'then')),
  { key: 'order', root },
);

const said = (content = '') => `<bpmn:messageEventDefinition>${content}</bpmn:messageEventDefinition>`;

/** None of its events names a message. */
const POOLS = definitions(`<bpmn:collaboration id="c">
    <bpmn:messageFlow id="order" sourceRef="say" targetRef="asked"/><bpmn:messageFlow id="answer" sourceRef="reply" targetRef="wait"/>
  </bpmn:collaboration>
  <bpmn:process id="buyer" isExecutable="true">${element('startEvent', 's')}
    ${element('intermediateThrowEvent', 'say', {}, said(extended('<camunda:in source="sum" target="price"/>')))}
    ${element('intermediateCatchEvent', 'wait', {}, said())}${element('endEvent', 'e')}${flows('s', 'say', 'wait', 'e')}</bpmn:process>
  <bpmn:process id="seller" isExecutable="true">${element('startEvent', 'asked', {}, said())}${element('userTask', 'offer')}
    ${element('sendTask', 'reply')}${flows('asked', 'offer', 'reply')}</bpmn:process>`);

interface Correlated {
  readonly receivers: readonly { readonly started: boolean; readonly processInstance: { readonly id: string } }[];
  readonly hasMore: boolean;
  readonly bufferedMessage: { readonly messageId: string } | null;
}

const start = async (client: GraphqlClient, values: Readonly<Record<string, unknown>>): Promise<string> => {
  const input = { definitionKey: 'order', variables: variablesOf(values) };
  const { startProcess } = await client.run(
    'mutation ($input: StartProcessInput!) { startProcess(input: $input) { id } }',
    { input },
  );
  return startProcess.id;
};

const correlate = async (client: GraphqlClient, input: object): Promise<Correlated> => {
  const { correlateMessages } = await client.run(
    `mutation ($input: CorrelateMessageInput!) { correlateMessages(input: $input) {
       receivers { started processInstance { id activeActivityIds } } hasMore bufferedMessage { id messageId messageName correlationKeys } } }`,
    { input: { messageName: 'paid', ...input } },
  );
  return correlateMessages as unknown as Correlated;
};

const deploy = (client: GraphqlClient, content: string) =>
  client.run(
    'mutation ($model: String!) { deployProcess(input: { name: "m", resources: [{ name: "m.bpmn", content: $model }] }) { id } }',
    { model: content },
  );

describe('a message', function () {
  this.timeout(120_000);
  let server: KillableServer;
  before(async () => {
    server = new KillableServer();
    await server.start();
  });
  after(() => server.remove());

  it('goes along a message flow from one pool to the other, and back, as it was drawn', async () => {
    const admin = server.client('admin');
    await deploy(admin, POOLS);
    const input = { definitionKey: 'buyer', businessKey: 'B-7', variables: variablesOf({ sum: 70 }) };
    const { startProcess } = await admin.run(
      'mutation ($input: StartProcessInput!) { startProcess(input: $input) { id } }',
      { input },
    );
    const asked = async () => {
      const { processInstances } = await admin.run(
        '{ processInstances(businessKey: "B-7", definitionKey: "seller") { edges { node { id variables { name value } } } } }',
      );
      return processInstances.edges.map(({ node }) => node);
    };
    await eventually('the other pool begins', async () => (await asked()).length === 1);
    const [seller] = await asked();
    assert.deepEqual(seller?.variables, [{ name: 'price', value: 70 }]);
    await new Person(admin).perform(seller?.id ?? '', 'offer');
    await eventually('the answer comes', async () => {
      const { processInstance } = await admin.run('query ($id: ID!) { processInstance(id: $id) { state } }', {
        id: startProcess.id,
      });
      return processInstance?.state === 'completed';
    });
  });

  it('finds its one receiver by variables among many, and all of some', async () => {
    const admin = server.client('admin');
    await deploy(admin, MODEL);
    const ids: string[] = [];
    for (let n = 0; n < 130; n++) ids.push(await start(admin, { order: n, even: n % 2 === 0 }));
    for (const order of [0, 77, 129]) {
      const { receivers } = await correlate(admin, { correlationKeys: { order } });
      assert.deepEqual(receivers, [
        { started: false, processInstance: { id: ids[order], activeActivityIds: ['then'] } },
      ]);
    }
    await assert.rejects(correlate(admin, { correlationKeys: { order: 77 } }), /NOT_FOUND|nothing waits for it/);
    const { receivers, hasMore } = await correlate(admin, { all: true, correlationKeys: { even: true } });
    assert.deepEqual([receivers.length, hasMore], [64, false]);
    assert.ok(receivers.every(({ processInstance }) => ids.indexOf(processInstance.id) % 2 === 0));
    // Many have the one variable, and many the other.
    for (let n = 0; n < 40; n++) await start(admin, { even: 'all', shop: n === 7 ? 'a' : 'b' });
    const id = await start(admin, { even: 'all', shop: 'a' });
    for (let n = 0; n < 40; n++) await start(admin, { shop: 'a' });
    await assert.rejects(correlate(admin, { correlationKeys: { even: 'all', shop: 'a' } }), /CONFLICT|2 wait for it/);
    await correlate(admin, { correlationKeys: { even: 'all', shop: 'a' }, processInstanceId: id });
    const last = await correlate(admin, { correlationKeys: { even: 'all', shop: 'a' } });
    assert.equal(last.receivers[0]?.started, false);
    await assert.rejects(correlate(admin, { correlationKeys: { even: 'all', shop: 'a' } }), /NOT_FOUND|nothing waits/);
  });

  it('that waits is taken by one of 50 that come to wait at once, also when the server is killed meanwhile', async () => {
    const model = MODEL.replaceAll('order', 'late').replaceAll('paid', 'late');
    await deploy(server.client('admin'), model);
    const started = async (name: string) => {
      const client = server.client('admin');
      await client.run(
        `mutation { startProcess(input: { definitionKey: "late", businessKey: "${name}", variables: [{ name: "order", value: 7 }] }) { id } }`,
      );
    };
    const { bufferedMessage } = await correlate(server.client('admin'), {
      messageName: 'late',
      timeToLive: 'PT1H',
      messageId: 'once',
      correlationKeys: { order: 7 },
      variables: [{ name: 'sum', value: 5 }],
    });
    assert.equal(bufferedMessage?.messageId, 'once');
    await server.end('SIGKILL');
    await server.start();
    const starting = Array.from({ length: 50 }, (_, n) => started(`k${n}`));
    await Promise.any(starting);
    await server.end('SIGKILL');
    await Promise.allSettled(starting);
    await server.start();
    const admin = server.client('admin');
    await Promise.all(Array.from({ length: 10 }, (_, n) => started(`again ${n}`)));
    const found = async () => {
      const { tasks, bufferedMessages } = await admin.run(
        '{ tasks(definitionKey: "late") { edges { node { processInstance { variables { name value } } } } } bufferedMessages { totalCount } }',
      );
      return [tasks.edges.map(({ node }) => node.processInstance?.variables), bufferedMessages.totalCount];
    };
    await eventually('one has taken the message', async () => ((await found())[0] as unknown[]).length > 0);
    const sum = [
      { name: 'order', value: 7 },
      { name: 'sum', value: 5 },
    ];
    assert.deepEqual(await found(), [[sum], 0]);
    await assert.rejects(
      correlate(admin, {
        messageName: 'late',
        timeToLive: 'PT1H',
        messageId: 'once',
        correlationKeys: { order: 7 },
      }),
      /a message 'late' that has not come yet/,
    );
  });
});
