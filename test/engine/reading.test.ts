import assert from 'node:assert/strict';
import { tasks } from '../../src/engine/collections.js';
import { activitiesIn } from '../../src/engine/reading.js';
import { tokenVariables } from '../../src/engine/run/seen-variables.js';
import { placeOfToken } from '../../src/engine/run/waiting-scopes.js';
import { bpmn, element, flows, line } from '../support/bpmn.js';
import { admin, EngineHarness } from '../support/engine-harness.js';

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

describe('what goes on in an instance', () => {
  const shown = (engine: EngineHarness, id: string) => {
    const instance = engine.instance(id);
    const all = activitiesIn(engine.state(), instance, engine.programs.of(engine.state(), instance.definitionId));
    const name = (of: string | null) => all.find((each) => each.id === of)?.activityId ?? null;
    return all.map(
      ({ activityId, parentId, isTransition }) => `${name(parentId)} > ${activityId}${isTransition ? ' …' : ''}`,
    );
  };

  it('is held by what holds it, also where that has completed and is being compensated', async () => {
    const compensation = '<bpmn:compensateEventDefinition/>';
    const undoable = `${element('startEvent', 's')}${element('userTask', 'a')}
      ${element('boundaryEvent', 'b', { attachedToRef: 'a' }, compensation)}
      ${element('userTask', 'h', { isForCompensation: 'true' })}
      <bpmn:association id="as" sourceRef="b" targetRef="h" associationDirection="One"/>${flows('s', 'a')}`;
    const throws = element('intermediateThrowEvent', 't', {}, compensation);
    const engine = new EngineHarness();
    await engine.deploy(bpmn(line(['g', 't'], element('subProcess', 'g', {}, undoable) + throws)));
    const id = await engine.start();
    assert.deepEqual(shown(engine, id), ['null > g', 'g > a']);
    await engine.run(engine.api.completeTask, { taskId: engine.task('a').id }, admin);
    assert.deepEqual(shown(engine, id).sort(), ['g > h', 'null > g', 'null > t']);
  });

  it('is the whole of a multi-instance where that waits for its continuation, and not an instance of it', async () => {
    const loop = (inner: string) =>
      `<bpmn:multiInstanceLoopCharacteristics ${inner}><bpmn:loopCardinality>2</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>`;
    const engine = new EngineHarness();
    const whole = { 'camunda:asyncBefore': 'true' };
    await engine.deploy(bpmn(line(['a'], element('userTask', 'a', whole, loop('camunda:asyncBefore="true"')))));
    const id = await engine.start();
    assert.deepEqual(shown(engine, id), ['null > a#multiInstanceBody …']);
    await engine.runJob(engine.job('continuation').id);
    const body = 'a#multiInstanceBody';
    assert.deepEqual(shown(engine, id), [`null > ${body}`, `${body} > a …`, `${body} > a …`]);
  });
});
