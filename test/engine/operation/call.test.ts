import assert from 'node:assert/strict';
import { jobs, processInstances, tasks, textPieces } from '../../../src/engine/collections.js';
import { incidents as open } from '../../../src/store/index.js';
import { bpmn, definitions, element, extended, flow, flows, timer } from '../../support/bpmn.js';
import { admin, ann, EngineHarness, supervisor } from '../../support/engine-harness.js';

const root = '<bpmn:error id="e" errorCode="E"/><bpmn:escalation id="x" escalationCode="X"/>';
const caller = (
  attributes: Record<string, string> = {},
  mappings = '<camunda:in variables="all"/><camunda:out source="out" target="res"/>',
) =>
  bpmn(
    `${element('startEvent', 's')}${element('callActivity', 'c', { calledElement: 'q', ...attributes }, extended(mappings))}
    ${element('boundaryEvent', 'be', { attachedToRef: 'c' }, '<bpmn:errorEventDefinition errorRef="e" camunda:errorMessageVariable="why"/>')}
    ${element('boundaryEvent', 'bx', { attachedToRef: 'c', cancelActivity: 'false' }, '<bpmn:escalationEventDefinition escalationRef="x"/>')}
    ${element('userTask', 'u')}${element('userTask', 'failed')}${element('userTask', 'told')}
    ${flows('s', 'c', 'u')}${flows('be', 'failed')}${flows('bx', 'told')}`,
    { root },
  );
const called = (more = '') =>
  bpmn(
    `${element('startEvent', 'qs')}${element('userTask', 'work')}${element('serviceTask', 'set', { 'camunda:expression': "${execution.setVariable('out', 5)}" })}
    ${element('exclusiveGateway', 'g', { default: 'g-qe' })}${element('endEvent', 'qe')}
    ${element('endEvent', 'qf', {}, '<bpmn:errorEventDefinition errorRef="e"/>')}
    ${element('intermediateThrowEvent', 'qx', {}, '<bpmn:escalationEventDefinition escalationRef="x"/>')}
    ${flows('qs', 'work', 'set', 'g', 'qe')}${flow('g', 'qf', "${how == 'error'}")}${flow('g', 'qx', "${how == 'escalation'}")}${flows('qx', 'qe')}`,
    { key: 'q', root: `${root}${more}` },
  );

async function started(variables: Record<string, unknown> = {}, model = caller()) {
  const engine = new EngineHarness();
  await engine.deploy(called(), 'called');
  await engine.deploy(model, 'caller');
  const id = await engine.start(variables, ann, 'k');
  await engine.settle();
  const child = engine.all(processInstances).find(({ calledBy }) => calledBy !== null);
  return { engine, id, child: child?.id ?? '' };
}
const complete = async (engine: EngineHarness, elementId: string) => {
  await engine.run(engine.api.completeTask, { taskId: engine.task(elementId).id }, admin);
  await engine.settle();
};
const trail = (engine: EngineHarness, id: string) => engine.instance(id).state.tokens.map(({ wait }) => wait?.kind);
function replays(engine: EngineHarness) {
  for (const { id } of engine.all(processInstances)) {
    const { stored, again } = engine.replayed(id);
    assert.deepEqual(again, stored);
  }
}

