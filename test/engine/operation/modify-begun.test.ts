import assert from 'node:assert/strict';
import { instanceParts, jobs, runs, tasks } from '../../../src/engine/collections.js';
import type { GivenInstruction } from '../../../src/engine/rule/given-instruction.js';
import { activityInstances } from '../../../src/engine/view/activity-instances.js';
import { incidents } from '../../../src/store/index.js';
import { bpmn, element, flows, line } from '../../support/bpmn.js';
import { admin, EngineHarness, refusalOf } from '../../support/engine-harness.js';

const SIZE = 120;
const task = (id: string) => element('userTask', id);

/** A sub-process for each of them, with two tasks at once. */
const groups = bpmn(
  line(
    ['g', 'b'],
    element(
      'subProcess',
      'g',
      {},
      `<bpmn:multiInstanceLoopCharacteristics><bpmn:loopCardinality>${SIZE}</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>
      ${element('startEvent', 's')}${element('parallelGateway', 'fork')}${task('c')}${task('d')}${flows('s', 'fork', 'c')}${flows('fork', 'd')}`,
    ) +
      element('boundaryEvent', 'stop', { attachedToRef: 'g' }, '<bpmn:messageEventDefinition messageRef="halt"/>') +
      flows('stop', 'b') +
      task('b'),
  ),
  { root: '<bpmn:message id="halt" name="halt"/>' },
);

describe('a large instance that is modified while it is being begun', () => {
  let engine: EngineHarness;
  let id: string;
  beforeEach(async () => {
    engine = new EngineHarness();
    await engine.deploy(groups);
    id = await engine.start();
    const { length } = open('d');
    assert.ok(length > 1 && length < SIZE && engine.all(instanceParts).length >= length - 1, `${length} have begun`);
  });
  afterEach(() => {
    const { stored, again } = engine.replayed(id);
    assert.deepEqual(again, stored);
  });

  const modify = (...instructions: readonly GivenInstruction[]) =>
    engine.run(engine.api.modifyProcessInstance, { processInstanceId: id, instructions }, admin);
  const open = (elementId: string) => engine.all(tasks).filter((each) => each.elementId === elementId);
  const first = (activityId: string) => {
    const all = activityInstances(engine.all(runs), (definitionId) => engine.programs.of(engine.state(), definitionId));
    const found = all.find((each) => each.activityId === activityId && each.endTime === null);
    assert.ok(found !== undefined);
    return found;
  };
  const complete = (taskId: string) => engine.run(engine.api.completeTask, { taskId, variables: [] }, admin);

  const halt = () =>
    engine.run(
      engine.api.correlateMessage,
      { messageName: 'halt', processInstanceId: id, variables: [] } as never,
      admin,
    );

  it('finds one of them when all have begun', async () => {
    const { id: activityInstanceId, taskId } = first('c');
    await modify({ type: 'cancel', activityInstanceId });
    await engine.settle();
    assert.deepEqual([open('c').length, open('d').length], [SIZE - 1, SIZE]);
    assert.ok(!open('c').some((each) => each.id === taskId));
  });

  it('finds all of an activity within them, those that begin afterwards too', async () => {
    await modify({ type: 'cancel', activityId: 'c' });
    await engine.settle();
    assert.deepEqual([open('c').length, open('d').length], [0, SIZE]);
    for (const each of open('d')) await complete(each.id);
    assert.equal(open('b').length, 1);
  });

  it('begins something in one of them, one instruction after the other', async () => {
    const { parentActivityInstanceId, id: activityInstanceId } = first('c');
    await modify({
      type: 'startBeforeActivity',
      activityId: 'd',
      ancestorActivityInstanceId: parentActivityInstanceId,
    });
    await modify({ type: 'cancel', activityInstanceId });
    await engine.settle();
    assert.deepEqual([open('c').length, open('d').length], [SIZE - 1, SIZE + 1]);
  });

  it('passes over what has gone by itself before its turn', async () => {
    const { id: activityInstanceId, taskId } = first('c');
    await modify({ type: 'cancel', activityInstanceId }, { type: 'startBeforeActivity', activityId: 'b' });
    await complete(taskId ?? '');
    await engine.settle();
    assert.deepEqual([open('c').length, open('d').length, open('b').length], [SIZE - 1, SIZE, 1]);
  });

  it('takes another modification in the place of one that can never be carried out', async () => {
    const { parentActivityInstanceId: ancestorActivityInstanceId } = first('c');
    for (const each of open('c').slice(0, 1).concat(open('d').slice(0, 1))) await complete(each.id);
    await modify({ type: 'startBeforeActivity', activityId: 'c', ancestorActivityInstanceId });
    for (let n = 0; n < 3; n++) await engine.runDue(engine.now + 3_600_000);
    const [incident] = engine.all(incidents);
    assert.match(incident?.message ?? '', /^expected an activity instance that is active and can hold 'c'/);
    assert.match(await refusalOf(modify({ type: 'startBeforeActivity', activityId: 'x' })), /^BAD_REQUEST/);
    await modify({ type: 'startBeforeActivity', activityId: 'b' });
    assert.deepEqual(
      [open('c').length, open('b').length, engine.all(jobs), engine.all(incidents)],
      [SIZE - 1, 1, [], []],
    );
  });

  it('lets what it was to begin something in be ended by others', async () => {
    const { parentActivityInstanceId: ancestorActivityInstanceId } = first('c');
    await modify({ type: 'startBeforeActivity', activityId: 'c', ancestorActivityInstanceId });
    await halt();
    for (let n = 0; n < 3; n++) await engine.runDue(engine.now + 3_600_000);
    assert.deepEqual([open('b').length, open('c').length, engine.all(incidents).length], [1, 0, 1]);
    await complete(open('b')[0]?.id ?? '');
    assert.equal(engine.instance(id).actor.value, 'active');
    await modify({ type: 'cancel', activityId: 'b' });
    assert.deepEqual([engine.instance(id).actor.value, engine.all(jobs), engine.all(incidents)], ['completed', [], []]);
  });

  it('goes on where something else ends what is being begun', async () => {
    await modify({ type: 'cancel', activityId: 'b' }, { type: 'startBeforeActivity', activityId: 'g' });
    await halt();
    await engine.settle();
    assert.deepEqual([open('b').length, open('c').length, open('d').length], [0, 1, 1]);
  });
});
