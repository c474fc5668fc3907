import assert from 'node:assert/strict';
import { bpmn, flows } from '../../support/bpmn.js';
import { EngineHarness } from '../../support/engine-harness.js';

const uncaught = bpmn(
  `<bpmn:startEvent id="s"/><bpmn:endEvent id="e"><bpmn:errorEventDefinition errorRef="late"/></bpmn:endEvent>${flows('s', 'e')}`,
  { root: '<bpmn:error id="late" name="Too late" errorCode="LATE"/>' },
);

describe('an error end event that nothing catches', () => {
  it('ends the instance as failed, and says why', async () => {
    const harness = new EngineHarness();
    await harness.deploy(uncaught);
    const instance = harness.instance(await harness.start());
    assert.equal(instance.actor.value, 'failed');
    assert.equal(instance.deleteReason, "error 'LATE' of end event 'e' was not caught");
    assert.notEqual(instance.endTime, null);
  });
});
