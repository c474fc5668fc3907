import assert from 'node:assert/strict';
import { bpmn, element, flows, line } from '../support/bpmn.js';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { Events } from './support/events.js';

const charge = element('serviceTask', 'charge', {
  'camunda:type': 'external',
  'camunda:topic': 'charge',
  'camunda:taskPriority': '${p}',
});
const MODEL = bpmn(line(['charge'], charge), { key: 'order' });
const SLOW = bpmn(
  line(
    ['fork'],
    `${element('parallelGateway', 'fork')}${Array.from({ length: 30 }, (_, n) => {
      const task = element('serviceTask', `t${n}`, { 'camunda:type': 'external', 'camunda:topic': 'slow' });
      const script = element(
        'scriptTask',
        `s${n}`,
        { scriptFormat: 'javascript' },
        '<bpmn:script>execution.setVariable("n", 1)</bpmn:script>',
      );
      return `${task}${script}${flows('fork', `t${n}`, `s${n}`)}`;
    }).join('')}`,
  ),
  { key: 'slow' },
);

const FETCH = `mutation ($input: FetchAndLockInput!) {
  fetchAndLock(input: $input) { id lockToken workerId topic businessKey variables { name value } }
}`;
const COMPLETE =
  'mutation ($input: CompleteExternalTaskInput!) { completeExternalTask(input: $input) { state processInstanceId } }';

interface Task {
  readonly id: string;
  readonly lockToken: string;
  readonly variables: readonly { readonly name: string; readonly value: unknown }[];
}

