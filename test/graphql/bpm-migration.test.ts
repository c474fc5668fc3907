import assert from 'node:assert/strict';
import { hasEnded, longJobs } from '../../src/store/index.js';
import { bpmn, element, line } from '../support/bpmn.js';
import { toldUntil } from '../support/long-jobs.js';
import { admin, ann, BpmServer } from './support/bpm-server.js';

const version = (...tasks: string[]) =>
  bpmn(line(tasks, tasks.map((id) => element('userTask', id, { name: `Task ${id}` })).join('')), { key: 'p' });

const PLAN = `mutation ($input: CreateMigrationPlanInput!) {
  createMigrationPlan(input: $input) {
    sourceProcessDefinitionId targetProcessDefinitionId
    instructions { sourceActivityIds targetActivityIds updateEventTrigger }
  }
}`;
const REPORT = `query ($input: MigrateProcessInstanceInput!) {
  migrationReport(input: $input) {
    plan { instructions { sourceActivityIds targetActivityIds } }
    problems { rule sourceActivityIds targetActivityIds message }
    instancesChecked
    hindered { processInstanceId message problems { rule activityId message } }
  }
}`;

const codeOf = (error: string): string => error.slice(0, error.indexOf(':'));

describe('migration in the API', () => {
  const server = new BpmServer();
  let held = '';
  let ids: readonly string[] = [];
  let input: Readonly<Record<string, unknown>> = {};
  before(async () => {
    await server.open();
    await server.deploy(version('a', 'b'), 'v1');
    await server.start('p');
    held = await server.start('p');
    await server.deploy(version('a', 'c'), 'v2');
    const { processDefinitions } = await server.data('{ processDefinitions(key: "p") { edges { node { id } } } }');
    ids = processDefinitions.edges.map(({ node }: { node: { id: string } }) => node.id).reverse();
    input = { sourceProcessDefinitionId: ids[0], targetProcessDefinitionId: ids[1] };
  });
  after(() => server.close());

  it('is planned: equal activities at which instances are found, and those that are named', async () => {
    const instructions = [{ sourceActivityIds: ['b'], targetActivityIds: ['c'] }];
    const { createMigrationPlan } = await server.data(PLAN, {
      variables: { input: { ...input, instructions } },
      caller: admin,
    });
    assert.deepEqual(
      createMigrationPlan.instructions.map((each: Record<string, unknown>) => Object.values(each).flat()),
      [
        ['a', 'a', false],
        ['b', 'c', false],
      ],
    );
    assert.equal(createMigrationPlan.targetProcessDefinitionId, ids[1]);
  });

  it('is refused as a plan: unknown definitions, all problems, and whoever may not', async () => {
    const ask = (more: object, caller = admin) =>
      server.run(PLAN, { variables: { input: { ...input, ...more } }, caller });
    assert.deepEqual((await ask({ targetProcessDefinitionId: 'p:9:x' })).errors.map(codeOf), ['NOT_FOUND']);
    const instructions = [{ sourceActivityIds: ['x'], targetActivityIds: ['c'] }];
    assert.deepEqual((await ask({ instructions })).errors.map(codeOf), ['BAD_REQUEST']);
    assert.deepEqual((await ask({ variables: [{ name: 'n', type: 'Long', value: 'x' }] })).errors.map(codeOf), [
      'BAD_REQUEST',
    ]);
    assert.deepEqual((await ask({}, ann)).errors.map(codeOf), ['FORBIDDEN']);
  });

  it('is reported on before anything moves', async () => {
    const report = async (more: object) =>
      (await server.data(REPORT, { variables: { input: { ...input, ...more } }, caller: admin })).migrationReport;
    const fine = await report({ allActiveInstances: true });
    assert.deepEqual([fine.problems, fine.instancesChecked, fine.hindered], [[], 2, []]);
    const without = [{ sourceActivityIds: ['a'], targetActivityIds: [] }];
    const { hindered } = await report({ allActiveInstances: true, instructions: without });
    assert.deepEqual(hindered[0].problems, [
      {
        rule: 'instruction',
        activityId: 'a',
        message: "expected an instruction for activity 'a', at which the instance is, but there is none",
      },
    ]);
    const unknown = await report({ processInstanceIds: ['x'] });
    assert.deepEqual(unknown.hindered, [
      { processInstanceId: 'x', message: "expected a process instance with id 'x', but there is none", problems: [] },
    ]);
    const wrong = [
      { sourceActivityIds: ['x'], targetActivityIds: ['c'] },
      { sourceActivityIds: ['a'], targetActivityIds: ['end'] },
    ];
    const broken = await report({ allActiveInstances: true, instructions: wrong });
    assert.deepEqual(
      [broken.problems.map(({ rule }: { rule: string }) => rule), broken.instancesChecked],
      [['known', 'same-type'], 0],
    );
  });

  it('moves those that are meant, suspended ones only by their ids', async () => {
    const migrate =
      'mutation ($input: MigrateProcessInstanceInput!) { begun: migrateProcessInstance(input: $input) { id } }';
    const ended = async (more: object) => {
      const { begun } = await server.data(migrate, { variables: { input: { ...input, ...more } }, caller: admin });
      await toldUntil(server.partition, begun.id, ({ status }) => hasEnded(status));
      return server.partition.replica.read().get(longJobs, begun.id)?.result;
    };
    const refused = async (more: object, caller = admin) =>
      (await server.run(migrate, { variables: { input: { ...input, ...more } }, caller })).errors;
    assert.match((await refused({}))[0] ?? '', /^BAD_REQUEST: expected at least one id, or allActiveInstances/);
    assert.match((await refused({ processInstanceIds: [] }))[0] ?? '', /^BAD_REQUEST/);
    assert.match((await refused({ allActiveInstances: true }, ann))[0] ?? '', /^FORBIDDEN/);
    const wrong = [{ sourceActivityIds: ['a'], targetActivityIds: ['end'] }];
    assert.match((await refused({ allActiveInstances: true, instructions: wrong }))[0] ?? '', /^BAD_REQUEST/);
    await server.data('mutation ($id: ID!) { suspendProcessInstance(id: $id) { id } }', { variables: { id: held } });
    assert.deepEqual(await ended({ allActiveInstances: true }), { succeeded: 1, failed: 0, failures: [] });
    assert.match((await refused({ allActiveInstances: true }))[0] ?? '', /^BAD_REQUEST: expected active instances/);
    assert.deepEqual(await ended({ processInstanceIds: [held] }), { succeeded: 1, failed: 0, failures: [] });
    const { processInstance } = await server.data(`{ processInstance(id: "${held}") { definitionId state } }`);
    assert.deepEqual(processInstance, { definitionId: ids[1], state: 'suspended' });
  });

  it('shows what two versions differ in', async () => {
    const diff = `query ($sourceId: ID!, $targetId: ID!) {
      processDefinitionDiff(sourceId: $sourceId, targetId: $targetId) {
        source { version } target { version }
        added { elementId name type } removed { elementId type }
        changed { elementId changes { aspect before after } }
      }
    }`;
    const variables = { sourceId: ids[0], targetId: ids[1] };
    const { processDefinitionDiff: found } = await server.data(diff, { variables, caller: ann });
    assert.deepEqual([found.source.version, found.target.version], [1, 2]);
    assert.deepEqual(found.added, [
      { elementId: 'c', name: 'Task c', type: 'userTask' },
      { elementId: 'a-c', name: null, type: 'sequenceFlow' },
      { elementId: 'c-end', name: null, type: 'sequenceFlow' },
    ]);
    assert.deepEqual(
      found.removed.map(({ elementId }: { elementId: string }) => elementId),
      ['b', 'a-b', 'b-end'],
    );
    const same = await server.data(diff, { variables: { sourceId: ids[0], targetId: ids[0] } });
    assert.deepEqual([same.processDefinitionDiff.added, same.processDefinitionDiff.changed], [[], []]);
    assert.deepEqual((await server.run(diff, { variables: { ...variables, targetId: 'x' } })).errors.map(codeOf), [
      'NOT_FOUND',
    ]);
  });
});
