import assert from 'node:assert/strict';
import { bpmn, element, flows, line } from '../support/bpmn.js';
import { eventually } from '../support/eventually.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { assertReplays } from './support/company.js';
import { KillableServer } from './support/killable-server.js';

// Slow: a server is killed while what is stored apart of an instance of hundreds follows one change, and the next one waits for it.

const SIZE = 600;

/** Two tasks, one after the other, in each of them. */
const model = (body: string, first: string) =>
  bpmn(
    line(
      ['each', 'after'],
      element(
        'subProcess',
        'each',
        {},
        `<bpmn:multiInstanceLoopCharacteristics><bpmn:loopCardinality>${SIZE}</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>
        ${element('startEvent', 's')}${body}${element('userTask', 'd')}${flows('s', first, 'd')}`,
      ) + element('userTask', 'after'),
    ),
    { key: 'crowd', root: '<bpmn:signal id="off" name="call-off"/>' },
  );
const plain = model(element('userTask', 'c'), 'c');
/** The first one in a sub-process that a signal ends. */
const around = model(
  element('subProcess', 'h', {}, `${element('startEvent', 'hs')}${element('userTask', 'c')}${flows('hs', 'c')}`) +
    element('boundaryEvent', 'off-event', { attachedToRef: 'h' }, '<bpmn:signalEventDefinition signalRef="off"/>') +
    element('userTask', 'o') +
    flows('off-event', 'o'),
  'h',
);

const TASKS = `query ($id: String!, $key: String!) {
  tasks(processInstanceId: $id, taskDefinitionKey: $key, first: 1) { totalCount } }`;
const DEFINITIONS = 'query { processDefinitions(key: "crowd") { edges { node { id version } } } }';
const OF = 'query ($id: ID!) { processInstance(id: $id) { definitionId state } }';
const DEPLOY = 'mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }';
const MODIFY = 'mutation ($input: ModifyProcessInstanceInput!) { modifyProcessInstance(input: $input) { id } }';
const SIGNAL = 'mutation ($input: PublishSignalInput!) { publishSignal(input: $input) { hasMore } }';
const MIGRATE = 'mutation ($input: MigrateProcessInstanceInput!) { migrateProcessInstance(input: $input) { id } }';

describe('a large instance that is changed while the former change is on its way, on a server that is killed', function () {
  this.timeout(240_000);
  const server = new KillableServer();
  before(() => server.start());
  after(() => server.remove());

  const admin = (): GraphqlClient => server.client('admin');
  const kill = async () => {
    await server.end('SIGKILL');
    await server.start();
  };
  const deploy = async (content: string) => {
    await admin().run(DEPLOY, { input: { name: 'crowd', resources: [{ name: 'crowd.bpmn', content }] } });
    const { processDefinitions } = await admin().run(DEFINITIONS);
    const all = processDefinitions.edges.map(({ node }) => node);
    return all.sort((one, other) => other.version - one.version)[0]?.id ?? '';
  };
  const counted = async (id: string, key: string): Promise<number> =>
    (await admin().run(TASKS, { id, key })).tasks.totalCount ?? 0;

  it('takes the next change as if the former had reached all, and loses neither', async () => {
    const first = await deploy(plain);
    const id = await server.person('admin').start('crowd');
    await eventually('all of it is begun', async () => (await counted(id, 'c')) === SIZE);
    const second = await deploy(around);
    const input = { sourceProcessDefinitionId: first, targetProcessDefinitionId: second, processInstanceIds: [id] };
    await admin().run(MIGRATE, { input });
    await eventually(
      'it migrates',
      async () => (await admin().run(OF, { id })).processInstance?.definitionId === second,
    );
    const signal = { input: { signalName: 'call-off', processInstanceId: id } };
    const sent = admin()
      .run(SIGNAL, signal)
      .then(() => true)
      .catch(() => false);
    await kill();
    // What was not answered is sent again.
    if (!(await sent)) await admin().run(SIGNAL, signal);
    await eventually('all have heard it', async () => (await counted(id, 'o')) === SIZE);
    assert.equal(await counted(id, 'c'), 0);

    const cancel = { input: { processInstanceId: id, instructions: [{ type: 'cancel', activityId: 'o' }] } };
    const cancelled = admin()
      .run(MODIFY, cancel)
      .catch(() => undefined);
    await eventually('all are cancelled', async () => (await counted(id, 'o')) < SIZE);
    await kill();
    await cancelled;
    await eventually(
      'it has ended',
      async () => (await admin().run(OF, { id })).processInstance?.state === 'cancelled',
    );
    await server.end();
    assertReplays(server.folder);
    await server.start();
  });
});
