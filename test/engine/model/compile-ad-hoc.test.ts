import assert from 'node:assert/strict';
import { bpmn, element, flow, line } from '../../support/bpmn.js';
import { elementOf, programOf, warningsOf } from '../../support/model.js';

const condition = (text: string) =>
  `<bpmn:completionCondition xsi:type="bpmn:tFormalExpression">${text}</bpmn:completionCondition>`;
const model = (content: string, attributes: Record<string, string> = {}) =>
  bpmn(line(['a'], element('adHocSubProcess', 'a', attributes, content)));

describe('an ad-hoc sub-process in a model', () => {
  it('is compiled with its order, its condition, and what becomes of the rest', async () => {
    const found = async (...given: Parameters<typeof model>) => elementOf(await programOf(model(...given)), 'a');
    const plain = await found(element('task', 'b'));
    assert.deepEqual([plain.type, plain.activityType], ['subProcess', 'adHocSubProcess']);
    assert.deepEqual(plain.adHoc, { sequential: false, completionCondition: null, cancelRemaining: true });
    const { adHoc } = await found(element('task', 'b') + condition('${done}'), {
      ordering: 'Sequential',
      cancelRemainingInstances: 'false',
    });
    assert.deepEqual(adHoc, {
      sequential: true,
      completionCondition: { kind: 'expression', text: '${done}' },
      cancelRemaining: false,
    });
  });

  it('is not warned of: what can be chosen in it is reached', async () => {
    const held = element('task', 'b') + element('subProcess', 'c', {}, element('startEvent', 'cs')) + flow('b', 'd');
    assert.deepEqual(await warningsOf(model(held + element('task', 'd'))), []);
    const lost = element('task', 'b') + element('exclusiveGateway', 'g') + element('task', 'd') + flow('g', 'd');
    assert.deepEqual(await warningsOf(model(lost)), [
      "exclusive gateway 'g' can never be reached",
      "task 'd' can never be reached",
    ]);
  });
});
