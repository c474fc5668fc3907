import assert from 'node:assert/strict';
import {
  largeVariables,
  processInstances,
  runs,
  subscriptions,
  tasks,
  textPieces,
} from '../../../src/engine/collections.js';
import { RULES } from '../../../src/engine/element/instance-state.js';
import { rehydrate } from '../../../src/engine/run/load-instance.js';
import { jobs } from '../../../src/store/index.js';
import { bpmn, element, flow, flows, line, timer } from '../../support/bpmn.js';
import { admin, ann, bob, EngineHarness, inputs, refusalOf } from '../../support/engine-harness.js';
import { callerNamed } from '../../support/harness.js';

const userTask = bpmn(line(['work'], element('userTask', 'work')));
const timed = bpmn(line(['wait'], element('intermediateCatchEvent', 'wait', {}, timer('duration', 'PT1H'))));

async function deployed(model: string): Promise<EngineHarness> {
  const engine = new EngineHarness();
  await engine.deploy(model);
  return engine;
}

describe('startProcess', () => {
  it('runs to where every token waits, and tells of it', async () => {
    const engine = await deployed(userTask);
    const id = await engine.start({ amount: 5 }, ann, 'order-1');
    const instance = engine.instance(id);
    assert.equal(instance.actor.value, 'active');
    assert.equal(instance.startUserId, 'ann');
    assert.equal(instance.businessKey, 'order-1');
    assert.deepEqual(engine.variables(id), { amount: 5 });
    assert.deepEqual(engine.eventTypes.slice(1), ['process.started', 'task.created']);
    assert.deepEqual(Object.keys((engine.events.at(-1)?.data ?? {}) as object), ['task', 'processInstance', 'at']);
  });

  it('ends in the same command where nothing waits', async () => {
    const engine = await deployed(bpmn(line([], '')));
    const id = await engine.start();
    assert.equal(engine.instance(id).actor.value, 'completed');
    assert.deepEqual(engine.eventTypes.slice(1), ['process.started', 'process.ended']);
  });

  it('takes the newest version of a key, or the one that is named', async () => {
    const engine = await deployed(userTask);
    const [second] = await engine.deploy(userTask);
    assert.equal(engine.instance(await engine.start()).definitionId, second);
    const [first] = engine.all(processInstances);
    assert.match(first?.definitionId ?? '', /^p:2:/);
  });

  it('needs a key or an id', async () => {
    const engine = await deployed(userTask);
    assert.equal(
      await refusalOf(engine.run(engine.api.startProcess, {}, ann)),
      "BAD_REQUEST: expected 'definitionKey' or 'definitionId' to start a process, but found neither",
    );
  });

  it('knows no definition that is not deployed', async () => {
    const engine = await deployed(userTask);
    assert.equal(
      await refusalOf(engine.run(engine.api.startProcess, { definitionKey: 'q' }, ann)),
      "NOT_FOUND: expected a process definition with key 'q', but none is deployed; the nearest is 'p'",
    );
    assert.match(await refusalOf(engine.run(engine.api.startProcess, { definitionId: 'q:1:x' }, ann)), /^NOT_FOUND/);
  });

  it('does not start a suspended definition', async () => {
    const engine = await deployed(userTask);
    const [id = ''] = await engine.deploy(userTask);
    await engine.run(engine.api.suspendProcessDefinition, { id }, admin);
    assert.equal(
      await refusalOf(engine.start()),
      `CONFLICT: expected to start process definition '${id}', but it is suspended`,
    );
    await engine.run(engine.api.activateProcessDefinition, { id }, admin);
    await engine.start();
  });

  it('respects candidate starters', async () => {
    const engine = await deployed(
      bpmn(line([], ''), { attributes: 'camunda:candidateStarterUsers="ann" camunda:candidateStarterGroups="clerks"' }),
    );
    await engine.start({}, ann);
    await engine.start({}, callerNamed('carl', { groups: ['clerks'] }));
    await engine.start({}, admin);
    assert.match(await refusalOf(engine.start({}, bob)), /^FORBIDDEN: expected a candidate starter to start/);
  });

  it('is refused whole when an expression fails', async () => {
    const engine = await deployed(
      bpmn(line(['calc'], element('serviceTask', 'calc', { 'camunda:expression': `\${nothing + 1}` }))),
    );
    const before = engine.all(processInstances).length;
    assert.match(await refusalOf(engine.start()), /^EXECUTION_FAILED: expected to evaluate .*'calc'/);
    assert.equal(engine.all(processInstances).length, before);
  });
});

