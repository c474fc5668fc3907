import assert from 'node:assert/strict';
import type { HistoryEntry } from '../../../src/engine/element/instance-state.js';
import {
  ActivityInstances,
  activeActivities,
  activityInstances,
  activityName,
} from '../../../src/engine/view/activity-instances.js';
import { bpmn, element, line } from '../../support/bpmn.js';
import { EngineHarness } from '../../support/engine-harness.js';
import { instance } from '../../support/instance.js';
import { program, start, subProcess, userTask } from '../../support/program.js';

const model = program(
  { s: start(), p: subProcess({ name: 'Part' }), ps: start({ in: 'p' }), a: userTask({}, { in: 'p' }), b: userTask() },
  ['s -> p', 'ps -> a', 'p -> b'],
);
const [S, P, PS, A] = [1, 2, 3, 4];

/** What a history of these runs, one a millisecond, tells. */
const told = (...runs: readonly (readonly HistoryEntry[])[]) =>
  activityInstances(
    runs.map((history, at) => ({ instanceId: 'i', definitionId: 'd', at, history })),
    () => model,
  );

describe('activity instances', () => {
  it('have begun, and been completed or cancelled, when their runs say so', () => {
    const found = told(
      [
        [3, 1, S, 0],
        [0, 2, P, 0, null],
        [3, 3, PS, 2],
        [0, 4, A, 2, 'task'],
      ],
      [[2, 4]],
      [[1, 2]],
    );
    assert.deepEqual(
      found.map(({ id, activityId, startTime, endTime, canceled }) => [id, activityId, startTime, endTime, canceled]),
      [
        ['i:1', 's', 0, 0, false],
        ['i:2', 'p', 0, 2, false],
        ['i:3', 'ps', 0, 0, false],
        ['i:4', 'a', 0, 1, true],
      ],
    );
    assert.deepEqual(
      found.map(({ parentActivityInstanceId, taskId }) => [parentActivityInstanceId, taskId]),
      [
        [null, null],
        [null, null],
        ['i:2', null],
        ['i:2', 'task'],
      ],
    );
    assert.deepEqual(
      [found[1]?.activityName, found[0]?.activityName, found[3]?.activityType],
      ['Part', null, 'userTask'],
    );
  });

  it('complete their scope where nothing follows them and they were not cancelled', () => {
    const completes = (...end: HistoryEntry[]) => told([[0, 1, A, 0, null], ...end])[0]?.completeScope;
    assert.deepEqual([completes(), completes([1, 1]), completes([2, 1])], [false, true, false]);
    assert.equal(told([[3, 1, S, 0]])[0]?.completeScope, false, 'something follows it');
    const undone = program({ s: start(), h: userTask({}, { isForCompensation: true }) }, []);
    const handled = { instanceId: 'i', definitionId: 'd', at: 0, history: [[3, 1, 2, 0]] } as const;
    const [handler] = activityInstances([handled], () => undone);
    assert.equal(
      handler?.completeScope,
      false,
      'it undoes what has completed in a scope that goes on, or has completed',
    );
  });

  it('are told in the order in which they began', () => {
    const runs = [
      { instanceId: 'i', definitionId: 'd', at: 5, history: [[3, 1, S, 0]] },
      { instanceId: 'i', definitionId: 'd', at: 3, history: [[3, 2, PS, 0]] },
    ] as const;
    assert.deepEqual(
      activityInstances(runs, () => model).map(({ id }) => id),
      ['i:2', 'i:1'],
    );
  });

  it('pass over an end whose beginning is not there', () => {
    assert.deepEqual(told([[1, 7]], [[2, 8]]), []);
    assert.throws(() => new ActivityInstances(() => model).shown(7), { message: 'activity instance 7 has not begun' });
  });

  it('that hold a token now are told once, in the order of the model, those within a sub-process instead of it', () => {
    assert.deepEqual(activeActivities(model, instance(model).start()), ['a']);
    assert.deepEqual(activeActivities(model, instance(model).start().complete('a')), ['b']);
    const token = (element: number) => ({ id: element, element, scope: 0, via: null, activity: null });
    assert.deepEqual(activeActivities(model, { state: { tokens: [token(A), token(S), token(A)] } }), ['s', 'a']);
  });
});

describe('the name of an activity', () => {
  it('is what its model says; nothing where that gives none, or is gone', async () => {
    const engine = new EngineHarness();
    const body = element('userTask', 'one', { name: 'Check' }) + element('userTask', 'two');
    const [definition = ''] = await engine.deploy(bpmn(line(['one', 'two'], body)));
    const name = (definitionId: string | null, activityId: string | null) =>
      activityName(engine.programs, engine.state(), { definitionId, activityId });
    assert.equal(name(definition, 'one'), 'Check');
    assert.deepEqual([name(definition, 'two'), name(definition, 'three'), name(definition, null)], [null, null, null]);
    assert.deepEqual([name('gone', 'one'), name(null, 'one')], [null, null]);
  });
});
