import assert from 'node:assert/strict';
import { enabledActivities } from '../../../src/engine/index.js';
import { bpmn, element, line } from '../../support/bpmn.js';
import { admin, ann, bob, EngineHarness, inputs, refusalOf } from '../../support/engine-harness.js';

const adHoc = (attributes: Record<string, string> = {}, content = '') =>
  bpmn(
    line(
      ['h', 'after'],
      element(
        'adHocSubProcess',
        'h',
        attributes,
        `${element('userTask', 'look', { name: 'Look' })}${element('userTask', 'call')}${content}`,
      ) + element('userTask', 'after'),
    ),
  );
const multi =
  '<bpmn:multiInstanceLoopCharacteristics><bpmn:loopCardinality>2</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>';

async function started(xml: string, variables: Record<string, unknown> = {}) {
  const engine = new EngineHarness();
  await engine.deploy(xml);
  const id = await engine.start(variables);
  const trigger = (activityId: string, more: object = {}, caller = ann) =>
    engine.run(engine.api.triggerActivity, { processInstanceId: id, activityId, ...more }, caller);
  const enabled = () => {
    const instance = engine.instance(id);
    return enabledActivities(engine.programs.of(engine.state(), instance.definitionId), instance);
  };
  const complete = async (elementId: string) =>
    engine.run(engine.api.completeTask, { taskId: engine.task(elementId).id }, admin);
  return { engine, id, trigger, enabled, complete };
}

describe('triggerActivity', () => {
  it('starts what an ad-hoc sub-process offers, with variables, and it replays', async () => {
    const { engine, id, trigger, enabled, complete } = await started(adHoc());
    const [look, call] = enabled();
    assert.deepEqual([look?.activityId, look?.activityName, look?.activityType], ['look', 'Look', 'userTask']);
    assert.equal(call?.activityId, 'call');
    assert.equal(await trigger('look', { variables: inputs({ n: 1 }) }), id);
    assert.deepEqual([engine.variables(id), engine.task().elementId], [{ n: 1 }, 'look']);
    await trigger('call');
    await complete('look');
    await complete('call');
    assert.deepEqual([engine.task().elementId, enabled()], ['after', []]);
    const { stored, again } = engine.replayed(id);
    assert.deepEqual(again, stored);
  });

  it('is refused for what cannot be chosen, and says why', async () => {
    const { engine, id, trigger } = await started(adHoc({ ordering: 'Sequential' }));
    assert.match(
      await refusalOf(trigger('lok')),
      /^NOT_FOUND: .*activity with id 'lok', but there is none; the nearest is 'look'/,
    );
    assert.match(
      await refusalOf(trigger('after')),
      /^BAD_REQUEST: expected an activity of an ad-hoc sub-process that no/,
    );
    assert.match(await refusalOf(trigger('look', { processInstanceId: 'x' })), /^NOT_FOUND: .*process instance/);
    assert.match(await refusalOf(trigger('look', {}, bob)), /^FORBIDDEN/);
    assert.match(
      await refusalOf(trigger('look', { variables: [{ name: 'a', type: 'Odd', value: 1 }] })),
      /^BAD_REQUEST/,
    );
    await trigger('look');
    assert.match(
      await refusalOf(trigger('call')),
      /^CONFLICT: .*another activity runs in it, and they go one after the other/,
    );
    assert.equal(engine.task().elementId, 'look');
    await engine.run(engine.api.suspendProcessInstance, { id }, admin);
    assert.match(await refusalOf(trigger('call')), /^CONFLICT: .*start an activity of process instance .*suspended/);
  });

  it('is refused once the sub-process is over, and before it has begun', async () => {
    const { trigger, complete } = await started(adHoc());
    await trigger('look');
    await complete('look');
    assert.match(await refusalOf(trigger('look')), /^CONFLICT: .*offers activity 'look', but there is none$/);
    await complete('after');
    assert.match(await refusalOf(trigger('look')), /^CONFLICT: .*completed/);
  });

  it('names one of several that are active', async () => {
    const { engine, id, trigger, enabled, complete } = await started(adHoc({}, multi));
    assert.match(await refusalOf(trigger('look')), /^CONFLICT: .*there are 2: say which by parentActivityInstanceId/);
    const [first, , second] = enabled();
    assert.notEqual(first?.parentActivityInstanceId, second?.parentActivityInstanceId);
    await trigger('look', { parentActivityInstanceId: second?.parentActivityInstanceId });
    assert.match(
      await refusalOf(trigger('look', { parentActivityInstanceId: `${id}:99` })),
      /^CONFLICT: .*:99' does not/,
    );
    await complete('look');
    await trigger('look');
    await complete('look');
    assert.equal(engine.task().elementId, 'after');
    const { stored, again } = engine.replayed(id);
    assert.deepEqual(again, stored);
  });

  it('reaches each of many that are active in a large scope, with many tasks in one of them', async () => {
    const { engine, id, trigger, enabled } = await started(adHoc({}, multi.replace('>2<', '>60<')));
    await engine.settle();
    const place = enabled()[80]?.parentActivityInstanceId;
    for (let n = 0; n < 55; n++) await trigger('look', { parentActivityInstanceId: place });
    assert.equal(enabled().length, 120);
    const { stored, again } = engine.replayed(id);
    assert.deepEqual(again, stored);
  });
});
