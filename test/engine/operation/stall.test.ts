import assert from 'node:assert/strict';
import { processInstances, tasks } from '../../../src/engine/collections.js';
import { incidents, jobs, put } from '../../../src/store/index.js';
import { bpmn, element, flow, flows, timer } from '../../support/bpmn.js';
import { EngineHarness, inputs, supervisor } from '../../support/engine-harness.js';

const STEPS = 50;

/** Start, then `again`, the elements of `ids` in a row, and back to `again`. */
const loop = (ids: readonly string[], body: string, more = ''): string =>
  `${element('startEvent', 'start')}${element('exclusiveGateway', 'again')}${body}${more}` +
  flows('start', 'again', ...ids) +
  flow(ids.at(-1) ?? '', 'again');

const count = element('serviceTask', 'count', {
  'camunda:expression': `\${n + 1}`,
  'camunda:resultVariable': 'n',
});

const signals = '<bpmn:signal id="s" name="go"/><bpmn:message id="m" name="go"/>';
const broken = '<bpmn:errorEventDefinition errorRef="broken"/>';
const event = (kind: 'signal' | 'message') => `<bpmn:${kind}EventDefinition ${kind}Ref="${kind[0]}"/>`;

async function running(model: string, variables: Readonly<Record<string, unknown>> = { n: 0 }) {
  const engine = new EngineHarness({ stepsMax: 7, unwaitedStepsMax: STEPS });
  engine.handlers.register('worker', () => null);
  await engine.deploy(model);
  return { engine, id: await engine.start(variables) };
}

/** Runs whatever is due, job after job, until nothing is or it has gone round often enough. */
async function drive(engine: EngineHarness, rounds: number): Promise<boolean> {
  for (let done = 0; done < rounds; done++) {
    const next = engine.all(jobs).find((job) => job.actor.value === 'waiting' && job.dueAt <= engine.now);
    if (next === undefined) return false;
    await engine.runJob(next.id);
  }
  return true;
}

function assertStalled(engine: EngineHarness, id: string, activities: readonly string[]): void {
  const [incident] = engine.all(incidents);
  assert.ok(incident !== undefined, 'there is an incident');
  assert.equal(engine.all(incidents).length, 1);
  const { type, instanceId, activityId, message, jobId } = incident;
  assert.deepEqual({ type, instanceId }, { type: 'failedJob', instanceId: id });
  assert.ok(activities.includes(activityId ?? ''), `it stalled at '${activityId}'`);
  assert.match(message ?? '', new RegExp(`${id}.* took 5\\d steps .*'${activityId}'`));
  const job = engine.get(jobs, jobId ?? '');
  assert.deepEqual([job?.actor.value, job?.failure?.message], ['dead', message]);
  assert.equal(engine.instance(id).actor.value, 'active');
  assert.equal(engine.instance(id).incidentCount, 1);
  assert.deepEqual(engine.replayed(id).again, engine.replayed(id).stored);
}