describe('a run whose time is up', () => {
  it('is cut, and goes on by a job', async () => {
    const engine = new EngineHarness({ runClock: () => () => true });
    const ids = Array.from({ length: 40 }, (_, n) => `t${n}`);
    await engine.deploy(bpmn(line(ids, ids.map((id) => element('task', id)).join(''))));
    const id = await engine.start();
    assert.deepEqual([engine.all(runs)[0]?.command?.steps, engine.job('continuation').activityId], [32, 't31']);
    await engine.settle();
    assert.equal(engine.instance(id).actor.value, 'completed');
    assert.deepEqual(engine.replayed(id).again, engine.replayed(id).stored);
  });
});

describe('suspending a process instance', () => {
  it('holds its tasks and timers until it is active again', async () => {
    const engine = await deployed(timed);
    const id = await engine.start();
    await engine.run(engine.api.suspendProcessInstance, { id }, admin);
    assert.equal(engine.instance(id).actor.value, 'suspended');
    assert.equal(engine.job('timer').suspended, true);
    assert.equal(await engine.runDue(engine.now + 7_200_000), 0);
    await engine.run(engine.api.activateProcessInstance, { id }, admin);
    assert.equal(await engine.runDue(), 1);
    assert.equal(engine.instance(id).actor.value, 'completed');
    assert.ok(engine.eventTypes.includes('process.suspended') && engine.eventTypes.includes('process.activated'));
  });

  it('takes variables, but not those by which a condition would let it go on', async () => {
    const condition =
      '<bpmn:conditionalEventDefinition><bpmn:condition xsi:type="bpmn:tFormalExpression">${x == 1}</bpmn:condition></bpmn:conditionalEventDefinition>';
    const wait = element('intermediateCatchEvent', 'wait', {}, condition);
    const engine = await deployed(bpmn(line(['wait'], wait)));
    const id = await engine.start();
    const set = (x: number) =>
      engine.run(engine.api.setProcessVariables, { processInstanceId: id, variables: inputs({ x }) }, admin);
    await engine.run(engine.api.suspendProcessInstance, { id }, admin);
    await set(2);
    assert.match(await refusalOf(set(1)), /^CONFLICT/);
    await engine.run(engine.api.activateProcessInstance, { id }, admin);
    await set(1);
    assert.equal(engine.instance(id).actor.value, 'completed');
  });

  it('gives a timer back that was already running, without using up a retry', async () => {
    const engine = await deployed(timed);
    const id = await engine.start();
    const job = engine.takeJob(engine.job('timer').id);
    await engine.run(engine.api.suspendProcessInstance, { id }, admin);
    await engine.performJob(job);
    assert.equal(engine.job('timer').actor.value, 'waiting');
    assert.equal(engine.job('timer').actor.context.retries, 3);
    await engine.run(engine.api.activateProcessInstance, { id }, admin);
    await engine.runJob(job.id);
    assert.equal(engine.instance(id).actor.value, 'completed');
  });

  it('answers null for an unknown one, and does nothing twice', async () => {
    const engine = await deployed(timed);
    const id = await engine.start();
    assert.equal(await engine.run(engine.api.suspendProcessInstance, { id: 'x' }, admin), null);
    assert.equal(await engine.run(engine.api.activateProcessInstance, { id: 'x' }, admin), null);
    assert.equal(await engine.run(engine.api.activateProcessInstance, { id }, admin), id);
    assert.equal(engine.eventTypes.includes('process.activated'), false);
    assert.equal(engine.instance(id).runs, 1);
  });

  it('is for supervisors, and for what runs', async () => {
    const engine = await deployed(bpmn(line([], '')));
    const id = await engine.start();
    assert.equal(
      await refusalOf(engine.run(engine.api.suspendProcessInstance, { id }, ann)),
      "FORBIDDEN: expected a caller with role administrator or supervisor to suspend process instances, but 'ann' has neither",
    );
    assert.equal(
      await refusalOf(engine.run(engine.api.suspendProcessInstance, { id }, admin)),
      `CONFLICT: expected to suspend process instance '${id}', but it is completed`,
    );
  });
});

