import assert from 'node:assert/strict';
import { processInstances } from '../../../src/engine/collections.js';
import { BpmnError } from '../../../src/engine/handlers.js';
import { incidents, jobs, put, remove } from '../../../src/store/index.js';
import { bpmn, element, flows, line, timer } from '../../support/bpmn.js';
import { admin, ann, EngineHarness, inputs, refusalOf } from '../../support/engine-harness.js';

const call = (attributes: Record<string, string> = {}, content = '') =>
  element('serviceTask', 'call', { 'camunda:delegateExpression': `\${worker}`, ...attributes }, content);
const retryCycle = (text: string) =>
  `<bpmn:extensionElements><camunda:failedJobRetryTimeCycle>${text}</camunda:failedJobRetryTimeCycle></bpmn:extensionElements>`;

type Worker = Parameters<EngineHarness['handlers']['register']>[1];

async function started(model: string, worker: Worker, options: ConstructorParameters<typeof EngineHarness>[0] = {}) {
  const engine = new EngineHarness(options);
  engine.handlers.register('worker', worker);
  await engine.deploy(model);
  return { engine, id: await engine.start({ amount: 2 }, ann, 'order-1') };
}

const failing: Worker = () => {
  throw new Error('the service is away');
};

describe('the priority of a job', () => {
  const later = (attributes: Record<string, string>) =>
    element('task', 'later', { 'camunda:asyncBefore': 'true', ...attributes });
  const begun = async (model: string) => {
    const engine = new EngineHarness();
    await engine.deploy(model);
    await engine.start({ urgency: 4 });
    return engine.job('continuation').priority;
  };
  const ofProcess = { attributes: 'camunda:jobPriority="${urgency * 10}"' };

  it('is what its element says, else what the process says, else none', async () => {
    assert.equal(await begun(bpmn(line(['later'], later({ 'camunda:jobPriority': '-7' })), ofProcess)), -7);
    assert.equal(await begun(bpmn(line(['later'], later({})), ofProcess)), 40);
    assert.equal(await begun(bpmn(line(['later'], later({})))), undefined);
  });

  it('is a whole number, or the model or its run is refused', async () => {
    assert.match(
      await refusalOf(begun(bpmn(line(['later'], later({ 'camunda:jobPriority': 'high' }))))),
      /task 'later' has 'high' as camunda:jobPriority, but expected a whole number or an expression/,
    );
    assert.match(
      await refusalOf(begun(bpmn(line(['later'], later({ 'camunda:jobPriority': '${urgency / 8}' }))))),
      /^EXECUTION_FAILED: expected a whole number as priority from '\$\{urgency \/ 8\}' of element 'later'/,
    );
  });
});

