import assert from 'node:assert/strict';
import { jobs, processInstances, subscriptions } from '../../../src/engine/collections.js';
import { bpmn, element, flows, timer } from '../../support/bpmn.js';
import { admin, ann, EngineHarness } from '../../support/engine-harness.js';

const root = '<bpmn:message id="m" name="paid"/><bpmn:signal id="s" name="alarm"/>';
const message = '<bpmn:messageEventDefinition messageRef="m"/>';
const signal = '<bpmn:signalEventDefinition signalRef="s"/>';
const started = (definitions: string, attributes = {}) =>
  bpmn(
    `${element('startEvent', 'start', attributes, definitions)}${element('userTask', 'work')}${flows('start', 'work')}`,
    { root },
  );

describe('a start event of several definitions', () => {
  it('starts an instance by each of them', async () => {
    const engine = new EngineHarness();
    await engine.deploy(started(message + signal + timer('cycle', 'R2/PT1H')));
    await engine.run(engine.api.correlateMessage, { messageName: 'paid' }, ann);
    await engine.run(engine.api.publishSignal, { signalName: 'alarm' }, ann);
    await engine.settle();
    engine.now += 3_600_000;
    await engine.runDue();
    assert.deepEqual(
      engine.all(processInstances).map(({ state }) => state.tokens.map(({ wait }) => wait?.kind)),
      [['task'], ['task'], ['task']],
    );
    assert.equal(engine.all(jobs).length, 1, 'the cycle comes once more');
  });

  it('waits in the instance for the others, where it needs all of them', async () => {
    const engine = new EngineHarness();
    await engine.deploy(started(message + signal + timer('duration', 'PT1H'), { parallelMultiple: 'true' }));
    const id = await engine.run(engine.api.correlateMessage, { messageName: 'paid' }, ann);
    assert.deepEqual(
      engine
        .all(subscriptions)
        .filter(({ instanceId }) => instanceId === id)
        .map(({ eventType }) => eventType),
      ['signal'],
    );
    await engine.run(engine.api.publishSignal, { signalName: 'alarm', processInstanceId: id }, ann);
    await engine.settle();
    assert.deepEqual(
      engine.instance(id).state.tokens.map(({ wait }) => wait?.kind),
      ['events'],
    );
    engine.now += 3_600_000;
    await engine.runDue();
    assert.deepEqual(engine.task('work').instanceId, id);
    const { stored, again } = engine.replayed(id);
    assert.deepEqual(again, stored);
    await engine.run(engine.api.cancelProcessInstance, { id }, admin);
  });
});
