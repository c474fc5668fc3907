import assert from 'node:assert/strict';
import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { bpmn, element, flows, line } from '../support/bpmn.js';
import { Changes } from '../support/changes.js';
import { eventually } from '../support/eventually.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { temporaryFolder } from '../support/temporary.js';

// Slow: Java starts for each test, and Maven before them.

const charge = element('serviceTask', 'charge', { 'camunda:type': 'external', 'camunda:topic': '${t}' });
const MODEL = bpmn(
  `${line(['charge'], charge)}<bpmn:boundaryEvent id="declined" attachedToRef="charge"><bpmn:errorEventDefinition errorRef="e"/></bpmn:boundaryEvent>${element('userTask', 'pay')}${flows('declined', 'pay')}`,
  { key: 'order', root: '<bpmn:error id="e" errorCode="DECLINED"/>' },
);
const STATE = 'query ($id: ID!) { processInstance(id: $id) { state variables { name type value } } }';

/** Where the client's classes are; null where Maven cannot have them. */
const classPath = (file: string): Promise<string | null> =>
  promisify(execFile)(
    'mvn',
    ['-q', '-B', '-f', 'test/java/pom.xml', 'dependency:build-classpath', `-Dmdep.outputFile=${file}`],
    { timeout: 120_000 },
  ).then(
    () => readFileSync(file, 'utf8').trim(),
    () => null,
  );

describe("Camunda's worker in Java, unmodified", function () {
  this.timeout(180_000);
  let server: LiveServer;
  let admin: GraphqlClient;
  let classes: string;
  const workers: ChildProcessByStdio<null, Readable, null>[] = [];

  before(async function () {
    const folder = temporaryFolder();
    const found = await classPath(join(folder.path, 'classes'));
    folder.remove();
    if (found === null) return this.skip();
    classes = found;
    server = await liveServer({ users: [{ userId: 'robot', roles: ['worker'] }] });
    admin = server.as('admin');
    await admin.run(
      'mutation ($model: String!) { deployProcess(input: { name: "m", resources: [{ name: "order.bpmn", content: $model }] }) { id } }',
      { model: MODEL },
    );
  });
  afterEach(() => {
    for (const worker of workers.splice(0)) worker.kill('SIGKILL');
  });
  after(() => server?.remove());

  /** Starts a worker; it tells the id of each task that it has. */
  const worker = (topic: string, work = topic, told: (taskId: string) => void = () => {}) => {
    const child = spawn(
      'java',
      ['-cp', classes, 'test/java/Worker.java', `${server.baseUrl}/engine-rest`, 'robot', 'robot', topic, work],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    workers.push(child);
    createInterface(child.stdout).on('line', told);
    return child;
  };
  const start = async (t: string, variables: readonly object[] = []) => {
    const input = { definitionKey: 'order', businessKey: t, variables: [{ name: 't', value: t }, ...variables] };
    const { startProcess } = await admin.run(
      'mutation ($input: StartProcessInput!) { startProcess(input: $input) { id } }',
      { input },
    );
    return startProcess.id;
  };
  const shown = async (id: string) => (await admin.run(STATE, { id })).processInstance;
  const variablesOf = async (id: string) => (await shown(id))?.variables ?? [];
  const ended = (id: string) =>
    eventually('the instance has completed', async () => (await shown(id))?.state === 'completed');

  it('reads and sets variables of all types, and completes', async () => {
    const id = await start('typed', [
      { name: 'i', value: 7, type: 'Integer' },
      { name: 'd', value: '2026-01-01T00:00:00Z', type: 'Date' },
      { name: 'j', value: { a: [1] }, type: 'Json' },
    ]);
    worker('typed');
    await ended(id);
    const said = new Map((await variablesOf(id)).map(({ name, type, value }) => [name, `${type} ${value}`]));
    assert.deepEqual(
      ['sum', 'later', 'big', 'x', 'yes', 'gone', 'seen', 'before', 'own'].map((name) => said.get(name)),
      [
        'Integer 8',
        'Date 2026-01-01T00:00:01.000Z',
        'Long 1099511627776',
        'Double 1.5',
        'Boolean true',
        'Null null',
        'String {"a":[1]}typed',
        'String set',
        undefined,
      ],
    );
  });

  it('fails, is given it again, extends its lock, and throws a BPMN error', async () => {
    const changes = new Changes();
    const had: string[] = [];
    const id = await start('life');
    worker('life', 'life', (taskId) => {
      had.push(taskId);
      changes.tell();
    });
    await changes.until(() => had.length === 3);
    assert.equal(new Set(had).size, 1);
    const pays = async () => {
      const { tasks } = await admin.run(
        `{ tasks(processInstanceId: "${id}") { edges { node { taskDefinitionKey } } } }`,
      );
      return tasks.edges.length === 1;
    };
    await eventually('the task is there', pays);
    const why = (await variablesOf(id)).find(({ name }) => name === 'why');
    assert.equal(why?.value, 'poor');
  });

  it('loses nothing where it is killed in the middle: another one completes what it had', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => start('killed')));
    const hanging = worker('killed', 'hang');
    await once(hanging.stdout, 'data');
    hanging.kill('SIGKILL');
    await once(hanging, 'exit');
    worker('killed', 'complete');
    await Promise.all(ids.map(ended));
  });
});
