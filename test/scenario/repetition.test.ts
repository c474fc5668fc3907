import assert from 'node:assert/strict';
import { bpmn, element, extended, flows, timer } from '../support/bpmn.js';
import { openCompany } from './support/company.js';
import type { Person } from './support/person.js';

/** Each department is asked; two refusals end it. Then what is open is looked through, until nothing is. */
const model = bpmn(
  `${element('startEvent', 'start')}
  <bpmn:subProcess id="ask">
    <bpmn:multiInstanceLoopCharacteristics camunda:collection="departments" camunda:elementVariable="department">
      <bpmn:loopDataOutputRef>answers</bpmn:loopDataOutputRef><bpmn:outputDataItem name="answer"/>
      <bpmn:completionCondition>\${refusals == 2}</bpmn:completionCondition>
    </bpmn:multiInstanceLoopCharacteristics>
    ${element('startEvent', 'begin')}
    ${element('userTask', 'decide', { name: 'Ask ${department}', 'camunda:candidateGroups': '${department}' })}
    ${element('serviceTask', 'note', { 'camunda:expression': '${refusals + (answer ? 0 : 1)}', 'camunda:resultVariable': 'refusals' })}
    ${flows('begin', 'decide', 'note')}
  </bpmn:subProcess>
  <bpmn:boundaryEvent id="late" attachedToRef="ask">${timer('duration', 'P2D')}</bpmn:boundaryEvent>
  <bpmn:userTask id="look">${extended(
    '<camunda:inputOutput><camunda:inputParameter name="round">${loopCounter + 1}</camunda:inputParameter></camunda:inputOutput>',
  )}
    <bpmn:standardLoopCharacteristics loopMaximum="5"><bpmn:loopCondition>\${open > 0}</bpmn:loopCondition></bpmn:standardLoopCharacteristics>
  </bpmn:userTask>
  ${element('endEvent', 'end')}${element('userTask', 'remind')}
  ${flows('start', 'ask', 'look', 'end')}${flows('late', 'remind')}`,
  { key: 'asked' },
);

const departments = ['accounting', 'controlling', 'management'];

describe('an activity that repeats', () => {
  const deploy = ({ client }: Person) =>
    client.run('mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }', {
      input: { name: 'asked', resources: [{ name: 'asked.bpmn', content: model }] },
    });

  it('asks everybody, with a restart in between, gathers the answers, and goes round', async () => {
    const first = await openCompany();
    await deploy(first.people.admin);
    const id = await first.people.admin.start('asked', { departments, refusals: 0, open: 3 });
    const tasks = await first.people.admin.tasks(id);
    assert.deepEqual(
      tasks.map(({ name }) => name),
      departments.map((each) => `Ask ${each}`),
    );
    await first.people.carl.perform(id, 'decide', { answer: true });
    await first.server.end();

    const company = await openCompany({ folder: first.server.folder });
    const { admin, ann, mia } = company.people;
    await ann.perform(id, 'decide', { answer: false });
    assert.deepEqual([...(await admin.instance(id)).activeActivityIds], ['decide']);
    await mia.perform(id, 'decide', { answer: true });
    assert.deepEqual((await admin.variables(id)).answers, [false, true, true]);
    for (const open of [2, 1, 0]) await admin.perform(id, 'look', { open });
    assert.equal((await admin.instance(id)).state, 'completed');
    const history = await admin.history(id);
    const body = history.find(({ activityId }) => activityId === 'ask#multiInstanceBody');
    assert.deepEqual(
      [body?.activityType, body?.canceled, body?.parentActivityInstanceId],
      ['multiInstanceBody', false, null],
    );
    const instances = history.filter(({ activityId }) => activityId === 'ask');
    assert.deepEqual(
      instances.map(({ activityType, parentActivityInstanceId }) => [activityType, parentActivityInstanceId]),
      departments.map(() => ['subProcess', body?.id]),
    );
    const rounds = history.filter(({ activityId }) => activityId.startsWith('look'));
    assert.deepEqual(
      rounds.map(({ activityId, activityType }) => [activityId, activityType]),
      [['look#loopBody', 'loopBody'], ...[1, 2, 3].map(() => ['look', 'userTask'])],
    );
    await company.close();
    await first.server.remove();
  });

  it('is left when its condition holds, and interrupted as a whole by a timer', async () => {
    const company = await openCompany();
    const { admin, ann, mia } = company.people;
    await deploy(admin);
    const refused = await admin.start('asked', { departments, refusals: 0, open: 0 });
    await ann.perform(refused, 'decide', { answer: false });
    await mia.perform(refused, 'decide', { answer: false });
    assert.deepEqual(
      (await admin.tasks(refused)).map(({ taskDefinitionKey }) => taskDefinitionKey),
      ['look'],
    );
    assert.deepEqual((await admin.variables(refused)).answers, [false, null, false]);
    const late = await admin.start('asked', { departments, refusals: 0, open: 0 });
    await ann.perform(late, 'decide', { answer: true });
    await admin.advanceClock('P2D');
    assert.deepEqual(
      (await admin.tasks(late)).map(({ taskDefinitionKey }) => taskDefinitionKey),
      ['remind'],
    );
    assert.deepEqual(
      (await admin.path(late)).filter((each) => each.startsWith('ask')),
      ['ask#multiInstanceBody✗', 'ask', 'ask✗', 'ask✗'],
    );
    await company.close();
  });
});
