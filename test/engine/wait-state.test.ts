import assert from 'node:assert/strict';
import { processInstances, runs, tasks } from '../../src/engine/index.js';
import { textOf } from '../../src/store/document-text.js';
import { bpmn, element, flows } from '../support/bpmn.js';
import { EngineHarness } from '../support/engine-harness.js';

describe('what is stored of an instance that waits at a task, without variables', () => {
  const harness = new EngineHarness();
  before(async () => {
    const task = element('userTask', 'work', { name: 'Check the order' });
    await harness.deploy(
      bpmn(`${element('startEvent', 'start')}${task}${element('endEvent', 'end')}${flows('start', 'work', 'end')}`),
    );
    await harness.start();
  });

  it('is at most 500 bytes in all: the instance, its task, and the run with the command that a replay needs', () => {
    const texts = [
      ...harness.all(processInstances).map((instance) => textOf(processInstances, instance)),
      ...harness.all(tasks).map((task) => textOf(tasks, task)),
      ...harness.all(runs).map((run) => textOf(runs, run)),
    ];
    assert.equal(texts.length, 3);
    const total = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    assert.ok(total <= 500, `${total} bytes: ${texts.join(' ')}`);
  });
});
