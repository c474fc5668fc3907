import assert from 'node:assert/strict';
import type { EnabledActivity } from '../../src/graphql/generated/schema.js';
import { bpmn, element, escaped, flows, line } from '../support/bpmn.js';
import { refusal } from '../support/graphql-client.js';
import { assertReplays } from './support/company.js';
import { KillableServer } from './support/killable-server.js';
import { variablesOf } from './support/person.js';

// Slow: a server is killed in the middle of a case.

/** A case that is worked on as its people like, until it is solved; what is open then is let go. */
const model = bpmn(
  line(
    ['solve', 'tell'],
    element(
      'adHocSubProcess',
      'solve',
      {},
      `${element('userTask', 'ask', { name: 'Ask the customer' })}${element('userTask', 'note')}${flows('ask', 'note')}
      ${element('userTask', 'inspect')}
      <bpmn:completionCondition xsi:type="bpmn:tFormalExpression">${escaped('${execution.getVariable("solved") == true}')}</bpmn:completionCondition>`,
    ) + element('userTask', 'tell'),
  ),
  { key: 'case' },
);

describe('a case whose steps are chosen, on a server that is killed', function () {
  this.timeout(60_000);
  const server = new KillableServer();
  before(() => server.start());
  after(() => server.remove());

  const ann = () => server.person('ann');
  const enabled = async (id: string): Promise<EnabledActivity[]> => {
    const query = `query ($id: ID!) { processInstance(id: $id) { enabledActivities {
      activityId activityName activityType parentActivityInstanceId } } }`;
    return (await ann().client.run(query, { id })).processInstance?.enabledActivities as EnabledActivity[];
  };
  const trigger = (processInstanceId: string, activityId: string, values = {}, person = ann()) =>
    person.client.run(
      'mutation ($input: TriggerActivityInput!) { triggerActivity(input: $input) { id activeActivityIds } }',
      { input: { processInstanceId, activityId, variables: variablesOf(values) } },
    );
  const perform = async (id: string, task: string, values = {}) =>
    ann().complete(await ann().claim(await ann().task(id, task)), values);

  it('goes on with what was chosen, and lets one choose again', async () => {
    const input = { name: 'case', resources: [{ name: 'case.bpmn', content: model }] };
    await server
      .client('admin')
      .run('mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }', { input });
    const id = await ann().start('case');
    assert.deepEqual(
      (await enabled(id)).map(({ activityId, activityName, activityType }) => [activityId, activityName, activityType]),
      [
        ['ask', 'Ask the customer', 'userTask'],
        ['inspect', null, 'userTask'],
      ],
    );
    const { triggerActivity } = await trigger(id, 'ask', { question: 'when' });
    assert.deepEqual(triggerActivity, { id, activeActivityIds: ['solve', 'ask'] });
    await trigger(id, 'inspect');
    await server.end('SIGKILL');
    await server.start();

    await perform(id, 'ask');
    assert.equal((await refusal(trigger(id, 'note'))).code, 'BAD_REQUEST');
    assert.equal((await refusal(trigger(id, 'inspect', {}, server.person('dora')))).code, 'FORBIDDEN');
    await trigger(id, 'ask');
    await server.end('SIGKILL');
    await server.start();

    assert.equal((await enabled(id)).length, 2);
    await perform(id, 'inspect', { solved: true });
    assert.deepEqual(await enabled(id), []);
    assert.equal((await refusal(trigger(id, 'ask'))).code, 'CONFLICT');
    await perform(id, 'tell');
    assert.deepEqual(await ann().path(id), ['start', 'solve', 'ask', 'inspect', 'note✗', 'ask✗', 'tell', 'end']);
    assert.deepEqual(await ann().variables(id), { question: 'when', solved: true });
    await server.end();
    assertReplays(server.folder);
  });
});
