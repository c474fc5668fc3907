import assert from 'node:assert/strict';
import { jobs, processDefinitions, type Task, tasks } from '../../../src/engine/collections.js';
import { Changes } from '../../../src/engine/run/changes.js';
import { counted, countIncidents, presentInstance } from '../../../src/engine/run/instance-changes.js';
import { presentTask } from '../../../src/engine/run/present.js';
import { incidents, remove } from '../../../src/store/index.js';
import { bpmn, element, flows, line, timer } from '../../support/bpmn.js';
import { admin, ann, EngineHarness } from '../../support/engine-harness.js';

const userTask = bpmn(line(['work'], element('userTask', 'work')));

async function waiting(model = userTask) {
  const engine = new EngineHarness();
  engine.handlers.register('worker', () => {
    throw new Error('the service is away');
  });
  const [definition = ''] = await engine.deploy(model);
  return { engine, definition, id: await engine.start() };
}

describe('a sweep over the instances of a definition', () => {
  it('counts for each of them, and for its tasks, before it is written to them', async () => {
    const { engine, definition, id } = await waiting();
    const present = () => {
      const state = engine.state();
      return [presentInstance(state, id)?.actor.value, presentTask(state, engine.task())?.suspended];
    };
    assert.deepEqual(present(), ['active', false]);
    await engine.run(engine.api.suspendProcessDefinition, { id: definition, includeInstances: true }, admin);
    assert.deepEqual([engine.instance(id).actor.value, engine.task().suspended], ['active', false]);
    assert.deepEqual(present(), ['suspended', true]);
    await engine.settle();
    assert.deepEqual([engine.instance(id).actor.value, engine.task().suspended], ['suspended', true]);
    await engine.run(engine.api.activateProcessDefinition, { id: definition, includeInstances: true }, admin);
    assert.deepEqual(present(), ['active', false]);
  });

  it('is given up for a newer one, and where its definition is gone', async () => {
    const { engine, definition, id } = await waiting();
    const order = (suspend: boolean) =>
      engine.run(
        suspend ? engine.api.suspendProcessDefinition : engine.api.activateProcessDefinition,
        { id: definition, includeInstances: true },
        admin,
      );
    await order(true);
    const { id: older } = engine.job('sweep');
    await order(false);
    await engine.runJob(older);
    assert.deepEqual(
      engine.all(jobs).map(({ type }) => type),
      ['sweep'],
      'it has reached no instance',
    );
    engine.documents.apply([remove(processDefinitions, definition)]);
    await engine.runJob(engine.job('sweep').id);
    assert.deepEqual([engine.all(jobs), engine.instance(id).actor.value], [[], 'active']);
  });

  it('leaves alone what was decided for one of them since, and what has ended', async () => {
    const { engine, definition, id } = await waiting();
    const ended = await engine.start();
    await engine.run(engine.api.cancelProcessInstance, { id: ended }, admin);
    await engine.run(engine.api.suspendProcessDefinition, { id: definition, includeInstances: true }, admin);
    await engine.run(engine.api.activateProcessInstance, { id }, admin);
    assert.equal(presentInstance(engine.state(), id)?.actor.value, 'active');
    assert.equal(presentInstance(engine.state(), ended)?.actor.value, 'cancelled');
    assert.equal(presentInstance(engine.state(), 'nobody'), undefined);
  });

  it('says nothing of a task whose instance or definition is gone', async () => {
    const { engine, definition } = await waiting();
    await engine.run(engine.api.suspendProcessDefinition, { id: definition, includeInstances: true }, admin);
    const alone: Task = { ...engine.task(), instanceId: 'gone' };
    assert.equal(presentTask(engine.state(), alone), alone);
    const lost: Task = { ...engine.task(), definitionId: 'gone' };
    assert.equal(presentTask(engine.state(), lost), lost);
    assert.notEqual(engine.get(processDefinitions, definition)?.sweep, null);
  });
});