describe('an instance that goes on and on without a wait', () => {
  it('stalls after so many steps, with an incident that says where', async () => {
    const { engine, id } = await running(bpmn(loop(['count'], count)));
    assert.equal(await drive(engine, 100), false);
    assertStalled(engine, id, ['again', 'count']);
    assert.match(engine.all(incidents)[0]?.message ?? '', / 50 steps /);
    assert.equal(engine.eventTypes.filter((type) => type === 'incident.created').length, 1);
    assert.equal(engine.all(jobs).length, 1);
  });

  it('stalls within one run, too', async () => {
    const engine = new EngineHarness({ unwaitedStepsMax: STEPS });
    await engine.deploy(bpmn(loop(['count'], count)));
    assertStalled(engine, await engine.start({ n: 0 }), ['again', 'count']);
  });

  it('stalls within a run that has also begun what waits', async () => {
    const engine = new EngineHarness({ unwaitedStepsMax: STEPS });
    const elements = element('parallelGateway', 'fork') + element('userTask', 'ask') + count;
    await engine.deploy(bpmn(loop(['fork', 'count'], elements, flows('fork', 'ask'))));
    assertStalled(engine, await engine.start({ n: 0 }), ['again', 'fork', 'count', 'ask']);
    assert.ok(engine.all(tasks).length > 0);
  });

  it('does not stall where a multi-instance begins more instances than it may take steps, but by what it does between many such', async () => {
    const many = (content: string) =>
      `<bpmn:multiInstanceLoopCharacteristics><bpmn:loopCardinality>${content}</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>`;
    const body = element('userTask', 'ask', {}, many('120')) + element('task', 'pass', {}, many('120'));
    const { engine, id } = await running(
      bpmn(`${element('startEvent', 'start')}${body}${flows('start', 'pass', 'ask')}`),
    );
    assert.equal(await drive(engine, 200), false);
    assert.deepEqual([engine.all(tasks).length, engine.all(incidents)], [120, []]);
    assert.deepEqual(engine.replayed(id).again, engine.replayed(id).stored);
    const endless = await running(bpmn(loop(['pass'], element('task', 'pass', {}, many('60')))));
    assert.equal(await drive(endless.engine, 1_000), false);
    assertStalled(endless.engine, endless.id, ['again', 'pass']);
  });

  it('takes as many steps again when its job gets new retries', async () => {
    const { engine, id } = await running(bpmn(loop(['count'], count)));
    await drive(engine, 100);
    const before = Number(engine.variables(id).n);
    const incidentId = engine.all(incidents)[0]?.id ?? '';
    await engine.run(engine.api.setJobRetries, { incidentId, retries: 1 }, supervisor);
    assert.deepEqual([engine.all(incidents), engine.instance(id).incidentCount], [[], 0]);
    assert.equal(await drive(engine, 100), false);
    assertStalled(engine, id, ['again', 'count']);
    assert.equal(Number(engine.variables(id).n) - before, STEPS / 2);
  });

  it('can be cancelled, and leaves nothing behind', async () => {
    const { engine, id } = await running(bpmn(loop(['count'], count)));
    await drive(engine, 100);
    await engine.run(engine.api.cancelProcessInstance, { id, reason: 'a loop' }, supervisor);
    assert.deepEqual([engine.all(incidents), engine.all(jobs)], [[], []]);
    assert.deepEqual([engine.instance(id).actor.value, engine.instance(id).incidentCount], ['cancelled', 0]);
  });

  it('can be suspended; retries then wait until it is active', async () => {
    const { engine, id } = await running(bpmn(loop(['count'], count)));
    await drive(engine, 100);
    await engine.run(engine.api.suspendProcessInstance, { id }, supervisor);
    const incidentId = engine.all(incidents)[0]?.id ?? '';
    await engine.run(engine.api.setJobRetries, { incidentId, retries: 1 }, supervisor);
    assert.equal(await engine.runDue(), 0);
    await engine.run(engine.api.activateProcessInstance, { id }, supervisor);
    assert.equal(await drive(engine, 100), false);
    assertStalled(engine, id, ['again', 'count']);
  });

  it('counts on where what was stored did not count yet', async () => {
    const { engine, id } = await running(bpmn(loop(['count'], count)));
    await drive(engine, 3);
    const instance = engine.instance(id);
    const tokens = instance.state.tokens.map(({ wait, ...token }) => {
      const { steps: _, ...older } = wait as { steps?: number };
      return { ...token, wait: older as never };
    });
    engine.documents.apply([put(processInstances, { ...instance, state: { ...instance.state, tokens } })]);
    assert.equal(await drive(engine, 100), false);
    assert.equal(engine.all(incidents).length, 1);
  });

  const loops: Readonly<Record<string, string>> = {
    'of asyncBefore': loop(['work'], element('task', 'work', { 'camunda:asyncBefore': 'true' })),
    'of asyncAfter': loop(['work'], element('task', 'work', { 'camunda:asyncAfter': 'true' })),
    'over a timer without duration': loop(
      ['wait'],
      element('intermediateCatchEvent', 'wait', {}, timer('duration', 'PT0S')),
    ),
    'over a timer whose date has passed': loop(
      ['wait'],
      element('intermediateCatchEvent', 'wait', {}, timer('date', '2020-01-01T00:00:00Z')),
    ),
    'through a sub-process': loop(
      ['sub'],
      element(
        'subProcess',
        'sub',
        {},
        `${element('startEvent', 'in')}${element('endEvent', 'out')}${flows('in', 'out')}`,
      ),
    ),
    'over boundary events of errors': loop(
      ['sub', 'next'],
      element(
        'subProcess',
        'sub',
        {},
        `${element('startEvent', 'in')}${element('endEvent', 'out', {}, broken)}${flows('in', 'out')}`,
      ),
      `${element('task', 'next')}${element('boundaryEvent', 'caught', { attachedToRef: 'sub' }, broken)}${flow('caught', 'next')}`,
    ),
    'over parallel branches': loop(
      ['fork', 'join'],
      `${element('parallelGateway', 'fork')}${element('parallelGateway', 'join')}`,
      `${element('task', 'work')}${flows('fork', 'work', 'join')}`,
    ),
  };
  for (const [name, body] of Object.entries(loops)) {
    it(`stalls in a loop ${name}`, async () => {
      const { engine, id } = await running(bpmn(body, { root: '<bpmn:error id="broken" errorCode="1"/>' }));
      assert.equal(await drive(engine, 200), false);
      const [incident] = engine.all(incidents);
      assertStalled(engine, id, [incident?.activityId ?? '']);
    });
  }

  for (const kind of ['signal', 'message'] as const) {
    const thrower = element('intermediateThrowEvent', 'throw', {}, event(kind));
    const catcher = element('intermediateCatchEvent', 'catch', {}, event(kind));
    it(`waits where it throws a ${kind} and then comes to wait for one`, async () => {
      const { engine, id } = await running(bpmn(loop(['throw', 'catch'], `${thrower}${catcher}`), { root: signals }));
      assert.equal(await drive(engine, 300), false);
      assert.deepEqual(engine.all(incidents), []);
      assert.equal(engine.instance(id).state.tokens[0]?.wait?.kind, 'subscription');
    });

    it(`stalls where two throw each other the ${kind} that they wait for`, async () => {
      const { engine, id } = await running(bpmn(loop(['catch', 'throw'], `${catcher}${thrower}`), { root: signals }));
      await engine.start();
      await drive(engine, 300);
      if (kind === 'signal') {
        await engine.run(engine.api.publishSignal, { signalName: 'go', processInstanceId: id }, supervisor);
      } else {
        await engine.run(engine.api.correlateMessage, { messageName: 'go', processInstanceId: id }, supervisor);
      }
      assert.equal(await drive(engine, 300), false);
      const found = engine.all(incidents);
      assert.ok(found.length > 0 && found.length <= 2);
      for (const { message } of found) assert.match(message ?? '', / took 5\d steps /);
    });

    it(`stalls where each ${kind} that it throws starts an instance that throws the next`, async () => {
      const body =
        element('startEvent', 'start') +
        element('startEvent', 'begin', {}, event(kind)) +
        element('task', 'work') +
        element('endEvent', 'end', {}, event(kind)) +
        flows('start', 'work', 'end') +
        flow('begin', 'work');
      const { engine } = await running(bpmn(body, { root: signals }));
      assert.equal(await drive(engine, 400), false);
      assert.equal(engine.all(incidents).length, 1);
    });
  }

  it('stalls although another branch waits again and again', async () => {
    const body =
      element('startEvent', 'start') +
      element('parallelGateway', 'fork') +
      element('exclusiveGateway', 'again') +
      element('task', 'work', { 'camunda:asyncBefore': 'true' }) +
      element('exclusiveGateway', 'people') +
      element('userTask', 'ask') +
      flows('start', 'fork', 'again', 'work') +
      flow('work', 'again') +
      flows('fork', 'people', 'ask') +
      flow('ask', 'people');
    const { engine, id } = await running(bpmn(body));
    for (let round = 0; round < 60 && engine.all(incidents).length === 0; round++) {
      await drive(engine, 1);
      await engine.run(engine.api.completeTask, { taskId: engine.task('ask').id }, supervisor);
    }
    assert.equal(engine.all(incidents).length, 1);
    assert.equal(engine.task('ask').instanceId, id, 'the other branch goes on');
  });
});

