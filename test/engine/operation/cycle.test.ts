import assert from 'node:assert/strict';
import { type Job, jobs } from '../../../src/engine/collections.js';
import { bpmn, element, flows, line, timer } from '../../support/bpmn.js';
import { admin, EngineHarness, inputs } from '../../support/engine-harness.js';

const HOUR = 3_600_000;
const failing = element('serviceTask', 'fail', { 'camunda:expression': `\${amount + 1}` });
const cycle = (text: string) => timer('cycle', text);
const task = element('userTask', 'w');

const late = element('boundaryEvent', 'late', { attachedToRef: 'w', cancelActivity: 'false' }, cycle('R3/PT1H'));
const beside = bpmn(line(['w'], task + late + failing) + flows('late', 'fail'));
const inside = bpmn(
  line(['w'], task) +
    element(
      'subProcess',
      'sub',
      { triggeredByEvent: 'true' },
      element('startEvent', 'late', { isInterrupting: 'false' }, cycle('R3/PT1H')) + failing + flows('late', 'fail'),
    ),
);

/** When each timer is due, in hours from the begin, and whether it is dead. */
const timers = (engine: EngineHarness, begin: number) =>
  engine
    .all(jobs)
    .filter(({ type }) => type.startsWith('timer'))
    .map(({ dueAt, actor }: Job) => `${(dueAt - begin) / HOUR} ${actor.value}`)
    .sort();

describe('a timer of a cycle that fails', () => {
  for (const [where, model] of [
    ['at a boundary event', beside],
    ['at an event sub-process', inside],
  ] as const) {
    it(`is tried again beside the cycle, which goes on: ${where}`, async () => {
      const engine = new EngineHarness();
      await engine.deploy(model);
      const id = await engine.start({});
      const begin = engine.now;
      await engine.runDue(begin + HOUR);
      assert.deepEqual(timers(engine, begin), ['1 dead', '2 waiting']);
      const [dead] = engine.all(jobs).filter(({ actor }) => actor.value === 'dead');
      await engine.runDue(begin + 2 * HOUR);
      assert.deepEqual(timers(engine, begin), ['1 dead', '2 dead', '3 waiting']);
      await engine.run(
        engine.api.setProcessVariables,
        { processInstanceId: id, variables: inputs({ amount: 1 }) },
        admin,
      );
      await engine.run(engine.api.setRetriesOfJob, { id: dead?.id ?? '', retries: 1 }, admin);
      await engine.runDue();
      assert.deepEqual(timers(engine, begin), ['2 dead', '3 waiting']);
      await engine.runDue(begin + 3 * HOUR);
      assert.deepEqual(timers(engine, begin), ['2 dead']);
      const { stored, again } = engine.replayed(id);
      assert.deepEqual(stored, again);
      await engine.run(engine.api.completeTask, { taskId: engine.task('w').id }, admin);
      assert.deepEqual([engine.instance(id).actor.value, engine.all(jobs)], ['completed', []]);
    });
  }

  it('is tried again beside the cycle, which goes on: at a start event', async () => {
    const engine = new EngineHarness();
    const start = element('startEvent', 's', {}, cycle('R3/PT1H'));
    await engine.deploy(bpmn(start + failing + flows('s', 'fail')));
    const begin = engine.now;
    for (const hour of [1, 2, 3]) await engine.runDue(begin + hour * HOUR);
    assert.deepEqual(timers(engine, begin), ['1 dead', '2 dead', '3 dead']);
  });

  it('holds the cycle once ten of its times have failed', async () => {
    for (const model of [
      beside.replace('R3/', 'R/'),
      bpmn(element('startEvent', 's', {}, cycle('R/PT1H')) + failing + flows('s', 'fail')),
    ]) {
      const engine = new EngineHarness();
      await engine.deploy(model);
      if (model.includes('boundaryEvent')) await engine.start({});
      const begin = engine.now;
      for (let hour = 1; hour <= 14; hour++) await engine.runDue(begin + hour * HOUR);
      assert.equal(timers(engine, begin).length, 11);
    }
  });
});
