import assert from 'node:assert/strict';
import {
  jobs,
  type ProcessInstance,
  processDefinitions,
  processInstances,
  runs,
  tasks,
} from '../../../src/engine/collections.js';
import { activityInstances } from '../../../src/engine/view/activity-instances.js';
import { systemCaller } from '../../../src/shared/caller.js';
import { incidents } from '../../../src/store/index.js';
import { bpmn, element, extended, flows } from '../../support/bpmn.js';
import { admin, ann, EngineHarness, refusalOf, supervisor } from '../../support/engine-harness.js';

const COMPENSATION = '<bpmn:compensateEventDefinition/>';
const logs = (id: string, text = id) =>
  element('serviceTask', id, { 'camunda:expression': `\${execution.setVariable('log', log.concat(' ${text}'))}` });

/** What compensates the process that holds it: the elements of `ids` in a line. */
const undoing = (ids: readonly string[], body: string) =>
  element(
    'subProcess',
    'undoing',
    { triggeredByEvent: 'true' },
    `${element('startEvent', 'us', {}, COMPENSATION)}${body}${flows('us', ...ids)}`,
  );

/** Process q: does `work`, and is compensated by a user task that sees its variables. */
const CALLED = bpmn(
  `${element('startEvent', 'qs')}${element('serviceTask', 'book', { 'camunda:expression': "${execution.setVariable('booked', n * 10)}" })}
  ${flows('qs', 'book')}${undoing(['refund'], element('userTask', 'refund', { name: '${booked}' }))}`,
  { key: 'q' },
);

/** Process p: calls q with n, then waits at `u`, compensates, and waits at `z`. */
const caller = (more = '', attributes: Record<string, string> = {}, thrown = COMPENSATION, inside = '') =>
  bpmn(
    `${element('startEvent', 's')}
    ${element('callActivity', 'c', { calledElement: 'q', ...attributes }, `${extended('<camunda:in source="n" target="n"/><camunda:out source="booked" target="booked"/>')}${inside}`)}
    ${element('userTask', 'u')}${element('intermediateThrowEvent', 't', {}, thrown)}${element('userTask', 'z')}
    ${more}${flows('s', 'c', 'u', 't', 'z')}`,
  );

async function started(
  model: string,
  variables: Record<string, unknown> = { n: 1 },
  called: readonly string[] = [CALLED],
) {
  const engine = new EngineHarness();
  for (const [n, each] of called.entries()) await engine.deploy(each, `called${n}`);
  await engine.deploy(model, 'caller');
  const id = await engine.start({ log: '', ...variables }, ann, 'k');
  await engine.settle();
  return { engine, id };
}
const open = (engine: EngineHarness) =>
  engine
    .all(tasks)
    .map(({ elementId, name }) => (name === null ? elementId : `${elementId} ${name}`))
    .sort();
async function complete(engine: EngineHarness, ...elementIds: readonly string[]) {
  for (const elementId of elementIds) {
    await engine.run(engine.api.completeTask, { taskId: engine.task(elementId).id }, admin);
    await engine.settle();
  }
}
const called = (engine: EngineHarness): ProcessInstance[] =>
  engine.all(processInstances).filter(({ calledBy }) => calledBy !== null);
const undone = (engine: EngineHarness): ProcessInstance[] =>
  called(engine).filter(({ state }) => state.undoes !== undefined);
function replays(engine: EngineHarness) {
  for (const { id } of engine.all(processInstances)) {
    const { stored, again } = engine.replayed(id);
    assert.deepEqual(again, stored);
  }
}

