import assert from 'node:assert/strict';
import { processDefinitions, processInstances, runs, subscriptions } from '../../../src/engine/collections.js';
import { RULES } from '../../../src/engine/element/instance-state.js';
import { incidents, jobs, put, remove } from '../../../src/store/index.js';
import { bpmn, element, extended, flow, flows, line } from '../../support/bpmn.js';
import { admin, ann, EngineHarness, inputs, refusalOf } from '../../support/engine-harness.js';

const message = '<bpmn:message id="m" name="paid"/>';
const signal = '<bpmn:signal id="s" name="alarm"/>';
const hears = (key = 'p') =>
  bpmn(line(['hear'], element('receiveTask', 'hear', { messageRef: 'm' })), { key, root: message });
const alarmed = (key = 'p') =>
  bpmn(
    line(
      ['hear'],
      '<bpmn:intermediateCatchEvent id="hear"><bpmn:signalEventDefinition signalRef="s"/></bpmn:intermediateCatchEvent>',
    ),
    { key, root: signal },
  );
const throws = (event: string, root: string) =>
  bpmn(`<bpmn:startEvent id="start"/><bpmn:endEvent id="end">${event}</bpmn:endEvent>${flows('start', 'end')}`, {
    key: 'thrower',
    root,
  });
const startedBySignal = bpmn(
  `<bpmn:startEvent id="start"><bpmn:signalEventDefinition signalRef="s"/></bpmn:startEvent>${element('userTask', 'work')}<bpmn:endEvent id="end"/>${flows('start', 'work', 'end')}`,
  { key: 'q', root: signal },
);

async function deployed(...models: string[]): Promise<EngineHarness> {
  const engine = new EngineHarness();
  for (const [index, model] of models.entries()) await engine.deploy(model, `m${index}`);
  return engine;
}

describe('correlateMessage', () => {
  const correlate = (
    engine: EngineHarness,
    input: { businessKey?: string; processInstanceId?: string; messageName?: string } = {},
  ) => engine.run(engine.api.correlateMessage, { messageName: 'paid', variables: inputs({ sum: 7 }), ...input }, ann);

  it('moves the one instance that waits for it', async () => {
    const engine = await deployed(hears());
    const id = await engine.start();
    assert.equal(await correlate(engine), id);
    assert.equal(engine.instance(id).actor.value, 'completed');
    assert.equal(engine.variables(id).sum, 7);
    assert.deepEqual(engine.all(subscriptions), []);
  });

  it('finds it by its business key, or by its id', async () => {
    const engine = await deployed(hears());
    const [one, two, three] = [
      await engine.start({}, ann, 'a'),
      await engine.start({}, ann, 'b'),
      await engine.start({}, ann, 'b'),
    ];
    assert.equal(await correlate(engine, { businessKey: 'a' }), one);
    assert.equal(await correlate(engine, { processInstanceId: three }), three);
    assert.equal(await correlate(engine), two);
  });

  it('refuses to choose among several', async () => {
    const engine = await deployed(hears());
    for (let n = 0; n < 3; n++) await engine.start({}, ann, 'a');
    assert.equal(
      await refusalOf(correlate(engine, { businessKey: 'a' })),
      "CONFLICT: expected exactly one receiver of message 'paid' with business key 'a', but 3 wait for it",
    );
    for (let n = 0; n < 200; n++) await engine.start({}, ann, 'a');
    assert.match(await refusalOf(correlate(engine)), /^CONFLICT: .* but more than 200 wait for it$/);
  });

  it('says so where the instance that waits for it is not there', async () => {
    const engine = await deployed(hears());
    const id = await engine.start();
    engine.documents.apply([remove(processInstances, id)]);
    assert.equal(
      await refusalOf(correlate(engine)),
      `NOT_FOUND: expected a process instance with id '${id}', but there is none`,
    );
  });

  it('says that nothing waits', async () => {
    const engine = await deployed(hears());
    const id = await engine.start({}, ann, 'a');
    assert.equal(
      await refusalOf(correlate(engine, { messageName: 'sent' })),
      "NOT_FOUND: expected exactly one receiver of message 'sent', but nothing waits for it",
    );
    assert.match(await refusalOf(correlate(engine, { businessKey: 'b' })), /^NOT_FOUND: .* with business key 'b', but/);
    assert.match(
      await refusalOf(correlate(engine, { processInstanceId: `${id}x` })),
      /^NOT_FOUND: .* in process instance/,
    );
    assert.match(
      await refusalOf(correlate(engine, { messageName: '' })),
      /^BAD_REQUEST: expected the name of a message/,
    );
  });

  it('is refused while the receiver is suspended, before anything of it runs', async () => {
    const failing = element('serviceTask', 'fail', { 'camunda:expression': `\${unknown}` });
    const hear = element('receiveTask', 'hear', { messageRef: 'm' });
    const engine = await deployed(bpmn(line(['hear', 'fail'], hear + failing), { root: message }));
    const id = await engine.start();
    await engine.run(engine.api.suspendProcessInstance, { id }, admin);
    assert.equal(
      await refusalOf(correlate(engine)),
      `CONFLICT: expected to continue process instance '${id}', but it is suspended`,
    );
  });
});