describe('a called process', () => {
  it('runs as its caller’s starter, and gives back what is taken', async () => {
    const { engine, id, child } = await started({ how: 'well' });
    assert.deepEqual([engine.variables(child), engine.instance(child).startUserId], [{ how: 'well' }, 'ann']);
    assert.deepEqual(engine.instance(child).calledBy, { instanceId: id, activityId: 'c', executionId: `${id}:1` });
    assert.deepEqual(trail(engine, id), ['called']);
    await complete(engine, 'work');
    assert.equal(engine.instance(child).actor.value, 'completed');
    assert.deepEqual([engine.variables(id), engine.task('u').instanceId], [{ how: 'well', res: 5 }, id]);
    replays(engine);
  });

  it('gives its errors and escalations to its caller', async () => {
    const wrong = await started({ how: 'error' });
    await complete(wrong.engine, 'work');
    assert.deepEqual(
      [wrong.engine.instance(wrong.child).actor.value, wrong.engine.variables(wrong.id).res],
      ['failed', 5],
    );
    assert.equal(wrong.engine.task('failed').instanceId, wrong.id);
    replays(wrong.engine);
    const told = await started({ how: 'escalation' });
    await complete(told.engine, 'work');
    assert.deepEqual(
      told.engine
        .all(tasks)
        .map(({ elementId }) => elementId)
        .sort(),
      ['told', 'u'],
    );
    replays(told.engine);
  });

  it('gives with an escalation what its caller takes, caught or not, and again at its end', async () => {
    for (const code of ['X', 'other']) {
      const model = caller().replaceAll('escalationCode="X"', `escalationCode="${code}"`);
      const q = bpmn(
        `${element('startEvent', 'qs')}${element('userTask', 'work')}${element('userTask', 'more')}
        ${element('intermediateThrowEvent', 'qx', {}, '<bpmn:escalationEventDefinition escalationRef="x"/>')}
        ${flows('qs', 'work', 'qx', 'more')}`,
        { key: 'q', root },
      );
      const engine = new EngineHarness();
      await engine.deploy(q, 'called');
      await engine.deploy(model, 'caller');
      const id = await engine.start({ out: 1 }, ann);
      await engine.settle();
      await complete(engine, 'work');
      assert.equal(engine.variables(id).res, 1);
      assert.equal(engine.all(tasks).filter(({ elementId }) => elementId === 'told').length, code === 'X' ? 1 : 0);
      const [child] = engine.all(processInstances).filter(({ calledBy }) => calledBy !== null);
      const processInstanceId = child?.id ?? '';
      const changed = { processInstanceId, variables: [{ name: 'out', value: 2 }], mode: 'MERGE' } as const;
      await engine.run(engine.api.setProcessVariables, changed, admin);
      assert.equal(engine.variables(id).res, 1);
      await complete(engine, 'more');
      assert.equal(engine.variables(id).res, 2);
      replays(engine);
    }
  });

  it('is cancelled with its caller, also while that waits for its start, and while it is suspended', async () => {
    const { engine, id, child } = await started();
    await engine.run(engine.api.suspendProcessInstance, { id: child }, supervisor);
    await engine.run(engine.api.cancelProcessInstance, { id }, ann);
    await engine.settle();
    assert.deepEqual([engine.instance(child).actor.value, engine.all(tasks), engine.all(jobs)], ['cancelled', [], []]);
    assert.match(engine.instance(child).deleteReason ?? '', /cancelled by calling process instance/);
    replays(engine);
    const early = new EngineHarness();
    await early.deploy(called(), 'called');
    await early.deploy(caller(), 'caller');
    const waiting = await early.start({ large: 'x'.repeat(100_000) });
    assert.equal(early.job('startCalled').instanceId, waiting);
    await early.run(early.api.cancelProcessInstance, { id: waiting }, ann);
    await early.settle();
    assert.deepEqual([early.all(jobs), early.all(processInstances).length], [[], 1]);
    assert.deepEqual(
      early.all(textPieces).filter(({ owner }) => !owner.includes('/') && !owner.includes(':')),
      [],
    );
  });

  it('that somebody cancels makes its caller wait for an operator', async () => {
    const { engine, id, child } = await started();
    await engine.run(engine.api.cancelProcessInstance, { id: child }, ann);
    await engine.runDue();
    const [incident] = engine.all(open);
    assert.match(
      incident?.message ?? '',
      /expected the called process instance to complete of element 'c', but it was cancelled/,
    );
    assert.deepEqual([incident?.instanceId, engine.instance(id).incidentCount], [id, 1]);
    replays(engine);
  });

  it('that is not there is an incident of its caller, and starts once it is there and tried again', async () => {
    const engine = new EngineHarness();
    await engine.deploy(caller(), 'caller');
    const id = await engine.start();
    await engine.runDue();
    const [incident] = engine.all(open);
    assert.match(incident?.message ?? '', /'q'/);
    assert.deepEqual([incident?.activityId, engine.instance(id).incidentCount], ['c', 1]);
    await engine.deploy(called(), 'called');
    await engine.run(engine.api.setJobRetries, { incidentId: incident?.id ?? '', retries: 1 }, supervisor);
    await engine.runDue();
    assert.equal(engine.task('work').definitionKey, 'q');
  });

  it('that could not be started leaves no incident behind when its activity is left', async () => {
    const engine = new EngineHarness();
    const late = element('boundaryEvent', 'bt', { attachedToRef: 'c' }, timer('duration', 'PT1H'));
    await engine.deploy(
      caller().replace(
        '</bpmn:process>',
        `${late}${element('userTask', 'chase')}${flows('bt', 'chase')}</bpmn:process>`,
      ),
      'caller',
    );
    const id = await engine.start();
    await engine.runDue();
    assert.equal(engine.instance(id).incidentCount, 1);
    engine.now += 3_600_000;
    await engine.runDue();
    assert.deepEqual([engine.all(open), engine.all(jobs), engine.task().elementId], [[], [], 'chase']);
    assert.equal(engine.instance(id).incidentCount, 0);
  });

  it('waits while its caller is suspended, and so does its return', async () => {
    const engine = new EngineHarness();
    await engine.deploy(called(), 'called');
    await engine.deploy(caller(), 'caller');
    const id = await engine.start({ how: 'well' });
    await engine.run(engine.api.suspendProcessInstance, { id }, supervisor);
    await engine.settle();
    assert.equal(engine.all(processInstances).length, 1);
    await engine.run(engine.api.activateProcessInstance, { id }, supervisor);
    await engine.settle();
    await engine.run(engine.api.suspendProcessInstance, { id }, supervisor);
    await complete(engine, 'work');
    assert.deepEqual(trail(engine, id), ['called']);
    await engine.run(engine.api.activateProcessInstance, { id }, supervisor);
    await engine.settle();
    assert.equal(engine.task('u').instanceId, id);
    replays(engine);
  });

  it('is suspended with its caller, at any depth, and goes on with it', async () => {
    const engine = new EngineHarness();
    const call = (key: string, calledElement: string) =>
      bpmn(`${element('startEvent', 's')}${element('callActivity', 'c', { calledElement })}${flows('s', 'c')}`, {
        key,
      });
    await engine.deploy(called(), 'called');
    await engine.deploy(call('m', 'q'), 'mid');
    await engine.deploy(call('p', 'm'), 'top');
    const id = await engine.start({ how: 'well' });
    await engine.settle();
    const states = () =>
      engine.all(processInstances).map(({ definitionKey, actor }) => `${definitionKey} ${actor.value}`);
    await engine.run(engine.api.suspendProcessInstance, { id }, supervisor);
    await engine.settle();
    assert.deepEqual(states(), ['p suspended', 'm suspended', 'q suspended']);
    await assert.rejects(complete(engine, 'work'), /suspended/);
    await engine.run(engine.api.activateProcessInstance, { id }, supervisor);
    await engine.settle();
    assert.deepEqual(states(), ['p active', 'm active', 'q active']);
    await engine.run(
      engine.api.suspendProcessDefinition,
      { id: engine.instance(id).definitionId, includeInstances: true },
      supervisor,
    );
    await engine.settle();
    assert.deepEqual(states(), ['p suspended', 'm suspended', 'q suspended']);
    replays(engine);
  });

  it('that somebody has suspended or activated for itself stays so when its caller changes', async () => {
    const { engine, id, child } = await started({ how: 'well' });
    const change = async (what: 'suspendProcessInstance' | 'activateProcessInstance', of: string) => {
      await engine.run(engine.api[what], { id: of }, supervisor);
      await engine.settle();
      return engine.instance(child).actor.value;
    };
    assert.equal(await change('suspendProcessInstance', child), 'suspended');
    await change('suspendProcessInstance', id);
    assert.equal(await change('activateProcessInstance', id), 'suspended');
    assert.equal(await change('activateProcessInstance', child), 'active');
    assert.equal(await change('suspendProcessInstance', id), 'suspended');
    assert.equal(await change('activateProcessInstance', child), 'active');
    assert.equal(await change('activateProcessInstance', id), 'active');
    await change('suspendProcessInstance', id);
    await change('suspendProcessInstance', child);
    assert.equal(await change('activateProcessInstance', id), 'suspended');
    replays(engine);
  });

  it('is cancelled with its caller also where it is suspended before it hears of that', async () => {
    const { engine, id, child } = await started();
    await engine.run(engine.api.cancelProcessInstance, { id }, ann);
    await engine.run(engine.api.suspendProcessInstance, { id: child }, supervisor);
    await engine.settle();
    assert.equal(engine.instance(child).actor.value, 'cancelled');
  });

  it('takes and gives variables of any size', async () => {
    const large = 'x'.repeat(300_000);
    const { engine, id } = await started(
      { large, how: 'well' },
      caller({}, '<camunda:in variables="all"/><camunda:out source="large" target="back"/>'),
    );
    await complete(engine, 'work');
    assert.equal(engine.variables(id).back, large);
    replays(engine);
  });

  for (const [binding, more, version] of [
    ['latest', {}, 2],
    ['version', { 'camunda:calledElementVersion': '${v}' }, 1],
    ['versionTag', { 'camunda:calledElementVersionTag': 'first' }, 1],
  ] as const) {
    it(`is the one of the binding: ${binding}`, async () => {
      const engine = new EngineHarness();
      await engine.deploy(
        called().replace('isExecutable="true"', 'isExecutable="true" camunda:versionTag="first"'),
        'called',
      );
      await engine.deploy(called(), 'called');
      await engine.deploy(caller({ 'camunda:calledElementBinding': binding, ...more }), 'caller');
      await engine.start({ v: 1 });
      await engine.settle();
      assert.match(engine.task('work').definitionId, new RegExp(`^q:${version}:`));
    });
  }

  it('is the one of its caller’s deployment', async () => {
    const engine = new EngineHarness();
    const resources = [
      { name: 'a.bpmn', content: caller({ 'camunda:calledElementBinding': 'deployment' }) },
      { name: 'b.bpmn', content: called() },
    ];
    await engine.run(engine.api.deployProcess, { name: 'both', resources }, admin);
    await engine.deploy(called(), 'newer');
    await engine.start();
    await engine.settle();
    assert.match(engine.task('work').definitionId, /^q:1:/);
  });

  it('may be a global task, with versions as any process', async () => {
    const engine = new EngineHarness();
    const task = (tag: string) =>
      definitions(`<bpmn:globalUserTask id="approve" camunda:versionTag="${tag}" camunda:assignee="\${who}"/>`);
    await engine.deploy(task('first'), 'a');
    await engine.deploy(task('second'), 'b');
    const binding = { 'camunda:calledElementBinding': 'versionTag', 'camunda:calledElementVersionTag': 'first' };
    await engine.deploy(
      caller(
        { calledElement: 'approve', ...binding },
        '<camunda:in source="w" target="who"/><camunda:out source="ok" target="approved"/>',
      ),
    );
    const id = await engine.start({ w: 'mary' });
    await engine.settle();
    const { actor, definitionId, id: taskId } = engine.task('approve.task');
    assert.deepEqual([actor.context.assignee, definitionId.split(':').slice(0, 2)], ['mary', ['approve', '1']]);
    await engine.run(engine.api.completeTask, { taskId, variables: [{ name: 'ok', value: true }] }, admin);
    await engine.settle();
    assert.deepEqual([engine.variables(id), engine.task('u').instanceId], [{ w: 'mary', approved: true }, id]);
    replays(engine);
  });

  it('that calls itself without end stalls', async () => {
    const engine = new EngineHarness({ unwaitedStepsMax: 20 });
    await engine.deploy(
      bpmn(`${element('startEvent', 's')}${element('callActivity', 'c', { calledElement: 'p' })}${flows('s', 'c')}`),
    );
    await engine.start();
    await engine.settle();
    const count = engine.all(processInstances).length;
    assert.ok(count > 5 && count < 15, String(count));
    assert.equal(engine.all(open).length, 1);
  });
});
