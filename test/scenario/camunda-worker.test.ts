import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { BasicAuthInterceptor, Client, File, Variables } from 'camunda-external-task-client-js';
import { bpmn, element, flows, line } from '../support/bpmn.js';
import { Changes } from '../support/changes.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';

const charge = element('serviceTask', 'charge', { 'camunda:type': 'external', 'camunda:topic': '${t}' });
const MODEL = bpmn(
  `${line(['charge'], charge)}<bpmn:boundaryEvent id="declined" attachedToRef="charge"><bpmn:errorEventDefinition errorRef="e"/></bpmn:boundaryEvent>${element('userTask', 'pay')}${flows('declined', 'pay')}`,
  { key: 'order', root: '<bpmn:error id="e" errorCode="DECLINED"/>' },
);

/** The worker of a process of its own: it takes what it is given and never ends it. */
const HANGING = `
import { BasicAuthInterceptor, Client } from 'camunda-external-task-client-js';
const [baseUrl, username, password] = process.argv.slice(1);
const interceptors = new BasicAuthInterceptor({ username, password });
const client = new Client({ baseUrl, interceptors, asyncResponseTimeout: 10000, maxTasks: 3, lockDuration: 700, interval: 10 });
client.subscribe('killed', async ({ task }) => { console.log(task.id); await new Promise(() => {}); });
`;

describe("Camunda's worker in JavaScript, unmodified", function () {
  this.timeout(60_000);
  let server: LiveServer;
  let admin: GraphqlClient;
  const clients: Client[] = [];
  const children: ChildProcess[] = [];
  before(async () => {
    server = await liveServer({ users: [{ userId: 'robot', roles: ['worker'] }] });
    admin = server.as('admin');
    await admin.run(
      'mutation ($model: String!) { deployProcess(input: { name: "m", resources: [{ name: "order.bpmn", content: $model }] }) { id } }',
      { model: MODEL },
    );
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.stop();
  });
  after(async () => {
    for (const child of children) child.kill('SIGKILL');
    await server.remove();
  });

  const worker = (more: object = {}): Client => {
    const client = new Client({
      baseUrl: `${server.baseUrl}/engine-rest/`,
      interceptors: new BasicAuthInterceptor({ username: 'robot', password: 'robot' }),
      asyncResponseTimeout: 10_000,
      interval: 10,
      ...more,
    });
    clients.push(client);
    return client;
  };
  const start = async (t: string, variables: readonly object[] = []) => {
    const input = { definitionKey: 'order', businessKey: t, variables: [{ name: 't', value: t }, ...variables] };
    const { startProcess } = await admin.run(
      'mutation ($input: StartProcessInput!) { startProcess(input: $input) { id } }',
      {
        input,
      },
    );
    return startProcess.id;
  };
  const shown = async (id: string) =>
    (await admin.run(`{ processInstance(id: "${id}") { state variables { name type value } } }`)).processInstance;

  it('fetches, reads and sets variables of all types, and completes', async () => {
    const changes = new Changes();
    let seen: Record<string, unknown> = {};
    worker().subscribe('typed', async ({ task, taskService }) => {
      const doc = await task.variables.get('doc').load();
      seen = { ...task.variables.getAll(), doc: doc.content.toString(), businessKey: task.businessKey };
      const variables = new Variables();
      variables.setAll({
        n: 5,
        big: 2 ** 40,
        x: 1.5,
        yes: true,
        text: 'a',
        at: new Date(0),
        list: [1, { a: 2 }],
        gone: null,
      });
      variables.set('file', await new File({ localPath: 'package.json' }).load());
      await taskService.complete(task, variables, new Variables().set('own', 1));
      changes.tell();
    });
    const id = await start('typed', [
      { name: 'i', value: 7, type: 'Integer' },
      { name: 'd', value: '2026-01-01T00:00:00Z', type: 'Date' },
      { name: 'j', value: { a: [1] }, type: 'Json' },
      { name: 'doc', value: Buffer.from('hi').toString('base64'), type: 'File', valueInfo: { filename: 'a.txt' } },
    ]);
    let instance = await shown(id);
    await changes.until(() => seen.i !== undefined);
    assert.deepEqual(
      [seen.i, (seen.d as Date).toISOString(), seen.j, seen.doc, seen.businessKey],
      [7, '2026-01-01T00:00:00.000Z', { a: [1] }, 'hi', 'typed'],
    );
    instance = await shown(id);
    assert.equal(instance?.state, 'completed');
    const types = Object.fromEntries(instance?.variables.map(({ name, type }) => [name, type]) ?? []);
    assert.deepEqual(
      ['n', 'big', 'x', 'yes', 'text', 'at', 'list', 'gone', 'i', 'own'].map((name) => types[name]),
      ['Integer', 'Long', 'Double', 'Boolean', 'String', 'Date', 'Json', 'Null', 'Integer', undefined],
    );
  });

  it('fails, extends, locks, unlocks and throws BPMN errors', async () => {
    const changes = new Changes();
    const steps: string[] = [];
    worker().subscribe('life', async ({ task, taskService }) => {
      await taskService.extendLock(task, 20_000);
      await taskService.lock(task, 20_000);
      if (task.retries === null) {
        steps.push('fails');
        await taskService.handleFailure(task, { errorMessage: 'away', errorDetails: 'x', retries: 1, retryTimeout: 1 });
      } else if (!steps.includes('gives back')) {
        steps.push('gives back');
        await taskService.unlock(task);
      } else {
        steps.push(`throws after ${task.errorMessage}`);
        await taskService.handleBpmnError(task, 'DECLINED', 'no', new Variables().set('why', 'poor'));
      }
      changes.tell();
    });
    const id = await start('life');
    await changes.until(() => steps.length === 3);
    assert.deepEqual(steps, ['fails', 'gives back', 'throws after away']);
    const { tasks } = await admin.run(`{ tasks(processInstanceId: "${id}") { edges { node { taskDefinitionKey } } } }`);
    assert.deepEqual(tasks.edges, [{ node: { taskDefinitionKey: 'pay' } }]);
  });

  it('shares work with others of its kind, and loses nothing when one is killed in the middle', async () => {
    const child = spawn(
      process.execPath,
      ['--input-type=module', '-e', HANGING, `${server.baseUrl}/engine-rest`, 'robot', 'robot'],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    children.push(child);
    const ids = await Promise.all(Array.from({ length: 12 }, () => start('killed')));
    await once(child.stdout, 'data'); // it has some, and will never end them
    child.kill('SIGKILL');
    const changes = new Changes();
    const done: string[] = [];
    for (const workerId of ['a', 'b'])
      worker({ workerId, maxTasks: 2 }).subscribe('killed', async ({ task, taskService }) => {
        await taskService.complete(task);
        done.push(task.id);
        changes.tell();
      });
    await changes.until(() => done.length >= ids.length);
    assert.equal(new Set(done).size, ids.length);
    for (const id of ids) assert.equal((await shown(id))?.state, 'completed');
  });
});
