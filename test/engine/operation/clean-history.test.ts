import assert from 'node:assert/strict';
import { processInstances, runs } from '../../../src/engine/collections.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { bpmn, flows } from '../../support/bpmn.js';
import { EngineHarness } from '../../support/engine-harness.js';

const system = systemCaller('test');

describe('cleanHistory', () => {
  it('erases what ended long enough ago with all that is known of it, a few at a time', async () => {
    const harness = new EngineHarness();
    await harness.deploy(bpmn(`<bpmn:startEvent id="s"/><bpmn:endEvent id="e"/>${flows('s', 'e')}`));
    for (let i = 0; i < 5; i++) await harness.start();
    const endedBefore = harness.now + 1;
    assert.equal(await harness.run(harness.engine.jobs.cleanHistory, { endedBefore }, system), true);
    assert.equal(harness.all(processInstances).length, 2);
    while (await harness.run(harness.engine.jobs.cleanHistory, { endedBefore }, system));
    assert.deepEqual([harness.all(processInstances), harness.all(runs)], [[], []]);
  });

  it('leaves what runs, and what ended later', async () => {
    const harness = new EngineHarness();
    await harness.deploy(
      bpmn(`<bpmn:startEvent id="s"/><bpmn:userTask id="t"/><bpmn:endEvent id="e"/>${flows('s', 't', 'e')}`),
    );
    await harness.start();
    assert.equal(await harness.run(harness.engine.jobs.cleanHistory, { endedBefore: harness.now + 1 }, system), false);
    assert.equal(harness.all(processInstances).length, 1);
  });
});
