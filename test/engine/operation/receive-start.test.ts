import assert from 'node:assert/strict';
import { processInstances, subscriptions } from '../../../src/engine/collections.js';
import { bpmn, element, flow, flows, timer } from '../../support/bpmn.js';
import { ann, EngineHarness, inputs } from '../../support/engine-harness.js';
import { instance } from '../../support/instance.js';
import { programOf, warningsOf } from '../../support/model.js';

const root = '<bpmn:message id="m" name="paid"/><bpmn:message id="n" name="told"/>';

describe('a receive task', () => {
  it('starts an instance by its message, and is complete then', async () => {
    const model = bpmn(
      `${element('receiveTask', 'r', { messageRef: 'm', instantiate: 'true' })}${element('userTask', 'work')}${flows('r', 'work')}`,
      { root },
    );
    assert.deepEqual(await warningsOf(model), []);
    const engine = new EngineHarness();
    await engine.deploy(model);
    assert.deepEqual(
      engine.all(subscriptions).map(({ eventName, elementId }) => [eventName, elementId]),
      [['paid', 'r']],
    );
    const id = await engine.run(
      engine.api.correlateMessage,
      { messageName: 'paid', variables: inputs({ sum: 7 }) },
      ann,
    );
    assert.deepEqual([engine.task('work').instanceId, engine.variables(id)], [id, { sum: 7 }]);
    const { stored, again } = engine.replayed(id);
    assert.deepEqual(again, stored);
    await engine.start();
    assert.equal(engine.all(processInstances).length, 2, 'one that was started without its message waits for it');
    assert.equal(engine.all(subscriptions).length, 2);
  });

  it('may stand behind an event-based gateway', async () => {
    const model = await programOf(
      bpmn(
        `${element('startEvent', 's')}${element('eventBasedGateway', 'g')}${element('receiveTask', 'r', { messageRef: 'm' })}
        ${element('receiveTask', 'q', { messageRef: 'n' })}${element('intermediateCatchEvent', 'c', {}, timer('duration', 'PT1H'))}${element('userTask', 'u')}
        ${flows('s', 'g', 'r', 'u')}${flow('g', 'c')}${flow('g', 'q')}`,
        { root },
      ),
    );
    const it = instance(model).start();
    assert.deepEqual([it.active, it.subscriptions.size, it.jobs.size], [['g'], 2, 1]);
    it.trigger('r', { n: 1 });
    assert.deepEqual([it.trail, it.subscriptions.size, it.jobs.size], [['s', 'g!', 'r', 'u?'], 0, 0]);
  });
});

describe('an event-based gateway that starts instances', () => {
  const model = (attributes: Record<string, string>) =>
    bpmn(
      `${element('eventBasedGateway', 'g', { instantiate: 'true', ...attributes })}
      ${element('intermediateCatchEvent', 'c', {}, '<bpmn:messageEventDefinition messageRef="m"/>')}
      ${element('intermediateCatchEvent', 'd', {}, '<bpmn:messageEventDefinition messageRef="n"/>')}
      ${element('userTask', 'u')}${element('userTask', 'v')}${flows('g', 'c', 'u')}${flows('g', 'd', 'v')}`,
      { root },
    );

  it('does so by the first of the events behind it', async () => {
    const engine = new EngineHarness();
    await engine.deploy(model({}));
    const id = await engine.run(engine.api.correlateMessage, { messageName: 'told' }, ann);
    assert.deepEqual([engine.task().elementId, engine.all(subscriptions).length], ['v', 2]);
    const { stored, again } = engine.replayed(id);
    assert.deepEqual(again, stored);
  });

  it('waits for the others where it is parallel', async () => {
    const engine = new EngineHarness();
    await engine.deploy(model({ eventGatewayType: 'Parallel' }));
    const id = await engine.run(engine.api.correlateMessage, { messageName: 'told' }, ann);
    assert.equal(engine.task().elementId, 'v');
    assert.deepEqual(
      engine
        .all(subscriptions)
        .filter(({ instanceId }) => instanceId === id)
        .map(({ eventName }) => eventName),
      ['paid'],
    );
    await engine.run(engine.api.correlateMessage, { messageName: 'paid', processInstanceId: id }, ann);
    assert.equal(engine.task('u').instanceId, id);
    const { stored, again } = engine.replayed(id);
    assert.deepEqual(again, stored);
  });
});
