import assert from 'node:assert/strict';
import { externalTasks, processInstances } from '../../../src/engine/collections.js';
import type { VariableInput } from '../../../src/engine/rule/given-value.js';
import { incidents } from '../../../src/store/index.js';
import { bpmn, element, extended, flows, line } from '../../support/bpmn.js';
import { admin, ann, EngineHarness, inputs, refusalOf } from '../../support/engine-harness.js';
import { callerNamed } from '../../support/harness.js';

const worker = callerNamed('robot', { roles: ['worker'] });
const external = (topic = 'charge', more: Record<string, string> = {}, content = '') =>
  element('serviceTask', 'charge', { 'camunda:type': 'external', 'camunda:topic': topic, ...more }, content);
const error = (content: string) =>
  `<bpmn:boundaryEvent id="caught" attachedToRef="charge"><bpmn:errorEventDefinition errorRef="declined">${content}</bpmn:errorEventDefinition></bpmn:boundaryEvent>${element('userTask', 'pay')}${flows('caught', 'pay')}`;
const root = '<bpmn:error id="declined" errorCode="DECLINED"/>';
const oneTask = bpmn(line(['charge'], external()));

/** An engine with workers on a clock of their own. */
class Workplace extends EngineHarness {
  clock = 1_000_000;

  async fetch(workerId = 'w', more: object = {}, topic: object = {}) {
    const topics = [{ topicName: 'charge', lockDurationMs: 10_000, ...topic }];
    const input = { workerId, maxTasks: 10, topics, now: this.clock, ...more };
    return this.run(this.api.fetchAndLock, input, worker);
  }

  /** Fetches the one task. */
  async lock(workerId = 'w') {
    const { locked } = await this.fetch(workerId);
    const [task] = locked;
    assert.ok(task?.lock != null && locked.length === 1, `expected one task, found ${locked.length}`);
    return { taskId: task.id, lockToken: task.lock.token };
  }

  get external() {
    const [task, more] = this.all(externalTasks);
    assert.ok(task !== undefined && more === undefined, 'expected one external task');
    return task;
  }

  complete(held: object, variables: Record<string, unknown> = {}, localVariables: VariableInput[] = []) {
    const input = { taskId: '', ...held, variables: inputs(variables), localVariables };
    return this.run(this.api.completeExternalTask, input, worker);
  }

  fail(held: object, retries: number, more: object = {}) {
    const input = { taskId: '', ...held, retries, now: this.clock, ...more };
    return this.run(this.api.failExternalTask, input, worker);
  }

  sees(id: string) {
    const { stored, again } = this.replayed(id);
    assert.deepEqual(JSON.parse(JSON.stringify(stored)), again);
  }
}

