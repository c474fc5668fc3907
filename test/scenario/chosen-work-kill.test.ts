import assert from 'node:assert/strict';
import type { EnabledActivity } from '../../src/graphql/generated/schema.js';
import { bpmn, element, escaped, flow, flows, line } from '../support/bpmn.js';
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

/** A proposal that goes on with two of three votes. */
const votes = bpmn(
  `${element('startEvent', 'start')}${element('parallelGateway', 'fork')}
  ${['ann', 'dora', 'sue'].map((who) => element('userTask', who) + flows('fork', who, 'enough')).join('')}
  ${element('complexGateway', 'enough', {}, `<bpmn:activationCondition xsi:type="bpmn:tFormalExpression">${escaped('${activationCount >= 2}')}</bpmn:activationCondition>`)}
  ${element('userTask', 'go')}${flow('enough', 'go', '${waitingForStart}')}
  ${element('userTask', 'thank')}${flow('enough', 'thank', '${!waitingForStart && activationCount > 0}')}${flows('start', 'fork')}`,
  { key: 'votes' },
);

describe('work in an order of its own, on a server that is killed', function () {
  this.timeout(60_000);
  const server = new KillableServer();
  before(() => server.start());
  after(() => server.remove());

  const deploy = (name: string, content: string) =>
    server.client('admin').run('mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }', {
      input: { name, resources: [{ name: `${name}.bpmn`, content }] },
    });
  const kill = async () => {
    await server.end('SIGKILL');
    await server.start();
  };
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

  it('goes on with what was chosen in a case, and lets one choose again', async () => {
    await deploy('case', model);
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
    await kill();

    await perform(id, 'ask');
    assert.equal((await refusal(trigger(id, 'note'))).code, 'BAD_REQUEST');
    assert.equal((await refusal(trigger(id, 'inspect', {}, server.person('dora')))).code, 'FORBIDDEN');
    await trigger(id, 'ask');
    await kill();

    assert.equal((await enabled(id)).length, 2);
    await perform(id, 'inspect', { solved: true });
    assert.deepEqual(await enabled(id), []);
    assert.equal((await refusal(trigger(id, 'ask'))).code, 'CONFLICT');
    await perform(id, 'tell');
    assert.deepEqual(await ann().path(id), ['start', 'solve', 'ask', 'inspect', 'note✗', 'ask✗', 'tell', 'end']);
    assert.deepEqual(await ann().variables(id), { question: 'when', solved: true });
  });

  it('takes a late vote for what it is, once enough have come', async () => {
    await deploy('votes', votes);
    const id = await ann().start('votes');
    await perform(id, 'ann');
    await kill();
    await perform(id, 'sue');
    const open = async () => (await ann().instance(id)).activeActivityIds;
    assert.deepEqual(await open(), ['dora', 'go']);
    await kill();
    await perform(id, 'dora');
    assert.deepEqual(await open(), ['go', 'thank']);
    await perform(id, 'go');
    await perform(id, 'thank');
    assert.equal((await ann().instance(id)).state, 'completed');
    await server.end();
    assertReplays(server.folder);
  });
});