describe('a signal that a process throws with variables', () => {
  it('gives them to who waits, and with a business key to who starts by it', async () => {
    const given =
      '<camunda:in variables="all"/><camunda:in sourceExpression="${sum + 1}" target="more"/><camunda:in businessKey="${key}"/>';
    const event = `<bpmn:signalEventDefinition signalRef="s">${extended(given)}</bpmn:signalEventDefinition>`;
    const engine = await deployed(alarmed(), startedBySignal, throws(event, signal));
    const waiting = await engine.start({ sum: 1 });
    const variables = inputs({ sum: 7, key: 'K' });
    await engine.run(engine.api.startProcess, { definitionKey: 'thrower', variables }, ann);
    await engine.runDue();
    assert.deepEqual(engine.variables(waiting), { sum: 7, key: 'K', more: 8 });
    const started = engine.all(processInstances).find(({ definitionKey }) => definitionKey === 'q');
    assert.ok(started !== undefined);
    assert.deepEqual([started.businessKey, engine.variables(started.id)], ['K', { sum: 7, key: 'K', more: 8 }]);
  });
});

describe('startProcess of a process without a none start event', () => {
  const root = '<bpmn:message id="m" name="order"/><bpmn:message id="n" name="offer"/>';
  const on = (id: string, definition: string) => `<bpmn:startEvent id="${id}">${definition}</bpmn:startEvent>`;
  const byMessage = (id: string, message: string) => on(id, `<bpmn:messageEventDefinition messageRef="${message}"/>`);
  const byTimer = on(
    't',
    '<bpmn:timerEventDefinition><bpmn:timeCycle>R/P1D</bpmn:timeCycle></bpmn:timerEventDefinition>',
  );
  const begun = async (body: string) => {
    const engine = new EngineHarness();
    await engine.deploy(bpmn(body, { root }));
    return engine;
  };

  it('begins at its only start event, whatever that waits for', async () => {
    const engine = await begun(byMessage('s', 'm') + element('userTask', 'work') + flow('s', 'work'));
    await engine.start();
    assert.equal(engine.task().elementId, 'work');
  });

  it('begins at its timer where it has one beside others', async () => {
    const tasks = element('userTask', 'timed') + element('userTask', 'told');
    const engine = await begun(byMessage('s', 'm') + byTimer + tasks + flow('t', 'timed') + flow('s', 'told'));
    await engine.start();
    assert.equal(engine.task().elementId, 'timed');
  });

  it('is refused where there are several, and tells so', async () => {
    const engine = await begun(byMessage('s', 'm') + byMessage('u', 'n'));
    assert.match(
      await refusalOf(engine.start()),
      /^BAD_REQUEST: expected 'p' to have a none start event, or no more than one of another kind, but it has 2/,
    );
  });
});