describe('cancelProcessInstance', () => {
  it('ends it, with its tasks, jobs and subscriptions, and keeps its history', async () => {
    const engine = await deployed(
      bpmn(
        `<bpmn:startEvent id="start"/><bpmn:parallelGateway id="fork"/>
        <bpmn:userTask id="work"/><bpmn:intermediateCatchEvent id="wait">${timer('duration', 'PT1H')}</bpmn:intermediateCatchEvent>
        <bpmn:receiveTask id="hear" messageRef="m"/><bpmn:endEvent id="end"/>
        ${flows('start', 'fork', 'work', 'end')}${flows('fork', 'wait', 'end')}${flows('fork', 'hear', 'end')}`,
        { root: '<bpmn:message id="m" name="news"/>' },
      ),
    );
    const id = await engine.start();
    assert.equal(engine.all(subscriptions).length, 1);
    assert.equal(await engine.run(engine.api.cancelProcessInstance, { id, reason: 'no longer wanted' }, ann), true);
    assert.deepEqual([engine.all(tasks), engine.all(jobs), engine.all(subscriptions)], [[], [], []]);
    assert.equal(engine.instance(id).actor.value, 'cancelled');
    assert.equal(engine.instance(id).deleteReason, 'no longer wanted');
    assert.equal(engine.all(runs).length, 2);
    assert.deepEqual(engine.eventTypes.slice(-2), ['task.deleted', 'process.ended']);
  });

  it('also ends a suspended one, and deleteProcessInstance does the same', async () => {
    const engine = await deployed(userTask);
    const id = await engine.start();
    await engine.run(engine.api.suspendProcessInstance, { id }, admin);
    await engine.run(engine.api.deleteProcessInstance, { id, skipCustomListeners: true }, admin);
    assert.equal(engine.instance(id).actor.value, 'cancelled');
    assert.equal(engine.instance(id).deleteReason, 'cancelled by admin');
  });

  it('leaves nothing behind of what reached it while it was suspended', async () => {
    const signal = element('intermediateCatchEvent', 'wait', {}, '<bpmn:signalEventDefinition signalRef="go"/>');
    const engine = await deployed(bpmn(line(['wait'], signal), { root: '<bpmn:signal id="go" name="go"/>' }));
    const id = await engine.start();
    await engine.run(engine.api.publishSignal, { signalName: 'go' }, admin);
    await engine.run(engine.api.suspendProcessInstance, { id }, admin);
    await engine.settle();
    assert.equal(engine.job('delivery').suspended, true);
    await engine.run(engine.api.cancelProcessInstance, { id }, admin);
    assert.deepEqual(engine.all(jobs), []);
  });

  it('refuses strangers, unknown instances and ended ones', async () => {
    const engine = await deployed(userTask);
    const id = await engine.start();
    const cancel = (which: string, caller = admin) =>
      engine.run(engine.api.cancelProcessInstance, { id: which }, caller);
    assert.match(
      await refusalOf(cancel(id, bob)),
      /^FORBIDDEN: expected its starter, a supervisor or an administrator/,
    );
    assert.equal(
      await refusalOf(cancel('x')),
      "BAD_REQUEST: expected a running process instance with id 'x', but there is none",
    );
    await cancel(id);
    assert.equal(
      await refusalOf(cancel(id)),
      `CONFLICT: expected to cancel process instance '${id}', but it is cancelled`,
    );
  });
});

describe('setProcessVariables', () => {
  it('replaces what is there', async () => {
    const engine = await deployed(userTask);
    const id = await engine.start({ a: 1, b: 2 });
    const set = (variables: Record<string, unknown>) =>
      engine.run(engine.api.setProcessVariables, { processInstanceId: id, variables: inputs(variables) }, ann);
    await set({ b: 3, c: 4 });
    assert.deepEqual(engine.variables(id), { b: 3, c: 4 });
    await set({});
    assert.deepEqual(engine.variables(id), {});
  });

  it('merges, where that is wanted, large ones too', async () => {
    const engine = await deployed(userTask);
    const large = 'x'.repeat(5_000);
    const id = await engine.start({ a: 1, large });
    const set = (variables: Record<string, unknown>, mode?: 'MERGE' | 'REPLACE') =>
      engine.run(
        engine.api.setProcessVariables,
        { processInstanceId: id, variables: inputs(variables), ...(mode && { mode }) },
        ann,
      );
    await set({ b: 2 }, 'MERGE');
    assert.deepEqual(engine.variables(id), { a: 1, b: 2, large });
    await set({ a: 3 }, 'MERGE');
    assert.deepEqual(engine.variables(id), { a: 3, b: 2, large });
    await set({ b: 4 }, 'REPLACE');
    assert.deepEqual(engine.variables(id), { b: 4 });
    assert.deepEqual(engine.replayed(id).again, engine.replayed(id).stored);
  });

  it('refuses strangers, unknown instances and ended ones', async () => {
    const engine = await deployed(userTask);
    const id = await engine.start();
    const set = (processInstanceId: string, caller = ann) =>
      engine.run(engine.api.setProcessVariables, { processInstanceId, variables: [] }, caller);
    assert.match(await refusalOf(set(id, bob)), /^FORBIDDEN/);
    assert.match(await refusalOf(set('x')), /^NOT_FOUND: expected a process instance/);
    await engine.run(engine.api.cancelProcessInstance, { id }, ann);
    assert.equal(
      await refusalOf(set(id)),
      `CONFLICT: expected to modify process instance '${id}', but it is cancelled`,
    );
  });

  it('works while it is suspended', async () => {
    const engine = await deployed(userTask);
    const id = await engine.start();
    await engine.run(engine.api.suspendProcessInstance, { id }, admin);
    await engine.run(engine.api.setProcessVariables, { processInstanceId: id, variables: inputs({ a: 1 }) }, ann);
    assert.equal(engine.instance(id).actor.value, 'suspended');
  });
});

