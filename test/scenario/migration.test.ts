import assert from 'node:assert/strict';
import { bpmn, element, line, timer } from '../support/bpmn.js';
import { eventually } from '../support/eventually.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { replayAll } from '../support/stored-instances.js';
import { endOf } from './support/jobs.js';
import { KillableServer } from './support/killable-server.js';

// Slow: a server is killed within the migration of hundreds of instances.

const SIZE = 600;
const guard = (on: string) =>
  element('boundaryEvent', 'late', { attachedToRef: on }, timer('duration', 'P1D')) +
  element('endEvent', 'given-up') +
  '<bpmn:sequenceFlow id="late-given-up" sourceRef="late" targetRef="given-up"/>';
const version = (id: string) => bpmn(line([id], element('userTask', id)) + guard(id), { key: 'many' });

const DEPLOY = 'mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { processDefinitions { id } } }';
// As the web client of the original has them.
const PLAN = `mutation ($input: CreateMigrationPlanInput!) { createMigrationPlan(input: $input) {
  sourceProcessDefinitionId targetProcessDefinitionId instructions { sourceActivityIds targetActivityIds updateEventTrigger } } }`;
const MIGRATE =
  'mutation ($input: MigrateProcessInstanceInput!) { migrateProcessInstance(input: $input) { id jobType status abortable } }';
const PROGRESS = 'query ($id: ID!) { jobProgress(job: $id) { status itemsProcessed } }';

describe('migration on a server that is killed', function () {
  this.timeout(180_000);
  const server = new KillableServer();
  const admin = (): GraphqlClient => server.client('admin');
  const definitions: string[] = [];
  before(async () => {
    await server.start();
    for (const id of ['check', 'review']) {
      const input = { name: id, resources: [{ name: 'many.bpmn', content: version(id) }] };
      const { deployProcess } = (await admin().run(DEPLOY, { input })) as unknown as {
        deployProcess: { processDefinitions: { id: string }[] };
      };
      definitions.push(deployProcess.processDefinitions[0]?.id ?? '');
      if (id === 'review') continue;
      const start = 'startProcess(input: { definitionKey: "many" }) { id }';
      const some = Array.from({ length: 20 }, (_, n) => `s${n}: ${start}`).join(' ');
      for (let n = 0; n < SIZE; n += 20) await admin().run(`mutation { ${some} }`);
    }
  });
  after(() => server.remove());

  it('takes each instance to the other version once, with its task and its timer', async () => {
    const plan = { sourceProcessDefinitionId: definitions[0], targetProcessDefinitionId: definitions[1] };
    const { createMigrationPlan } = await admin().run(PLAN, { input: plan });
    assert.equal(createMigrationPlan?.sourceProcessDefinitionId, definitions[0]);
    const to = (from: string, target: string) => ({ sourceActivityIds: [from], targetActivityIds: [target] });
    const input = { ...plan, allActiveInstances: true, instructions: [to('check', 'review'), to('late', 'late')] };
    const { migrateProcessInstance: begun } = (await admin().run(MIGRATE, { input })) as unknown as {
      migrateProcessInstance: { id: string; jobType: string; status: string; abortable: boolean };
    };
    assert.deepEqual(begun, { id: begun.id, jobType: 'migrate-instances', status: 'queued', abortable: false });
    await eventually('some of it is done', async () => {
      const { jobProgress } = await admin().run(PROGRESS, { id: begun.id });
      return Number(jobProgress?.itemsProcessed ?? 0) > 0;
    });
    await server.end('SIGKILL');
    await server.start();
    const end = await endOf(admin(), begun.id);
    assert.deepEqual([end.status, end.errorMessage], ['completed', null]);
    assert.deepEqual([end.itemsTotal, end.itemsProcessed, end.itemsError].map(Number), [SIZE, SIZE, 0]);
    const { tasks, processInstances } = await admin().run(
      'query ($id: ID!) { tasks(taskDefinitionKey: "review") { totalCount } processInstances(definition: $id) { totalCount } }',
      { id: definitions[1] },
    );
    assert.deepEqual([tasks?.totalCount, processInstances?.totalCount], [SIZE, SIZE]);
    await server.end();
    const replayed = replayAll(server.folder);
    assert.equal(replayed.length, SIZE);
    for (const { id, runs, stored, again } of replayed) {
      assert.equal(runs, 2, `instance ${id} was started, and migrated once`);
      assert.deepEqual(again, stored);
    }
    await server.start();
  });

  it('tells of each instance that cannot migrate, which stays as it was', async () => {
    const { tasks } = await admin().run('{ tasks(first: 1) { edges { node { id processInstanceId } } } }');
    const { id: taskId, processInstanceId: ended } = tasks?.edges[0]?.node ?? {};
    await admin().run('mutation ($input: CompleteTaskInput!) { completeTask(input: $input) { id } }', {
      input: { taskId },
    });
    const back = { sourceProcessDefinitionId: definitions[1], targetProcessDefinitionId: definitions[0] };
    const { processInstances } = await admin().run(
      '{ processInstances(active: true, first: 1) { edges { node { id } } } }',
    );
    const waiting = processInstances?.edges[0]?.node.id;
    const processInstanceIds = [ended, waiting, 'none'];
    const { migrateProcessInstance: begun } = await admin().run(MIGRATE, { input: { ...back, processInstanceIds } });
    const end = await endOf(admin(), begun?.id ?? '');
    assert.deepEqual([end.status, Number(end.itemsError)], ['failed', 3]);
    const samples = end.errorSamples as unknown as string[];
    assert.match(samples[0] ?? '', /expected to migrate process instance '.*', but it is completed/);
    assert.match(samples[1] ?? '', /expected an instruction for activity 'review'/);
    assert.match(samples[2] ?? '', /expected a process instance with id 'none'/);
    const { processInstance } = await admin().run('query ($id: ID!) { processInstance(id: $id) { definitionId } }', {
      id: waiting,
    });
    assert.equal(processInstance?.definitionId, definitions[1]);
  });
});
