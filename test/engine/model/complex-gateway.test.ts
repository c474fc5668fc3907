import assert from 'node:assert/strict';
import { bpmn, element, flow, flows } from '../../support/bpmn.js';
import { elementOf, programOf, warningsOf } from '../../support/model.js';

const model = (out: string, attributes: Record<string, string> = {}, condition = '${activationCount >= 1}') =>
  bpmn(
    `${element('startEvent', 'start')}${element('parallelGateway', 'f')}${element('task', 'a')}${element('task', 'b')}
    ${element('complexGateway', 'g', attributes, `<bpmn:activationCondition xsi:type="bpmn:tFormalExpression">${condition.replaceAll('>', '&gt;')}</bpmn:activationCondition>`)}
    ${element('task', 'x')}${element('task', 'y')}${flows('start', 'f', 'a', 'g')}${flows('f', 'b', 'g')}${out}`,
  );

describe('a complex gateway in a model', () => {
  it('is compiled with its condition, which may be FEEL, and its default flow', async () => {
    const { type, activityType, activationCondition, defaultFlow, reachedFrom } = elementOf(
      await programOf(model(flow('g', 'x') + flow('g', 'y'), { default: 'g-y' }, '=activationCounts["a-g"] > 0')),
      'g',
    );
    assert.deepEqual([type, activityType, reachedFrom?.length], ['complexGateway', 'complexGateway', 2]);
    assert.equal(defaultFlow !== null, true);
    assert.deepEqual(activationCondition, { kind: 'script', language: 'feel', text: 'activationCounts["a-g"] > 0' });
  });

  it('is warned of where flows get tokens twice without asking', async () => {
    const asked = flow('g', 'x', '${waitingForStart && ok}') + flow('g', 'y', '${!waitingForStart}');
    assert.deepEqual(await warningsOf(model(asked)), []);
    assert.deepEqual(await warningsOf(model(flow('g', 'x') + flow('g', 'y'))), []);
    assert.deepEqual(await warningsOf(model(flow('g', 'x', '${ok}') + flow('g', 'y'), { default: 'g-y' })), [
      "sequence flow 'g-x' has a condition that is looked at when 'g' goes on, and again when it resets; `waitingForStart` tells it which of both it is",
      "sequence flow 'g-y' is also taken when 'g' resets and no condition holds then",
    ]);
  });
});
