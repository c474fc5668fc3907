import assert from 'node:assert/strict';
import { answerFeel, type FeelQuestion } from '../../../src/engine/element/feel.js';
import { compileModel } from '../../../src/engine/model/compile-model.js';
import { bpmn, element, line } from '../../support/bpmn.js';
import { type Instance, instance, NOW } from '../../support/instance.js';
import { programOf } from '../../support/model.js';

const choice = (attributes: string, condition: string) =>
  bpmn(`<bpmn:startEvent id="s"/><bpmn:exclusiveGateway id="g" default="no"/><bpmn:userTask id="a"/><bpmn:userTask id="b"/>
    <bpmn:sequenceFlow id="f" sourceRef="s" targetRef="g"/>
    <bpmn:sequenceFlow id="yes" sourceRef="g" targetRef="a"><bpmn:conditionExpression xsi:type="bpmn:tFormalExpression" ${attributes}>${condition}</bpmn:conditionExpression></bpmn:sequenceFlow>
    <bpmn:sequenceFlow id="no" sourceRef="g" targetRef="b"/>`);

const answered = ({ kind, question }: { kind: string; question: unknown }) => {
  assert.equal(kind, 'feel');
  return { value: answerFeel(question as FeelQuestion) };
};

describe('FEEL in a process', () => {
  const FEEL = 'language="feel"';

  it('is the language of a condition that says so, by any of its names', async () => {
    for (const language of [
      'feel',
      'FEEL',
      'http://www.omg.org/spec/FEEL/20140401',
      'https://www.omg.org/spec/DMN/20191111/FEEL/',
    ]) {
      const model = await programOf(choice(`language="${language}"`, 'amount &gt; 1000 and kind = "a"'));
      assert.deepEqual(instance(model).start({ amount: 2000, kind: 'a' }).active, ['a'], language);
      assert.deepEqual(instance(model).start({ amount: 2000, kind: 'b' }).active, ['b'], language);
    }
  });

  it('is the language of a condition that begins with an equals sign', async () => {
    const model = await programOf(choice('', '=order.total amount &gt; 10'));
    assert.deepEqual(instance(model).start({ order: { 'total amount': 11 } }).active, ['a']);
  });

  it('looks at no variable that it cannot mention, however it mentions others', async () => {
    const model = await programOf(choice('', '=order.total amount &gt; 10'));
    const it = instance(model, { stored: false });
    const unread = {
      type: 'Json',
      get value() {
        throw new Error('it was read');
      },
    } as const;
    const variables = { order: { type: 'Json', value: { 'total amount': 11 } }, list: unread } as const;
    it.give({ type: 'start', element: null, variables });
    assert.deepEqual(it.active, ['a']);
  });

  it('compares dates', async () => {
    const model = await programOf(choice(FEEL, 'due &lt; now()'));
    assert.deepEqual(instance(model).start({ due: new Date(NOW - 1) }).active, ['a']);
    assert.deepEqual(instance(model).start({ due: new Date(NOW + 1) }).active, ['b']);
  });

  it('refuses a condition that is neither true nor false, and says why', async () => {
    const model = await programOf(choice(FEEL, 'lost &gt; 1'));
    assert.throws(() => instance(model).start(), {
      code: 'EXECUTION_FAILED',
      message: /condition 'lost > 1' to be true or false of element 'g', but .* null, for Variable 'lost' not found/,
    });
  });

  it('is refused at deployment where it cannot be read, with line and element', async () => {
    const { problems } = await compileModel(choice(FEEL, 'a &gt;'));
    const [problem] = problems;
    assert.equal(problem?.elementId, 'yes');
    assert.match(problem?.message ?? '', /invalid condition: expected .* at column 4 of expression 'a >'/);
    assert.ok((problem?.line ?? 0) > 1);
  });

  it('gives a script task its result, with its type', async () => {
    const task = element(
      'scriptTask',
      't',
      { scriptFormat: 'feel', 'camunda:resultVariable': 'r' },
      '<bpmn:script>{a: x + 1}</bpmn:script>',
    );
    const model = await programOf(bpmn(line(['t', 'wait'], task + element('userTask', 'wait', {}))));
    assert.deepEqual(instance(model).start({ x: 1 }).variables, { x: 1, r: { a: 2 } });
  });

  it('is asked where it may run long, and its answer is kept', async () => {
    const model = await programOf(choice(FEEL, 'matches(name, "^a+$")'));
    const it = instance(model, { answer: answered }).start({ name: 'aaa', other: 'x'.repeat(100) });
    assert.deepEqual(it.active, ['a']);
    const asked: FeelQuestion[] = [];
    const noted = (ask: Parameters<typeof answered>[0]) => {
      asked.push(ask.question as FeelQuestion);
      return answered(ask);
    };
    instance(model, { answer: noted }).start({ name: 'b', other: 1 });
    assert.deepEqual(asked[0]?.variables, { name: { type: 'String', value: 'b' } });
  });

  it('has chance of the run, also where it is asked', async () => {
    const task = (text: string) =>
      element(
        'scriptTask',
        't',
        { scriptFormat: 'feel', 'camunda:resultVariable': 'r' },
        `<bpmn:script>${text}</bpmn:script>`,
      );
    for (const text of ['[uuid(), random number()]', '[uuid(), if matches(s, "a") then random number() else 0]']) {
      const model = await programOf(bpmn(line(['t', 'wait'], task(text) + element('userTask', 'wait', {}))));
      const { r } = instance(model, { answer: answered }).start({ s: 'a' }).variables as { r: [string, number] };
      assert.match(r[0], /^[0-9a-f-]{36}$/);
      assert.ok(r[1] > 0 && r[1] < 1);
    }
  });

  it('is asked where it looks at much', async () => {
    const model = await programOf(choice(FEEL, 'count(list[item &gt; 5]) &gt; 1'));
    const list = Array.from({ length: 2_000 }, (_, n) => n);
    let asks = 0;
    const it: Instance = instance(model, {
      answer: (ask) => {
        asks++;
        return answered(ask);
      },
    });
    assert.deepEqual(it.start({ list }).active, ['a']);
    assert.equal(asks, 1);
  });

  it('is asked where its rounds multiply, but not in a run that was made before that', async () => {
    const model = await programOf(choice(FEEL, 'count(for a in list, b in list return a) &gt; 5'));
    let asks = 0;
    const counted = (ask: Parameters<typeof answered>[0]) => {
      asks++;
      return answered(ask);
    };
    const run = (rules?: number) =>
      instance(model, { answer: counted, ...(rules !== undefined && { rules }) }).start({ list: [1, 2, 3] }).active;
    assert.deepEqual([run(7), asks], [['a'], 0]);
    assert.deepEqual([run(), asks], [['a'], 1]);
  });

  it('tells of an expression that failed in its thread', async () => {
    const model = await programOf(choice(FEEL, 'matches(name, "a")'));
    const failing = {
      answer: () => ({ error: { message: 'it took longer than 1000 ms', code: 'EXECUTION_FAILED' as const } }),
    };
    assert.throws(() => instance(model, failing).start({ name: 'a' }), {
      code: 'EXECUTION_FAILED',
      message: /to evaluate 'matches\(name, "a"\)' of element 'g', but it took longer than 1000 ms/,
    });
  });
});
