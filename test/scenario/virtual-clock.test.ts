import assert from 'node:assert/strict';
import { refusal } from '../support/graphql-client.js';
import { openCompany } from './support/company.js';

describe('a clock that stands until it is set', () => {
  it('does not go back when the server starts again', async () => {
    const first = await openCompany();
    const id = await first.people.sue.start('incident-handling', { summary: 'days ago' });
    await first.people.sue.perform(id, 'assess', { affectsCustomers: false, securityRelevant: false });
    await first.people.admin.advanceClock('P10D');
    const { folder } = first.server;
    await first.server.end();

    const { server, people } = await openCompany({ folder });
    const later = await people.sue.start('incident-handling', { summary: 'now' });
    const [before, after] = [await people.sue.history(id), await people.sue.history(later)];
    const briefing = before.find(({ activityId }) => activityId === 'escalate');
    const begin = (it: { startTime?: unknown } | undefined) => Date.parse(String(it?.startTime));
    assert.ok(begin(after[0]) >= begin(briefing), 'what happened after four hours is not in the future');
    await server.end();
    await first.server.remove();
  });

  it('is the machine’s unless the server was told so', async () => {
    const { server, people } = await openCompany({ clock: 'system' });
    const refused = await refusal(people.admin.advanceClock('PT1S'));
    assert.equal(refused.code, 'CONFLICT');
    assert.match(refused.message, /MILLRACE_CLOCK=virtual/);
    await server.remove();
  });

  it('runs what is due one after the other, each at its own time', async () => {
    const { server, people } = await openCompany();
    const id = await people.sue.start('incident-handling', { summary: 'long' });
    await people.sue.perform(id, 'assess', { affectsCustomers: false, securityRelevant: false });
    await people.otto.perform(id, 'find', { cause: 'x' });
    await people.admin.advanceClock('PT5H');
    await people.otto.perform(id, 'fix');
    await people.mia.perform(id, 'escalate');
    await people.admin.advanceClock('P30D');
    const { state, startTime, endTime } = await people.sue.instance(id);
    assert.equal(state, 'completed');
    assert.equal(Date.parse(String(endTime)) - Date.parse(String(startTime)), (5 + 72) * 3_600_000);
    await server.remove();
  });
});