describe('publishSignal', () => {
  const publish = (
    engine: EngineHarness,
    input: { processInstanceId?: string; executionId?: string; signalName?: string } = {},
  ) => engine.run(engine.api.publishSignal, { signalName: 'alarm', variables: inputs({ level: 2 }), ...input }, ann);

  it('reaches all that wait, and starts those that it starts', async () => {
    const engine = await deployed(alarmed(), startedBySignal);
    const waiting = [await engine.start(), await engine.start()];
    const { receivers, hasMore } = await publish(engine);
    assert.deepEqual([receivers.length, hasMore], [3, false]);
    assert.deepEqual(
      waiting.map((id) => engine.instance(id).actor.value),
      ['active', 'active'],
    );
    await engine.settle();
    assert.deepEqual(
      waiting.map((id) => engine.instance(id).actor.value),
      ['completed', 'completed'],
    );
    assert.deepEqual(
      waiting.map((id) => engine.variables(id).level),
      [2, 2],
    );
    assert.equal(engine.task().definitionKey, 'q');
    assert.deepEqual(engine.all(jobs), []);
  });

  it('reaches one instance alone when that is named', async () => {
    const engine = await deployed(alarmed(), startedBySignal);
    const [one, two] = [await engine.start(), await engine.start()];
    await publish(engine, { processInstanceId: one });
    await engine.settle();
    assert.deepEqual(
      [one, two].map((id) => engine.instance(id).actor.value),
      ['completed', 'active'],
    );
    assert.equal(engine.all(processInstances).length, 2);
    assert.equal((await publish(engine, { processInstanceId: one })).receivers.length, 0);
    assert.match(await refusalOf(publish(engine, { processInstanceId: 'x' })), /^NOT_FOUND: .* with id 'x', but there/);
  });

  it('reaches one execution alone when that is named', async () => {
    const hear = (id: string) =>
      element('intermediateCatchEvent', id, {}, '<bpmn:signalEventDefinition signalRef="s"/>');
    const twice = bpmn(
      element('startEvent', 'start') +
        element('parallelGateway', 'fork') +
        hear('one') +
        hear('two') +
        flows('start', 'fork', 'one') +
        flows('fork', 'two'),
      { root: signal },
    );
    const engine = await deployed(twice);
    const id = await engine.start();
    const [one, two] = engine.all(subscriptions);
    const { receivers } = await publish(engine, { executionId: two?.executionId ?? '' });
    assert.deepEqual(
      receivers.map(({ elementId }) => elementId),
      [two?.elementId],
    );
    await engine.settle();
    assert.deepEqual(
      engine.all(subscriptions).map(({ elementId }) => elementId),
      [one?.elementId],
    );
    assert.match(
      await refusalOf(publish(engine, { executionId: two?.executionId ?? '' })),
      /^CONFLICT: expected execution '.*' to wait for signal 'alarm', but it does not/,
    );
    assert.match(await refusalOf(publish(engine, { executionId: 'x:1' })), /^NOT_FOUND: .* with id 'x'/);
    assert.equal(engine.instance(id).actor.value, 'active');
  });

  it('is refused for one instance alone while that is suspended', async () => {
    const engine = await deployed(alarmed());
    const id = await engine.start();
    await engine.run(engine.api.suspendProcessInstance, { id }, admin);
    assert.equal(
      await refusalOf(publish(engine, { processInstanceId: id })),
      `CONFLICT: expected to continue process instance '${id}', but it is suspended`,
    );
  });

  it('takes at most 16,384 characters of variables', async () => {
    const engine = await deployed(alarmed());
    const send = (length: number) => {
      const around = JSON.stringify({ v: { type: 'String', value: '' } }).length;
      const variables = inputs({ v: 'x'.repeat(length - around) });
      return engine.run(engine.api.publishSignal, { signalName: 'alarm', variables }, ann);
    };
    await send(16_384);
    assert.match(await refusalOf(send(16_385)), /^LIMIT_EXCEEDED: expected at most 16384 characters of variables/);
  });

  it('is no error where nobody waits, but needs a name', async () => {
    const engine = await deployed(alarmed());
    await publish(engine, { signalName: 'other' });
    assert.equal(await engine.settle(), 0);
    assert.match(await refusalOf(publish(engine, { signalName: '' })), /^BAD_REQUEST: expected the name of a signal/);
  });

  it('is not for a suspended instance, not later either, and starts no suspended definition', async () => {
    const engine = await deployed(alarmed(), startedBySignal);
    const id = await engine.start();
    await engine.run(engine.api.suspendProcessInstance, { id }, admin);
    const [definition] = engine.all(subscriptions).filter((it) => it.instanceId === null);
    await engine.run(engine.api.suspendProcessDefinition, { id: definition?.definitionId ?? '' }, admin);
    await publish(engine);
    await engine.settle();
    assert.equal(engine.all(processInstances).length, 1);
    await engine.run(engine.api.activateProcessInstance, { id }, admin);
    await engine.settle();
    assert.deepEqual([engine.instance(id).actor.value, engine.all(jobs)], ['active', []]);
    await publish(engine);
    await engine.settle();
    assert.equal(engine.instance(id).actor.value, 'completed');
  });

  it('starts nothing where the definition that it starts is suspended or deleted before it arrives', async () => {
    const { suspendProcessDefinition, deleteDeployment } = (await deployed()).api;
    const before: ((engine: EngineHarness, id: string, deployment: string) => Promise<unknown>)[] = [
      (engine, id) => engine.run(suspendProcessDefinition, { id }, admin),
      (engine, _, id) => engine.run(deleteDeployment, { id }, admin),
      async (engine, _, id) => {
        await engine.run(deleteDeployment, { id }, admin);
        await engine.runJob(engine.job('deletion').id);
        assert.deepEqual(engine.all(processDefinitions), []);
      },
    ];
    for (const meanwhile of before) {
      const engine = await deployed(startedBySignal);
      const [definition] = engine.all(processDefinitions);
      await publish(engine);
      await meanwhile(engine, definition?.id ?? '', definition?.deploymentId ?? '');
      await engine.settle();
      assert.deepEqual([engine.all(processInstances), engine.all(jobs), engine.all(incidents)], [[], [], []]);
    }
  });

  it('reaches more receivers than one decision takes, each once', async () => {
    const engine = await deployed(alarmed());
    for (let n = 0; n < 230; n++) await engine.start();
    await publish(engine);
    assert.equal(engine.all(jobs).filter((job) => job.type === 'delivery').length, 200);
    await engine.settle();
    assert.ok(engine.all(processInstances).every((instance) => instance.actor.value === 'completed'));
  }).timeout(60_000);

  it('passes over an instance that waits for something else when it arrives', async () => {
    const body =
      `<bpmn:startEvent id="start"/>${element('userTask', 'one')}${element('userTask', 'two')}` +
      '<bpmn:boundaryEvent id="hear" attachedToRef="one"><bpmn:signalEventDefinition signalRef="s"/></bpmn:boundaryEvent>' +
      flows('start', 'one', 'two');
    const engine = await deployed(bpmn(body, { root: signal }));
    const id = await engine.start();
    await publish(engine);
    await engine.run(engine.api.completeTask, { taskId: engine.task().id }, ann);
    await engine.settle();
    assert.deepEqual([engine.task().elementId, engine.all(jobs), engine.all(incidents)], ['two', [], []]);
    assert.deepEqual(engine.variables(id), {});
  });

  it('passes over what has stopped waiting when it arrives', async () => {
    const engine = await deployed(alarmed());
    const id = await engine.start();
    await publish(engine);
    await engine.run(engine.api.cancelProcessInstance, { id }, ann);
    await engine.settle();
    assert.equal(engine.instance(id).actor.value, 'cancelled');
    assert.deepEqual(engine.all(jobs), []);
  });
});

