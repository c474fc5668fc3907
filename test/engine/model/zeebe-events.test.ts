import assert from 'node:assert/strict';
import type { Effect } from '../../../src/engine/element/instance-state.js';
import { firstStart } from '../../../src/engine/rule/start-timer.js';
import { bpmn, element, extended, line, timer } from '../../support/bpmn.js';
import { type Instance, instance, NOW } from '../../support/instance.js';
import { elementOf, problemsOf, programOf } from '../../support/model.js';

const HOUR = 3_600_000;

const inCamunda8 = (xml: string) =>
  xml.replace('xmlns:xsi=', 'xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" xmlns:xsi=');

const ROOTS =
  '<bpmn:message id="m" name="Paid"/><bpmn:signal id="s" name="Alarm"/><bpmn:message id="named" name="=&quot;order-&quot; + string(2 + 3)"/>';

/** An event `a` in front of a user task. */
const event = (type: string, definition: string, zeebe = '') => {
  const own = zeebe === '' ? '' : extended(zeebe);
  const ids = type === 'endEvent' ? ['a'] : ['a', 'wait'];
  const others = type === 'endEvent' ? '' : element('userTask', 'wait');
  return inCamunda8(bpmn(line(ids, element(type, 'a', {}, own + definition) + others), { root: ROOTS }));
};

/** A process that begins by the definition. */
const begins = (definition: string) =>
  programOf(
    inCamunda8(bpmn(line(['x'], element('task', 'x')).replace(/(?<=id="start">)/, definition), { root: ROOTS })),
  );

describe('timers of Camunda 8', () => {
  const first = async (definition: string) => {
    const program = await begins(definition);
    const { event: started } = elementOf(program, 'start');
    assert.ok(started?.kind === 'timer');
    const { at } = firstStart(started, NOW) ?? { at: NOW };
    return at - NOW;
  };

  it('begin processes by FEEL', async () => {
    assert.equal(await first(timer('cycle', '=cycle(duration("PT1H"))')), HOUR);
    assert.equal(await first(timer('date', '=now() + duration("PT2H")')), 2 * HOUR);
    assert.equal(await first(timer('date', '=date and time("2026-01-01T03:00:00Z")')), 3 * HOUR);
    await assert.rejects(first(timer('date', '=lost + 1')), /Variable 'lost' not found/);
  });

  it('have cron expressions whose week begins on Monday, also where FEEL gives them', async () => {
    assert.equal(await first(timer('cycle', '@hourly')), HOUR);
    // The first of 2026 is a Thursday.
    assert.equal(await first(timer('cycle', '0 0 6 * * 4')), 6 * HOUR);
    assert.equal(await first(timer('cycle', '="0 0 6 * * " + string(2 + 2)')), 6 * HOUR);
    const boundary = `<bpmn:boundaryEvent id="b" attachedToRef="a" cancelActivity="false">${timer('cycle', '="0 0 6 * * " + day')}</bpmn:boundaryEvent>`;
    const xml = bpmn(`${line(['a'], element('userTask', 'a'))}${boundary}`);
    assert.equal(
      instance(await programOf(inCamunda8(xml)))
        .start({ day: '4' })
        .job('b').dueAt,
      NOW + 6 * HOUR,
    );
    const camunda7 = instance(await programOf(xml)).start({ day: '4' });
    assert.equal(camunda7.job('b').dueAt, NOW + (24 * 6 + 6) * HOUR);
  });
});

describe('messages and signals of Camunda 8', () => {
  it('that are thrown are work of a worker', async () => {
    for (const type of ['intermediateThrowEvent', 'endEvent']) {
      const said = '<zeebe:taskDefinition type="publish" retries="4"/><zeebe:jobPriorityDefinition priority="7"/>';
      const it = instance(await programOf(event(type, '<bpmn:messageEventDefinition messageRef="m"/>', said))).start();
      const [task] = it.effects.flatMap((effect) => (effect.type === 'createExternalTask' ? [effect.task] : []));
      assert.deepEqual([task?.topic, task?.priority], ['publish', 7], type);
      it.give({ type: 'completeExternalTask', taskId: task?.id ?? '', variables: {}, localVariables: {} });
      if (type === 'endEvent') assert.ok(it.isCompleted);
      else assert.deepEqual(it.active, ['wait']);
    }
  });

  it('take along what is mapped into their events', async () => {
    const mapping = '<zeebe:ioMapping><zeebe:input source="=x + 1" target="y"/></zeebe:ioMapping>';
    const told = async (zeebe: string) => {
      const xml = event('intermediateThrowEvent', '<bpmn:signalEventDefinition signalRef="s"/>', zeebe);
      const it: Instance = instance(await programOf(xml)).start({ x: 1 });
      const thrown = it.effects.filter((each): each is Effect & { type: 'throwSignal' } => each.type === 'throwSignal');
      return thrown.map(({ variables }) => Object.entries(variables).map(([name, { value }]) => [name, value]));
    };
    assert.deepEqual(await told(mapping), [[['y', 2]]]);
    assert.deepEqual(await told(''), [[]]);
  });

  it('begin processes by names in FEEL of constants', async () => {
    const { event: started } = elementOf(await begins('<bpmn:messageEventDefinition messageRef="named"/>'), 'start');
    assert.ok(started?.kind === 'message');
    assert.equal(started.name, 'order-5');
    const xml = bpmn(
      line(['x'], element('task', 'x')).replace(/(?<=id="start">)/, '<bpmn:messageEventDefinition messageRef="m"/>'),
      {
        root: '<bpmn:message id="m" name="=&quot;order-&quot; + id"/>',
      },
    );
    assert.match((await problemsOf(inCamunda8(xml))).join(), /an expression of constants alone/);
  });
});
