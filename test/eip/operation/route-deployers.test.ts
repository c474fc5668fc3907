import assert from 'node:assert/strict';
import { RouteHarness } from '../support/route-harness.js';

describe('the users who have deployed routes', () => {
  const refusals = ({ runtime }: RouteHarness) => runtime.asked.filter((asked) => /refuse|start/.test(asked));

  it('are told to the runtime when they are disabled, and when they are enabled again', async () => {
    const it_ = new RouteHarness();
    await it_.begin();
    await it_.deploy('/etc/eip/routes/a.yaml', [{ id: 'orders' }], { autoStart: true });
    it_.conductor.lookAgain();
    it_.gone.add('somebody');
    it_.conductor.lookAgain();
    it_.gone.add('dora');
    it_.conductor.lookAgain();
    it_.conductor.lookAgain();
    it_.gone.delete('dora');
    it_.conductor.lookAgain();
    assert.deepEqual(refusals(it_), ['start orders:1', 'refuse dora', 'refuse ']);
  });

  it('are known before their routes start, also when the server starts', async () => {
    const it_ = new RouteHarness();
    await it_.begin();
    await it_.deploy('/etc/eip/routes/a.yaml', [{ id: 'orders' }], { autoStart: true });
    it_.kill();
    it_.gone.add('dora');
    await it_.begin();
    assert.deepEqual(refusals(it_), ['refuse dora', 'start orders:1']);
  });
});
