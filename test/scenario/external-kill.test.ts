import assert from 'node:assert/strict';
import { bpmn, element, line } from '../support/bpmn.js';
import { KillableServer } from './support/killable-server.js';

// Slow: the server is killed while workers are at work.

const MODEL = bpmn(
  line(['work'], element('serviceTask', 'work', { 'camunda:type': 'external', 'camunda:topic': 'work' })),
  { key: 'order' },
);
const COUNT = 60;

interface Task {
  readonly id: string;
  readonly lockToken: string;
  readonly processInstanceId: string;
}

describe('external tasks of a server that is killed', function () {
  this.timeout(120_000);
  let server: KillableServer;
  beforeEach(async () => {
    server = new KillableServer();
    await server.start();
  });
  afterEach(() => server.remove());

  it('are all done once, and none that was answered is open again', async () => {
    const admin = server.client('admin');
    await admin.run(
      'mutation ($model: String!) { deployProcess(input: { name: "m", resources: [{ name: "order.bpmn", content: $model }] }) { id } }',
      { model: MODEL },
    );
    for (let n = 0; n < COUNT; n++)
      await admin.run('mutation { startProcess(input: { definitionKey: "order" }) { id } }');
    const answered = new Set<string>();
    let isKilled = false;
    /** Works until nothing is left, or the server is gone. */
    const work = async (workerId: string) => {
      const client = server.client('admin');
      for (;;) {
        const { fetchAndLock } = await client.run(
          `mutation { fetchAndLock(input: { workerId: "${workerId}", topics: [{ topic: "work" }], maxTasks: 3, lockDurationMs: 1500, waitMs: 4000 }) { id lockToken processInstanceId } }`,
        );
        const tasks = fetchAndLock as unknown as Task[];
        if (tasks.length === 0) return;
        for (const { id, lockToken, processInstanceId } of tasks) {
          await client.run(
            `mutation { completeExternalTask(input: { taskId: "${id}", lockToken: "${lockToken}" }) { state } }`,
          );
          assert.ok(!answered.has(processInstanceId), 'none is answered twice');
          answered.add(processInstanceId);
          if (answered.size >= COUNT / 3 && !isKilled) {
            isKilled = true;
            await server.end('SIGKILL');
          }
        }
      }
    };
    const workers = ['a', 'b', 'c', 'd'];
    const gone = await Promise.allSettled(workers.map(work));
    assert.ok(gone.every(({ status }) => status === 'rejected'));
    await server.start();
    const open = await server
      .client('admin')
      .run('{ processInstances(definitionKey: "order", active: true, first: 100) { edges { node { id } } } }');
    for (const { node } of open.processInstances.edges) assert.ok(!answered.has(node.id));
    await Promise.all(workers.map(work));
    const left = await server
      .client('admin')
      .run('{ processInstances(active: true) { totalCount } externalTasks { totalCount } }');
    assert.deepEqual([left.processInstances.totalCount, left.externalTasks.totalCount], [0, 0]);
  });
});