describe('an external task', () => {
  it('waits where no handler of the topic is registered, and is done by who has locked it', async () => {
    const engine = new Workplace();
    await engine.deploy(oneTask);
    const id = await engine.start({ amount: 7 }, ann, 'order-1');
    const { topic, priority, businessKey, elementId, actor } = engine.external;
    assert.deepEqual(
      [topic, priority, businessKey, elementId, actor.value],
      ['charge', 0, 'order-1', 'charge', 'open'],
    );
    const held = await engine.lock();
    assert.deepEqual([engine.external.actor.value, engine.external.lock?.until], ['locked', 1_010_000]);
    const done = await engine.complete(held, { receipt: 'r-1' });
    assert.equal(done.actor.value, 'completed');
    assert.deepEqual(engine.variables(id), { amount: 7, receipt: 'r-1' });
    assert.equal(engine.instance(id).actor.value, 'completed');
    assert.deepEqual(engine.all(externalTasks), []);
    engine.sees(id);
  });

  it('is none where a handler is registered, and stays one when that is registered later', async () => {
    const engine = new Workplace();
    await engine.deploy(oneTask);
    const id = await engine.start();
    engine.handlers.register('charge', () => 'paid');
    await engine.start();
    await engine.settle();
    assert.equal(engine.all(externalTasks).length, 1);
    await engine.complete(await engine.lock());
    assert.equal(engine.instance(id).actor.value, 'completed');
    engine.sees(id);
  });

  it('is locked, extended and unlocked without its instance', async () => {
    const engine = new Workplace();
    await engine.deploy(oneTask);
    await engine.start();
    const written = () => engine.lastDecision?.write?.map(({ collection }) => collection.name);
    const held = await engine.lock();
    assert.deepEqual(written(), ['externalTask']);
    const extend = { ...held, lockDurationMs: 60_000, now: engine.clock };
    await engine.run(engine.api.extendExternalTaskLock, extend, worker);
    assert.deepEqual(written(), ['externalTask']);
    assert.equal(engine.external.lock?.until, engine.clock + 60_000);
    await engine.run(engine.api.unlockExternalTask, held, worker);
    assert.deepEqual(written(), ['externalTask']);
    assert.deepEqual([engine.external.actor.value, engine.external.lock], ['open', null]);
    assert.equal((await engine.fetch('other')).locked.length, 1);
  });

  it('goes to another worker when its lock has ended, and the first one is refused from then on', async () => {
    const engine = new Workplace();
    await engine.deploy(oneTask);
    const id = await engine.start();
    const first = await engine.lock('first');
    const { locked, nextAt } = await engine.fetch('second');
    assert.deepEqual([locked, nextAt], [[], engine.clock + 10_000]);
    engine.clock += 10_000;
    await engine.lock('second');
    assert.equal(
      await refusalOf(engine.complete(first)),
      `CONFLICT: expected the worker that has external task '${first.taskId}' to complete it, but it is locked by worker 'second'`,
    );
    await engine.complete({ taskId: first.taskId, workerId: 'second' });
    assert.equal(engine.instance(id).actor.value, 'completed');
  });

  it('may still be ended by a worker whose lock has ended while nobody else has it, but not extended', async () => {
    const engine = new Workplace();
    await engine.deploy(oneTask);
    const id = await engine.start();
    const held = await engine.lock();
    engine.clock += 20_000;
    const extended = engine.run(
      engine.api.extendExternalTaskLock,
      { ...held, lockDurationMs: 5, now: engine.clock },
      worker,
    );
    assert.match(await refusalOf(extended), /^CONFLICT: .*its lock has ended/);
    await engine.complete(held);
    assert.equal(engine.instance(id).actor.value, 'completed');
  });

  it('is done by nobody who has not locked it', async () => {
    const engine = new Workplace();
    await engine.deploy(oneTask);
    await engine.start();
    const taskId = engine.external.id;
    assert.match(await refusalOf(engine.complete({ taskId, workerId: 'w' })), /^CONFLICT: .*but it is open/);
    await engine.lock('w');
    assert.match(await refusalOf(engine.complete({ taskId, lockToken: 'x' })), /^CONFLICT: .*locked by worker 'w'/);
    assert.match(await refusalOf(engine.complete({ taskId })), /^CONFLICT/);
    assert.match(await refusalOf(engine.complete({ taskId: 'none', workerId: 'w' })), /^NOT_FOUND/);
    const byAnn = engine.run(engine.api.completeExternalTask, { taskId, workerId: 'w' }, ann);
    assert.match(await refusalOf(byAnn), /^FORBIDDEN/);
  });

  it('may be locked by name, and again by who has it', async () => {
    const engine = new Workplace();
    await engine.deploy(oneTask);
    await engine.start();
    const taskId = engine.external.id;
    const lock = (workerId: string) =>
      engine.run(engine.api.lockExternalTask, { taskId, workerId, lockDurationMs: 10, now: engine.clock }, worker);
    const { lock: first } = await lock('a');
    assert.notEqual((await lock('a')).lock?.token, first?.token);
    assert.match(await refusalOf(lock('b')), /^CONFLICT: .*locked by worker 'a'/);
    engine.clock += 10;
    assert.equal((await lock('b')).lock?.workerId, 'b');
  });
});

