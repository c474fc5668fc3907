import assert from 'node:assert/strict';
import { processDefinitions, processInstances, subscriptions } from '../../../src/engine/collections.js';
import { bpmn, element, escaped, flows } from '../../support/bpmn.js';
import { admin, ann, EngineHarness, inputs, refusalOf } from '../../support/engine-harness.js';

const model = (key: string, condition: string, attributes = '', language = '') =>
  bpmn(
    `${element('startEvent', 'start', {}, `<bpmn:conditionalEventDefinition><bpmn:condition xsi:type="bpmn:tFormalExpression"${language}>${escaped(condition)}</bpmn:condition></bpmn:conditionalEventDefinition>`)}
    ${element('userTask', 'work')}${flows('start', 'work')}`,
    { key, attributes },
  );

describe('evaluateConditions', () => {
  const evaluate = (engine: EngineHarness, variables: Record<string, unknown>, businessKey: string | null = null) =>
    engine.run(engine.api.evaluateConditions, { businessKey, variables: inputs(variables) }, ann);

  it('starts each process whose condition holds, with the variables and the business key', async () => {
    const engine = new EngineHarness();
    await engine.deploy(model('p', '${stock < 10}'), 'p');
    await engine.deploy(model('q', '${stock < 5}'), 'q');
    await engine.deploy(model('r', '${price < 5}'), 'r');
    assert.deepEqual(await evaluate(engine, { stock: 20 }), []);
    const [one, ...none] = await evaluate(engine, { stock: 7 }, 'k');
    assert.deepEqual(none, []);
    assert.deepEqual([engine.instance(one ?? '').definitionKey, engine.instance(one ?? '').businessKey], ['p', 'k']);
    assert.deepEqual(engine.variables(one ?? ''), { stock: 7 });
    const { stored, again } = engine.replayed(one ?? '');
    assert.deepEqual(again, stored);
    assert.equal((await evaluate(engine, { stock: 1 })).length, 2);
  });

  it('starts none whose event names a variable that is not given', async () => {
    const engine = new EngineHarness();
    const named = '<bpmn:conditionalEventDefinition camunda:variableName="x"';
    await engine.deploy(model('p', '${true}').replace('<bpmn:conditionalEventDefinition', named));
    assert.deepEqual(await evaluate(engine, { y: 1 }), []);
    assert.equal((await evaluate(engine, { x: null })).length, 1);
  });

  it('asks a script, and starts as often as it is asked', async () => {
    const script = ({ variables }: { variables: { stock: { value: number } } }) =>
      Promise.resolve({ result: variables.stock.value < 10 });
    const engine = new EngineHarness({ evaluators: { script } as never });
    await engine.deploy(model('p', 'stock < 10', '', ' language="javascript"'));
    await evaluate(engine, { stock: 1 });
    const [id = ''] = await evaluate(engine, { stock: 2 });
    assert.equal(engine.all(processInstances).length, 2);
    const { stored, again } = engine.replayed(id);
    assert.deepEqual(again, stored);
  });

  it('passes over what is suspended, what the caller may not start, and former versions', async () => {
    const engine = new EngineHarness();
    await engine.deploy(model('p', '${x}', 'camunda:candidateStarterUsers="bob"'), 'p');
    await engine.deploy(model('q', '${x}'), 'q');
    assert.equal((await evaluate(engine, { x: true })).length, 1);
    await engine.deploy(model('q', '${x}'), 'q');
    assert.equal(engine.all(subscriptions).length, 2);
    const q = engine.all(processDefinitions).find(({ key, latest }) => key === 'q' && latest);
    await engine.run(engine.api.suspendProcessDefinition, { id: q?.id ?? '' }, admin);
    assert.deepEqual(await evaluate(engine, { x: true }), []);
  });

  it('is refused where a condition fails, and starts nothing', async () => {
    const engine = new EngineHarness();
    await engine.deploy(model('p', '${x > 1}'), 'p');
    await engine.deploy(model('q', '${x}'), 'q');
    assert.match(
      await refusalOf(evaluate(engine, { x: 5 })),
      /^EXECUTION_FAILED: .*to be true or false of element 'start'/,
    );
    assert.equal(engine.all(processInstances).length, 0);
  });
});
