import assert from 'node:assert/strict';
import { tasks } from '../../../src/engine/collections.js';
import { bpmn, element, extended, line } from '../../support/bpmn.js';
import { ann, EngineHarness } from '../../support/engine-harness.js';

const telling = (event: string, expression: string) =>
  `<camunda:taskListener event="${event}" expression="\${${expression}}"/>`;
const heard = ['create', 'assignment', 'update', 'complete', 'delete'].map((event) =>
  telling(event, `execution.setVariable('log', log.concat(' ').concat(task.eventName))`),
);
const completing = (event: string) => telling(event, 'task.complete()');

/** Deploys a user task with these listeners, with another one behind it, and starts it. */
async function started(listeners: string, attributes: Readonly<Record<string, string>> = {}) {
  const engine = new EngineHarness({
    evaluators: { script: () => Promise.resolve({ task: [{ method: 'complete', value: null }] }) },
  });
  const work = element('userTask', 'work', { 'camunda:assignee': 'ann', ...attributes }, extended(listeners));
  await engine.deploy(bpmn(line(['work', 'next'], work + element('userTask', 'next'))));
  const id = await engine.start({ log: '' }, ann);
  const log = () => engine.instance(id).state.scopes[0]?.variables.log?.value;
  return { engine, id, log, open: () => engine.all(tasks).map(({ elementId }) => elementId) };
}

describe('task.complete() in a listener', () => {
  it('completes a task as it is created: its other listeners to that hear of it, then those to its completion', async () => {
    const { engine, log, open } = await started(completing('create') + heard.join(''));
    assert.deepEqual([log(), open()], [' create complete', ['next']]);
    const told = engine.eventTypes.filter((type) => type.startsWith('task.'));
    assert.deepEqual(told.slice(0, 3), ['task.created', 'task.assigned', 'task.completed']);
  });

  it('completes it as it is assigned, at once or later, or changed', async () => {
    const assigned = await started(heard.join('') + completing('assignment'));
    assert.deepEqual([assigned.log(), assigned.open()], [' create assignment complete', ['next']]);
    const later = await started(heard.join('') + completing('assignment'), { 'camunda:assignee': '' });
    await later.engine.run(later.engine.api.setTaskAssignee, { taskId: later.engine.task().id, assignee: 'ann' }, ann);
    assert.deepEqual([later.log(), later.open()], [' create update assignment complete', ['next']]);
    const changed = await started(heard.join('') + completing('update'), { 'camunda:assignee': '' });
    const change = { taskId: changed.engine.task().id, assignee: 'ann', priority: 7 };
    await changed.engine.run(changed.engine.api.updateTask, change, ann);
    assert.deepEqual([changed.log(), changed.open()], [' create update complete', ['next']]);
  });

  it('completes it by a script, too', async () => {
    const script = '<camunda:script scriptFormat="javascript">task.complete()</camunda:script>';
    const { log, open } = await started(
      `<camunda:taskListener event="create">${script}</camunda:taskListener>${heard.join('')}`,
    );
    assert.deepEqual([log(), open()], [' create complete', ['next']]);
  });

  it('completes it when its time is up', async () => {
    const timeout = `<camunda:taskListener id="t" event="timeout" expression="\${task.complete()}"><bpmn:timerEventDefinition><bpmn:timeCycle>R3/PT1H</bpmn:timeCycle></bpmn:timerEventDefinition></camunda:taskListener>`;
    const { engine, log, open } = await started(heard.join('') + timeout);
    await engine.runDue(engine.now + 3_600_000);
    assert.deepEqual([log(), open()], [' create assignment complete', ['next']]);
  });

  it('gives its outputs, and is one of many instances', async () => {
    const engine = new EngineHarness();
    const outputs =
      '<camunda:inputOutput><camunda:outputParameter name="sum">${sum + 1}</camunda:outputParameter></camunda:inputOutput>';
    const loop =
      '<bpmn:multiInstanceLoopCharacteristics isSequential="true"><bpmn:loopCardinality>3</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>';
    const work = element('userTask', 'work', {}, extended(completing('create') + outputs) + loop);
    await engine.deploy(bpmn(line(['work', 'next'], work + element('userTask', 'next'))));
    const id = await engine.start({ sum: 0 }, ann);
    assert.equal(engine.instance(id).state.scopes[0]?.variables.sum?.value, 3);
    assert.equal(engine.task().elementId, 'next');
  });

  it('is refused where the task ends already', async () => {
    for (const listeners of [
      completing('create') + completing('create'),
      completing('create') + completing('complete'),
    ])
      await assert.rejects(started(listeners), { code: 'EXECUTION_FAILED', message: /task that can be completed/ });
    const { engine } = await started(completing('complete'));
    const completed = engine.run(engine.api.completeTask, { taskId: engine.task().id, variables: [] }, ann);
    await assert.rejects(completed, { code: 'EXECUTION_FAILED' });
  });
});
