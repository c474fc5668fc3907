import assert from 'node:assert/strict';
import { bpmn, element, flow, flows, timer } from '../support/bpmn.js';
import { refusal } from '../support/graphql-client.js';
import { type Company, openCompany } from './support/company.js';
import type { Person, Values } from './support/person.js';
import { restClient } from './support/rest-client.js';

const SIZE = 1_000;

/** As many tasks as it is told, each with a timer of its own, and one that ends them all: by terminating, or by an error. */
const model = (key: string, more = '') =>
  bpmn(
    `${element('startEvent', 'start')}
  <bpmn:subProcess id="all">
    ${element('startEvent', 'begin')}${element('exclusiveGateway', 'again')}${element('parallelGateway', 'fork')}
    ${element('userTask', 'work')}
    <bpmn:boundaryEvent id="late" attachedToRef="work">${timer('duration', 'PT1H')}</bpmn:boundaryEvent>
    ${element('userTask', 'overdue')}
    ${element('serviceTask', 'count', { 'camunda:expression': '${n + 1}', 'camunda:resultVariable': 'n' })}
    ${element('exclusiveGateway', 'more', { default: 'more-stop' })}
    ${element('userTask', 'stop')}${element('exclusiveGateway', 'how', { default: 'how-ended' })}
    <bpmn:endEvent id="ended"><bpmn:terminateEventDefinition/></bpmn:endEvent>
    <bpmn:endEvent id="failed"><bpmn:errorEventDefinition errorRef="no"/></bpmn:endEvent>
    ${flows('begin', 'again', 'fork', 'work')}${flows('fork', 'count', 'more', 'stop', 'how', 'ended')}${flows('late', 'overdue')}
    ${flow('more', 'again', '${n < size}')}${flow('how', 'failed', '${fails}')}${more}
  </bpmn:subProcess>
  <bpmn:boundaryEvent id="caught" attachedToRef="all"><bpmn:errorEventDefinition errorRef="no"/></bpmn:boundaryEvent>
  ${element('userTask', 'after')}${element('userTask', 'mend')}
  ${flows('start', 'all', 'after')}${flows('caught', 'mend')}`,
    { key, root: '<bpmn:error id="no" errorCode="NO"/>' },
  );

/** A gateway that has to look at all of them keeps them in one document. */
const gathered = element('inclusiveGateway', 'gather') + flows('work', 'gather') + flows('overdue', 'gather');