describe('what hangs on an instance', () => {
  it('is suspended with it and goes on with it: tasks, and jobs that do not run', async () => {
    const body =
      '<bpmn:startEvent id="start"/><bpmn:parallelGateway id="fork"/>' +
      `${element('userTask', 'work')}<bpmn:intermediateCatchEvent id="one">${timer('duration', 'PT1H')}</bpmn:intermediateCatchEvent>` +
      `<bpmn:intermediateCatchEvent id="two">${timer('duration', 'PT2H')}</bpmn:intermediateCatchEvent>` +
      `${flows('start', 'fork', 'work')}${flows('fork', 'one')}${flows('fork', 'two')}`;
    const { engine, id } = await waiting(bpmn(body));
    const other = await engine.start();
    const [running] = engine.all(jobs).filter(({ instanceId }) => instanceId === id);
    engine.takeJob(running?.id ?? '');
    const held = (instance: string) => [
      ...engine.all(tasks).flatMap(({ instanceId, suspended }) => (instanceId === instance ? [suspended] : [])),
      ...engine.all(jobs).flatMap(({ instanceId, suspended }) => (instanceId === instance ? [suspended] : [])),
    ];
    await engine.run(engine.api.suspendProcessInstance, { id }, admin);
    assert.deepEqual(
      [held(id), held(other)],
      [
        [true, false, true],
        [false, false, false],
      ],
    );
    await engine.run(engine.api.activateProcessInstance, { id }, admin);
    assert.deepEqual(
      [held(id), held(other)],
      [
        [false, false, false],
        [false, false, false],
      ],
    );
  });

  it('ends with it: incidents, and the dead jobs behind them alone', async () => {
    const call = element('serviceTask', 'call', { 'camunda:delegateExpression': `\${worker}` });
    const { engine, id } = await waiting(bpmn(line(['call'], call)));
    const other = await engine.start();
    await engine.run(engine.api.createIncident, { processInstanceId: id, type: 'stuck' }, admin);
    for (let attempt = 0; attempt < 3; attempt++) await engine.runDue(engine.now + 3_600_000);
    const dead = () =>
      engine.all(jobs).flatMap(({ actor, instanceId }) => (actor.value === 'dead' ? [instanceId] : []));
    assert.deepEqual([dead().sort(), engine.instance(id).incidentCount], [[id, other].sort(), 2]);
    await engine.run(engine.api.cancelProcessInstance, { id }, ann);
    assert.deepEqual(dead(), [other]);
    assert.deepEqual(
      engine.all(incidents).map(({ instanceId }) => instanceId),
      [other],
    );
    assert.deepEqual([engine.instance(id).incidentCount, engine.instance(other).incidentCount], [0, 1]);
  });

  it('ends with it: a dead job that brings a signal, for which no token waits', async () => {
    const root = '<bpmn:signal id="s" name="alarm"/>';
    const hear =
      '<bpmn:intermediateCatchEvent id="hear"><bpmn:signalEventDefinition signalRef="s"/></bpmn:intermediateCatchEvent>' +
      element('serviceTask', 'fail', { 'camunda:expression': `\${unknown}` });
    const { engine, id } = await waiting(bpmn(line(['hear', 'fail'], hear), { root }));
    await engine.run(engine.api.publishSignal, { signalName: 'alarm', variables: [] }, ann);
    for (let attempt = 0; attempt < 3; attempt++) await engine.runDue(engine.now + 3_600_000);
    assert.equal(engine.job('delivery').actor.value, 'dead');
    assert.equal(engine.instance(id).incidentCount, 1);
    await engine.run(engine.api.cancelProcessInstance, { id }, ann);
    assert.deepEqual([engine.all(jobs), engine.all(incidents)], [[], []]);
  });

  it('is counted, and never less than nothing', async () => {
    const { engine, id } = await waiting();
    const instance = engine.instance(id);
    assert.equal(counted(instance, 0), instance);
    assert.equal(counted(instance, 2).incidentCount, 2);
    assert.equal(counted(counted(instance, 2), -1).incidentCount, 1);
    assert.equal(counted(instance, -1).incidentCount, 0);
    const writes = (of: string | null) => {
      const changes = new Changes();
      countIncidents(changes, engine.state(), of, 1);
      return changes.size;
    };
    assert.deepEqual([writes(id), writes(null), writes('nobody')], [1, 0, 0]);
  });
});
