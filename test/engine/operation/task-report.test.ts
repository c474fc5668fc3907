import assert from 'node:assert/strict';
import { tasks } from '../../../src/engine/collections.js';
import { bpmn, element, extended, line } from '../../support/bpmn.js';
import { ann, bob, EngineHarness, inputs, refusalOf } from '../../support/engine-harness.js';

const ROOT =
  '<bpmn:error id="e" errorCode="E"/><bpmn:escalation id="esc" escalationCode="S"/><bpmn:escalation id="over" escalationCode="T"/>';

const boundary = (id: string, definition: string, interrupting = true) =>
  `<bpmn:boundaryEvent id="${id}" attachedToRef="work" cancelActivity="${interrupting}">${definition}</bpmn:boundaryEvent>${element('userTask', `after-${id}`)}<bpmn:sequenceFlow id="f-${id}" sourceRef="${id}" targetRef="after-${id}"/>`;

/** A task of ann's, whose deletion a listener notes, with events that catch an error and escalations. */
const MODEL = bpmn(
  line(
    ['work'],
    element(
      'userTask',
      'work',
      { 'camunda:assignee': 'ann' },
      extended(
        '<camunda:taskListener event="delete" expression="${execution.setVariable(&quot;deleted&quot;, true)}"/>',
      ),
    ),
  ) +
    boundary(
      'wrong',
      '<bpmn:errorEventDefinition errorRef="e" camunda:errorCodeVariable="code" camunda:errorMessageVariable="why"/>',
    ) +
    boundary(
      'told',
      '<bpmn:escalationEventDefinition escalationRef="esc" camunda:escalationCodeVariable="code"/>',
      false,
    ) +
    boundary('ended', '<bpmn:escalationEventDefinition escalationRef="over"/>'),
  { root: ROOT },
);

async function working() {
  const engine = new EngineHarness();
  await engine.deploy(MODEL);
  const id = await engine.start({}, ann);
  const open = () =>
    engine
      .all(tasks)
      .map(({ elementId }) => elementId)
      .sort();
  const variables = () =>
    Object.fromEntries(
      Object.entries(engine.instance(id).state.scopes[0]?.variables ?? {}).map(([name, { value }]) => [name, value]),
    );
  return { engine, taskId: engine.task().id, open, variables };
}

describe('taskBpmnError', () => {
  it('ends the task, and goes on behind the event that catches it', async () => {
    const { engine, taskId, open, variables } = await working();
    const input = { taskId, errorCode: 'E', errorMessage: 'no paper', variables: inputs({ n: 1 }) };
    const task = await engine.run(engine.api.taskBpmnError, input, ann);
    assert.deepEqual([task.actor.value, task.id], ['cancelled', taskId]);
    assert.deepEqual(open(), ['after-wrong']);
    assert.deepEqual(variables(), { n: 1, code: 'E', why: 'no paper', deleted: true });
  });

  it('leaves everything as it is where nothing catches it', async () => {
    const { engine, taskId, open, variables } = await working();
    const thrown = engine.run(engine.api.taskBpmnError, { taskId, errorCode: 'X', variables: inputs({ n: 1 }) }, ann);
    assert.match(await refusalOf(thrown), /^EXECUTION_FAILED: .*BPMN error 'X' to be caught/);
    assert.deepEqual([open(), variables()], [['work'], {}]);
  });

  it('needs a code, and who may complete the task', async () => {
    const { engine, taskId } = await working();
    const refused = (errorCode: string, caller = ann) =>
      refusalOf(engine.run(engine.api.taskBpmnError, { taskId, errorCode }, caller));
    assert.match(await refused(' '), /^BAD_REQUEST: .*errorCode/);
    assert.match(await refused('E', bob), /^NOT_FOUND/);
  });
});

describe('taskEscalation', () => {
  it('lets what catches it go on beside the task, or interrupts it', async () => {
    const { engine, taskId, open, variables } = await working();
    const told = { taskId, escalationCode: 'S', variables: inputs({ n: 1 }) };
    const task = await engine.run(engine.api.taskEscalation, told, ann);
    assert.equal(task.actor.value, 'assigned');
    assert.deepEqual([open(), variables()], [['after-told', 'work'], { n: 1, code: 'S' }]);
    const ended = await engine.run(engine.api.taskEscalation, { taskId, escalationCode: 'T' }, ann);
    assert.equal(ended.actor.value, 'cancelled');
    assert.deepEqual(open(), ['after-ended', 'after-told']);
  });

  it('is refused where nothing catches it', async () => {
    const { engine, taskId, open, variables } = await working();
    const thrown = engine.run(
      engine.api.taskEscalation,
      { taskId, escalationCode: 'X', variables: inputs({ n: 1 }) },
      ann,
    );
    assert.match(await refusalOf(thrown), /^EXECUTION_FAILED: .*escalation 'X' to be caught/);
    assert.deepEqual([open(), variables()], [['work'], {}]);
  });
});