describe('an instance that waits again and again', () => {
  const rounds = 40;

  it('may take user tasks', async () => {
    const { engine, id } = await running(bpmn(loop(['ask'], element('userTask', 'ask'))));
    for (let round = 0; round < rounds; round++) {
      await engine.run(engine.api.completeTask, { taskId: engine.task().id }, supervisor);
    }
    assert.deepEqual(engine.all(incidents), []);
    assert.ok(!JSON.stringify(engine.instance(id).state).includes('steps'), 'nothing is counted while it waits');
  });

  it('may wait for later timers', async () => {
    const wait = element('intermediateCatchEvent', 'wait', {}, timer('duration', 'PT1S'));
    const { engine } = await running(bpmn(loop(['wait'], wait)));
    for (let round = 0; round < rounds; round++) {
      engine.now += 1_000;
      assert.equal(await drive(engine, 1), true);
    }
    assert.deepEqual(engine.all(incidents), []);
  });

  it('may call handlers', async () => {
    const call = element('serviceTask', 'call', { 'camunda:delegateExpression': `\${worker}` });
    const { engine } = await running(bpmn(loop(['call'], call)));
    assert.equal(await drive(engine, rounds), true);
    assert.deepEqual(engine.all(incidents), []);
  });

  it('may get signals and messages from outside', async () => {
    for (const kind of ['signal', 'message'] as const) {
      const catcher = element('intermediateCatchEvent', 'catch', {}, event(kind));
      const { engine, id } = await running(bpmn(loop(['catch'], catcher), { root: signals }));
      const { publishSignal, correlateMessage } = engine.api;
      for (let round = 0; round < rounds; round++) {
        engine.now += 1;
        if (kind === 'signal') await engine.run(publishSignal, { signalName: 'go' }, supervisor);
        else {
          const variables = inputs({ n: round });
          await engine.run(correlateMessage, { messageName: 'go', processInstanceId: id, variables }, supervisor);
        }
        await drive(engine, 5);
      }
      assert.deepEqual(engine.all(incidents), []);
    }
  });
});
