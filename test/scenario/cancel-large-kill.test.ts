import assert from 'node:assert/strict';
import { bpmn, element, flows, line } from '../support/bpmn.js';
import { eventually } from '../support/eventually.js';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { assertReplays } from './support/company.js';
import { KillableServer } from './support/killable-server.js';

// Slow: a server is killed while it clears away what was cancelled in an instance of hundreds.

const SIZE = 300;
const AT_ONCE = 8;

/** In each of them two tasks at once; the second version has a sub-process around one of them. */
const model = (second = element('userTask', 'd'), to = 'd') =>
  bpmn(
    line(
      ['each', 'after'],
      element(
        'subProcess',
        'each',
        {},
        `<bpmn:multiInstanceLoopCharacteristics><bpmn:loopCardinality>${SIZE}</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>
        ${element('startEvent', 's')}${element('parallelGateway', 'fork')}${element('userTask', 'c')}${second}${flows('s', 'fork', 'c')}${flows('fork', to)}`,
      ) + element('userTask', 'after'),
    ),
    { key: 'groups' },
  );
const around = element(
  'subProcess',
  'h',
  {},
  `${element('startEvent', 'hs')}${element('userTask', 'd')}${flows('hs', 'd')}`,
);

const TASKS = `query ($id: String!, $key: String!, $first: Int) {
  tasks(processInstanceId: $id, taskDefinitionKey: $key, first: $first) { totalCount edges { node { id } } } }`;
const DEFINITIONS = 'query { processDefinitions(key: "groups") { edges { node { id version } } } }';
const COMPLETE = 'mutation ($input: CompleteTaskInput!) { completeTask(input: $input) { id } }';
const DEPLOY = 'mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }';
const MODIFY = 'mutation ($input: ModifyProcessInstanceInput!) { modifyProcessInstance(input: $input) { id } }';
const MIGRATE = 'mutation ($input: MigrateProcessInstanceInput!) { migrateProcessInstance(input: $input) { id } }';

describe('a large instance that is modified and migrates on a server that is killed', function () {
  this.timeout(180_000);
  const server = new KillableServer();
  before(() => server.start());
  after(() => server.remove());

  const admin = (): GraphqlClient => server.client('admin');
  const kill = async () => {
    await server.end('SIGKILL');
    await server.start();
  };
  const deploy = async (content: string) => {
    await admin().run(DEPLOY, { input: { name: 'groups', resources: [{ name: 'groups.bpmn', content }] } });
    const { processDefinitions } = await admin().run(DEFINITIONS);
    const all = processDefinitions.edges.map(({ node }) => node);
    return all.sort((one, other) => other.version - one.version)[0]?.id ?? '';
  };
  const open = async (id: string, key: string, first = 1) => {
    const { tasks } = await admin().run(TASKS, { id, key, first });
    return { counted: tasks.totalCount ?? 0, ids: tasks.edges.map(({ node }) => node.id) };
  };
  /** Completes these, several at once; gives those that were answered. */
  const complete = async (taskIds: readonly string[]): Promise<string[]> => {
    const left = [...taskIds];
    const answered: string[] = [];
    const one = async () => {
      for (let taskId = left.shift(); taskId !== undefined; taskId = left.shift()) {
        await admin().run(COMPLETE, { input: { taskId } });
        answered.push(taskId);
      }
    };
    await Promise.allSettled(Array.from({ length: AT_ONCE }, one));
    return answered;
  };

  it('shows nothing of what was cancelled, loses nothing else, and goes on', async () => {
    const first = await deploy(model());
    const id = await server.person('admin').start('groups');
    await eventually('all of it is begun', async () => (await open(id, 'd')).counted === SIZE);
    const [cancelled, done] = [await open(id, 'c', SIZE), await open(id, 'd', 120)];
    // It is answered when all is cleared away, and counts from the first moment.
    const instructions = [{ type: 'cancel', activityId: 'c' }];
    const cancelling = admin()
      .run(MODIFY, { input: { processInstanceId: id, instructions } })
      .catch(() => undefined);
    await eventually('it is cancelled', async () => (await open(id, 'c', 10)).ids.length === 0);
    const refused = cancelled.ids
      .slice(-AT_ONCE)
      .map((taskId) => refusal(admin().run(COMPLETE, { input: { taskId } })));
    assert.deepEqual([...new Set((await Promise.all(refused)).map(({ code }) => code))], ['NOT_FOUND']);
    const completing = complete(done.ids);
    await eventually('some are completed', async () => (await open(id, 'd')).counted < SIZE - 20);
    await kill();
    const answered = new Set(await completing);
    await cancelling;
    assert.deepEqual((await open(id, 'c', 10)).ids, []);
    const left = await open(id, 'd', SIZE);
    assert.ok(
      left.ids.every((taskId) => !answered.has(taskId)),
      'what was answered is done',
    );
    assert.ok(left.ids.length >= SIZE - done.ids.length && answered.size > 0);

    const second = await deploy(model(around, 'h'));
    const input = { sourceProcessDefinitionId: first, targetProcessDefinitionId: second, processInstanceIds: [id] };
    await eventually('the rest is cleared away', async () => (await open(id, 'c')).counted === 0);
    await admin().run(MIGRATE, { input });
    await kill();
    for (let tasks = await open(id, 'd', SIZE); tasks.ids.length > 0; tasks = await open(id, 'd', SIZE))
      await complete(tasks.ids);
    await server.person('admin').perform(id, 'after');
    assert.equal((await server.person('admin').instance(id)).state, 'completed');
    await server.end();
    assertReplays(server.folder);
    await server.start();
  });
});