describe('the size of an instance', () => {
  const large = 'x'.repeat(5_000);
  const huge = 'é"'.repeat(100_000);

  it('keeps large variables in documents of their own, and gives them back', async () => {
    const engine = await deployed(userTask);
    const id = await engine.start({ small: 's', large, huge });
    assert.deepEqual(engine.variables(id), { small: 's', large, huge });
    assert.ok(JSON.stringify(engine.instance(id)).length < 2_000);
    assert.equal(engine.all(largeVariables).length, 2);
  });

  it('writes only those that changed, and removes those that went', async () => {
    const engine = await deployed(userTask);
    const id = await engine.start({ large, huge });
    await engine.run(
      engine.api.setTaskVariables,
      { taskId: engine.task().id, variables: inputs({ large: `${large}y` }) },
      ann,
    );
    const written = (engine.lastDecision?.write ?? []).filter((write) => write.collection.name === 'variable');
    assert.deepEqual(
      written.map((write) => write.id),
      [`${id}/0/large`],
    );
    await engine.run(engine.api.setProcessVariables, { processInstanceId: id, variables: [] }, ann);
    assert.deepEqual(engine.all(largeVariables), []);
    assert.deepEqual(
      engine.all(textPieces).filter((piece) => piece.owner.includes('/0/')),
      [],
    );
  });

  it('does not read large variables that nobody looks at', async () => {
    const engine = await deployed(userTask);
    const id = await engine.start({ large, huge });
    const read: string[] = [];
    const state = engine.state();
    const { state: tokens } = rehydrate(
      {
        get: (collection, of) => {
          read.push(of);
          return state.get(collection, of);
        },
      },
      engine.instance(id),
    );
    const variables = tokens.scopes[0]?.variables ?? {};
    assert.deepEqual([Object.keys(variables), read], [['large', 'huge'], []]);
    assert.deepEqual([variables.large?.value, variables.large?.type, read], [large, 'String', [`${id}/0/large`]]);
    await engine.run(engine.api.completeTask, { taskId: engine.task().id }, ann);
    const written = new Set((engine.lastDecision?.write ?? []).map((write) => write.collection.name));
    assert.deepEqual([...written].sort(), ['processInstance', 'run', 'task']);
    assert.deepEqual(engine.variables(id), { large, huge });
    assert.deepEqual(engine.replayed(id).again, JSON.parse(JSON.stringify(engine.replayed(id).stored)));
  });

  it('knows a value of another type from one of the same text', async () => {
    const engine = await deployed(userTask);
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`v${n}`, 'x'.repeat(908)]));
    const date = { name: 'when', type: 'Date', value: '2026-01-31T08:00:00.000Z' };
    const variables = [...inputs(many), date];
    const id = await engine.run(engine.api.startProcess, { definitionKey: 'p', variables }, ann);
    assert.ok(engine.get(largeVariables, `${id}/0/when`) !== undefined, 'there was no room for it');
    const text = [{ ...date, type: 'String' }];
    await engine.run(engine.api.setTaskVariables, { taskId: engine.task().id, variables: text }, ann);
    assert.equal(engine.get(largeVariables, `${id}/0/when`)?.type, 'String');
  });

  it('keeps many small ones within 16 kB', async () => {
    const engine = await deployed(userTask);
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`v${n}`, 'x'.repeat(900)]));
    const id = await engine.start(many);
    assert.deepEqual(engine.variables(id), many);
    assert.ok(JSON.stringify(engine.instance(id)).length < 22_000);
  });

  it('refuses what is beyond any measure', async () => {
    const engine = await deployed(userTask);
    assert.match(
      await refusalOf(engine.start({ big: 'x'.repeat(4_000_001) })),
      /^LIMIT_EXCEEDED: expected at most 4000000/,
    );
  });
});

