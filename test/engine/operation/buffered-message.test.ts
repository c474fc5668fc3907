import assert from 'node:assert/strict';
import { bufferedMessages, jobs, processInstances, subscriptions } from '../../../src/engine/collections.js';
import type { Correlation } from '../../../src/engine/run/spread-message.js';
import { bpmn, element, flow, line, timer } from '../../support/bpmn.js';
import { admin, ann, bob, EngineHarness, inputs, refusalOf } from '../../support/engine-harness.js';

const root = '<bpmn:message id="m" name="paid"/>';
const work = element('userTask', 'then');
const hear = (inner = '') => element('receiveTask', 'hear', { messageRef: 'm' }, inner);
const HEARS = bpmn(line(['hear', 'then'], hear() + work), { root });
const input = `<bpmn:extensionElements><camunda:inputOutput><camunda:inputParameter name="k">\${item}</camunda:inputParameter></camunda:inputOutput></bpmn:extensionElements>`;
const STARTED = bpmn(
  `<bpmn:startEvent id="s"><bpmn:messageEventDefinition messageRef="m"/></bpmn:startEvent>${work}${flow('s', 'then')}`,
  { key: 'q', root, attributes: 'camunda:candidateStarterUsers="ann"' },
);
const HOUR_MS = 3_600_000;

type Given = Readonly<Record<string, unknown>>;

const publish = (engine: EngineHarness, given: Given = {}, caller = ann): Promise<Correlation> =>
  engine.run(engine.api.correlateMessages, { messageName: 'paid', timeToLive: 'PT1H', ...given }, caller);

async function deployed(model = HEARS): Promise<EngineHarness> {
  const engine = new EngineHarness();
  await engine.deploy(model);
  return engine;
}

async function started(engine: EngineHarness, variables: Given = {}, businessKey: string | null = null) {
  const id = await engine.start(variables, ann, businessKey);
  await engine.settle();
  return id;
}

const isTaken = (engine: EngineHarness, id: string): boolean =>
  engine.all(subscriptions).every(({ instanceId }) => instanceId !== id);

