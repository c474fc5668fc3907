import assert from 'node:assert/strict';
import { processInstances, tasks } from '../../../src/engine/collections.js';
import { tokenVariables } from '../../../src/engine/run/seen-variables.js';
import { bpmn, element, extended, line } from '../../support/bpmn.js';
import { admin, ann, EngineHarness, inputs, refusalOf } from '../../support/engine-harness.js';

const task = (id: string) => element('userTask', id);

describe('startProcess with instructions', () => {
  let engine: EngineHarness;
  beforeEach(async () => {
    engine = new EngineHarness();
    await engine.deploy(bpmn(line(['A', 'B'], task('A') + task('B'))));
  });
  afterEach(() => {
    for (const { id } of engine.all(processInstances)) {
      const { stored, again } = engine.replayed(id);
      assert.deepEqual(again, stored);
    }
  });

  const start = (instructions: readonly object[], caller = admin): Promise<string> =>
    engine.run(
      engine.api.startProcess,
      // biome-ignore lint/suspicious/noExplicitAny: what is wrong is given, too
      { definitionKey: 'p', variables: inputs({ a: 1 }), instructions: instructions as any },
      caller,
    );

  it('begins where they say, with the variables of both, as the instance of its caller', async () => {
    const id = await start([
      { type: 'startBeforeActivity', activityId: 'B', variables: inputs({ b: 2 }) },
      { type: 'startAfterActivity', activityId: 'A', localVariables: [] },
      { type: 'startTransition', transitionId: 'A-B' },
    ]);
    assert.deepEqual(engine.variables(id), { a: 1, b: 2 });
    assert.deepEqual(
      engine.all(tasks).map(({ elementId }) => elementId),
      ['B', 'B', 'B'],
    );
    assert.equal(engine.instance(id).startUserId, 'admin');
  });

  it('knows the initiator that the start event names, unless it is given', async () => {
    const model = bpmn(line(['A', 'B'], task('A') + task('B'))).replace(
      'id="start"',
      'id="start" camunda:initiator="a"',
    );
    await engine.deploy(model);
    const before = [{ type: 'startBeforeActivity', activityId: 'B' }] as const;
    const input = { definitionKey: 'p', variables: [], instructions: before };
    assert.deepEqual(engine.variables(await engine.run(engine.api.startProcess, input, admin)), { a: 'admin' });
    assert.deepEqual(engine.variables(await start(before)), { a: 1 });
  });

  it('lets inputs of what begins, and the job that it waits for, see the variables that are given to it alone', async () => {
    const io = (name: string, value: string) =>
      `<camunda:inputOutput><camunda:inputParameter name="${name}">${value}</camunda:inputParameter></camunda:inputOutput>`;
    const waiting = { 'camunda:asyncBefore': 'true', 'camunda:jobPriority': '${own}' };
    const seeing = element('userTask', 'A', waiting, extended(io('seen', '${own + 1}')));
    await engine.deploy(bpmn(line(['A', 'B'], seeing + element('userTask', 'B', {}, extended(io('own', 'input'))))));
    const given = { localVariables: inputs({ own: 4 }) };
    const id = await start(['A', 'B'].map((activityId) => ({ type: 'startBeforeActivity', activityId, ...given })));
    const job = engine.job('continuation');
    assert.equal(job.priority, 4);
    await engine.runJob(job.id);
    const local = (elementId: string) =>
      Object.entries(tokenVariables(engine.state(), engine.instance(id), engine.task(elementId)).local);
    assert.deepEqual(
      ['A', 'B'].map((of) => local(of).map(([name, { value }]) => [name, value])),
      [
        [
          ['own', 4],
          ['seen', 5],
        ],
        [['own', 'input']],
      ],
    );
    assert.deepEqual(engine.variables(id), { a: 1 });
  });

  it('tells the listeners of the process what begins first', async () => {
    const telling = `<camunda:executionListener event="start" expression="\${execution.setVariable('told', execution.currentActivityId)}"/>`;
    await engine.deploy(bpmn(extended(telling) + line(['A', 'B', 'C'], task('A') + task('B') + task('C'))));
    const told = async (...instructions: object[]) => engine.variables(await start(instructions)).told;
    const beginning = (activityId: string) => ({ type: 'startBeforeActivity', activityId });
    assert.equal(await told(beginning('B'), beginning('A')), 'B');
    assert.equal(await told({ type: 'startAfterActivity', activityId: 'B' }), 'C');
    assert.equal(await told({ type: 'startTransition', transitionId: 'A-B' }), 'B');
  });

  it('begins at the start event without any', async () => {
    await start([], ann);
    assert.equal(engine.task().elementId, 'A');
  });

  it('skips neither listeners nor mappings without any: to ask for it is refused', async () => {
    for (const skipped of ['skipCustomListeners', 'skipIoMappings'])
      assert.match(
        await refusalOf(engine.run(engine.api.startProcess, { definitionKey: 'p', [skipped]: true }, admin)),
        new RegExp(`^BAD_REQUEST: expected false where there are no instructions as '${skipped}', but found true`),
      );
    const told = { definitionKey: 'p', skipCustomListeners: false, skipIoMappings: false };
    await engine.run(engine.api.startProcess, told, ann);
    assert.equal(engine.task().elementId, 'A');
  });

  it('is refused to others than supervisors, for what cancels, and for what is not there', async () => {
    const before = { type: 'startBeforeActivity', activityId: 'B' };
    assert.match(await refusalOf(start([before], ann)), /FORBIDDEN/);
    for (const wrong of [
      { type: 'cancel', activityId: 'B' },
      { type: 'startBeforeActivity', activityId: 'gone' },
      { type: 'startTransition' },
      { ...before, ancestorActivityInstanceId: 'x:1' },
    ])
      assert.match(await refusalOf(start([wrong])), /BAD_REQUEST/, JSON.stringify(wrong));
    assert.deepEqual(engine.all(processInstances), []);
  });
});