describe('a long run', () => {
  const loop = bpmn(
    `<bpmn:startEvent id="start"/><bpmn:exclusiveGateway id="again" default="again-end"/>
    <bpmn:serviceTask id="count" camunda:expression="\${n + 1}" camunda:resultVariable="n"/><bpmn:endEvent id="end"/>
    ${flow('start', 'again')}${flow('again', 'count', `\${n < 100}`)}${flow('count', 'again')}${flow('again', 'end')}`,
  );

  it('is cut by a continuation, and comes to the same end', async () => {
    const engine = new EngineHarness({ stepsMax: 30 });
    await engine.deploy(loop);
    const id = await engine.start({ n: 0 });
    assert.equal(engine.instance(id).actor.value, 'active');
    assert.ok((await engine.settle()) > 3);
    assert.equal(engine.instance(id).actor.value, 'completed');
    assert.equal(engine.variables(id).n, 100);
    assert.deepEqual(engine.replayed(id).again, engine.replayed(id).stored);
  });
});

describe('kept commands', () => {
  it('give the stored state when they are replayed', async () => {
    const engine = await deployed(
      bpmn(
        `<bpmn:startEvent id="start" camunda:initiator="who"/>
        <bpmn:userTask id="work"><bpmn:extensionElements><camunda:taskListener event="assignment" expression="\${execution.setVariable('seen', task.assignee)}"/></bpmn:extensionElements></bpmn:userTask>
        <bpmn:serviceTask id="call" camunda:delegateExpression="\${worker}" camunda:resultVariable="answer"/>
        <bpmn:userTask id="rest"/><bpmn:endEvent id="end"/>${flows('start', 'work', 'call', 'rest', 'end')}`,
      ),
    );
    engine.handlers.register('worker', ({ variables, setVariable }) => {
      setVariable('doubled', Number(variables.amount) * 2);
      return { done: true };
    });
    const id = await engine.start({ amount: 4, text: 'x'.repeat(3_000) });
    await engine.run(engine.api.claimTask, { taskId: engine.task().id }, bob);
    await engine.run(
      engine.api.setTaskVariables,
      { taskId: engine.task().id, variables: inputs({ z: 1 }), local: true },
      bob,
    );
    await engine.run(engine.api.suspendProcessInstance, { id }, admin);
    await engine.run(engine.api.activateProcessInstance, { id }, admin);
    await engine.run(engine.api.completeTask, { taskId: engine.task().id, variables: inputs({ ok: true }) }, bob);
    await engine.settle();
    assert.equal(engine.task().elementId, 'rest');
    assert.deepEqual(engine.variables(id).answer, { done: true });
    assert.equal(engine.variables(id).doubled, 8);
    assert.equal(engine.variables(id).seen, 'bob');
    assert.equal(engine.variables(id).who, 'ann');
    const { stored, again } = engine.replayed(id);
    assert.deepEqual(again, stored);
    assert.deepEqual(
      engine.all(runs).map(({ n, type }) => [n, type]),
      [
        [1, 'startProcess'],
        [2, 'claimTask'],
        [3, 'setTaskVariables'],
        [4, 'suspendProcessInstance'],
        [5, 'activateProcessInstance'],
        [6, 'completeTask'],
        [7, 'completeCall'],
      ],
    );
  });

  it('hold no more than a replay needs', async () => {
    const engine = await deployed(userTask);
    await engine.start();
    const [run] = engine.all(runs);
    assert.deepEqual(run?.command, {
      input: { type: 'start', element: null, variables: {} },
      seed: run?.command?.seed,
      rules: RULES,
      steps: 2,
    });
  });

  it('do not hold what scripts saw, but what they did', async () => {
    const engine = new EngineHarness({ evaluators: { script: () => ({ variables: { done: true } }) } });
    const script = (id: string) =>
      element('scriptTask', id, { scriptFormat: 'javascript' }, '<bpmn:script>done = seen !== null</bpmn:script>');
    await engine.deploy(bpmn(line(['a', 'b'], script('a') + script('b'))));
    const id = await engine.start({ seen: 'x'.repeat(20_000) });
    const [run] = engine.all(runs);
    assert.equal(run?.command?.answers?.length, 2);
    assert.ok(JSON.stringify(run.command.answers).length < 500);
    assert.deepEqual(engine.replayed(id).again, JSON.parse(JSON.stringify(engine.replayed(id).stored)));
  });

  it('keep large input apart', async () => {
    const engine = await deployed(userTask);
    const id = await engine.start({ huge: 'x'.repeat(300_000) });
    assert.equal(engine.all(runs)[0]?.command, null);
    assert.deepEqual(engine.replayed(id).again, engine.replayed(id).stored);
  });
});
