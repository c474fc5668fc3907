import assert from 'node:assert/strict';
import { bpmn, element, line } from '../../support/bpmn.js';
import { elementOf, programOf, warningsOf } from '../../support/model.js';

const model = (loop: string, root = '') => bpmn(line(['a'], element('userTask', 'a', {}, loop)), { root });
const multi = (content: string, attributes = '') =>
  `<bpmn:multiInstanceLoopCharacteristics ${attributes}>${content}</bpmn:multiInstanceLoopCharacteristics>`;
const loopOf = async (loop: string, root = '') => elementOf(await programOf(model(loop, root)), 'a').loop;
const three = '<bpmn:loopCardinality>3</bpmn:loopCardinality>';
const plain = {
  kind: 'multiInstance',
  sequential: false,
  cardinality: null,
  collection: null,
  elementVariable: null,
  completionCondition: null,
};
const expression = (text: string) => ({ kind: 'expression', text });

describe('loop characteristics', () => {
  it('are those of Camunda: collection and element variable, continuations of each instance', async () => {
    const attributes = 'isSequential="true" camunda:collection="list" camunda:elementVariable="x"';
    assert.deepEqual(await loopOf(multi('', attributes)), {
      ...plain,
      sequential: true,
      collection: { kind: 'variable', name: 'list' },
      elementVariable: 'x',
    });
    const cycle =
      '<bpmn:extensionElements><camunda:failedJobRetryTimeCycle>R3/PT1M</camunda:failedJobRetryTimeCycle></bpmn:extensionElements>';
    const each =
      'camunda:collection="${list}" camunda:asyncBefore="true" camunda:asyncAfter="true" camunda:exclusive="false"';
    assert.deepEqual(await loopOf(multi(cycle, each)), {
      ...plain,
      collection: expression('${list}'),
      each: { asyncBefore: true, asyncAfter: true, exclusive: false, retryCycle: 'R3/PT1M' },
    });
  });

  it('are those of the standard: cardinality, condition, data by the names that they refer to', async () => {
    const condition =
      '<bpmn:completionCondition xsi:type="bpmn:tFormalExpression" language="javascript">x &gt; 1</bpmn:completionCondition>';
    assert.deepEqual(await loopOf(multi(three + condition)), {
      ...plain,
      cardinality: expression('3'),
      completionCondition: { kind: 'script', language: 'javascript', text: 'x > 1' },
    });
    const data = `<bpmn:loopDataInputRef>list</bpmn:loopDataInputRef><bpmn:loopDataOutputRef>all</bpmn:loopDataOutputRef>
      <bpmn:inputDataItem id="in" name="x"/><bpmn:outputDataItem id="out"/>`;
    assert.deepEqual(await loopOf(multi(data)), {
      ...plain,
      collection: { kind: 'variable', name: 'list' },
      elementVariable: 'x',
      output: { list: 'all', item: 'out' },
    });
    const expressed = '<bpmn:loopDataInputRef>${list}</bpmn:loopDataInputRef>';
    assert.deepEqual(await loopOf(multi(expressed)), { ...plain, collection: expression('${list}') });
  });

  it('name the events that instances throw as they complete', async () => {
    const root = `<bpmn:signal id="s" name="done"/><bpmn:message id="m" name="told"/>
      <bpmn:signalEventDefinition id="byS" signalRef="s"/><bpmn:messageEventDefinition id="byM" messageRef="m"/>`;
    const events = async (content: string, attributes: string) => {
      const loop = await loopOf(multi(three + content, attributes), root);
      return loop?.kind === 'multiInstance' ? loop.throws : undefined;
    };
    const done = { kind: 'signal', name: 'done' };
    assert.deepEqual(await events('', 'behavior="None" noneBehaviorEventRef="byS"'), [{ when: 'each', event: done }]);
    assert.deepEqual(await events('', 'behavior="One" oneBehaviorEventRef="byM"'), [
      { when: 'first', event: { kind: 'message', name: 'told', work: null } },
    ]);
    assert.equal(await events('', 'behavior="All" noneBehaviorEventRef="byS"'), undefined);
    const complex = `<bpmn:complexBehaviorDefinition><bpmn:condition>\${x}</bpmn:condition>
      <bpmn:event id="thrown"><bpmn:signalEventDefinition signalRef="s"/></bpmn:event></bpmn:complexBehaviorDefinition>`;
    assert.deepEqual(await events(complex, 'behavior="Complex"'), [{ when: expression('${x}'), event: done }]);
  });

  it('of a standard loop say when it is tested, and how often it may go round', async () => {
    const condition = '<bpmn:loopCondition>${again}</bpmn:loopCondition>';
    const loop = (attributes: string, content = condition) =>
      loopOf(`<bpmn:standardLoopCharacteristics ${attributes}>${content}</bpmn:standardLoopCharacteristics>`);
    const standard = { kind: 'standard', testBefore: false, maximum: null, condition: expression('${again}') };
    assert.deepEqual(await loop(''), standard);
    assert.deepEqual(await loop('testBefore="true" loopMaximum="3"'), { ...standard, testBefore: true, maximum: 3 });
    assert.deepEqual(await loop('loopMaximum="3"', ''), { ...standard, maximum: 3, condition: null });
  });

  it('that say neither how long nor how often let the activity run once, with a warning', async () => {
    const bare = model('<bpmn:standardLoopCharacteristics/>');
    assert.deepEqual(await warningsOf(bare), [
      "user task 'a' has a standard loop without loopCondition and loopMaximum, so it runs once",
    ]);
    assert.equal(elementOf(await programOf(bare), 'a').loop, undefined);
  });

  it('warn of what they do not know', async () => {
    assert.deepEqual(await warningsOf(model(multi(three, 'camunda:elementVariabel="x" camunda:collection="list"'))), [
      "user task 'a' has camunda:elementVariabel, which is not known; the nearest is camunda:elementVariable",
    ]);
  });
});