describe('a message with timeToLive', () => {
  it('reaches who waits for it at once, and is not kept', async () => {
    const engine = await deployed();
    const id = await started(engine);
    const { receivers, bufferedId } = await publish(engine);
    assert.deepEqual([receivers[0]?.instanceId, bufferedId], [id, null]);
    assert.deepEqual([engine.all(bufferedMessages), engine.all(jobs)], [[], []]);
  });

  it('waits where nobody does, and the first that comes to wait takes it, one alone', async () => {
    const engine = await deployed();
    const { receivers, bufferedId } = await publish(engine, { variables: inputs({ sum: 7 }) });
    assert.deepEqual(receivers, []);
    assert.equal(engine.all(bufferedMessages)[0]?.id, bufferedId);
    const [one, two] = [await started(engine), await started(engine)];
    assert.deepEqual([isTaken(engine, one), isTaken(engine, two)], [true, false]);
    assert.deepEqual(engine.variables(one), { sum: 7 });
    assert.deepEqual([engine.all(bufferedMessages), engine.all(jobs)], [[], []]);
    assert.deepEqual(engine.replayed(one).stored, engine.replayed(one).again);
  });

  it('is taken once by 50 that come to wait before any of them has looked', async () => {
    const engine = await deployed();
    await publish(engine);
    for (let n = 0; n < 50; n++) await engine.start();
    assert.equal(engine.all(jobs).filter(({ type }) => type === 'takeMessage').length, 50);
    await engine.settle();
    assert.equal(engine.all(subscriptions).length, 49);
    assert.deepEqual([engine.all(bufferedMessages), engine.all(jobs)], [[], []]);
  });

  it('goes to as many as there are messages, the oldest first', async () => {
    const engine = await deployed();
    for (const n of [1, 2, 3]) {
      await publish(engine, { variables: inputs({ n }) });
      engine.now++;
    }
    const ids = [];
    for (let n = 0; n < 5; n++) ids.push(await started(engine));
    assert.deepEqual(
      ids.map((id) => engine.variables(id)),
      [{ n: 1 }, { n: 2 }, { n: 3 }, {}, {}],
    );
  });

  it('is for what has its business key, is its instance, or has its variables', async () => {
    const engine = await deployed();
    await publish(engine, { businessKey: 'B', variables: inputs({ got: 'business' }) });
    await publish(engine, { correlationKeys: { order: 1 }, variables: inputs({ got: 'order 1' }) });
    await publish(engine, { correlationKeys: { order: 1, shop: 'b' }, variables: inputs({ got: 'shop b' }) });
    await publish(engine, {
      correlationKeys: { order: { type: 'Long', value: 2 } },
      variables: inputs({ got: 'long' }),
    });
    const got = async (variables: Given, businessKey: string | null = null) =>
      engine.variables(await started(engine, variables, businessKey)).got;
    assert.equal(await got({ order: 3 }, 'A'), undefined);
    assert.equal(await got({ order: '1' }), undefined);
    assert.equal(await got({ order: 2 }), undefined, 'an Integer is no Long');
    assert.equal(await got({}, 'B'), 'business');
    assert.equal(await got({ order: 1, shop: 'a' }), 'order 1');
    assert.equal(await got({ order: 1, shop: 'a' }), undefined);
    assert.equal(await got({ order: 1, shop: 'b' }), 'shop b');
  });

  for (const count of [3, 60]) {
    it(`is for the one of ${count} receive tasks that has its local variables`, async () => {
      const loop = '<bpmn:multiInstanceLoopCharacteristics camunda:collection="items" camunda:elementVariable="item"/>';
      const engine = await deployed(bpmn(line(['hear', 'then'], hear(input + loop) + work), { root }));
      for (const k of ['i1', 'other']) await publish(engine, { localCorrelationKeys: { k } });
      const id = await started(engine, { items: Array.from({ length: count }, (_, n) => `i${n}`) });
      assert.equal(engine.all(subscriptions).length, count - 1);
      assert.equal(engine.all(bufferedMessages).length, 1);
      assert.deepEqual(engine.replayed(id).stored, engine.replayed(id).again);
    });
  }

  it('is taken by what waits already once a variable is set by which it is for that', async () => {
    const engine = await deployed();
    const set = (processInstanceId: string, variables: Given) =>
      engine.run(engine.api.setProcessVariables, { processInstanceId, variables: inputs(variables) }, admin);
    const [one, two] = [await started(engine, { order: 1 }), await started(engine)];
    await publish(engine, { correlationKeys: { order: 7, shop: 'a' }, variables: inputs({ sum: 7 }) });
    await set(two, { order: 7 });
    await set(one, { other: 7 });
    assert.deepEqual(
      engine.all(jobs).map(({ type }) => type),
      ['messageEnd'],
    );
    await set(two, { order: 7, shop: 'a' });
    await engine.settle();
    assert.deepEqual([isTaken(engine, one), isTaken(engine, two)], [false, true]);
    assert.deepEqual(engine.variables(two), { order: 7, shop: 'a', sum: 7 });
    assert.deepEqual([engine.all(bufferedMessages), engine.all(jobs)], [[], []]);
    assert.deepEqual(engine.replayed(two).stored, engine.replayed(two).again);
  });

  it('is looked for by one job of a suspended instance, however often that is changed', async () => {
    const engine = await deployed();
    const id = await started(engine);
    await publish(engine, { correlationKeys: { order: 7 } });
    await engine.run(engine.api.suspendProcessInstance, { id }, admin);
    for (const n of [1, 2, 3]) {
      const variables = inputs({ order: 7, n });
      await engine.run(engine.api.setProcessVariables, { processInstanceId: id, variables }, admin);
      await engine.settle();
    }
    assert.equal(engine.all(jobs).filter(({ type }) => type === 'takeMessage').length, 1);
    await engine.run(engine.api.activateProcessInstance, { id }, admin);
    await engine.settle();
    assert.equal(isTaken(engine, id), true);
  });

  it('is taken once by two that come to have its variable', async () => {
    const engine = await deployed();
    const ids = [await started(engine), await started(engine)];
    await publish(engine, { correlationKeys: { order: 7 } });
    for (const processInstanceId of ids)
      await engine.run(engine.api.setProcessVariables, { processInstanceId, variables: inputs({ order: 7 }) }, admin);
    await engine.settle();
    assert.equal(ids.filter((id) => isTaken(engine, id)).length, 1);
  });

  it('is taken by one of 60 that rest in a large scope once the process has its variable', async () => {
    const loop =
      '<bpmn:multiInstanceLoopCharacteristics><bpmn:loopCardinality>60</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>';
    const engine = await deployed(bpmn(line(['hear', 'then'], hear(loop) + work), { root }));
    const id = await started(engine);
    await publish(engine, { correlationKeys: { order: 7 } });
    await engine.run(engine.api.setProcessVariables, { processInstanceId: id, variables: inputs({ order: 7 }) }, admin);
    await engine.settle();
    assert.equal(engine.all(subscriptions).length, 59);
    assert.deepEqual(engine.all(bufferedMessages), []);
    assert.deepEqual(engine.replayed(id).stored, engine.replayed(id).again);
  });

  it('stays where the one that looks for it does not wait any more', async () => {
    const hurry = `<bpmn:boundaryEvent id="b" attachedToRef="hear">${timer('duration', 'PT1M')}</bpmn:boundaryEvent>`;
    const engine = await deployed(bpmn(line(['hear', 'then'], hear() + work) + hurry + flow('b', 'end'), { root }));
    await publish(engine);
    const id = await engine.start();
    const late = engine.all(jobs).find(({ type }) => type === 'timer');
    await engine.runJob(late?.id ?? '');
    await engine.settle();
    assert.equal(engine.instance(id).actor.value, 'completed');
    assert.equal(engine.all(bufferedMessages).length, 1);
  });

  it('waits for an instance that is suspended before it has looked, and for no longer than its time', async () => {
    for (const [hours, taken] of [
      [0.5, true],
      [2, false],
    ] as const) {
      const engine = await deployed();
      await publish(engine);
      const id = await engine.start();
      await engine.run(engine.api.suspendProcessInstance, { id }, admin);
      await engine.settle();
      assert.equal(isTaken(engine, id), false);
      await engine.runDue(engine.now + hours * HOUR_MS);
      await engine.run(engine.api.activateProcessInstance, { id }, admin);
      await engine.settle();
      assert.equal(isTaken(engine, id), taken);
    }
  });

  it('ends with its time', async () => {
    const engine = await deployed();
    await publish(engine);
    await engine.runDue(engine.now + HOUR_MS);
    assert.deepEqual(engine.all(bufferedMessages), []);
    assert.equal(isTaken(engine, await started(engine)), false);
  });

  it('starts the process that is deployed later, once for each message, as its sender and where that may', async () => {
    const engine = new EngineHarness();
    await publish(engine, { businessKey: 'one' });
    await publish(engine, { businessKey: 'not allowed' }, bob);
    await publish(engine, { businessKey: 'two', correlationKeys: { a: 1 } });
    await publish(engine, { processInstanceId: 'i' });
    await engine.deploy(STARTED);
    await engine.settle();
    const made = engine.all(processInstances).map(({ businessKey, startUserId }) => [businessKey, startUserId]);
    assert.deepEqual(made.sort(), [
      ['one', 'ann'],
      ['two', 'ann'],
    ]);
    assert.equal(engine.all(bufferedMessages).length, 2);
  });

  it('comes once where its sender gives it an id, as long as its time lasts', async () => {
    const engine = await deployed();
    const same = { messageId: 'payment 17' };
    const id = await started(engine);
    await publish(engine, same);
    assert.equal(isTaken(engine, id), true);
    assert.match(await refusalOf(publish(engine, same)), /^ALREADY_EXISTS: .* messageId 'payment 17' has$/);
    assert.deepEqual((await publish(engine, { ...same, messageName: 'other' })).receivers, []);
    for (const whom of [{ correlationKeys: { order: 1 } }, { businessKey: 'b' }]) {
      await publish(engine, { ...same, ...whom });
      assert.match(await refusalOf(publish(engine, { ...same, ...whom })), /^ALREADY_EXISTS/, 'for each by itself');
    }
    await publish(engine, { messageId: 'payment 18' });
    assert.match(await refusalOf(publish(engine, { messageId: 'payment 18' })), /^ALREADY_EXISTS/);
    assert.equal(isTaken(engine, await started(engine)), true);
    assert.match(await refusalOf(publish(engine, { messageId: 'payment 18' })), /^ALREADY_EXISTS/);
    assert.equal(isTaken(engine, await started(engine)), false, 'what is known again is not taken again');
    await engine.runDue(engine.now + HOUR_MS);
    assert.deepEqual(engine.all(bufferedMessages), []);
    await publish(engine, same);
  });

  it('is found by those that came to wait while the reader looked, however many others did', async () => {
    let meanwhile = () => Promise.resolve();
    const engine: EngineHarness = new EngineHarness({
      evaluators: {
        receivers: async (question: never) => {
          const found = engine.planReceivers(question);
          await meanwhile();
          return found;
        },
      },
    });
    await engine.deploy(HEARS);
    // Many have the one variable, many the other.
    const startMany = async (count: number) => {
      for (let n = 0; n < count; n++) await engine.start(n % 2 === 0 ? { order: 'late' } : { shop: 'a' });
    };
    await startMany(120);
    let wanted = '';
    meanwhile = async () => {
      meanwhile = () => Promise.resolve();
      wanted = await engine.start({ order: 'late', shop: 'a' });
      await startMany(80);
    };
    assert.notEqual((await publish(engine, { correlationKeys: { order: 'late', shop: 'a' } })).bufferedId, null);
    await engine.settle();
    assert.equal(isTaken(engine, wanted), true);
    assert.deepEqual(engine.all(bufferedMessages), []);
  });

  it('is refused where several wait, or it could not wait', async () => {
    const engine = await deployed();
    for (let n = 0; n < 2; n++) await engine.start();
    const refused = (given: Given) => refusalOf(publish(engine, given));
    assert.match(await refused({}), /^CONFLICT: .* but 2 wait for it$/);
    assert.match(await refused({ all: true }), /^BAD_REQUEST: expected no 'all' beside 'timeToLive'/);
    assert.match(await refused({ definitionId: 'p' }), /^BAD_REQUEST: expected no 'definitionId' beside/);
    for (const timeToLive of ['soon', '', 'P'])
      assert.match(await refused({ timeToLive, messageName: 'other' }), /^BAD_REQUEST: .*duration of ISO 8601/);
    assert.match(await refused({ timeToLive: 'PT0S' }), /^BAD_REQUEST: expected a duration above zero/);
    assert.match(await refused({ timeToLive: null, messageId: 'a' }), /^BAD_REQUEST: .* as 'timeToLive'/);
    const variables = inputs({ text: 'x'.repeat(20_000) });
    assert.match(await refused({ messageName: 'other', variables }), /^LIMIT_EXCEEDED/);
    assert.deepEqual(engine.all(bufferedMessages), []);
  });
});
