import assert from 'node:assert/strict';
import { bpmn, element, line } from '../support/bpmn.js';
import { BpmServer } from './support/bpm-server.js';

const work = bpmn(line(['todo'], element('userTask', 'todo')), { key: 'work' });
const waiting = bpmn(line(['paid'], element('receiveTask', 'paid', { messageRef: 'm' })), {
  key: 'waiting',
  root: '<bpmn:message id="m" name="paid" />',
});

describe('names of arguments of BPM', () => {
  const server = new BpmServer();
  let instance = '';
  let definition = '';
  before(async () => {
    await server.open();
    await server.deploy(work, 'work');
    await server.deploy(waiting, 'waiting');
    await server.start('waiting');
    [instance] = [await server.start('work'), await server.start('work')] as [string, string];
    const { processInstance } = await server.data('query ($id: ID!) { processInstance(id: $id) { definitionId } }', {
      variables: { id: instance },
    });
    definition = processInstance.definitionId;
    await server.data('mutation ($id: ID!) { createIncident(input: { type: "odd", processInstanceId: $id }) { id } }', {
      variables: { id: instance },
    });
  });
  after(() => server.close());

  it('take one variable for all that asks for an instance', async () => {
    const { tasks, jobs, incidents, eventSubscriptions, activityHistory, processInstance } = await server.data(
      `query ($id: ID!) {
        tasks(processInstance: $id) { totalCount edges { node { processInstanceId definitionId definitionKey } } }
        jobs(processInstanceId: $id) { totalCount }
        incidents(processInstanceId: $id) { totalCount edges { node { definitionId definitionKey } } }
        eventSubscriptions(processInstanceId: $id) { totalCount }
        activityHistory(processInstanceId: $id) { processInstanceId }
        processInstance(id: $id) { definitionId definitionKey }
      }`,
      { variables: { id: instance } },
    );
    const of = { definitionId: definition, definitionKey: 'work' };
    assert.deepEqual(tasks, { totalCount: 1, edges: [{ node: { processInstanceId: instance, ...of } }] });
    assert.deepEqual(incidents, { totalCount: 1, edges: [{ node: of }] });
    assert.deepEqual([jobs.totalCount, eventSubscriptions.totalCount], [0, 0]);
    assert.equal(activityHistory[0].processInstanceId, instance);
    assert.deepEqual(processInstance, of);
  });

  for (const [list, name, type, oldName, value, found] of [
    ['tasks', 'processInstance', 'ID', 'processInstanceId', () => instance, 1],
    ['tasks', 'definitionId', 'ID', 'processDefinitionId', () => definition, 2],
    ['tasks', 'definitionKey', 'String', 'processDefinitionKey', () => 'work', 2],
    ['processInstances', 'definition', 'ID', 'definitionId', () => definition, 2],
    ['incidents', 'definitionId', 'ID', 'processDefinitionId', () => definition, 1],
    ['incidents', 'definitionKey', 'String', 'processDefinitionKey', () => 'work', 1],
    ['incidents', 'type', 'String', 'incidentType', () => 'odd', 1],
    ['eventSubscriptions', 'waitsFor', 'EventSubscriptionType', 'eventType', () => 'message', 1],
  ] as const) {
    it(`${list} takes ${name}, and ${oldName} as before, but not both`, async () => {
      const ask = (args: string) =>
        server.run(
          `query (${args.includes('$it') ? `$it: ${type}` : ''} ${args.includes('$old') ? '$old: String' : ''}) { ${list}(${args}) { totalCount } }`,
          {
            variables: { it: value(), old: value() },
          },
        );
      assert.equal((await ask(`${name}: $it`)).data[list].totalCount, found);
      assert.equal((await ask(`${oldName}: $old`)).data[list].totalCount, found);
      assert.equal((await ask(`${name}: $it, ${oldName}: null`)).data[list].totalCount, found);
      assert.deepEqual((await ask(`${name}: $it, ${oldName}: $old`)).errors, [
        `BAD_REQUEST: expected '${name}' alone, but found '${oldName}' beside it, which means the same`,
      ]);
    });
  }
});
