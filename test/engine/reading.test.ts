import assert from 'node:assert/strict';
import { tasks } from '../../src/engine/collections.js';
import { placeOfToken } from '../../src/engine/reading.js';
import { tokenVariables } from '../../src/engine/run/seen-variables.js';
import { bpmn, element, flows, line } from '../support/bpmn.js';
import { EngineHarness } from '../support/engine-harness.js';

const SIZE = 260;
const multi = `<bpmn:multiInstanceLoopCharacteristics camunda:collection="list" camunda:elementVariable="x"/>`;
/** A sub-process with a task for each item. */
const groups = bpmn(
  line(
    ['g'],
    element('subProcess', 'g', {}, multi + element('startEvent', 's') + element('userTask', 'a') + flows('s', 'a')),
  ),
);

describe('the place of a token', () => {
  it('is found wherever it is among many in a large scope', async () => {
    const engine = new EngineHarness();
    await engine.deploy(groups);
    const id = await engine.start({ list: Array.from({ length: SIZE }, (_, n) => n) });
    await engine.settle();
    const seen = engine.all(tasks).flatMap(({ tokenId }, n) => {
      if (n % 20 !== 0) return [];
      const [state, instance] = [engine.state(), engine.instance(id)];
      return tokenVariables(state, instance, placeOfToken(state, instance, tokenId)).visible.x?.value ?? 'none';
    });
    assert.ok(!seen.includes('none'), `${seen}`);
  });
});