describe('an instance with a thousand tasks and timers', () => {
  let company: Company;
  let admin: Person;
  const rest = restClient(() => company.server);
  before(async () => {
    company = await openCompany();
    ({ admin } = company.people);
    await admin.client.run('mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }', {
      input: {
        name: 'crowd',
        resources: [
          { name: 'crowd.bpmn', content: model('crowd') },
          { name: 'gathered.bpmn', content: model('gathered', gathered) },
        ],
      },
    });
  });
  after(() => company.close());

  const crowd = () => admin.start('crowd', { n: 0, size: SIZE, fails: false });
  const change = (field: string, id: string, more = '{ state }') =>
    admin.client.run(`mutation ($id: ID!) { ${field}(id: $id) ${more} }`, { id });
  /** How many open tasks and jobs it has, and one of the tasks. */
  const open = async (id: string) => {
    const { tasks, jobs } = await admin.client.run(
      `query ($id: ID!) {
        tasks(processInstance: $id, taskDefinitionKey: "work", first: 1) { totalCount edges { node { id suspended availableOperations } } }
        jobs(processInstanceId: $id, first: 1) { totalCount edges { node { id suspended } } } }`,
      { id },
    );
    return { tasks: tasks.totalCount, jobs: jobs.totalCount, task: tasks.edges[0]?.node, job: jobs.edges[0]?.node };
  };
  /** What lists and counts have of it: how many tasks, and timers. */
  const shown = async (id: string) => {
    const { tasks, jobs } = await admin.client.run(
      `query ($id: ID!) {
        tasks(processInstance: $id, taskDefinitionKey: "work", first: 5) { totalCount edges { node { id } } }
        jobs(processInstanceId: $id, type: "timer", first: 5) { totalCount edges { node { id } } } }`,
      { id },
    );
    return [tasks.totalCount, tasks.edges.length, jobs.totalCount, jobs.edges.length];
  };
  const NOTHING = [0, 0, 0, 0];

  const stop = async (id: string, values: Values = {}) => {
    const { tasks } = await admin.client.run(
      'query ($id: String!) { tasks(processInstanceId: $id, taskDefinitionKey: "stop") { edges { node { id } } } }',
      { id },
    );
    await admin.complete(tasks.edges[0]?.node ?? { id: '' }, values);
  };

  it('is suspended and activated as a whole', async () => {
    const id = await crowd();
    const { task, ...counts } = await open(id);
    assert.deepEqual([counts.tasks, counts.jobs], [SIZE, SIZE]);
    await change('suspendProcessInstance', id);
    await admin.advanceClock('PT0S');
    const held = await open(id);
    assert.deepEqual(
      [held.task?.suspended, held.job?.suspended, held.task?.availableOperations],
      [true, true, ['setVariables']],
    );
    assert.equal((await refusal(admin.claim(task ?? { id: '' }))).code, 'CONFLICT');
    await admin.advanceClock('PT2H');
    assert.equal((await open(id)).tasks, SIZE, 'no timer fires');
    await change('activateProcessInstance', id);
    const active = await open(id);
    assert.deepEqual([active.task?.suspended, active.job?.suspended], [false, false]);
    await change('cancelProcessInstance', id, '');
  });

  it('is suspended with its definition', async () => {
    const id = await crowd();
    const { definition } = (
      await admin.client.run('query ($id: ID!) { processInstance(id: $id) { definition { id } } }', { id })
    ).processInstance ?? { definition: null };
    const sweep = (field: string) =>
      admin.client.run(`mutation ($id: ID!) { ${field}(id: $id, includeInstances: true) { id } }`, {
        id: definition?.id,
      });
    await sweep('suspendProcessDefinition');
    await admin.advanceClock('PT0S');
    const held = await open(id);
    assert.deepEqual([held.task?.suspended, held.job?.suspended], [true, true]);
    await sweep('activateProcessDefinition');
    await admin.advanceClock('PT0S');
    const active = await open(id);
    assert.deepEqual([active.task?.suspended, active.job?.suspended], [false, false]);
    assert.deepEqual(await admin.incidents(id), []);
    await change('cancelProcessInstance', id, '');
  });

  for (const field of ['cancelProcessInstance', 'deleteProcessInstance']) {
    it(`is ended with all that it has by ${field}, also while it is suspended`, async () => {
      const id = await crowd();
      await change('suspendProcessInstance', id);
      await change(field, id, '');
      assert.deepEqual(await shown(id), NOTHING);
      const listed = await rest('GET', `/task?processInstanceId=${id}&firstResult=0&maxResults=5`, { user: 'admin' });
      const counted = await rest('GET', `/task/count?processInstanceId=${id}`, { user: 'admin' });
      assert.deepEqual([listed.json, counted.json], [[], { count: 0 }]);
      await admin.advanceClock('PT0S');
      const { tasks, jobs } = await open(id);
      assert.deepEqual([tasks, jobs, (await admin.instance(id)).state], [0, 0, 'cancelled']);
      const history = await admin.history(id);
      assert.equal(history.filter((it) => it.activityId === 'work' && it.canceled).length, SIZE);
    });
  }

  it('is held by an incident where it would grow beyond what one document holds, and is ended with all that it has', async () => {
    const id = await admin.start('gathered', { n: 0, size: 100 * SIZE, fails: false });
    for (let n = 0; n < 3; n++) await admin.advanceClock('PT0S');
    const [incident] = await admin.incidents(id);
    assert.match(incident?.message ?? '', /^expected processInstance .* to be at most 262144 characters/);
    await change('cancelProcessInstance', id, '');
    const { tasks, jobs } = await open(id);
    assert.deepEqual([tasks, jobs, await admin.incidents(id)], [0, 0, []]);
  });

  it('goes on behind its sub-process when that is terminated', async () => {
    const id = await crowd();
    await stop(id);
    assert.deepEqual(await shown(id), NOTHING);
    assert.deepEqual([...(await admin.instance(id)).activeActivityIds], ['after']);
    await admin.advanceClock('PT0S');
    const { tasks, jobs } = await open(id);
    assert.deepEqual([tasks, jobs], [0, 0]);
  });

  it('goes on behind the boundary event when an error ends its sub-process', async () => {
    const id = await crowd();
    await stop(id, { fails: true });
    assert.deepEqual(await shown(id), NOTHING);
    assert.deepEqual([...(await admin.instance(id)).activeActivityIds], ['mend']);
    await admin.advanceClock('PT0S');
    const { tasks, jobs } = await open(id);
    assert.deepEqual([tasks, jobs], [0, 0]);
  });
});