describe('a called process with a compensation event sub-process', () => {
  it('is compensated with its call activity, with its variables as they were when it completed', async () => {
    const { engine, id } = await started(caller());
    const [first] = called(engine);
    assert.deepEqual([first?.actor.value, open(engine)], ['completed', ['u']]);
    await complete(engine, 'u');
    assert.deepEqual(open(engine), ['refund 10']);
    const [compensating] = undone(engine);
    assert.deepEqual(
      [compensating?.state.undoes, compensating?.calledBy?.instanceId, compensating?.calledBy?.activityId],
      [first?.id, id, 'c'],
    );
    assert.deepEqual([compensating?.startUserId, compensating?.businessKey], ['ann', first?.businessKey]);
    await complete(engine, 'refund');
    assert.deepEqual(open(engine), ['z']);
    assert.deepEqual(engine.variables(id), { log: '', n: 1, booked: 10 });
    assert.deepEqual(
      undone(engine).map(({ actor }) => actor.value),
      ['completed'],
    );
    const history = activityInstances(
      engine.all(runs).filter((run) => run.instanceId === compensating?.id),
      (definition) => engine.programs.of(engine.state(), definition),
    );
    assert.deepEqual(
      history.map(({ activityId, completeScope }) => [activityId, completeScope]),
      [
        ['undoing', false],
        ['us', false],
        ['refund', true],
      ],
    );
    await complete(engine, 'z');
    assert.deepEqual([engine.all(jobs), engine.instance(id).actor.value], [[], 'completed']);
    replays(engine);
  });

  it('is compensated in its place among the others, each instance of a loop by itself, the last one first', async () => {
    const compensable = (id: string) =>
      `${logs(id)}${element('boundaryEvent', `b${id}`, { attachedToRef: id }, COMPENSATION)}
      ${element('serviceTask', `h${id}`, { isForCompensation: 'true', 'camunda:expression': `\${execution.setVariable('log', log.concat(' h${id}'))}` })}
      <bpmn:association id="a${id}" associationDirection="One" sourceRef="b${id}" targetRef="h${id}"/>`;
    for (const isSequential of ['true', 'false']) {
      const loop = `<bpmn:multiInstanceLoopCharacteristics isSequential="${isSequential}" camunda:collection="\${list}" camunda:elementVariable="item"/>`;
      const model = bpmn(
        `${element('startEvent', 's')}${compensable('x')}
        ${element('callActivity', 'c', { calledElement: 'q' }, `${extended('<camunda:in source="item" target="n"/>')}${loop}`)}
        ${compensable('y')}${element('intermediateThrowEvent', 't', {}, COMPENSATION)}${element('userTask', 'z')}
        ${flows('s', 'x', 'c', 'y', 't', 'z')}`,
      );
      const { engine, id } = await started(model, { list: [1, 2, 3] });
      assert.equal(engine.variables(id).log, ' x y hy');
      const order: string[] = [];
      for (let n = 0; n < 3; n++) {
        order.push(...open(engine));
        await complete(engine, 'refund');
      }
      const ended = called(engine).filter(({ state }) => state.undoable);
      const refunds = ended.map(({ id: each }) => `refund ${engine.variables(each).booked}`);
      if (isSequential === 'true') assert.deepEqual(order, refunds.reverse());
      else assert.deepEqual(order.sort(), refunds.sort());
      assert.deepEqual([open(engine), engine.variables(id).log], [['z'], ' x y hy hx']);
      assert.equal(engine.instance(id).state.scopes.length, 1);
      replays(engine);
    }
  });

  it('is compensated by what compensates its activity, or what holds that: named, whole, cancelled, not awaited', async () => {
    const named = await started(caller('', {}, '<bpmn:compensateEventDefinition activityRef="c"/>'));
    await complete(named.engine, 'u', 'refund', 'z');
    const beside = await started(caller('', {}, '<bpmn:compensateEventDefinition waitForCompletion="false"/>'));
    await complete(beside.engine, 'u');
    assert.deepEqual(open(beside.engine), ['refund 10', 'z']);
    await complete(beside.engine, 'z');
    assert.equal(beside.engine.instance(beside.id).endTime, null);
    await complete(beside.engine, 'refund');
    const held = (type: string, more: string, end: string, next: string) =>
      bpmn(
        `${element('startEvent', 's')}
        ${element(type, 'held', {}, `${element('startEvent', 'hs')}${element('callActivity', 'c', { calledElement: 'q' }, extended('<camunda:in source="n" target="n"/>'))}${element('endEvent', 'he', {}, end)}${flows('hs', 'c', 'he')}`)}
        ${more}${element('userTask', 'z')}${next}`,
      );
    const thrown = element('intermediateThrowEvent', 't', {}, COMPENSATION);
    const parent = await started(held('subProcess', thrown, '', flows('s', 'held', 't', 'z')));
    const cancelled = element('boundaryEvent', 'b', { attachedToRef: 'held' }, '<bpmn:cancelEventDefinition/>');
    const transaction = await started(
      held('transaction', cancelled, '<bpmn:cancelEventDefinition/>', `${flows('s', 'held')}${flows('b', 'z')}`),
    );
    for (const { engine } of [parent, transaction]) {
      assert.deepEqual(open(engine), ['refund 10']);
      await complete(engine, 'refund', 'z');
    }
    for (const { engine, id } of [named, beside, parent, transaction]) {
      assert.equal(engine.instance(id).actor.value, 'completed');
      replays(engine);
    }
  });

  it('is not asked where its call activity has a handler of its own', async () => {
    const handler = `${element('boundaryEvent', 'b', { attachedToRef: 'c' }, COMPENSATION)}${element('userTask', 'own', { isForCompensation: 'true' })}
      <bpmn:association id="a" associationDirection="One" sourceRef="b" targetRef="own"/>`;
    const { engine } = await started(caller(handler));
    await complete(engine, 'u');
    assert.deepEqual(open(engine), ['own']);
    await complete(engine, 'own', 'z');
    assert.equal(called(engine).length, 1);
    replays(engine);
  });

  it('undoes what has completed in it, and what it has called, if it says so', async () => {
    const middle = bpmn(
      `${element('startEvent', 'ms')}${element('callActivity', 'mc', { calledElement: 'q' }, extended('<camunda:in source="n" target="n"/>'))}
      ${element('serviceTask', 'after', { 'camunda:expression': "${execution.setVariable('large', 'x'.repeat(2000))}" })}
      ${flows('ms', 'mc', 'after')}${undoing(['first', 'all'], `${element('userTask', 'first')}${element('endEvent', 'all', {}, COMPENSATION)}`)}`,
      { key: 'm' },
    );
    const { engine, id } = await started(caller('', { calledElement: 'm' }), { n: 2 }, [CALLED, middle]);
    await complete(engine, 'u');
    assert.deepEqual(open(engine), ['first']);
    const [compensating] = undone(engine);
    assert.equal(String(engine.variables(compensating?.id ?? '').large).length, 2000);
    await complete(engine, 'first');
    assert.deepEqual(open(engine), ['refund 20']);
    assert.equal(
      undone(engine).find(({ calledBy }) => calledBy?.instanceId === compensating?.id)?.calledBy?.activityId,
      'mc',
    );
    await complete(engine, 'refund', 'z');
    assert.equal(engine.instance(id).actor.value, 'completed');
    replays(engine);
  });

  it('is left as it is where it has none, was started by itself, or has not completed', async () => {
    const plain = bpmn(`${element('startEvent', 'qs')}${element('userTask', 'work')}${flows('qs', 'work')}`, {
      key: 'q',
    });
    const without = await started(caller(), { n: 1 }, [plain]);
    await complete(without.engine, 'work', 'u', 'z');
    assert.equal(without.engine.instance(without.id).actor.value, 'completed');
    const engine = new EngineHarness();
    await engine.deploy(CALLED);
    const alone = await engine.run(
      engine.api.startProcess,
      { definitionKey: 'q', variables: [{ name: 'n', value: 1 }] },
      ann,
    );
    assert.deepEqual(
      [engine.instance(alone).actor.value, engine.instance(alone).state.undoable],
      ['completed', undefined],
    );
  });

  it('holds up its caller until it is compensated: suspended with it, cancelled by it, and by nobody else', async () => {
    const { engine, id } = await started(caller());
    await engine.run(engine.api.suspendProcessInstance, { id }, supervisor);
    await engine.run(engine.api.activateProcessInstance, { id }, supervisor);
    await complete(engine, 'u');
    const [compensating] = undone(engine);
    await engine.run(engine.api.suspendProcessInstance, { id }, supervisor);
    await engine.settle();
    assert.equal(engine.instance(compensating?.id ?? '').actor.value, 'suspended');
    await engine.run(engine.api.activateProcessInstance, { id }, supervisor);
    await engine.settle();
    assert.equal(engine.instance(compensating?.id ?? '').actor.value, 'active');
    await engine.run(engine.api.cancelProcessInstance, { id: compensating?.id ?? '' }, ann);
    await engine.runDue();
    assert.match(
      engine.all(incidents)[0]?.message ?? '',
      /called process instance to complete of element 'c', but it was cancelled/,
    );
    replays(engine);
    const other = await started(caller());
    await complete(other.engine, 'u');
    await other.engine.run(other.engine.api.cancelProcessInstance, { id: other.id }, ann);
    await other.engine.settle();
    assert.deepEqual([undone(other.engine).map(({ actor }) => actor.value), open(other.engine)], [['cancelled'], []]);
    replays(other.engine);
  });

  it('says where it can no longer be compensated', async () => {
    const { engine, id } = await started(caller());
    const { deploymentId } = engine.get(processDefinitions, called(engine)[0]?.definitionId ?? '') ?? {};
    await engine.run(engine.api.deleteDeployment, { id: deploymentId ?? '', cascade: true }, admin);
    await engine.settle();
    await complete(engine, 'u');
    await engine.runDue();
    assert.match(engine.all(incidents)[0]?.message ?? '', /expected a process instance with id/);
    assert.deepEqual([engine.all(incidents)[0]?.activityId, open(engine)], ['c', []]);
    const instructions = [{ type: 'cancel', activityId: 'c' }] as const;
    await engine.run(engine.api.modifyProcessInstance, { processInstanceId: id, instructions }, supervisor);
    assert.deepEqual([open(engine), engine.all(incidents), engine.all(jobs)], [['z'], [], []]);
    replays(engine);
  });

  it('keeps its history as long as it may be compensated, and is not restarted once it was', async () => {
    const middle = bpmn(
      `${element('startEvent', 'ms')}${element('callActivity', 'mc', { calledElement: 'q' }, extended('<camunda:in source="n" target="n"/>'))}
      ${flows('ms', 'mc')}${undoing(['all'], element('endEvent', 'all', {}, COMPENSATION))}`,
      { key: 'm' },
    );
    const { engine, id } = await started(caller('', { calledElement: 'm' }), { n: 2 }, [CALLED, middle]);
    const clean = async () => {
      const input = { endedBefore: engine.now + 1 };
      while (await engine.run(engine.engine.jobs.cleanHistory, input, systemCaller('test')));
      return engine.all(processInstances).length;
    };
    assert.equal(await clean(), 3);
    await complete(engine, 'u', 'refund');
    const [compensating] = undone(engine);
    const restarted = engine.run(
      engine.api.restartProcessInstance,
      { processInstanceId: compensating?.id ?? '' },
      admin,
    );
    assert.match(
      await refusalOf(restarted),
      /^BAD_REQUEST: expected a process instance that began by itself or was called/,
    );
    await complete(engine, 'z');
    assert.equal(engine.instance(id).actor.value, 'completed');
    assert.equal(await clean(), 0);
  });

  it('goes along as its caller migrates, before it is compensated and while it is; what compensates it may migrate, too', async () => {
    const { engine, id } = await started(caller());
    const migrate = async (
      model: string,
      processInstanceId: string,
      instructions: readonly { sourceActivityIds: string[]; targetActivityIds: string[] }[] = [],
    ) => {
      const { definitionId: sourceProcessDefinitionId } = engine.instance(processInstanceId);
      const [targetProcessDefinitionId = ''] = await engine.deploy(model, `v${engine.all(processDefinitions).length}`);
      const request = {
        processInstanceId,
        sourceProcessDefinitionId,
        targetProcessDefinitionId,
        instructions,
        mapEqualActivities: true,
      };
      await engine.run(engine.engine.jobs.migrateInstance, request, supervisor);
      await engine.settle();
    };
    const renamed = caller().replaceAll('"c"', '"d"').replaceAll('s-c', 's-d').replaceAll('c-u', 'd-u');
    await migrate(renamed, id, [{ sourceActivityIds: ['c'], targetActivityIds: ['d'] }]);
    await complete(engine, 'u');
    assert.equal(undone(engine)[0]?.calledBy?.activityId, 'd');
    await migrate(caller(), id, [{ sourceActivityIds: ['d'], targetActivityIds: ['c'] }]);
    const more = CALLED.replace('name="${booked}"', 'name="once more"');
    await migrate(more, undone(engine)[0]?.id ?? '');
    await complete(engine, 'refund', 'z');
    assert.deepEqual([engine.instance(id).actor.value, engine.all(incidents)], ['completed', []]);
    replays(engine);
    const forgotten = await started(caller());
    const without = bpmn(
      `${element('startEvent', 's')}${element('userTask', 'u')}${element('intermediateThrowEvent', 't', {}, COMPENSATION)}${element('userTask', 'z')}${flows('s', 'u', 't', 'z')}`,
    );
    const [target = ''] = await forgotten.engine.deploy(without, 'without');
    const request = {
      processInstanceId: forgotten.id,
      sourceProcessDefinitionId: forgotten.engine.instance(forgotten.id).definitionId,
      targetProcessDefinitionId: target,
    };
    await forgotten.engine.run(forgotten.engine.engine.jobs.migrateInstance, request, supervisor);
    await complete(forgotten.engine, 'u');
    assert.deepEqual(open(forgotten.engine), ['z']);
    replays(forgotten.engine);
  });
});