describe('a failed external task', () => {
  it('is tried again after its back-off, with what is left of its retries', async () => {
    const engine = new Workplace();
    await engine.deploy(oneTask);
    await engine.start();
    const held = await engine.lock();
    await engine.fail(held, 2, { retryAfterMs: 5_000, errorMessage: 'away', errorDetails: 'at line 1' });
    const { actor, retries, errorMessage, errorDetails, lock } = engine.external;
    assert.deepEqual([actor.value, retries, errorMessage, errorDetails, lock], ['open', 2, 'away', 'at line 1', null]);
    assert.match(await refusalOf(engine.complete(held)), /^CONFLICT/);
    const { locked, nextAt } = await engine.fetch();
    assert.deepEqual([locked.length, nextAt], [0, engine.clock + 5_000]);
    engine.clock += 5_000;
    assert.equal((await engine.fetch()).locked[0]?.retries, 2);
  });

  it('opens an incident when no retries are left, which new retries end', async () => {
    const engine = new Workplace();
    await engine.deploy(oneTask);
    const id = await engine.start();
    await engine.fail(await engine.lock(), 0, { errorMessage: 'away', errorDetails: 'stack' });
    const [incident] = engine.all(incidents);
    assert.deepEqual(
      [incident?.type, incident?.message, incident?.stackTrace, incident?.activityId, incident?.configuration],
      ['failedExternalTask', 'away', 'stack', 'charge', engine.external.id],
    );
    assert.deepEqual([engine.external.actor.value, engine.instance(id).incidentCount], ['failed', 1]);
    assert.deepEqual((await engine.fetch()).locked, []);
    const resolved = engine.run(engine.api.resolveIncident, { id: incident?.id ?? '' }, admin);
    assert.match(await refusalOf(resolved), /^BAD_REQUEST/);
    const taskId = engine.external.id;
    const set = (retries: number) => engine.run(engine.api.setExternalTaskRetries, { taskId, retries }, admin);
    assert.match(await refusalOf(set(-1)), /^BAD_REQUEST/);
    await set(0);
    assert.equal(engine.all(incidents)[0]?.id, incident?.id);
    await set(3);
    assert.deepEqual([engine.all(incidents), engine.instance(id).incidentCount], [[], 0]);
    assert.equal((await engine.fetch()).locked[0]?.retries, 3);
  });

  it('is kept from workers, with an incident, when it is given no retries, unless one has it', async () => {
    const engine = new Workplace();
    await engine.deploy(oneTask);
    const id = await engine.start();
    const taskId = engine.external.id;
    const set = (retries: number) => engine.run(engine.api.setExternalTaskRetries, { taskId, retries }, admin);
    await set(0);
    assert.deepEqual([engine.external.actor.value, engine.external.retries], ['failed', 0]);
    assert.deepEqual([engine.all(incidents)[0]?.type, engine.instance(id).incidentCount], ['failedExternalTask', 1]);
    assert.deepEqual((await engine.fetch()).locked, []);
    await set(2);
    assert.deepEqual([engine.all(incidents), engine.instance(id).incidentCount], [[], 0]);
    const held = await engine.lock();
    assert.match(await refusalOf(set(0)), /^CONFLICT: expected to set the retries of external task .* it is locked$/);
    await engine.complete(held);
    assert.equal(engine.instance(id).actor.value, 'completed');
  });

  it('takes its incident along when its instance ends', async () => {
    const engine = new Workplace();
    await engine.deploy(oneTask);
    const id = await engine.start();
    await engine.fail(await engine.lock(), 0);
    await engine.run(engine.api.cancelProcessInstance, { id }, admin);
    assert.deepEqual([engine.all(incidents), engine.all(externalTasks)], [[], []]);
    assert.equal(engine.get(processInstances, id)?.incidentCount, 0);
  });

  it('sets what the worker has reported', async () => {
    const engine = new Workplace();
    await engine.deploy(oneTask);
    const id = await engine.start({ n: 1 });
    await engine.fail(await engine.lock(), 1, { variables: inputs({ n: 2 }), localVariables: inputs({ l: 3 }) });
    assert.deepEqual(engine.variables(id), { n: 2 });
    assert.equal(engine.external.actor.value, 'open');
    engine.sees(id);
    await engine.complete(await engine.lock());
    assert.equal(engine.instance(id).actor.value, 'completed');
  });

  it('keeps as much of a long report as there is room for', async () => {
    const engine = new Workplace();
    await engine.deploy(oneTask);
    await engine.start();
    await engine.fail(await engine.lock(), 1, { errorMessage: 'm\0'.repeat(9_000), errorDetails: 'd'.repeat(99_999) });
    assert.deepEqual([engine.external.errorMessage?.length, engine.external.errorDetails?.length], [4_000, 65_536]);
    assert.ok(!engine.external.errorMessage?.includes('\0'));
  });
});