describe('external tasks', function () {
  this.timeout(60_000);
  let server: LiveServer;
  let admin: GraphqlClient;
  let robot: GraphqlClient;
  before(async () => {
    server = await liveServer({
      users: [{ userId: 'robot', roles: ['worker'] }],
      // A machine with other work to do is no matter here.
      env: { MILLRACE_INSTANCE_COMMANDS_MAX: '2', MILLRACE_REQUEST_WAIT: '30s' },
    });
    admin = server.as('admin');
    robot = server.as('robot');
    await admin.run(
      'mutation ($order: String!, $slow: String!) { deployProcess(input: { name: "m", resources: [{ name: "order.bpmn", content: $order }, { name: "slow.bpmn", content: $slow }] }) { id } }',
      { order: MODEL, slow: SLOW },
    );
  });
  after(() => server.remove());

  const start = async (businessKey: string, p = 0) => {
    const input = { definitionKey: 'order', businessKey, variables: [{ name: 'p', value: p }] };
    const { startProcess } = await admin.run(
      'mutation ($input: StartProcessInput!) { startProcess(input: $input) { id state } }',
      { input },
    );
    return startProcess.id as string;
  };
  const fetch = async (more: object = {}, client = robot): Promise<Task[]> => {
    const input = { workerId: 'w', topics: [{ topic: 'charge' }], ...more };
    return (await client.run(FETCH, { input })).fetchAndLock as unknown as Task[];
  };
  const complete = ({ id: taskId, lockToken }: Task, variables: object[] = []) =>
    robot.run(COMPLETE, { input: { taskId, lockToken, variables } });

  it('are fetched with what the worker wants to see, and move their instance on', async () => {
    const id = await start('first', 3);
    const [task] = await fetch({ topics: [{ topic: 'charge', variables: ['p'] }] });
    assert.ok(task !== undefined);
    assert.deepEqual(task.variables, [{ name: 'p', value: 3 }]);
    await complete(task, [{ name: 'receipt', value: 'r' }]);
    const { processInstance } = await admin.run(`{ processInstance(id: "${id}") { state variables { name value } } }`);
    assert.deepEqual(processInstance, {
      state: 'completed',
      variables: [
        { name: 'p', value: 3 },
        { name: 'receipt', value: 'r' },
      ],
    });
  });

  it('wake workers that wait for them, each its own', async () => {
    const waiting = ['a', 'b'].map((workerId) => fetch({ workerId, waitMs: 30_000 }));
    await start('second');
    await start('third');
    const got = await Promise.all(waiting);
    assert.equal(new Set(got.flat().map(({ id }) => id)).size, 2);
    await Promise.all(got.flat().map((task) => complete(task)));
  });

  it('wake a worker that waits when a lock ends, and when one is given back', async () => {
    await start('fourth');
    await fetch({ workerId: 'dead', lockDurationMs: 300 });
    const [task] = await fetch({ workerId: 'next', waitMs: 30_000 });
    assert.ok(task !== undefined);
    const waiting = fetch({ workerId: 'last', waitMs: 30_000 });
    await robot.run(`mutation { unlockExternalTask(taskId: "${task.id}") { state } }`);
    const [again] = await waiting;
    assert.equal(again?.id, task.id);
    const { code } = await refusal(complete(task));
    assert.equal(code, 'CONFLICT');
    await complete(again);
  });

  it('are none when the time of who waits is over', async () => {
    assert.deepEqual(await fetch({ waitMs: 20 }), []);
    const { code, message } = await refusal(fetch({ waitMs: 1_800_001 }));
    assert.deepEqual([code, /found 1800001$/.test(message)], ['BAD_REQUEST', true]);
  });

  it('are not locked for a worker that is gone', async () => {
    const control = new AbortController();
    const input = { workerId: 'gone', topics: [{ topic: 'charge' }], waitMs: 30_000 };
    const waiting = globalThis.fetch(robot.url, {
      method: 'POST',
      headers: { ...robot.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: FETCH, variables: { input } }),
      signal: control.signal,
    });
    await robot.run('{ me { username } }');
    control.abort();
    await assert.rejects(waiting);
    await robot.run('{ me { username } }');
    await start('left');
    const [task] = await fetch();
    assert.ok(task !== undefined);
    await complete(task);
  });

  it('are told of by topic', async () => {
    const { extensions } = await admin.ask('mutation { publishSignal(input: { signalName: "none" }) { hasMore } }');
    const id = await start('fifth');
    const events = new Events(robot, false);
    const told = events.follow(
      'subscription ($after: String) { externalTaskUpdated(topicNames: ["charge"], eventTypes: [OPENED], after: $after) { eventType externalTask { topic processInstanceId } } }',
      { after: extensions?.position },
    );
    assert.deepEqual(await told.events(1), [
      { eventType: 'OPENED', externalTask: { topic: 'charge', processInstanceId: id } },
    ]);
    events.close();
    const [task] = await fetch();
    assert.ok(task !== undefined);
    await complete(task);
  });

  it('wait for room where many are ended at once that belong to one instance', async () => {
    await admin.run('mutation { startProcess(input: { definitionKey: "slow" }) { id } }');
    const tasks = await fetch({ topics: [{ topic: 'slow' }], maxTasks: 100 });
    assert.equal(tasks.length, 30);
    const ended = await Promise.all(tasks.map((task) => complete(task)));
    assert.equal(ended.length, 30);
    const { processInstances } = await admin.run(
      '{ processInstances(definitionKey: "slow") { edges { node { state } } } }',
    );
    assert.deepEqual(processInstances.edges, [{ node: { state: 'completed' } }]);
  });

  it('are given to none twice, and all of them, by as many workers as there are', async () => {
    const count = 300;
    await Promise.all(Array.from({ length: count }, (_, n) => start(`many-${n}`)));
    const seen: string[] = [];
    const work = async (_: unknown, n: number) => {
      for (;;) {
        const tasks = await fetch({ workerId: `w${n}`, maxTasks: 3 });
        if (tasks.length === 0) return;
        seen.push(...tasks.map(({ id }) => id));
        for (const task of tasks) await complete(task);
      }
    };
    await Promise.all(Array.from({ length: 64 }, work));
    assert.deepEqual([seen.length, new Set(seen).size], [count, count]);
    const { externalTasks } = await robot.run('{ externalTasks { totalCount } }');
    assert.equal(externalTasks.totalCount, 0);
  });

  it('stay locked when the server starts anew, and answer who waits when it ends', async () => {
    const first = await liveServer();
    const boss = first.as('admin');
    await boss.run(
      'mutation ($order: String!) { deployProcess(input: { name: "m", resources: [{ name: "order.bpmn", content: $order }] }) { id } startProcess(input: { definitionKey: "order", variables: [{ name: "p", value: 1 }] }) { id } }',
      { order: MODEL },
    );
    const [task] = await fetch({}, boss);
    assert.ok(task !== undefined);
    const waiting = fetch({ waitMs: 600_000 }, boss);
    await boss.run('{ me { username } }');
    await first.end();
    assert.deepEqual(await waiting, []);
    const second = await liveServer({ folder: first.folder });
    const again = second.as('admin');
    assert.deepEqual(await fetch({}, again), []);
    const input = { taskId: task.id, lockToken: task.lockToken };
    const { completeExternalTask } = await again.run(COMPLETE, { input });
    assert.equal(completeExternalTask.state, 'completed');
    await second.remove();
  });
});