describe('a call', () => {
  it('gets its variables, and its result and what it sets go to the process', async () => {
    let seen: unknown;
    const model = bpmn(line(['call'], call({ 'camunda:resultVariable': 'answer' })));
    const { engine, id } = await started(model, async (told) => {
      const { setVariable, changeTask, ...rest } = told;
      seen = rest;
      setVariable('big', 2 ** 40);
      return [1, 2];
    });
    const { id: jobId } = engine.job('call');
    assert.equal(engine.job('call').immediate, true);
    await engine.settle();
    assert.deepEqual(seen, {
      id: jobId,
      name: 'worker',
      fields: {},
      variables: { amount: 2 },
      workspaceId: 'test',
      processInstanceId: id,
      businessKey: 'order-1',
      activityId: 'call',
      execution: null,
      task: null,
    });
    assert.deepEqual(engine.variables(id), { amount: 2, big: 2 ** 40, answer: [1, 2] });
    assert.equal(engine.instance(id).actor.value, 'completed');
    assert.deepEqual(engine.all(jobs), []);
  });

  it('may be inline: it then runs within the run', async () => {
    const engine = new EngineHarness();
    engine.handlers.register('worker', ({ variables }) => Number(variables.amount) + 1, { inline: true });
    await engine.deploy(bpmn(line(['call'], call({ 'camunda:resultVariable': 'answer' }))));
    const id = await engine.start({ amount: 2 });
    assert.equal(engine.instance(id).actor.value, 'completed');
    assert.equal(engine.variables(id).answer, 3);
    assert.deepEqual(engine.replayed(id).again, engine.replayed(id).stored);
  });

  it('is told where it runs, and as a listener of what', async () => {
    const told: unknown[] = [];
    const engine = new EngineHarness();
    engine.handlers.register(
      'audit',
      ({ processInstanceId, businessKey, activityId, execution, task, fields }) => {
        const { eventName, currentActivityName } = execution ?? {};
        told.push([processInstanceId, businessKey, activityId, eventName, currentActivityName, task?.['name'], fields]);
      },
      { inline: true },
    );
    const field = '<camunda:field name="f" stringValue="to "/>';
    const listeners = `<bpmn:extensionElements><camunda:executionListener event="start" class="audit">${field}</camunda:executionListener><camunda:taskListener event="create" class="audit"/></bpmn:extensionElements>`;
    await engine.deploy(bpmn(line(['task'], element('userTask', 'task', { name: 'Look' }, listeners))));
    const id = await engine.start({}, ann, 'order-1');
    assert.deepEqual(told, [
      [id, 'order-1', 'task', 'start', 'Look', undefined, { f: 'to ' }],
      [id, 'order-1', 'task', 'create', 'Look', 'Look', {}],
    ]);
  });

  it('that ends with a BPMN error goes to the boundary event', async () => {
    const model = bpmn(
      `<bpmn:startEvent id="start"/>${call()}<bpmn:boundaryEvent id="caught" attachedToRef="call"><bpmn:errorEventDefinition errorRef="e"/></bpmn:boundaryEvent>
      <bpmn:userTask id="mend"/><bpmn:endEvent id="end"/>${flows('start', 'call', 'end')}${flows('caught', 'mend', 'end')}`,
      { root: '<bpmn:error id="e" errorCode="broken"/>' },
    );
    const { engine } = await started(model, () => {
      throw new BpmnError('broken', 'it is');
    });
    await engine.settle();
    assert.equal(engine.task().elementId, 'mend');
  });

  it('outside of any boundary event is a failed attempt', async () => {
    const { engine } = await started(bpmn(line(['call'], call())), () => {
      throw new BpmnError('broken');
    });
    await engine.runJob(engine.job('call').id);
    assert.equal(engine.job('call').actor.context.retries, 2);
    assert.match(engine.job('call').failure?.message ?? '', /broken/);
  });

  it('to a handler that is not there any more fails', async () => {
    const engine = new EngineHarness();
    await engine.deploy(bpmn(line(['call'], call())));
    assert.match(
      await refusalOf(engine.start()),
      /^EXECUTION_FAILED: .*'worker'.*nor under any other \(MILLRACE_HANDLERS names the module/,
    );
    for (const name of ['wroker', 'other']) engine.handlers.register(name, () => null);
    assert.match(await refusalOf(engine.start()), /'worker', the nearest is 'wroker' \(MILLRACE_HANDLERS/);
  });

  it('keeps its outcome while its instance is suspended, and is not made again', async () => {
    let calls = 0;
    const { engine, id } = await started(
      bpmn(line(['call'], call({ 'camunda:resultVariable': 'answer' }))),
      () => ++calls,
    );
    const job = engine.takeJob(engine.job('call').id);
    await engine.run(engine.api.suspendProcessInstance, { id }, admin);
    await engine.performJob(job);
    assert.equal(engine.instance(id).actor.value, 'suspended');
    await engine.run(engine.api.activateProcessInstance, { id }, admin);
    await engine.settle();
    assert.equal(engine.variables(id).answer, 1);
    assert.equal(calls, 1);
  });

  it('with large variables sees them as they are when it is made', async () => {
    const seen: number[] = [];
    const large = 'x'.repeat(300_000);
    const engine = new EngineHarness();
    engine.handlers.register('worker', ({ variables }) => void seen.push(String(variables.large).length));
    await engine.deploy(bpmn(line(['call'], call())));
    await engine.start({ large });
    assert.ok(JSON.stringify(engine.job('call')).length < 2_000);
    await engine.settle();
    assert.deepEqual(seen, [300_000]);
  });

  it('whose large outcome cannot be kept while its instance is suspended is made again', async () => {
    let calls = 0;
    const model = bpmn(line(['call'], call({ 'camunda:resultVariable': 'answer' })));
    const { engine, id } = await started(model, () => `${++calls}`.repeat(300_000));
    const job = engine.takeJob(engine.job('call').id);
    await engine.run(engine.api.suspendProcessInstance, { id }, admin);
    await engine.performJob(job);
    await engine.run(engine.api.activateProcessInstance, { id }, admin);
    await engine.settle();
    assert.equal(calls, 2);
    assert.equal(String(engine.variables(id).answer).length, 300_000);
  });

  it('that comes back after its instance was cancelled counts no more', async () => {
    const { engine, id } = await started(bpmn(line(['call'], call())), () => null);
    const job = engine.takeJob(engine.job('call').id);
    await engine.run(engine.api.cancelProcessInstance, { id }, ann);
    const outcome = { jobId: job.id, attempt: 1, result: null, variables: {} };
    assert.match(await refusalOf(engine.run(engine.engine.jobs.completeCall, outcome, ann)), /^CONFLICT: expected job/);
  });

  it('has one outcome: another attempt, or a second answer, is refused', async () => {
    const { engine } = await started(bpmn(line(['call'], call())), () => null);
    const { id: jobId } = engine.takeJob(engine.job('call').id);
    const complete = (attempt: number) =>
      refusalOf(engine.run(engine.engine.jobs.completeCall, { jobId, attempt, result: null, variables: {} }, ann));
    assert.match(await complete(2), /^CONFLICT: .*attempt 2/);
    await engine.run(engine.engine.jobs.completeCall, { jobId, attempt: 1, result: null, variables: {} }, ann);
    assert.match(await complete(1), /^CONFLICT/);
  });
});

describe('a job that fails', () => {
  it('is tried three times, then is dead with an incident that its instance shows', async () => {
    const { engine, id } = await started(bpmn(line(['call'], call())), failing);
    const { id: jobId } = engine.job('call');
    for (let n = 0; n < 3; n++) await engine.runJob(jobId);
    assert.equal(engine.job('call').actor.value, 'dead');
    const [incident] = engine.all(incidents);
    assert.equal(incident?.type, 'failedJob');
    assert.equal(incident?.message, 'the service is away');
    assert.deepEqual([incident?.jobId, incident?.instanceId, incident?.activityId], [jobId, id, 'call']);
    assert.equal(engine.instance(id).incidentCount, 1);
    assert.equal(engine.eventTypes.at(-1), 'incident.created');
  });

  it('waits as its retry cycle says', async () => {
    const { engine } = await started(bpmn(line(['call'], call({}, retryCycle('R2/PT5M')))), failing);
    const { id: jobId } = engine.job('call');
    await engine.runJob(jobId);
    assert.equal(engine.job('call').dueAt, engine.now + 300_000);
    await engine.runJob(jobId);
    assert.equal(engine.job('call').actor.value, 'dead');
  });

  it('waits by how many attempts are left, also where somebody has given it others', async () => {
    const { engine } = await started(bpmn(line(['call'], call({}, retryCycle('PT3M,PT10M,PT8M')))), failing);
    const { id } = engine.job('call');
    const waits = async (times: number) => {
      const minutes: number[] = [];
      for (let n = 0; n < times; n++) {
        await engine.runJob(id);
        minutes.push((engine.job('call').dueAt - engine.now) / 60_000);
      }
      return minutes;
    };
    assert.deepEqual(await waits(2), [3, 10]);
    await engine.run(engine.api.setRetriesOfJob, { id, retries: 5 }, admin);
    assert.deepEqual(await waits(4), [3, 3, 10, 8]);
  });

  it('takes its incident along when its instance ends', async () => {
    const { engine, id } = await started(bpmn(line(['call'], call())), failing);
    for (let n = 0; n < 3; n++) await engine.runJob(engine.job('call').id);
    await engine.run(engine.api.cancelProcessInstance, { id }, ann);
    assert.deepEqual([engine.all(jobs), engine.all(incidents)], [[], []]);
    assert.equal(engine.instance(id).incidentCount, 0);
    assert.equal(engine.eventTypes.filter((type) => type === 'incident.resolved').length, 1);
  });

  it('that fails in an expression of its run changes nothing but the job', async () => {
    const model = bpmn(
      `<bpmn:startEvent id="start"/><bpmn:intermediateCatchEvent id="wait">${timer('duration', 'PT1H')}</bpmn:intermediateCatchEvent>
      <bpmn:serviceTask id="calc" camunda:expression="\${missing}"/><bpmn:endEvent id="end"/>${flows('start', 'wait', 'calc', 'end')}`,
    );
    const { engine, id } = await started(model, failing);
    const before = JSON.stringify(engine.instance(id));
    await engine.runDue(engine.now + 3_600_000);
    assert.equal(engine.job('timer').actor.value, 'dead');
    assert.equal(engine.job('timer').failure?.code, 'EXECUTION_FAILED');
    assert.equal(JSON.stringify({ ...engine.instance(id), incidentCount: 0 }), before);
    await engine.run(engine.api.setProcessVariables, { processInstanceId: id, variables: inputs({ missing: 1 }) }, ann);
    const [incident] = engine.all(incidents);
    await engine.run(engine.api.setJobRetries, { incidentId: incident?.id ?? '', retries: 1 }, admin);
    await engine.settle();
    assert.equal(engine.instance(id).actor.value, 'completed');
  });
});

describe('setJobRetries', () => {
  async function dead(worker: Worker = failing) {
    const { engine, id } = await started(bpmn(line(['call'], call())), worker);
    for (let n = 0; n < 3; n++) await engine.runJob(engine.job('call').id);
    return { engine, id, incidentId: engine.all(incidents)[0]?.id ?? '' };
  }

  it('lets a dead job run again, and resolves its incident', async () => {
    let away = true;
    const { engine, id, incidentId } = await dead(() => {
      if (away) throw new Error('away');
    });
    away = false;
    assert.equal(await engine.run(engine.api.setJobRetries, { incidentId, retries: 2 }, admin), incidentId);
    assert.deepEqual(engine.all(incidents), []);
    assert.equal(engine.instance(id).incidentCount, 0);
    assert.equal(engine.job('call').actor.context.retries, 2);
    await engine.settle();
    assert.equal(engine.instance(id).actor.value, 'completed');
  });

  it('with none leaves the job dead and its incident open', async () => {
    const { engine, id, incidentId } = await dead();
    assert.equal(await engine.run(engine.api.setJobRetries, { incidentId, retries: 0 }, admin), incidentId);
    assert.deepEqual([engine.job('call').actor.value, engine.instance(id).incidentCount], ['dead', 1]);
    assert.equal(engine.all(incidents)[0]?.id, incidentId);
  });

  it('leaves the job of a suspended instance waiting', async () => {
    const { engine, id, incidentId } = await dead();
    await engine.run(engine.api.suspendProcessInstance, { id }, admin);
    await engine.run(engine.api.setJobRetries, { incidentId, retries: 1 }, admin);
    assert.equal(engine.job('call').suspended, true);
    assert.equal(await engine.settle(), 0);
  });

  it('refuses what it cannot do', async () => {
    const { engine, id, incidentId } = await dead();
    const set = (which: string, retries: number, caller = admin) =>
      refusalOf(engine.run(engine.api.setJobRetries, { incidentId: which, retries }, caller));
    assert.match(await set(incidentId, 1, ann), /^FORBIDDEN/);
    assert.equal(
      await set(incidentId, -1),
      "BAD_REQUEST: expected a whole number from 0 to 1000 as 'retries', but found -1",
    );
    assert.equal(await set('x', 1), "BAD_REQUEST: expected an open incident with id 'x', but there is none");
    const custom = await engine.run(engine.api.createIncident, { processInstanceId: id, type: 'stuck' }, admin);
    assert.equal(
      await set(custom, 1),
      "BAD_REQUEST: expected an incident of type failedJob as 'incidentId', but found 'stuck'",
    );
    const { id: jobId } = engine.job('call');
    engine.documents.apply([remove(jobs, jobId)]);
    assert.equal(await set(incidentId, 1), `NOT_FOUND: expected a job with id '${jobId}', but there is none`);
  });
});

describe('setRetriesOfJob', () => {
  it('lets a dead job run again, and resolves its incident', async () => {
    let away = true;
    const { engine, id } = await started(bpmn(line(['call'], call())), () => {
      if (away) throw new Error('away');
    });
    for (let n = 0; n < 3; n++) await engine.runJob(engine.job('call').id);
    assert.equal(engine.instance(id).incidentCount, 1);
    away = false;
    const job = engine.job('call').id;
    assert.equal(await engine.run(engine.api.setRetriesOfJob, { id: job, retries: 2 }, admin), job);
    assert.deepEqual([engine.all(incidents), engine.instance(id).incidentCount], [[], 0]);
    await engine.settle();
    assert.equal(engine.instance(id).actor.value, 'completed');
  });

  it('with none parks a job, with one incident, until it is given some', async () => {
    const { engine, id } = await started(bpmn(line(['call'], call())), () => null);
    const job = engine.job('call').id;
    const set = (retries: number) => engine.run(engine.api.setRetriesOfJob, { id: job, retries }, admin);
    for (let n = 0; n < 2; n++) {
      await set(0);
      assert.equal(await engine.settle(), 0);
      assert.deepEqual([engine.job('call').actor.value, engine.job('call').actor.context.retries], ['dead', 0]);
      const told = engine.all(incidents).map(({ type, jobId, message }) => [type, jobId, message]);
      assert.deepEqual([told, engine.instance(id).incidentCount], [[['failedJob', job, null]], 1]);
    }
    await set(1);
    assert.deepEqual([engine.all(incidents), engine.instance(id).incidentCount], [[], 0]);
    await engine.settle();
    assert.equal(engine.instance(id).actor.value, 'completed');
  });

  it('may say when the job is due then, in the same step', async () => {
    const { engine } = await started(bpmn(line(['call'], call())), failing);
    const { id } = engine.job('call');
    const due = engine.now + 3_600_000;
    await engine.run(engine.api.setRetriesOfJob, { id, retries: 1, due }, admin);
    assert.deepEqual([engine.job('call').actor.context.retries, engine.job('call').dueAt], [1, due]);
    await engine.run(engine.api.setRetriesOfJob, { id, retries: 0, due: 5 }, admin);
    await engine.run(engine.api.setRetriesOfJob, { id, retries: 2, due: due + 1 }, admin);
    const { actor, dueAt, immediate } = engine.job('call');
    assert.deepEqual([actor.value, dueAt, immediate, engine.all(incidents)], ['waiting', due + 1, false, []]);
  });

  it('of a waiting one changes nothing else', async () => {
    const { engine } = await started(bpmn(line(['call'], call())), failing);
    const before = engine.job('call');
    await engine.run(engine.api.setRetriesOfJob, { id: before.id, retries: 7 }, admin);
    const after = engine.job('call');
    assert.deepEqual([after.actor.context.retries, after.dueAt, after.immediate], [7, before.dueAt, before.immediate]);
    await engine.runJob(before.id);
    assert.equal(engine.job('call').actor.context.retries, 6);
  });

  it('refuses what it cannot do', async () => {
    const { engine } = await started(bpmn(line(['call'], call())), failing);
    const { id } = engine.job('call');
    const set = (which: string, retries: number, caller = admin) =>
      refusalOf(engine.run(engine.api.setRetriesOfJob, { id: which, retries }, caller));
    assert.match(await set(id, 1, ann), /^FORBIDDEN/);
    assert.match(await set(id, 1_001), /^BAD_REQUEST: expected a whole number from 0 to 1000/);
    await engine.run(engine.api.setRetriesOfJob, { id, retries: 1_000 }, admin);
    assert.equal(engine.job('call').actor.context.retries, 1_000);
    assert.match(await set('x', 1), /^NOT_FOUND: expected a job/);
    engine.takeJob(id);
    assert.match(await set(id, 1), /^CONFLICT: .* but it is running/);
  });
});

describe('setJobDueDate', () => {
  const hour = bpmn(line(['wait'], element('intermediateCatchEvent', 'wait', {}, timer('duration', 'PT1H'))));

  it('lets a timer fire earlier or later', async () => {
    const { engine, id } = await started(hour, failing);
    const set = (ms: number) =>
      engine.run(engine.api.setJobDueDate, { id: engine.job('timer').id, due: engine.now + ms }, admin);
    await set(7_200_000);
    await engine.runDue(engine.now + 3_600_000);
    assert.equal(engine.instance(id).actor.value, 'active');
    await set(60_000);
    await engine.runDue(engine.now + 60_000);
    assert.equal(engine.instance(id).actor.value, 'completed');
  });

  const reminded = element(
    'boundaryEvent',
    'late',
    { attachedToRef: 'w', cancelActivity: 'false' },
    timer('cycle', 'R/PT30M'),
  );
  const cyclic = bpmn(
    line(['w'], element('userTask', 'w') + reminded + element('task', 'remind')) + flows('late', 'remind'),
  );
  const starting = bpmn(
    element('startEvent', 's', {}, timer('cycle', 'R/PT30M')) + element('task', 't') + flows('s', 't'),
  );
  for (const [what, model, type, isStarted] of [
    ['a boundary event', cyclic, 'timer', true],
    ['a start event', starting, 'timerStart', false],
  ] as const) {
    it(`moves the later times of ${what}'s cycle only where that is asked for`, async () => {
      const engine = new EngineHarness();
      await engine.deploy(model);
      if (isStarted) await engine.start({});
      const begin = engine.now;
      const minute = () => (engine.job(type).dueAt - begin) / 60_000;
      const move = (minutes: number, cascade: boolean) =>
        engine.run(
          engine.api.setJobDueDate,
          { id: engine.job(type).id, due: engine.job(type).dueAt + minutes * 60_000, cascade },
          admin,
        );
      const fire = () => engine.runDue(engine.job(type).dueAt + 5_000);
      const seen = [minute()];
      await move(-10, true);
      await move(-5, true);
      for (const step of [0, 10, 0]) {
        if (step > 0) await move(step, false);
        seen.push(minute());
        await fire();
      }
      assert.deepEqual([...seen, minute()], [30, 15, 55, 75, 105]);
    });
  }

  it('lets what is due at once wait for its time', async () => {
    const { engine } = await started(bpmn(line(['call'], call())), failing);
    for (const [ms, immediate] of [
      [0, true],
      [1, false],
    ] as const) {
      await engine.run(engine.api.setJobDueDate, { id: engine.job('call').id, due: engine.now + ms }, admin);
      assert.deepEqual([engine.job('call').immediate, engine.job('call').dueAt], [immediate, engine.now + ms]);
    }
  });

  it('refuses what it cannot do', async () => {
    const { engine } = await started(hour, failing);
    const { id } = engine.job('timer');
    const set = (which: string, caller = admin) =>
      refusalOf(engine.run(engine.api.setJobDueDate, { id: which, due: engine.now }, caller));
    assert.match(await set(id, ann), /^FORBIDDEN/);
    assert.match(await set('x'), /^NOT_FOUND: expected a job/);
    engine.takeJob(id);
    assert.match(await set(id), /^CONFLICT: expected job .* to be waiting, but it is running/);
  });
});

describe("incidents of one's own", () => {
  it('are created, annotated and resolved', async () => {
    const { engine, id } = await started(bpmn(line(['work'], element('userTask', 'work'))), failing);
    const incidentId = await engine.run(
      engine.api.createIncident,
      { processInstanceId: id, type: 'stuck', activityId: 'work', message: 'nobody there', configuration: 'c' },
      admin,
    );
    assert.equal(engine.instance(id).incidentCount, 1);
    await engine.run(engine.api.setIncidentAnnotation, { id: incidentId, annotation: 'asked Bob' }, admin);
    assert.equal(engine.get(incidents, incidentId)?.actor.context.annotation, 'asked Bob');
    await engine.run(engine.api.setIncidentAnnotation, { id: incidentId, annotation: '' }, admin);
    assert.equal(engine.get(incidents, incidentId)?.actor.context.annotation, null);
    assert.equal(await engine.run(engine.api.resolveIncident, { id: incidentId }, admin), true);
    assert.equal(engine.instance(id).incidentCount, 0);
    assert.deepEqual(engine.eventTypes.slice(-4), [
      'incident.created',
      'incident.updated',
      'incident.updated',
      'incident.resolved',
    ]);
  });

  it('are refused where they make no sense', async () => {
    const { engine, id } = await started(bpmn(line(['call'], call())), failing);
    const create = (input: { processInstanceId: string; type: string; activityId?: string }, caller = admin) =>
      refusalOf(engine.run(engine.api.createIncident, input, caller));
    assert.match(await create({ processInstanceId: id, type: 'x' }, ann), /^FORBIDDEN/);
    assert.match(await create({ processInstanceId: id, type: ' ' }), /^BAD_REQUEST: expected what kind of incident/);
    assert.match(
      await create({ processInstanceId: id, type: 'failedJob' }),
      /^BAD_REQUEST: expected a type of your own/,
    );
    assert.match(await create({ processInstanceId: 'x', type: 'x' }), /^NOT_FOUND/);
    engine.documents.apply([put(processInstances, { ...engine.instance(id), incidentCount: 1_000 })]);
    assert.match(await create({ processInstanceId: id, type: 'x' }), /^LIMIT_EXCEEDED: expected at most 1000 open/);
    engine.documents.apply([put(processInstances, { ...engine.instance(id), incidentCount: 0 })]);
    assert.match(
      await create({ processInstanceId: id, type: 'x', activityId: 'nope' }),
      /^BAD_REQUEST: expected an element of process 'p' as 'activityId', but found 'nope'/,
    );
    for (let n = 0; n < 3; n++) await engine.runJob(engine.job('call').id);
    const failed = engine.all(incidents)[0]?.id ?? '';
    const resolve = (which: string, caller = admin) =>
      refusalOf(engine.run(engine.api.resolveIncident, { id: which }, caller));
    assert.match(await resolve(failed), /^BAD_REQUEST: expected a custom incident as 'id', but found 'failedJob'/);
    assert.match(await resolve('x'), /^BAD_REQUEST: expected an open incident/);
    assert.match(await resolve(failed, ann), /^FORBIDDEN/);
    const annotate = (which: string, caller = admin) =>
      refusalOf(engine.run(engine.api.setIncidentAnnotation, { id: which }, caller));
    assert.match(await annotate('x'), /^BAD_REQUEST: expected an open incident/);
    assert.match(await annotate(failed, ann), /^FORBIDDEN/);
    await engine.run(engine.api.cancelProcessInstance, { id }, admin);
    assert.match(await create({ processInstanceId: id, type: 'x' }), /^CONFLICT: .*cancelled$/);
  });
});

describe('executeJob', () => {
  const timed = bpmn(line(['wait'], element('intermediateCatchEvent', 'wait', {}, timer('duration', 'PT1H'))));

  it('makes a timer due now', async () => {
    const { engine, id } = await started(timed, failing);
    assert.equal(await engine.run(engine.api.executeJob, { id: engine.job('timer').id }, admin), true);
    assert.equal(await engine.settle(), 1);
    assert.equal(engine.instance(id).actor.value, 'completed');
  });

  it('tries a dead job once more', async () => {
    let away = true;
    const { engine, id } = await started(bpmn(line(['call'], call())), () => {
      if (away) throw new Error('away');
    });
    const job = engine.job('call').id;
    for (let n = 0; n < 3; n++) await engine.runJob(job);
    await engine.run(engine.api.executeJob, { id: job }, admin);
    await engine.settle();
    assert.deepEqual([engine.job('call').actor.value, engine.instance(id).incidentCount], ['dead', 1]);
    assert.equal(engine.all(incidents).length, 1);
    away = false;
    await engine.run(engine.api.executeJob, { id: job }, admin);
    await engine.settle();
    assert.deepEqual([engine.all(incidents), engine.instance(id).actor.value], [[], 'completed']);
  });

  it('is for supervisors, and for jobs that wait or are dead', async () => {
    const { engine, id } = await started(timed, failing);
    const { id: jobId } = engine.job('timer');
    const execute = (which: string, caller = admin) =>
      refusalOf(engine.run(engine.api.executeJob, { id: which }, caller));
    assert.match(await execute(jobId, ann), /^FORBIDDEN/);
    assert.equal(await execute('x'), "NOT_FOUND: expected a job with id 'x', but there is none");
    await engine.run(engine.api.suspendProcessInstance, { id }, admin);
    assert.equal(await execute(jobId), `CONFLICT: expected job '${jobId}' to be waiting, but it is suspended`);
    await engine.run(engine.api.activateProcessInstance, { id }, admin);
    engine.takeJob(jobId);
    assert.equal(await execute(jobId), `CONFLICT: expected job '${jobId}' to be waiting, but it is running`);
  });
});
