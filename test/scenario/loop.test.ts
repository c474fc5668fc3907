import assert from 'node:assert/strict';
import { bpmn, element, flow, flows } from '../support/bpmn.js';
import { openCompany } from './support/company.js';
import type { Person } from './support/person.js';

const env = { MILLRACE_INSTANCE_STEPS_MAX: '3000' };
const loop = (attributes: Readonly<Record<string, string>> = {}) =>
  bpmn(
    element('startEvent', 'start') +
      element('exclusiveGateway', 'again') +
      element('task', 'work', attributes) +
      flows('start', 'again', 'work') +
      flow('work', 'again'),
  );

async function startLoop({ client }: Person, model: string): Promise<string> {
  const input = { name: 'loop', resources: [{ name: 'loop.bpmn', content: model }] };
  await client.run('mutation ($input: DeployProcessInput!) { deployProcess(input: $input) { id } }', { input });
  const { startProcess } = await client.run('mutation { startProcess(input: { definitionKey: "p" }) { id } }');
  return startProcess.id;
}

describe('a model that loops for ever', () => {
  it('stops with an incident, also after a restart, and takes as many steps again when it is given new retries', async () => {
    const first = await openCompany({ env });
    const id = await startLoop(first.people.admin, loop());
    const [incident] = await first.people.admin.incidents(id);
    assert.match(incident?.message ?? '', /3000 steps/);
    assert.equal(incident?.jobRetries, 0);
    await first.server.end();

    const company = await openCompany({ env, folder: first.server.folder });
    const { admin } = company.people;
    const again = await admin.incidents(id);
    assert.deepEqual(again, [incident]);
    await admin.setJobRetries(incident?.id ?? '', 1);
    await admin.advanceClock('PT1H');
    const [next, ...more] = await admin.incidents(id);
    assert.deepEqual(more, []);
    assert.notEqual(next?.id, incident?.id);
    assert.match(next?.message ?? '', /3000 steps/);
    await company.close();
    await first.server.remove();
  });

  it('lets the clock be advanced', async () => {
    const company = await openCompany({ env });
    const { admin } = company.people;
    const id = await startLoop(admin, loop({ 'camunda:asyncBefore': 'true' }));
    await admin.advanceClock('PT1H');
    const [incident] = await admin.incidents(id);
    assert.match(incident?.message ?? '', /300\d steps/);
    assert.equal((await admin.instance(id)).state, 'active');
    await company.close();
  });
});
