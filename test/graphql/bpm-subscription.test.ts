import assert from 'node:assert/strict';
import { bpmn, element, line } from '../support/bpmn.js';
import { ann, BpmServer } from './support/bpm-server.js';

const model = (key: string) =>
  bpmn(line(['work'], element('userTask', 'work', { name: 'Work', 'camunda:candidateGroups': 'clerks' })), { key });

describe('subscriptions of BPM', () => {
  const server = new BpmServer();
  before(async () => {
    await server.open();
    await server.deploy(model('one'), 'one');
    await server.deploy(model('two'), 'two');
  });
  after(() => server.close());

  const taskOf = async (id: string): Promise<string> => {
    const { tasks } = await server.data(
      'query ($id: String!) { tasks(processInstanceId: $id) { edges { node { id } } } }',
      {
        variables: { id },
      },
    );
    return tasks.edges[0].node.id;
  };
  const assign = (id: string, to: string) =>
    server.data('mutation ($id: ID!, $to: String) { setTaskAssignee(taskId: $id, assignee: $to) { id } }', {
      variables: { id, to },
    });
  const complete = (id: string) =>
    server.data('mutation ($id: ID!) { completeTask(input: { taskId: $id }) { id } }', { variables: { id } });

  it('taskAssigned tells of assignments to a user, with the task as it was then', async () => {
    const task = await taskOf(await server.start('one'));
    const followed = await server.follow(
      'subscription { taskAssigned(assignee: "ann") { eventType timestamp task { id name assignee state taskDefinitionKey processInstanceId processDefinitionId executionId priority suspended variables { name } processInstance { state } candidateGroups } } }',
    );
    await assign(task, 'bob');
    await assign(task, 'ann');
    await complete(task);
    const { data } = await followed.next();
    const { eventType, timestamp, task: told } = data.taskAssigned;
    assert.deepEqual([eventType, timestamp], ['ASSIGNED', '2026-01-15T12:00:00.000Z']);
    assert.deepEqual([told.id, told.assignee, told.state, told.name], [task, 'ann', 'assigned', 'Work']);
    await followed.end();
  });

  it('taskAssigned with a group alone tells nothing; unfiltered it tells of all', async () => {
    const task = await taskOf(await server.start('one'));
    const from = server.partition.replica.feed.position();
    await assign(task, 'ann');
    const all = await server.follow(`subscription { taskAssigned(after: "${from}") { task { id } } }`);
    assert.deepEqual((await all.next()).data, { taskAssigned: { task: { id: task } } });
    const group = await server.follow(
      `subscription { taskAssigned(candidateGroup: "clerks", after: "${from}") { task { id } } }`,
    );
    let told = false;
    const waiting = group.next().then(
      () => {
        told = true;
      },
      () => {},
    );
    await assign(task, 'bob');
    await all.next();
    assert.equal(told, false);
    await Promise.all([all.end(), group.end()]);
    await waiting;
  });

  it('taskCompleted tells of one instance or of all', async () => {
    const [a, b] = [await server.start('one'), await server.start('one')];
    const [taskA, taskB] = [await taskOf(a), await taskOf(b)];
    const one = await server.follow(
      `subscription { taskCompleted(processInstanceId: "${b}") { eventType task { id state } } }`,
    );
    const all = await server.follow('subscription { taskCompleted { task { processInstance { id state ended } } } }');
    await complete(taskA);
    await complete(taskB);
    assert.deepEqual((await one.next()).data.taskCompleted, {
      eventType: 'COMPLETED',
      task: { id: taskB, state: 'completed' },
    });
    assert.deepEqual((await all.next()).data.taskCompleted.task.processInstance, {
      id: a,
      state: 'completed',
      ended: true,
    });
    assert.equal((await all.next()).data.taskCompleted.task.processInstance.id, b);
    await Promise.all([one.end(), all.end()]);
  });

  it('taskUpdated tells the whole life of a task, and goes on behind a position', async () => {
    const from = server.partition.replica.feed.position();
    const instance = await server.start('one');
    const task = await taskOf(instance);
    await assign(task, 'ann');
    await server.data(
      'mutation ($id: ID!) { setTaskVariables(taskId: $id, variables: [{ name: "n", value: 1 }]) { id } }',
      {
        variables: { id: task },
        caller: ann,
      },
    );
    await complete(task);
    const told = async (after: string, count: number) => {
      const followed = await server.follow(
        `subscription { taskUpdated(taskId: "${task}", after: "${after}") { eventType } }`,
      );
      const items = [];
      for (let n = 0; n < count; n++) items.push(await followed.next());
      await followed.end();
      return items;
    };
    const whole = await told(from, 4);
    assert.deepEqual(
      whole.map(({ data }) => data.taskUpdated.eventType),
      ['CREATED', 'ASSIGNED', 'UPDATED', 'COMPLETED'],
    );
    const rest = await told(whole[1]?.position ?? '', 2);
    assert.deepEqual(rest, whole.slice(2));
  });

  it('taskUpdated tells DELETED of a task whose instance is cancelled', async () => {
    const instance = await server.start('one');
    const task = await taskOf(instance);
    const followed = await server.follow(
      `subscription { taskUpdated(taskId: "${task}") { eventType task { state } } }`,
    );
    await server.data('mutation ($id: ID!) { cancelProcessInstance(id: $id) }', { variables: { id: instance } });
    assert.deepEqual((await followed.next()).data.taskUpdated, { eventType: 'DELETED', task: { state: 'cancelled' } });
    await followed.end();
  });

  it('processStarted and processEnded tell of one key, cancelled instances too', async () => {
    const started = await server.follow(
      'subscription { processStarted(definitionKey: "two") { eventType processInstance { id definitionId definitionKey businessKey state variables { name } tasks { totalCount } } timestamp } }',
    );
    const ended = await server.follow(
      'subscription { processEnded(definitionKey: "two") { eventType processInstance { id state } } }',
    );
    await server.start('one');
    const id = await server.start('two', { businessKey: 'B-2', variables: [{ name: 'v', value: 1 }] });
    const { processStarted } = (await started.next()).data;
    assert.equal(processStarted.eventType, 'STARTED');
    const { definitionId, ...instance } = processStarted.processInstance;
    assert.match(definitionId, /^two:1:/);
    assert.deepEqual(instance, {
      id,
      definitionKey: 'two',
      businessKey: 'B-2',
      state: 'active',
      variables: [{ name: 'v' }],
      tasks: { totalCount: 1 },
    });
    await server.data('mutation ($id: ID!) { cancelProcessInstance(id: $id, reason: "no") }', { variables: { id } });
    assert.deepEqual((await ended.next()).data.processEnded, {
      eventType: 'ENDED',
      processInstance: { id, state: 'cancelled' },
    });
    await Promise.all([started.end(), ended.end()]);
  });

  it('processUpdated tells the whole life of an instance, CANCELLED apart from ENDED', async () => {
    const id = await server.start('two');
    const followed = await server.follow(`subscription { processUpdated(processInstanceId: "${id}") { eventType } }`);
    await server.data(
      'mutation ($id: ID!) { a: suspendProcessInstance(id: $id) { id } b: activateProcessInstance(id: $id) { id } c: cancelProcessInstance(id: $id) }',
      { variables: { id } },
    );
    const told = [];
    for (let n = 0; n < 3; n++) told.push((await followed.next()).data.processUpdated.eventType);
    assert.deepEqual(told, ['SUSPENDED', 'ACTIVATED', 'CANCELLED']);
    await followed.end();
  });

  it('delivers an event whose instance is gone by then, without what is gone', async () => {
    const { id: deployment } = await server.deploy(model('brief'), 'brief');
    const from = server.partition.replica.feed.position();
    const id = await server.start('brief');
    await server.data('mutation ($id: ID!) { deleteDeployment(id: $id, cascade: true) }', {
      variables: { id: deployment },
    });
    assert.deepEqual(await server.data('query ($id: ID!) { processInstance(id: $id) { id } }', { variables: { id } }), {
      processInstance: null,
    });
    const followed = await server.follow(
      `subscription { taskUpdated(after: "${from}") { eventType task { name variables { name } processDefinition { id } processInstance { id definitionKey variables { name } definition { id } activeActivityIds } } } }`,
    );
    const { taskUpdated } = (await followed.next()).data;
    assert.deepEqual(taskUpdated, {
      eventType: 'CREATED',
      task: {
        name: 'Work',
        variables: [],
        processDefinition: null,
        processInstance: { id, definitionKey: 'brief', variables: [], definition: null, activeActivityIds: [] },
      },
    });
    await followed.end();
  });

  it('refuses a position that it cannot read, or of another history', async () => {
    const follow = (after: string) => server.follow(`subscription { taskUpdated(after: "${after}") { eventType } }`);
    await assert.rejects(follow('nonsense'), { code: 'BAD_REQUEST' });
    const place = (partition: string, epoch: string) =>
      Buffer.from(JSON.stringify([[partition, epoch, 1, 0]])).toString('base64url');
    await assert.rejects(follow(place('other', 'e')), { code: 'BAD_REQUEST' });
    await assert.rejects(follow(place('test', 'e')), { code: 'RESYNC_REQUIRED' });
  });
});