describe("a worker's BPMN error", () => {
  const model = bpmn(`${line(['charge'], external())}${error('')}`, { root });

  it('goes to the boundary event that catches it', async () => {
    const engine = new Workplace();
    await engine.deploy(model);
    const id = await engine.start();
    const input = {
      ...(await engine.lock()),
      errorCode: 'DECLINED',
      errorMessage: 'no',
      variables: inputs({ why: 'x' }),
    };
    await engine.run(engine.api.externalTaskBpmnError, input, worker);
    assert.equal(engine.task().elementId, 'pay');
    assert.deepEqual([engine.variables(id), engine.all(externalTasks)], [{ why: 'x' }, []]);
    engine.sees(id);
  });

  it('is refused where nothing catches it, and the task is the worker’s as before', async () => {
    const engine = new Workplace();
    await engine.deploy(model);
    await engine.start();
    const held = await engine.lock();
    const thrown = engine.run(engine.api.externalTaskBpmnError, { ...held, errorCode: 'OTHER' }, worker);
    assert.match(await refusalOf(thrown), /^EXECUTION_FAILED: expected BPMN error 'OTHER' to be caught/);
    assert.equal(engine.external.actor.value, 'locked');
  });

  const conditional = bpmn(
    `${line(['charge'], external('charge', {}, extended('<camunda:errorEventDefinition errorRef="declined" expression="${externalTask.errorDetails == \'no funds\' || n == 2}"/>')))}${error('')}`,
    { root },
  );

  it('may be what a report is by the conditions of the model, of a failure and of work that is done', async () => {
    for (const [report, expected] of [
      [(engine: Workplace, held: object) => engine.fail(held, 3, { errorDetails: 'no funds' }), 'pay'],
      [(engine: Workplace, held: object) => engine.complete(held, { n: 2 }), 'pay'],
      [(engine: Workplace, held: object) => engine.fail(held, 3, { errorDetails: 'away' }), 'charge'],
    ] as const) {
      const engine = new Workplace();
      await engine.deploy(conditional);
      const id = await engine.start({ n: 1 });
      await report(engine, await engine.lock());
      const at = expected === 'pay' ? engine.task().elementId : engine.external.elementId;
      assert.equal(at, expected);
      engine.sees(id);
    }
  });
});

describe('a condition of an error definition that cannot be evaluated', () => {
  const definition = (expression: string) =>
    `<camunda:errorEventDefinition errorRef="declined" expression="${expression}"/>`;
  const models = (...expressions: string[]) =>
    bpmn(`${line(['charge'], external('charge', {}, extended(expressions.map(definition).join(''))))}${error('')}`, {
      root,
    });

  it('does not hinder a failure from being told of: an incident opens', async () => {
    const engine = new Workplace();
    await engine.deploy(models('${missing == 1}'));
    const id = await engine.start();
    await engine.fail(await engine.lock(), 0, { errorMessage: 'away' });
    assert.equal(engine.external.actor.value, 'failed');
    assert.equal(engine.external.errorMessage, 'away');
    engine.sees(id);
  });

  it('is passed over by a failure for the next one that holds', async () => {
    const engine = new Workplace();
    await engine.deploy(models('${missing == 1}', '${externalTask.retries == 0}'));
    await engine.start();
    await engine.fail(await engine.lock(), 0);
    assert.equal(engine.task().elementId, 'pay');
  });

  it('refuses work that is done, and leaves the task to its worker', async () => {
    const engine = new Workplace();
    await engine.deploy(models('${missing == 1}'));
    await engine.start();
    const held = await engine.lock();
    assert.match(await refusalOf(engine.complete(held)), /^EXECUTION_FAILED: .*missing/);
    assert.equal(engine.external.actor.value, 'locked');
  });
});