describe('what a process throws', () => {
  it('reaches others by jobs: a signal', async () => {
    const engine = await deployed(alarmed(), throws('<bpmn:signalEventDefinition signalRef="s"/>', signal));
    const id = await engine.start();
    await engine.run(engine.api.startProcess, { definitionKey: 'thrower' }, ann);
    assert.equal(engine.instance(id).actor.value, 'active');
    await engine.settle();
    assert.equal(engine.instance(id).actor.value, 'completed');
  });

  it('is for those that waited when it was thrown, however many: not for one that begins in the same millisecond', async () => {
    const engine = await deployed(alarmed(), throws('<bpmn:signalEventDefinition signalRef="s"/>', signal));
    for (let n = 0; n < 205; n++) await engine.start();
    await engine.run(engine.api.startProcess, { definitionKey: 'thrower' }, ann);
    const late = await engine.start();
    await engine.settle();
    const waiting = engine.all(processInstances).filter(({ actor }) => actor.value === 'active');
    assert.deepEqual(
      waiting.map(({ id }) => id),
      [late],
    );
  }).timeout(60_000);

  for (const kind of ['signal', 'message'] as const) {
    it(`is not for a suspended instance, not later either: a ${kind}`, async () => {
      const event = `<bpmn:${kind}EventDefinition ${kind}Ref="${kind[0]}"/>`;
      const engine = await deployed(kind === 'signal' ? alarmed() : hears(), throws(event, signal + message));
      const id = await engine.start();
      await engine.run(engine.api.suspendProcessInstance, { id }, admin);
      await engine.run(engine.api.startProcess, { definitionKey: 'thrower' }, ann);
      await engine.run(engine.api.activateProcessInstance, { id }, admin);
      await engine.settle();
      assert.deepEqual([engine.instance(id).actor.value, engine.all(jobs)], ['active', []]);
    });
  }

  it('is replayed as it went, and as it went by the rules of a former version', async () => {
    const body =
      element('startEvent', 'start') +
      element(
        'subProcess',
        'sub',
        {},
        `${element('startEvent', 'in')}${element('userTask', 'ask')}${element('intermediateThrowEvent', 'throw', {}, '<bpmn:signalEventDefinition signalRef="s"/>')}${element('userTask', 'after')}${flows('in', 'ask', 'throw', 'after')}`,
      ) +
      '<bpmn:boundaryEvent id="out" attachedToRef="sub"><bpmn:signalEventDefinition signalRef="s"/></bpmn:boundaryEvent>' +
      element('userTask', 'outside') +
      flows('start', 'sub') +
      flows('out', 'outside');
    const engine = await deployed(bpmn(body, { root: signal }));
    const id = await engine.start();
    await engine.run(engine.api.completeTask, { taskId: engine.task('ask').id }, ann);
    assert.equal(engine.task().elementId, 'outside');
    const { stored, again } = engine.replayed(id);
    assert.deepEqual(again, stored);
    const former = engine.all(runs).map((run) => {
      const { rules, subscribed, ...command } = run.command ?? assert.fail('it is short');
      assert.deepEqual([rules, subscribed === undefined], [RULES, run.n === 1]);
      return put(runs, { ...run, command });
    });
    engine.documents.apply(former);
    const { tokens } = engine.replayed(id).again;
    assert.deepEqual(tokens.map(({ wait }) => wait?.kind).sort(), ['scope', 'task'], 'it went on in the sub-process');
  });

  const thrower = throws('<bpmn:messageEventDefinition messageRef="m"/>', message);

  it('reaches others by jobs: a message, by the business key', async () => {
    const engine = await deployed(hears(), thrower);
    const [one, two] = [await engine.start({}, ann, 'a'), await engine.start({}, ann, 'b')];
    await engine.run(engine.api.startProcess, { definitionKey: 'thrower', businessKey: 'b' }, ann);
    await engine.settle();
    assert.deepEqual(
      [one, two].map((id) => engine.instance(id).actor.value),
      ['active', 'completed'],
    );
  });

  it('goes at once to the one that waits for it, else by a job that finds who does', async () => {
    const engine = await deployed(hears(), thrower);
    const types = async () => {
      await engine.run(engine.api.startProcess, { definitionKey: 'thrower' }, ann);
      return engine.all(jobs).map(({ type }) => type);
    };
    assert.deepEqual(await types(), []);
    await engine.start();
    assert.deepEqual(await types(), ['delivery']);
    await engine.settle();
    await engine.start();
    await engine.start();
    assert.deepEqual(await types(), ['message']);
  });

  it('is lost where nobody waits, and an incident where several do', async () => {
    const engine = await deployed(hears(), thrower);
    await engine.run(engine.api.startProcess, { definitionKey: 'thrower' }, ann);
    await engine.settle();
    assert.deepEqual(engine.all(jobs), []);
    assert.deepEqual(Object.keys(engine.all(runs)[0]?.command ?? {}), ['input', 'seed', 'rules', 'steps']);
    await engine.start();
    await engine.start();
    await engine.run(engine.api.startProcess, { definitionKey: 'thrower' }, ann);
    await engine.runDue();
    assert.equal(engine.job('message').actor.value, 'dead');
    assert.match(engine.job('message').failure?.message ?? '', /but 2 wait for it/);
    const [first, second] = engine.all(processInstances).filter(({ definitionKey }) => definitionKey === 'p');
    await engine.run(engine.api.cancelProcessInstance, { id: first?.id ?? '' }, admin);
    await engine.start();
    const [incident] = engine.all(incidents);
    await engine.run(engine.api.setJobRetries, { incidentId: incident?.id ?? '', retries: 1 }, admin);
    await engine.settle();
    const receiver = engine.instance(second?.id ?? '');
    assert.equal(receiver.actor.value, 'completed', 'the one that is left of those that waited then');
  });
});
