import assert from 'node:assert/strict';
import { bpmn, element, line } from '../support/bpmn.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { KillableServer } from './support/killable-server.js';
import { variablesOf } from './support/person.js';

// Slow: more instances wait than a decision looks at itself.

const root = '<bpmn:message id="m" name="paid"/>';
const MODEL = bpmn(
  line(['hear', 'then'], element('receiveTask', 'hear', { messageRef: 'm' }) + element('userTask', 'then')),
  { key: 'order', root },
);

interface Correlated {
  readonly receivers: readonly { readonly started: boolean; readonly processInstance: { readonly id: string } }[];
  readonly hasMore: boolean;
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
       receivers { started processInstance { id activeActivityIds } } hasMore } }`,
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
  });
});
