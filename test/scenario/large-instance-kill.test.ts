import assert from 'node:assert/strict';
import { bpmn, element, line } from '../support/bpmn.js';
import { eventually } from '../support/eventually.js';
import { type GraphqlClient, Refused } from '../support/graphql-client.js';
import { assertReplays } from './support/company.js';
import { KillableServer } from './support/killable-server.js';

// Slow: a server is killed while it begins, works through, leaves and compensates an instance of thousands.

const SIZE = 3_000;
const ENOUGH = 600;
const compensation = '<bpmn:compensateEventDefinition/>';

/** A task for each of `list`, until some of them are done. At last, what is done is compensated. */
const model = bpmn(
  line(
    ['each', 'after', 'undo', 'last'],
    element(
      'userTask',
      'each',
      { name: 'Look at ${x}' },
      `<bpmn:multiInstanceLoopCharacteristics camunda:collection="list" camunda:elementVariable="x">
        <bpmn:loopDataOutputRef>seen</bpmn:loopDataOutputRef><bpmn:outputDataItem name="y"/>
        <bpmn:completionCondition>\${nrOfCompletedInstances == ${ENOUGH}}</bpmn:completionCondition>
      </bpmn:multiInstanceLoopCharacteristics>`,
    ) +
      element('boundaryEvent', 'undoing', { attachedToRef: 'each' }, compensation) +
      element('serviceTask', 'undone', {
        isForCompensation: 'true',
        'camunda:expression': '${undone + 1}',
        'camunda:resultVariable': 'undone',
      }) +
      '<bpmn:association id="as" sourceRef="undoing" targetRef="undone" associationDirection="One"/>' +
      element('intermediateThrowEvent', 'undo', {}, compensation) +
      element('userTask', 'after') +
      element('userTask', 'last'),
  ),
  { key: 'many' },
);

const TASKS = `query ($id: String!, $first: Int) {
  tasks(processInstanceId: $id, taskDefinitionKey: "each", first: $first, sortBy: CREATED) { totalCount edges { node { id name } } } }`;
const COMPLETE = 'mutation ($input: CompleteTaskInput!) { completeTask(input: $input) { id } }';

describe('an instance of thousands on a server that is killed', function () {
  this.timeout(180_000);
  const server = new KillableServer();
  before(() => server.start());
  after(() => server.remove());

  const admin = (): GraphqlClient => server.client('admin');
  const kill = async () => {
    await server.end('SIGKILL');
    await server.start();
  };
  const open = async (id: string, first = 1) => (await admin().run(TASKS, { id, first })).tasks;
  const counted = async (id: string): Promise<number> => (await open(id)).totalCount ?? 0;
  /** Completes these, several at once, until the server goes; gives how many were answered. @throws Refused */
  const complete = async (tasks: readonly { readonly id: string }[]): Promise<number> => {
    const left = [...tasks];
    let answered = 0;
    const one = async () => {
      for (let task = left.shift(); task !== undefined; task = left.shift()) {
        const input = { taskId: task.id, variables: [{ name: 'y', value: 'seen' }] };
        const reply = await admin()
          .ask(COMPLETE, { variables: { input } })
          .catch(() => 'gone' as const);
        if (reply === 'gone') return;
        if (reply.errors !== undefined) throw new Refused(reply.errors);
        answered++;
      }
    };
    await Promise.all(Array.from({ length: 8 }, one));
    return answered;
  };

  it('loses nothing: neither what is still to be begun, nor what was answered, nor what is to be compensated or cleared away', async () => {
    const input = { name: 'many', resources: [{ name: 'many.bpmn', content: model }] };
    await admin().run('mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }', { input });
    const list = Array.from({ length: SIZE }, (_, n) => `item ${n}`);
    const starting = server
      .person('admin')
      .start('many', { list, undone: 0 })
      .catch(() => undefined);
    const instances = 'query { processInstances(first: 1) { edges { node { id } } } }';
    let id = '';
    await eventually('it is begun', async () => {
      id = (await admin().run(instances)).processInstances.edges[0]?.node.id ?? '';
      return id !== '' && (await counted(id)) > 0;
    });
    await kill();
    await starting;
    await eventually('all of it is begun', async () => (await counted(id)) === SIZE);
    const names = new Set<string>();
    for (const { node } of (await open(id, 1_000)).edges) names.add(node.name ?? '');
    assert.equal(names.size, 1_000);

    const some = (await open(id, 300)).edges.map(({ node }) => node);
    const completing = complete(some);
    await eventually('some are completed', async () => (await counted(id)) < SIZE - 50);
    await kill();
    const answered = await completing;
    const left = await counted(id);
    assert.ok(SIZE - left >= answered && SIZE - left < SIZE - 1, `${answered} were answered, ${SIZE - left} are done`);
    assert.equal(
      await complete((await open(id, left - (SIZE - ENOUGH))).edges.map(({ node }) => node)),
      left - (SIZE - ENOUGH),
    );

    const person = () => server.person('admin');
    assert.equal((await person().task(id, 'after')).taskDefinitionKey, 'after');
    await kill();
    await eventually('the rest is cleared away', async () => (await counted(id)) === 0);
    const seen = (await person().variables(id)).seen as readonly unknown[];
    assert.deepEqual([seen.length, seen.filter((each) => each === 'seen').length], [SIZE, ENOUGH]);
    const undoing = person()
      .perform(id, 'after')
      .catch(() => undefined);
    await eventually('some of it is compensated', async () => Number((await person().variables(id)).undone) > 0);
    await kill();
    await undoing;
    await eventually('all of it is compensated', async () => Number((await person().variables(id)).undone) === ENOUGH);
    await person().perform(id, 'last');
    assert.equal((await person().variables(id)).undone, ENOUGH);
    const { state } = await person().instance(id);
    assert.equal(state, 'completed');
    await server.end();
    assertReplays(server.folder);
    await server.start();
  });
});
