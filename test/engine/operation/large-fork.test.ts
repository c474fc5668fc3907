import assert from 'node:assert/strict';
import { processInstances, tasks } from '../../../src/engine/collections.js';
import { bpmn, element, flow, flows } from '../../support/bpmn.js';
import { EngineHarness } from '../../support/engine-harness.js';

describe('a gateway with many flows', () => {
  it('begins a task behind each, of which each event is as short as that of the first', async () => {
    const ids = Array.from({ length: 600 }, (_, n) => `t${n}`);
    const engine = new EngineHarness();
    await engine.deploy(
      bpmn(
        element('startEvent', 'start') +
          element('parallelGateway', 'fork') +
          flows('start', 'fork') +
          ids.map((id) => element('userTask', id) + flow('fork', id)).join(''),
      ),
    );
    const id = await engine.start();
    await engine.settle();
    assert.equal(engine.all(tasks).length, ids.length);
    const events = engine.events.filter(({ type }) => type === 'task.created');
    const lengths = events.map((event) => JSON.stringify(event).length);
    assert.equal(events.length, ids.length);
    assert.ok(Math.max(...lengths) < (lengths[0] ?? 0) + 100, `the longest has ${Math.max(...lengths)} characters`);
    assert.ok(engine.get(processInstances, id)?.away !== undefined, 'its tasks are stored apart');
  });
});
