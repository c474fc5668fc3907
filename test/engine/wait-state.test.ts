import assert from 'node:assert/strict';
import { processInstances, runs, tasks } from '../../src/engine/index.js';
import { bpmn, element, flows } from '../support/bpmn.js';
import { EngineHarness } from '../support/engine-harness.js';

const bytes = (document: unknown): number => Buffer.byteLength(JSON.stringify(document));

describe('what is stored of an instance that waits at a task, without variables', () => {
  const harness = new EngineHarness();
  before(async () => {
    const task = element('userTask', 'work', { name: 'Check the order' });
    await harness.deploy(
      bpmn(`${element('startEvent', 'start')}${task}${element('endEvent', 'end')}${flows('start', 'work', 'end')}`),
    );
    await harness.start();
  });

  it('is an instance of at most 1 kB', () => {
    const [instance] = harness.all(processInstances);
    assert.ok(bytes(instance) <= 1_000, `${bytes(instance)} bytes`);
  });

  it('is at most 2 kB with its task and the history of its run', () => {
    const documents = [...harness.all(processInstances), ...harness.all(tasks), ...harness.all(runs)];
    assert.equal(documents.length, 3);
    const total = documents.reduce((sum, document) => sum + bytes(document), 0);
    assert.ok(total <= 2_000, `${total} bytes`);
  });
});