describe('external tasks of an instance that is left', () => {
  it('are gone when an event interrupts their activity', async () => {
    const engine = new Workplace();
    const timer = `<bpmn:boundaryEvent id="late" attachedToRef="charge"><bpmn:timerEventDefinition><bpmn:timeDuration>PT1H</bpmn:timeDuration></bpmn:timerEventDefinition></bpmn:boundaryEvent>${element('userTask', 'call')}${flows('late', 'call')}`;
    await engine.deploy(bpmn(`${line(['charge'], external())}${timer}`));
    await engine.start();
    const held = await engine.lock();
    await engine.runDue(engine.now + 3_600_000);
    assert.deepEqual(engine.all(externalTasks), []);
    assert.match(await refusalOf(engine.complete(held)), /^NOT_FOUND/);
    assert.deepEqual(
      engine.eventTypes.filter((type) => type.startsWith('externalTask')),
      ['externalTask.opened', 'externalTask.ended'],
    );
  });

  it('are not fetched, nor ended, while it is suspended, nor while all of its definition are', async () => {
    const engine = new Workplace();
    const [definition = ''] = await engine.deploy(oneTask);
    const id = await engine.start();
    const held = await engine.lock();
    await engine.run(engine.api.unlockExternalTask, held, worker);
    await engine.run(engine.api.suspendProcessInstance, { id }, admin);
    assert.deepEqual((await engine.fetch()).locked, []);
    await engine.run(engine.api.activateProcessInstance, { id }, admin);
    const again = await engine.lock();
    await engine.run(engine.api.suspendProcessDefinition, { id: definition, includeInstances: true }, admin);
    assert.match(await refusalOf(engine.complete(again)), /^CONFLICT: .*suspended/);
    engine.clock += 99_999;
    assert.deepEqual((await engine.fetch()).locked, []); // though nothing was written to it yet
    await engine.settle();
    assert.deepEqual((await engine.fetch()).locked, []);
    await engine.run(engine.api.activateProcessDefinition, { id: definition, includeInstances: true }, admin);
    await engine.settle();
    await engine.complete(await engine.lock());
    assert.equal(engine.instance(id).actor.value, 'completed');
  });
});

describe('fetching external tasks', () => {
  const prioritized = bpmn(line(['charge'], external('charge', { 'camunda:taskPriority': '${p}' })));
  const amounts = (engine: Workplace, { locked }: Awaited<ReturnType<Workplace['fetch']>>) =>
    locked.map(({ instanceId }) => engine.variables(instanceId).n);

  async function filled(): Promise<Workplace> {
    const engine = new Workplace();
    await engine.deploy(prioritized);
    for (const [n, p] of [
      [1, 5],
      [2, 9],
      [3, 5],
      [4, -1],
    ] as const) {
      engine.now += 1_000;
      await engine.start({ n, p }, ann, `order-${n}`);
    }
    return engine;
  }

  it('gives those of higher priority first, then the oldest', async () => {
    const engine = await filled();
    assert.deepEqual(amounts(engine, await engine.fetch('w', { maxTasks: 3 })), [2, 1, 3]);
    assert.deepEqual(amounts(engine, await engine.fetch()), [4]);
  });

  it('may go by age alone, and from the newest', async () => {
    assert.deepEqual(
      await filled().then(async (it) => amounts(it, await it.fetch('w', { usePriority: false }))),
      [1, 2, 3, 4],
    );
    const newest = async (usePriority: boolean) => {
      const engine = await filled();
      return amounts(engine, await engine.fetch('w', { newestFirst: true, usePriority, maxTasks: 2 }));
    };
    assert.deepEqual(await newest(false), [4, 3]);
    assert.deepEqual(await newest(true), [2, 3]);
  });

  it('mixes those whose lock has ended with those that nobody had', async () => {
    const engine = await filled();
    await engine.fetch('dead', { maxTasks: 2 });
    engine.clock += 10_000;
    assert.deepEqual(amounts(engine, await engine.fetch()), [2, 1, 3, 4]);
  });

  it('takes only what the topic asks for', async () => {
    const engine = await filled();
    const [definition] = engine.all(externalTasks).map(({ definitionId }) => definitionId);
    const none = async (topic: object) => assert.deepEqual((await engine.fetch('w', {}, topic)).locked, []);
    await none({ businessKey: 'order-9' });
    await none({ definitionKeys: ['q'] });
    await none({ definitionIds: ['p:1:x'] });
    await none({ versionTag: 'v1' });
    await none({ seen: { n: 9 } });
    await none({ topicName: 'other' });
    assert.deepEqual(amounts(engine, await engine.fetch('w', {}, { businessKey: 'order-3' })), [3]);
    assert.deepEqual(amounts(engine, await engine.fetch('w', {}, { seen: { n: 1 } })), [1]);
    const rest = await engine.fetch('w', {}, { definitionIds: [definition], definitionKeys: ['p'] });
    assert.deepEqual(amounts(engine, rest), [2, 4]);
  });

  it('looks at so many at once, and says where it goes on', async () => {
    const engine = new Workplace();
    await engine.deploy(prioritized);
    for (let n = 0; n < 1_050; n++) await engine.start({ n, p: n === 1_049 ? -1 : 0 });
    const topic = { seen: { n: 1_049 } };
    const first = await engine.fetch('w', {}, topic);
    assert.deepEqual(first.locked, []);
    assert.ok(first.from !== null);
    const second = await engine.fetch('w', { from: first.from }, topic);
    assert.deepEqual(amounts(engine, second), [1_049]);
  });

  it('reads no more than it gives, however many there are', async () => {
    const engine = new Workplace();
    await engine.deploy(oneTask);
    for (let n = 0; n < 300; n++) await engine.start();
    const { locked } = await engine.fetch('w', { maxTasks: 1 });
    assert.equal(locked.length, 1);
    assert.equal((await engine.fetch('w', { maxTasks: 299 })).locked.length, 299);
    assert.equal((await engine.fetch()).locked.length, 0);
  });

  it('says what it expects', async () => {
    const engine = new Workplace();
    const refused = async (more: object, topic: object = {}) =>
      assert.match(await refusalOf(engine.fetch('w', more, topic)), /^BAD_REQUEST: expected/);
    await refused({ workerId: '' });
    await refused({ maxTasks: 0 });
    await refused({ maxTasks: 501 });
    await refused({ topics: [] });
    await refused({}, { lockDurationMs: 0 });
    await refused({}, { topicName: '' });
    const input = { workerId: 'w', maxTasks: 1, topics: [{ topicName: 'a', lockDurationMs: 1 }], now: 0 };
    assert.match(await refusalOf(engine.run(engine.api.fetchAndLock, input, ann)), /^FORBIDDEN/);
  });
});

