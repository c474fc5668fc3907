import assert from 'node:assert/strict';
import { jobs, processInstances, tasks } from '../../../src/engine/collections.js';
import type { GivenInstruction } from '../../../src/engine/rule/given-instruction.js';
import { incidents } from '../../../src/store/index.js';
import { bpmn, element, extended, flow, flows } from '../../support/bpmn.js';
import { admin, EngineHarness, inputs, refusalOf, supervisor } from '../../support/engine-harness.js';

const task = (id: string) => element('userTask', id);
const count = element('serviceTask', 'count', { 'camunda:expression': `\${n + 1}`, 'camunda:resultVariable': 'n' });
const input = extended(
  `<camunda:inputOutput><camunda:inputParameter name="seen">\${given.length()}</camunda:inputParameter></camunda:inputOutput>`,
);

/** `long` goes round for many steps, until `n` is `most` or it is interrupted; `asks` has an input that fails without `given`. */
const MODEL = bpmn(
  element('startEvent', 'start') +
    element('parallelGateway', 'fork') +
    task('other') +
    task('another') +
    flows('start', 'fork', 'other') +
    flows('fork', 'another') +
    element(
      'subProcess',
      'long',
      {},
      element('startEvent', 's') +
        element('exclusiveGateway', 'again', { default: 'again-on' }) +
        count +
        flows('s', 'again', 'count', 'again') +
        task('on') +
        flow('again', 'on'),
    ).replace(
      '<bpmn:sequenceFlow id="again-count" sourceRef="again" targetRef="count"/>',
      `<bpmn:sequenceFlow id="again-count" sourceRef="again" targetRef="count"><bpmn:conditionExpression>\${n &lt; most}</bpmn:conditionExpression></bpmn:sequenceFlow>`,
    ) +
    element('boundaryEvent', 'stop', { attachedToRef: 'long' }, '<bpmn:messageEventDefinition messageRef="halt"/>') +
    task('stopped') +
    flow('stop', 'stopped') +
    element('userTask', 'asks', {}, input),
  { root: '<bpmn:message id="halt" name="halt"/>' },
);

const LONG = { type: 'startBeforeActivity', activityId: 'long' } as const;
const ASKS = { type: 'startBeforeActivity', activityId: 'asks' } as const;

describe('a modification that goes on by jobs, and can be carried out no more', () => {
  let engine: EngineHarness;
  let id: string;
  beforeEach(async () => {
    engine = new EngineHarness({ stepsMax: 5 });
    await engine.deploy(MODEL);
    id = await engine.start({ n: 0, most: 1_000 });
    await modify(LONG, ASKS);
    assert.deepEqual(open(), ['another', 'other'], 'it has not come to its last instruction');
  });
  afterEach(() => {
    for (const each of engine.all(processInstances)) {
      const { stored, again } = engine.replayed(each.id);
      assert.deepEqual(again, stored);
    }
  });

  const modify = (...instructions: readonly GivenInstruction[]) =>
    engine.run(engine.api.modifyProcessInstance, { processInstanceId: id, instructions }, admin);
  const open = () =>
    engine
      .all(tasks)
      .map(({ elementId }) => elementId)
      .sort();
  const halt = () =>
    engine.run(
      engine.api.correlateMessage,
      { messageName: 'halt', processInstanceId: id, variables: [] } as never,
      admin,
    );
  const complete = (elementId: string) =>
    engine.run(engine.api.completeTask, { taskId: engine.task(elementId).id, variables: [] }, admin);
  /** Until its failure has used up its retries. */
  const failed = async () => {
    for (let n = 0; n < 3; n++) await engine.runDue(engine.now + 3_600_000);
    const [incident, ...others] = engine.all(incidents);
    assert.deepEqual([incident?.instanceId, others], [id, []]);
    return incident ?? assert.fail();
  };
  const give = (value: string) =>
    engine.run(engine.api.setProcessVariables, { processInstanceId: id, variables: inputs({ given: value }) }, admin);

  it('does not refuse a message that takes away what it waited for: its failure is an incident of the instance', async () => {
    await halt();
    assert.deepEqual(open(), ['another', 'other', 'stopped']);
    const { message, activityId } = await failed();
    assert.match(message ?? '', /'\$\{given\.length\(\)\}' of element 'asks'/);
    assert.equal(activityId, 'p');
    for (const each of open()) await complete(each);
    assert.equal(engine.instance(id).actor.value, 'active', 'it waits for its modification');
  });

  it('goes on with new retries once what failed is mended', async () => {
    await halt();
    const { id: incidentId } = await failed();
    await give('four');
    await engine.run(engine.api.setJobRetries, { incidentId, retries: 1 }, supervisor);
    await engine.settle();
    assert.deepEqual(open(), ['another', 'asks', 'other', 'stopped']);
    assert.deepEqual([engine.all(incidents), engine.all(jobs)], [[], []]);
  });

  it('gives its place to another modification, which is carried out at once', async () => {
    await halt();
    await failed();
    assert.match(await refusalOf(modify(ASKS)), /^EXECUTION_FAILED/);
    await modify({ type: 'cancel', activityId: 'other' });
    assert.deepEqual(open(), ['another', 'stopped']);
    assert.deepEqual([engine.all(incidents), engine.all(jobs), engine.instance(id).incidentCount], [[], [], 0]);
    for (const each of open()) await complete(each);
    assert.equal(engine.instance(id).actor.value, 'completed');
  });

  it('is done before one that comes while it still waits, of which names are looked at when it comes', async () => {
    await halt();
    await modify({ type: 'startBeforeActivity', activityId: 'other' });
    assert.deepEqual(open(), ['another', 'other', 'stopped']);
    assert.match(
      await refusalOf(modify({ type: 'startBeforeActivity', activityId: 'othr' })),
      /^BAD_REQUEST: expected an activity of process 'p', such as 'other' as 'activityId', but found 'othr'/,
    );
    await give('four');
    await engine.settle();
    assert.deepEqual(open(), ['another', 'asks', 'other', 'other', 'stopped']);
  });

  it('does not undo what others of the instance do by jobs', async () => {
    await engine.run(
      engine.api.setProcessVariables,
      { processInstanceId: id, variables: inputs({ n: 0, most: 30 }) },
      admin,
    );
    const { message } = await failed();
    assert.match(message ?? '', /given\.length\(\)/);
    assert.deepEqual(open(), ['another', 'on', 'other']);
  });

  it('goes with its instance', async () => {
    await halt();
    await failed();
    await engine.run(engine.api.cancelProcessInstance, { id }, admin);
    assert.deepEqual([engine.all(incidents), engine.all(jobs), open()], [[], [], []]);
  });
});

it('a start whose instructions go on by jobs, and fail, has an incident, and its tasks can be completed', async () => {
  const engine = new EngineHarness({ stepsMax: 5 });
  await engine.deploy(MODEL);
  const id = await engine.run(
    engine.api.startProcess,
    {
      definitionKey: 'p',
      variables: inputs({ n: 0, most: 60 }),
      instructions: [{ type: 'startBeforeActivity', activityId: 'other' }, LONG, ASKS],
    },
    admin,
  );
  for (let n = 0; n < 3; n++) await engine.runDue(engine.now + 3_600_000);
  assert.match(engine.all(incidents)[0]?.message ?? '', /given\.length\(\)/);
  for (const elementId of ['on', 'other'])
    await engine.run(engine.api.completeTask, { taskId: engine.task(elementId).id, variables: [] }, admin);
  assert.deepEqual(engine.all(tasks), []);
  const { stored, again } = engine.replayed(id);
  assert.deepEqual(again, stored);
});
