import assert from 'node:assert/strict';
import { refusal } from '../support/graphql-client.js';
import { type Company, openCompany } from './support/company.js';
import type { Person } from './support/person.js';

describe('incident handling', () => {
  let company: Company;
  let sue: Person;
  let otto: Person;
  let kim: Person;
  let mia: Person;
  let admin: Person;
  before(async () => {
    company = await openCompany();
    ({ sue, otto, kim, mia, admin } = company.people);
  });
  after(() => company.close());

  const elements = async (id: string) => (await admin.tasks(id)).map((task) => task.taskDefinitionKey).sort();
  const restore = async (id: string) => {
    await otto.perform(id, 'find', { cause: 'a full disk' });
    assert.equal((await otto.task(id, 'fix')).description, 'The cause: a full disk');
    await otto.perform(id, 'fix');
  };

  it('starts by a message, does in parallel what the assessment asks for, and ends by a message', async () => {
    const id = await sue.message('incident.reported', { summary: 'shop is slow' }, { businessKey: 'INC-1' });
    const { businessKey, definitionKey, startUserId } = await sue.instance(id);
    assert.deepEqual([businessKey, definitionKey, startUserId], ['INC-1', 'incident-handling', 'sue']);
    await sue.perform(id, 'assess', { affectsCustomers: true, securityRelevant: true });
    assert.deepEqual(await elements(id), ['find', 'inform', 'secure']);
    await kim.perform(id, 'inform');
    await restore(id);
    assert.deepEqual(await elements(id), ['secure'], 'the join waits for all three');
    await otto.perform(id, 'secure');
    assert.deepEqual(await elements(id), []);
    const [waiting] = (
      await admin.client.run(
        'query ($id: ID!) { eventSubscriptions(processInstanceId: $id) { edges { node { eventType eventName activityId } } } }',
        { id },
      )
    ).eventSubscriptions.edges;
    assert.deepEqual(waiting?.node, { eventType: 'message', eventName: 'incident.confirmed', activityId: 'confirmed' });
    assert.equal(await sue.message('incident.confirmed', { thanks: true }, { businessKey: 'INC-1' }), id);
    assert.equal((await sue.instance(id)).state, 'completed');
    assert.deepEqual(await sue.variables(id), {
      summary: 'shop is slow',
      affectsCustomers: true,
      securityRelevant: true,
      cause: 'a full disk',
      thanks: true,
    });
    const path = await sue.path(id);
    assert.deepEqual(path.slice(0, 3), ['detected', 'assess', 'split']);
    assert.deepEqual(path.slice(-3), ['confirmed', 'either', 'closed']);
  });

  it('does only what is needed', async () => {
    const id = await sue.start('incident-handling', { summary: 'a typo' });
    await sue.perform(id, 'assess', { affectsCustomers: false, securityRelevant: false });
    assert.deepEqual(await elements(id), ['find']);
    await restore(id);
    assert.deepEqual((await sue.instance(id)).activeActivityIds, ['wait']);
    assert.equal((await sue.variables(id)).reporter, 'sue');
    await sue.client.run('mutation ($id: ID!) { cancelProcessInstance(id: $id) }', { id });
  });

  it('briefs a manager after four hours, and the work goes on', async () => {
    const id = await sue.start('incident-handling', { summary: 'it takes long' });
    await sue.perform(id, 'assess', { affectsCustomers: false, securityRelevant: false });
    await admin.advanceClock('PT3H59M');
    assert.deepEqual(await elements(id), ['find']);
    await admin.advanceClock('PT1M');
    assert.deepEqual(await elements(id), ['escalate', 'find']);
    await restore(id);
    await mia.perform(id, 'escalate');
    assert.deepEqual((await sue.instance(id)).activeActivityIds, ['wait']);
    await sue.message('incident.confirmed', {}, { processInstanceId: id });
    assert.equal((await sue.instance(id)).state, 'completed');
  });

  it('closes by itself after three days of silence, and then takes no message', async () => {
    const id = await sue.start('incident-handling', { summary: 'nobody answers' }, 'INC-2');
    await sue.perform(id, 'assess', { affectsCustomers: false, securityRelevant: false });
    await restore(id);
    await admin.advanceClock('P2DT23H59M');
    assert.equal((await sue.instance(id)).state, 'active');
    await admin.advanceClock('PT1M');
    assert.equal((await sue.instance(id)).state, 'completed');
    assert.ok((await sue.path(id)).includes('silence'));
    const late = await refusal(sue.message('incident.confirmed', {}, { businessKey: 'INC-2' }));
    assert.equal(late.code, 'NOT_FOUND');
  });

  it('refuses a message that several wait for, and one that nobody waits for', async () => {
    const waiting = async (key: string) => {
      const id = await sue.start('incident-handling', { summary: key }, key);
      await sue.perform(id, 'assess', { affectsCustomers: false, securityRelevant: false });
      await restore(id);
      return id;
    };
    const [one, other] = [await waiting('INC-3'), await waiting('INC-4')];
    const ambiguous = await refusal(sue.message('incident.confirmed'));
    assert.equal(ambiguous.code, 'CONFLICT');
    assert.match(ambiguous.message, /2 wait for it/);
    assert.equal((await refusal(sue.message('no.such.message'))).code, 'NOT_FOUND');
    assert.equal(await sue.message('incident.confirmed', {}, { businessKey: 'INC-4' }), other);
    assert.equal(await sue.message('incident.confirmed'), one, 'now it is clear who is meant');
  });

  it('shows the elements of a sub-process within it', async () => {
    const id = await sue.start('incident-handling', { summary: 'nested' });
    await sue.perform(id, 'assess', { affectsCustomers: false, securityRelevant: false });
    const history = await sue.history(id);
    const scope = history.find(({ activityId }) => activityId === 'restore');
    const inner = history.find(({ activityId }) => activityId === 'find');
    assert.equal(scope?.activityType, 'subProcess');
    assert.equal(inner?.parentActivityInstanceId, scope?.id);
    assert.equal(inner?.endTime, null);
  });
});