describe('priorities and topics of external tasks', () => {
  it('are constants or expressions; the process says a priority for all', async () => {
    const engine = new Workplace();
    const task = external('${t}', {});
    await engine.deploy(bpmn(line(['charge'], task), { attributes: 'camunda:taskPriority="7"' }));
    await engine.start({ t: 'dynamic' });
    assert.deepEqual([engine.external.topic, engine.external.priority], ['dynamic', 7]);
    assert.match(await refusalOf(engine.start({ t: null })), /^EXECUTION_FAILED: expected a topic from '\$\{t\}'/);
  });

  it('that are no whole number fail the run', async () => {
    const engine = new Workplace();
    await engine.deploy(bpmn(line(['charge'], external('charge', { 'camunda:taskPriority': '${p}' }))));
    assert.match(await refusalOf(engine.start({ p: 'abc' })), /^EXECUTION_FAILED: expected a whole number as priority/);
  });

  it('are those of send tasks, business rule tasks and message throws, too', async () => {
    const of = 'camunda:type="external" camunda:topic="charge" camunda:taskPriority="3"';
    for (const body of [
      `<bpmn:sendTask id="charge" ${of}/>`,
      `<bpmn:businessRuleTask id="charge" ${of}/>`,
      `<bpmn:intermediateThrowEvent id="charge"><bpmn:messageEventDefinition ${of}/></bpmn:intermediateThrowEvent>`,
    ]) {
      const engine = new Workplace();
      await engine.deploy(bpmn(line(['charge'], body)));
      const id = await engine.start();
      assert.equal(engine.external.priority, 3);
      await engine.complete(await engine.lock());
      assert.equal(engine.instance(id).actor.value, 'completed');
      engine.sees(id);
    }
    const end = `<bpmn:endEvent id="done"><bpmn:messageEventDefinition ${of}/></bpmn:endEvent>`;
    const engine = new Workplace();
    await engine.deploy(bpmn(`${element('startEvent', 'start')}${end}${flows('start', 'done')}`));
    const id = await engine.start();
    await engine.complete(await engine.lock());
    assert.equal(engine.instance(id).actor.value, 'completed');
  });
});
