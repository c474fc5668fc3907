import assert from 'node:assert/strict';
import { instanceParts, jobs, runs, tasks } from '../../../src/engine/collections.js';
import type { GivenInstruction } from '../../../src/engine/rule/given-instruction.js';
import { activityInstances } from '../../../src/engine/view/activity-instances.js';
import { bpmn, element, flows, line } from '../../support/bpmn.js';
import { admin, EngineHarness, refusalOf } from '../../support/engine-harness.js';

const SIZE = 120;
const multi = `<bpmn:multiInstanceLoopCharacteristics camunda:collection="list" camunda:elementVariable="x"/>`;
const task = (id: string, content = '') => element('userTask', id, {}, content);

/** A user task for each item, then another one. */
const crowd = bpmn(line(['a', 'b'], task('a', multi) + task('b')));
/** A sub-process for each item, with two tasks at once. */
const groups = bpmn(
  line(
    ['g', 'b'],
    element(
      'subProcess',
      'g',
      {},
      `${multi}${element('startEvent', 's')}${element('parallelGateway', 'fork')}${task('c')}${task('d')}${flows('s', 'fork', 'c')}${flows('fork', 'd')}`,
    ) + task('b'),
  ),
);

describe('a large instance that is modified', () => {
  let engine: EngineHarness;
  let id: string;
  const begin = async (model: string, at?: string) => {
    engine = new EngineHarness();
    await engine.deploy(model);
    id = await engine.start({ list: Array.from({ length: SIZE }, (_, n) => n) });
    await engine.settle();
    if (at === undefined) assert.equal(engine.all(instanceParts).length, SIZE);
    else assert.equal(open(at).length, SIZE);
  };
  afterEach(() => {
    const { stored, again } = engine.replayed(id);
    assert.deepEqual(again, stored);
  });
  const modify = (...instructions: readonly GivenInstruction[]) =>
    engine.run(engine.api.modifyProcessInstance, { processInstanceId: id, instructions }, admin);
  const written = () => engine.lastDecision?.write?.length ?? 0;
  const open = (elementId: string) => engine.all(tasks).filter((each) => each.elementId === elementId);
  const active = (activityId: string) =>
    activityInstances(
      engine.all(runs).sort((a, b) => a.n - b.n),
      (definitionId) => engine.programs.of(engine.state(), definitionId),
    ).filter((each) => each.activityId === activityId && each.endTime === null);

  it('leaves all of an activity by one write at its scope, and clears it away by jobs', async () => {
    await begin(crowd);
    await modify({ type: 'startBeforeActivity', activityId: 'b' }, { type: 'cancel', activityId: 'a' });
    assert.ok(written() < 8, `${written()} documents were written`);
    assert.equal(open('b').length, 1);
    await engine.settle();
    assert.deepEqual([open('a'), engine.all(instanceParts), engine.all(jobs), active('a')], [[], [], [], []]);
  });

  it('cancels one of them by its activity instance, and waits for the others alone', async () => {
    await begin(crowd);
    const [first, second] = active('a');
    await modify({ type: 'cancel', activityInstanceId: first?.id ?? '' });
    assert.ok(written() < 8, `${written()} documents were written`);
    assert.equal(open('a').length, SIZE - 1);
    await modify(
      { type: 'cancel', activityInstanceId: second?.id ?? '' },
      { type: 'startBeforeActivity', activityId: 'a' },
    );
    assert.equal(open('a').length, SIZE - 1);
    for (const { id: taskId } of open('a')) await engine.run(engine.api.completeTask, { taskId, variables: [] }, admin);
    assert.equal(open('b').length, 1);
  });

  it('reaches what is within each of them', async () => {
    await begin(groups);
    await modify({ type: 'cancel', activityId: 'c' });
    await engine.settle();
    assert.deepEqual([open('c').length, open('d').length, active('g').length], [0, SIZE, SIZE]);
    const [group] = active('g');
    const within = { ancestorActivityInstanceId: group?.id ?? '' };
    await modify({ type: 'startBeforeActivity', activityId: 'c', ...within });
    assert.equal(open('c').length, 1);
    assert.equal(active('c')[0]?.parentActivityInstanceId, group?.id);
    await modify({ type: 'startBeforeActivity', activityId: 'b' }, { type: 'cancel', activityId: 'd' });
    await engine.settle();
    assert.deepEqual([open('d').length, open('c').length, active('g').length], [0, 1, 1]);
  });

  it('begins one more of a loop, and cancels those that were there before', async () => {
    await begin(crowd);
    const current = { activityId: 'a#multiInstanceBody', cancelCurrentActiveActivityInstances: true };
    await modify({ type: 'startBeforeActivity', activityId: 'a' }, { type: 'cancel', ...current });
    await engine.settle();
    assert.deepEqual([open('a').length, engine.instance(id).actor.value], [0, 'cancelled']);
    await begin(groups);
    const [group] = active('g');
    await modify(
      { type: 'startBeforeActivity', activityId: 'c', ancestorActivityInstanceId: group?.id ?? '' },
      { type: 'cancel', activityId: 'c', cancelCurrentActiveActivityInstances: true },
    );
    await engine.settle();
    assert.deepEqual([open('c').length, open('d').length, active('g').length], [1, SIZE, SIZE]);
  });

  it('reaches all of an activity in the process itself, and keeps what else is there', async () => {
    const many = { completionQuantity: String(SIZE) };
    await begin(bpmn(line(['m', 'a', 'b'], element('task', 'm', many) + task('a') + task('b'))), 'a');
    await modify({ type: 'startBeforeActivity', activityId: 'b' }, { type: 'cancel', activityId: 'a' });
    await engine.settle();
    assert.deepEqual([open('a').length, open('b').length, engine.instance(id).actor.value], [0, 1, 'active']);
    await modify({ type: 'startBeforeActivity', activityId: 'm' });
    await engine.settle();
    assert.equal(open('a').length, SIZE);
    await modify({ type: 'cancel', activityInstanceId: id }, { type: 'startBeforeActivity', activityId: 'b' });
    await engine.settle();
    assert.deepEqual([open('a').length, open('b').length, engine.instance(id).actor.value], [0, 1, 'active']);
  });

  it('finds one among thousands, and says that there are several to begin in', async () => {
    engine = new EngineHarness();
    await engine.deploy(groups);
    id = await engine.start({ list: Array.from({ length: 1_010 }, (_, n) => n) });
    await engine.settle();
    assert.match(
      await refusalOf(modify({ type: 'startBeforeActivity', activityId: 'c' })),
      /^BAD_REQUEST: .*which of these 'c' begins in/,
    );
    const last = active('g').at(-1);
    await modify({ type: 'cancel', activityInstanceId: last?.id ?? '' });
    assert.ok(written() < 8, `${written()} documents were written`);
    assert.equal(open('c').length, 1_009);
    const [first] = active('d');
    await modify({ type: 'cancel', activityInstanceId: first?.id ?? '' });
    assert.equal(open('d').length, 1_008);
  });

  it('takes what was left, and is still to be cleared away, for gone', async () => {
    await begin(groups);
    await modify({ type: 'startBeforeActivity', activityId: 'b' }, { type: 'cancel', activityId: 'g' });
    await modify({ type: 'startBeforeActivity', activityId: 'c' }, { type: 'cancel', activityId: 'd' });
    assert.equal(engine.instance(id).actor.value, 'active');
    await engine.settle();
    assert.deepEqual([open('c').length, open('d').length, open('b').length, active('g').length], [1, 0, 1, 1]);
  });

  it('ends as a whole, or begins anew with nothing of what was', async () => {
    await begin(crowd);
    await modify({ type: 'cancel', activityInstanceId: id }, { type: 'startBeforeActivity', activityId: 'b' });
    await engine.settle();
    assert.deepEqual([open('a').length, open('b').length], [0, 1]);
    await modify({ type: 'cancel', activityInstanceId: id });
    assert.equal(engine.instance(id).actor.value, 'cancelled');
    await engine.settle();
    assert.deepEqual([engine.all(instanceParts), engine.all(tasks), engine.all(jobs)], [[], [], []]);
  });
});
