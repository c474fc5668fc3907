import assert from 'node:assert/strict';
import { jobs, processInstances, SOUGHT_SINCE, soughtSince, subscriptions } from '../../../src/engine/collections.js';
import type { Correlation } from '../../../src/engine/run/spread-message.js';
import { byVariables } from '../../../src/engine/run/waiting-receivers.js';
import { put } from '../../../src/store/index.js';
import { bpmn, element, flow, line } from '../../support/bpmn.js';
import { admin, ann, bob, EngineHarness, inputs, refusalOf } from '../../support/engine-harness.js';

const root = '<bpmn:message id="m" name="paid"/>';
const input = (name: string, value: string) =>
  `<bpmn:extensionElements><camunda:inputOutput><camunda:inputParameter name="${name}">${value}</camunda:inputParameter></camunda:inputOutput></bpmn:extensionElements>`;
const hears = (inner = '', key = 'p') =>
  bpmn(
    line(['hear', 'then'], element('receiveTask', 'hear', { messageRef: 'm' }, inner) + element('userTask', 'then')),
    {
      key,
      root,
    },
  );
const onMessage = '<bpmn:messageEventDefinition messageRef="m"/>';

interface Given {
  readonly [argument: string]: unknown;
}

const deployed = (...models: string[]): Promise<EngineHarness> => deployedWith({}, ...models);

async function deployedWith(evaluators: object, ...models: string[]): Promise<EngineHarness> {
  const engine = new EngineHarness({ evaluators: evaluators as never });
  for (const [index, model] of models.entries()) await engine.deploy(model, `m${index}`);
  return engine;
}

const correlate = (engine: EngineHarness, given: Given, caller = ann): Promise<Correlation> =>
  engine.run(engine.api.correlateMessages, { messageName: 'paid', ...given }, caller);
const gotBy = async (engine: EngineHarness, given: Given): Promise<string | undefined> =>
  (await correlate(engine, given)).receivers[0]?.instanceId;
const isFound = async (engine: EngineHarness, given: Given): Promise<boolean> => {
  const refusal = await refusalOf(correlate(engine, given).then(() => Promise.reject(new Error('found'))));
  if (refusal.endsWith('found')) return true;
  assert.match(
    refusal,
    /^NOT_FOUND: expected exactly one receiver of message 'paid' .*variables that are sought, but nothing waits for it$/,
  );
  return false;
};

describe('correlateMessage with correlationKeys', () => {
  it('finds the instance by its variables, all of which it must have', async () => {
    const engine = await deployed(hears());
    const ids = [];
    for (const order of [1, 2, 3]) ids.push(await engine.start({ order, shop: 'a' }));
    assert.equal(await gotBy(engine, { correlationKeys: { order: 2, shop: 'a' } }), ids[1]);
    assert.equal(await isFound(engine, { correlationKeys: { order: 3, shop: 'b' } }), false);
    assert.equal(await isFound(engine, { correlationKeys: { order: 2 } }), false);
    assert.equal(engine.task().instanceId, ids[1]);
  });

  it('is for one token, where it is said which, also of a receive task that names no message', async () => {
    const each =
      '<bpmn:multiInstanceLoopCharacteristics isSequential="false"><bpmn:loopCardinality>3</bpmn:loopCardinality></bpmn:multiInstanceLoopCharacteristics>';
    const engine = await deployed(bpmn(line(['wait'], element('receiveTask', 'wait', {}, each))));
    await engine.start();
    const [, second] = engine.all(subscriptions);
    const executionId = second?.executionId ?? '';
    const none = correlate(engine, { messageName: 'wait', executionId: executionId.replace(/\d+$/, '999') });
    assert.match(await refusalOf(none), /^NOT_FOUND: .* at execution '.*:999', but nothing waits for it$/);
    const { receivers } = await correlate(engine, { messageName: 'wait', executionId });
    assert.equal(receivers[0]?.executionId, executionId);
    assert.deepEqual(
      [engine.all(subscriptions).length, engine.all(subscriptions).includes(second as never)],
      [2, false],
    );
    const kept = correlate(engine, { messageName: 'wait', executionId, timeToLive: 'PT1H' });
    assert.match(await refusalOf(kept), /^BAD_REQUEST: expected no 'executionId' beside 'timeToLive'/);
  });

  it('compares values with their types; plain numbers as numbers', async () => {
    const cases: readonly (readonly [given: Given, key: unknown, found: boolean])[] = [
      [{ value: 1, type: 'Integer' }, 1, true],
      [{ value: 1, type: 'Long' }, 1, true],
      [{ value: 1, type: 'Double' }, 1, true],
      [{ value: 1, type: 'Long' }, { type: 'Integer', value: 1 }, false],
      [{ value: 1, type: 'Long' }, { type: 'Long', value: '1' }, true],
      [{ value: 1, type: 'Short' }, { type: 'Integer', value: 1 }, false],
      [{ value: 1, type: 'Short' }, { type: 'short', value: 1 }, true],
      [{ value: '9007199254740993', type: 'Long' }, { type: 'Long', value: '9007199254740993' }, true],
      [{ value: 1 }, '1', false],
      [{ value: '1' }, 1, false],
      [{ value: '1' }, '1', true],
      [{ value: 'A' }, 'a', false],
      [{ value: true }, true, true],
      [{ value: true }, 'true', false],
      [{ value: null }, null, true],
      [{ value: '2026-01-31T08:00:00Z', type: 'Date' }, { type: 'Date', value: '2026-01-31T09:00:00+01:00' }, true],
      [{ value: '2026-01-31T08:00:00Z', type: 'Date' }, '2026-01-31T08:00:00.000Z', false],
      [{ value: '<a/>', type: 'Xml' }, '<a/>', false],
    ];
    for (const [given, key, found] of cases) {
      const engine = await deployed(hears());
      const variables = [{ name: 'k', ...given }] as never;
      await engine.run(engine.api.startProcess, { definitionKey: 'p', variables }, ann);
      assert.equal(await isFound(engine, { correlationKeys: { k: key } }), found, JSON.stringify([given, key]));
    }
  });

  it('does not take a variable that is not there for null', async () => {
    const engine = await deployed(hears());
    await engine.start();
    assert.equal(await isFound(engine, { correlationKeys: { k: null } }), false);
  });

  it('refuses what cannot be compared', async () => {
    const engine = await deployed(hears());
    const refused = (correlationKeys: unknown) => refusalOf(correlate(engine, { correlationKeys }));
    assert.match(await refused({ k: [1] }), /^BAD_REQUEST: expected a text, a number, .* as 'k' as 'correlationKeys'/);
    assert.match(await refused([]), /^BAD_REQUEST: expected an object of names and values as 'correlationKeys'/);
    for (const type of ['Integer', 'Nope']) {
      assert.equal(
        await refused({ k: { type, value: 'x' } }),
        `BAD_REQUEST: expected for 'k' a type among Number, String, Short, Integer, Long, Double, Boolean, Date and Null, and a value of that type as 'correlationKeys', but found {"type":"${type}","value":"x"}`,
      );
    }
  });

  it('finds large variables, and those of the scopes around', async () => {
    const large = 'x'.repeat(5_000);
    const inner = hears();
    const engine = await deployed(
      inner,
      bpmn(
        line(
          ['sub'],
          element(
            'subProcess',
            'sub',
            {},
            `${input('k', 'inner')}<bpmn:startEvent id="s2"/>${element('receiveTask', 'hear', { messageRef: 'm' })}${flow('s2', 'hear')}`,
          ),
        ),
        { key: 'q', root },
      ),
    );
    const id = await engine.start({ k: large });
    const other = await engine.run(engine.api.startProcess, { definitionKey: 'q' }, ann);
    assert.equal(await gotBy(engine, { correlationKeys: { k: large } }), id);
    assert.equal(await gotBy(engine, { correlationKeys: { k: 'inner' } }), other);
  });

  it('says that several have the variables', async () => {
    const engine = await deployed(hears());
    for (const order of [1, 1, 2]) await engine.start({ order });
    assert.equal(
      await refusalOf(correlate(engine, { correlationKeys: { order: 1 } })),
      "CONFLICT: expected exactly one receiver of message 'paid' with the variables that are sought, but 2 wait for it",
    );
  });

  it('chooses the one of two that is not suspended', async () => {
    const engine = await deployed(hears());
    const [one, two] = [await engine.start({ order: 1 }), await engine.start({ order: 1 })];
    await engine.run(engine.api.suspendProcessInstance, { id: one }, admin);
    assert.equal(await gotBy(engine, { correlationKeys: { order: 1 } }), two);
    assert.match(await refusalOf(correlate(engine, { correlationKeys: { order: 1 } })), /^CONFLICT: .* is suspended$/);
  });

  it('starts an instance where no token has the variables', async () => {
    const start = `<bpmn:startEvent id="s">${onMessage}</bpmn:startEvent>`;
    const engine = await deployed(bpmn(start + element('userTask', 'work') + flow('s', 'work'), { root }));
    const { receivers } = await correlate(engine, { correlationKeys: { order: 1 }, localVariables: inputs({ a: 1 }) });
    const [{ instanceId = '', ...more } = {}] = receivers;
    assert.deepEqual(more, { isStarted: true, activityId: 's', executionId: null });
    assert.deepEqual(engine.variables(instanceId), { a: 1 });
  });

  it('finds one of many by a variable that few have', async () => {
    const unread = { receivers: () => Promise.reject(new Error('the reader was asked')) };
    const engine = await deployedWith(unread, hears());
    const ids: string[] = [];
    for (let order = 0; order < 150; order++) ids.push(await engine.start({ order, shop: 'a' }));
    assert.equal(await gotBy(engine, { correlationKeys: { shop: 'a', order: 120 } }), ids[120]);
    assert.equal(await isFound(engine, { correlationKeys: { order: 120 } }), false);
    const set = (variables: Given) =>
      engine.run(
        engine.api.setProcessVariables,
        { processInstanceId: ids[7] ?? '', variables: inputs(variables) },
        admin,
      );
    await set({ order: 'other' });
    assert.equal(await isFound(engine, { correlationKeys: { order: 7 } }), false);
    await set({ order: 'large '.repeat(500) });
    assert.equal(await gotBy(engine, { correlationKeys: { order: 'large '.repeat(500) } }), ids[7]);
  });

  it('finds those with more variables than an index is told of', async () => {
    const engine = await deployed(hears());
    for (let order = 0; order < 40; order++) await engine.start({ order });
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`v${n}`, n]));
    const id = await engine.start({ ...many, order: 'x' });
    assert.equal(await gotBy(engine, { correlationKeys: { v59: 59 } }), id);
  });

  it('finds those that came to wait before instances were found by their variables', async () => {
    const engine = await deployed(hears());
    const ids: string[] = [];
    for (let order = 0; order < 80; order++) {
      engine.now++;
      ids.push(await engine.start({ order }));
    }
    const waiting = engine.all(subscriptions);
    const { id: subscriptionId = '', revision = 0 } = waiting[10] ?? {};
    engine.documents.apply([put(soughtSince, { id: SOUGHT_SINCE, subscriptionId, revision })]);
    const state = engine.state();
    const unfound = { get: state.get.bind(state), find: state.find.bind(state), findMulti: () => [] };
    const sought = { messageName: 'paid', keys: [{ name: 'order', type: 'Number', value: 3 }] } as const;
    assert.deepEqual(byVariables(unfound as unknown as typeof state, sought, 30), waiting.slice(0, 10));
    assert.equal(byVariables(unfound as unknown as typeof state, sought, 9), undefined);
    for (const order of [3, 60, 79]) assert.equal(await gotBy(engine, { correlationKeys: { order } }), ids[order]);
  });

  /** 150 instances, of which the 100th alone has both. */
  async function many(engine: EngineHarness): Promise<string[]> {
    const ids = [];
    for (let n = 0; n < 150; n++) ids.push(await engine.start({ a: n < 100, b: n >= 99 }));
    return ids;
  }
  const both = { correlationKeys: { a: true, b: true } };

  it('looks by the plan of the reader where many have each of the variables, and again at what that has found', async () => {
    const engine = await deployed(hears());
    const id = (await many(engine))[99] ?? '';
    assert.equal(await gotBy(engine, both), id);
    assert.equal(await isFound(engine, both), false);
    assert.deepEqual(engine.replayed(id).stored, engine.replayed(id).again);
  });

  it('trusts no plan: what has changed since does not get the message, what has come does', async () => {
    let plan = () => Promise.resolve();
    const receivers = async (question: never) => {
      const found = engine.planReceivers(question);
      await plan();
      return found;
    };
    const engine: EngineHarness = await deployedWith({ receivers }, hears());
    const ids = await many(engine);
    plan = async () => {
      const [processInstanceId = '', variables] = [ids[99], inputs({ b: 'gone' })];
      await engine.run(engine.api.setProcessVariables, { processInstanceId, variables }, admin);
    };
    assert.equal(await isFound(engine, both), false);
    let late = '';
    plan = async () => {
      late = await engine.start({ a: true, b: true });
    };
    assert.equal(await gotBy(engine, both), late);
  });
});

describe('correlateMessage with localCorrelationKeys', () => {
  it('looks in the own scope of what waits', async () => {
    const engine = await deployed(hears(input('k', 'A')));
    await engine.start({ k: 'process', p: 1 });
    assert.equal(await isFound(engine, { localCorrelationKeys: { k: 'process' } }), false);
    assert.equal(await isFound(engine, { localCorrelationKeys: { p: 1 } }), false);
    assert.equal(await isFound(engine, { localCorrelationKeys: { k: 'A' } }), true);
  });

  it('looks in the scope of the activity that a boundary event is at, and sets local variables there', async () => {
    const boundary = `<bpmn:boundaryEvent id="b" attachedToRef="work" cancelActivity="false">${onMessage}</bpmn:boundaryEvent>`;
    const body = line(['work'], element('userTask', 'work', {}, input('k', 'A')));
    const engine = await deployed(
      bpmn(`${body}${boundary}${element('userTask', 'told')}${flow('b', 'told')}`, { root }),
    );
    const id = await engine.start();
    await correlate(engine, {
      localCorrelationKeys: { k: 'A' },
      localVariables: inputs({ own: 1 }),
      variables: inputs({ all: 2 }),
    });
    const names = engine.instance(id).state.scopes.map(({ variables }) => Object.keys(variables).sort());
    assert.deepEqual(names, [['all'], ['k', 'own']]);
    assert.deepEqual(engine.replayed(id).stored, engine.replayed(id).again);
  });

  it('sets a name that is given for both around the receiver, and on it', async () => {
    const boundary = `<bpmn:boundaryEvent id="b" attachedToRef="work" cancelActivity="false">${onMessage}</bpmn:boundaryEvent>${element('userTask', 'told')}${flow('b', 'told')}`;
    const receiver = element('receiveTask', 'work', { messageRef: 'm' }) + element('userTask', 'after');
    for (const model of [line(['work', 'after'], receiver), line(['work'], element('userTask', 'work')) + boundary]) {
      const engine = await deployed(bpmn(model, { root }));
      const id = await engine.start();
      await correlate(engine, { variables: inputs({ x: 'all', y: 1 }), localVariables: inputs({ x: 'own' }) });
      assert.deepEqual(engine.variables(id), { x: 'all', y: 1 });
      const own = engine.instance(id).state.scopes.filter(({ parent }) => parent !== null);
      if (model.includes('boundary')) assert.equal(own[0]?.variables.x?.value, 'own');
      assert.deepEqual(engine.replayed(id).stored, engine.replayed(id).again);
    }
  });

  it('looks in the process where one of its event sub-processes waits', async () => {
    const start = `<bpmn:startEvent id="s2" isInterrupting="false">${onMessage}</bpmn:startEvent>`;
    const inside = `<bpmn:subProcess id="e" triggeredByEvent="true">${start}${element('userTask', 'told')}${flow('s2', 'told')}</bpmn:subProcess>`;
    const engine = await deployed(bpmn(line(['work'], element('userTask', 'work')) + inside, { root }));
    const id = await engine.start({ k: 'A' });
    await correlate(engine, { localCorrelationKeys: { k: 'A' }, localVariables: inputs({ own: 1 }) });
    assert.deepEqual(engine.variables(id), { k: 'A', own: 1 });
  });

  describe('carries variables for the scope that begins by it', () => {
    const work = line(['work'], element('userTask', 'work'));
    const beside = (interrupting: boolean) =>
      `<bpmn:subProcess id="e" triggeredByEvent="true"><bpmn:startEvent id="s2" isInterrupting="${interrupting}">${onMessage}</bpmn:startEvent>${element('userTask', 'told')}${flow('s2', 'told')}</bpmn:subProcess>`;
    const boundary = `<bpmn:boundaryEvent id="b" attachedToRef="work">${onMessage}</bpmn:boundaryEvent>${element('userTask', 'told')}${flow('b', 'told')}`;
    const carried = {
      variables: inputs({ n: 1, pv: 1 }),
      localVariables: inputs({ both: 2 }),
      scopeVariables: inputs({ n: 3, both: 3 }),
    };

    for (const interrupting of [true, false]) {
      it(`an event sub-process, ${interrupting ? '' : 'not '}interrupting`, async () => {
        const engine = await deployed(bpmn(work + beside(interrupting), { root }));
        const id = await engine.start({ n: 0 });
        await correlate(engine, carried);
        const scopes = engine.instance(id).state.scopes.map(({ variables }) => variables);
        const values = scopes.map((scope) =>
          Object.fromEntries(Object.entries(scope).map(([name, { value }]) => [name, value])),
        );
        assert.deepEqual(values, [
          { n: 1, pv: 1, both: 2 },
          { n: 3, both: 3 },
        ]);
        assert.deepEqual(engine.replayed(id).stored, engine.replayed(id).again);
      });
    }

    it('what follows a boundary event: the scope in which that goes on', async () => {
      const engine = await deployed(bpmn(work + boundary, { root }));
      const id = await engine.start({ n: 0 });
      await correlate(engine, carried);
      assert.deepEqual(engine.variables(id), { n: 3, pv: 1, both: 3 });
    });

    it('else what waits itself: with it they are gone', async () => {
      const engine = await deployed(hears(input('k', 'A')));
      const id = await engine.start({ n: 0 });
      await correlate(engine, carried);
      assert.deepEqual(engine.variables(id), { n: 1, pv: 1 });
    });

    it('an instance that it starts', async () => {
      const engine = await deployed(
        bpmn(
          `<bpmn:startEvent id="s">${onMessage}</bpmn:startEvent>${element('userTask', 'work')}${flow('s', 'work')}`,
          { root },
        ),
      );
      const id = (await gotBy(engine, carried)) ?? '';
      assert.deepEqual(engine.variables(id), { n: 3, pv: 1, both: 3 });
    });

    it('also by a job, where all get it, or it has waited', async () => {
      const engine = await deployed(bpmn(work + beside(false), { root }));
      const shown = (id: string) => engine.instance(id).state.scopes.map(({ variables }) => variables.both?.value);
      const first = await engine.start();
      await correlate(engine, { ...carried, all: true });
      await engine.settle();
      assert.deepEqual(shown(first), [2, 3]);
      await correlate(engine, { ...carried, businessKey: 'later', timeToLive: 'PT1H' });
      const second = await engine.start({}, ann, 'later');
      await engine.settle();
      assert.deepEqual(shown(second), [2, 3]);
    });
  });

  for (const count of [3, 60]) {
    it(`tells the ${count} receive tasks of a multi-instance apart`, async () => {
      const loop = '<bpmn:multiInstanceLoopCharacteristics camunda:collection="items" camunda:elementVariable="item"/>';
      const engine = await deployed(hears(input('k', `\${item}`) + loop));
      const items = Array.from({ length: count }, (_, n) => `i${n}`);
      const id = await engine.start({ items });
      const last = `i${count - 1}`;
      const { receivers } = await correlate(engine, { localCorrelationKeys: { k: last } });
      assert.equal(receivers[0]?.instanceId, id);
      assert.equal(engine.all(subscriptions).length, count - 1);
      assert.equal(await isFound(engine, { localCorrelationKeys: { k: last } }), false);
      assert.equal(await isFound(engine, { processInstanceId: id, correlationKeys: { k: 'i1' } }), true);
      assert.deepEqual(engine.replayed(id).stored, engine.replayed(id).again);
    });
  }
});

describe('correlateMessage to a definition', () => {
  const start = (id: string) => `<bpmn:startEvent id="${id}">${onMessage}</bpmn:startEvent>`;
  const model = (id: string) => bpmn(start(id) + element('userTask', 'work') + flow(id, 'work'), { root });

  it('starts it, whichever version it is, and passes what waits', async () => {
    const engine = new EngineHarness();
    const [old = ''] = await engine.deploy(model('s1'));
    await engine.deploy(model('s2'), 'again');
    const { receivers } = await correlate(engine, { definitionId: old, businessKey: 'key' });
    assert.equal(receivers[0]?.activityId, 's1');
    assert.equal(engine.instance(receivers[0]?.instanceId ?? '').businessKey, 'key');
  });

  it('is refused where the message starts nothing there, or only a token can be meant', async () => {
    const engine = new EngineHarness();
    const [id = ''] = await engine.deploy(model('s'));
    assert.match(
      await refusalOf(correlate(engine, { messageName: 'x', definitionId: id })),
      /^NOT_FOUND: .* in process definition/,
    );
    assert.match(
      await refusalOf(correlate(engine, { definitionId: 'x' })),
      /^NOT_FOUND: expected a process definition/,
    );
    assert.match(
      await refusalOf(correlate(engine, { definitionId: id, correlationKeys: { a: 1 } })),
      /^BAD_REQUEST: expected no 'processInstanceId'/,
    );
  });
});

describe('correlateMessage to all', () => {
  it('reaches every token that waits, each by a job of its own, and every process that begins by it', async () => {
    const start = `<bpmn:startEvent id="s">${onMessage}</bpmn:startEvent>`;
    const engine = await deployed(
      hears(),
      bpmn(start + element('userTask', 'work') + flow('s', 'work'), { key: 'q', root }),
    );
    const ids = [await engine.start({}, ann, 'a'), await engine.start({}, ann, 'b')];
    const { receivers, hasMore } = await correlate(engine, { all: true, variables: inputs({ sum: 7 }) });
    await engine.settle();
    const started = receivers.filter(({ isStarted }) => isStarted);
    const reached = receivers.filter(({ isStarted }) => !isStarted).map(({ instanceId }) => instanceId);
    assert.deepEqual(reached.sort(), ids.sort());
    assert.equal(started.length, 1);
    for (const { instanceId } of receivers) assert.deepEqual(engine.variables(instanceId), { sum: 7 });
    assert.equal(hasMore, false);
    assert.deepEqual(
      engine.all(subscriptions).map(({ instanceId }) => instanceId),
      [null],
    );
  });

  it('reaches those of a business key, an instance or variables alone, and may reach none', async () => {
    const engine = await deployed(hears());
    const ids = [];
    for (const n of [1, 2, 3, 4]) ids.push(await engine.start({ odd: n % 2 === 1 }, ann, `k${n}`));
    const reached = async (given: Given) =>
      (await correlate(engine, { all: true, ...given })).receivers.map(({ instanceId }) => instanceId).sort();
    assert.deepEqual(await reached({ correlationKeys: { odd: true } }), [ids[0], ids[2]].sort());
    assert.deepEqual(await reached({ businessKey: 'k2' }), [ids[1]]);
    assert.deepEqual(await reached({ processInstanceId: ids[3] }), [ids[3]]);
    assert.deepEqual(await reached({ messageName: 'nobody' }), []);
  });

  it('goes on to more than 200, and not to those that come to wait meanwhile', async () => {
    for (const correlationKeys of [undefined, { k: 1 }]) {
      const engine = await deployed(hears());
      for (let n = 0; n < 450; n++) await engine.start({ k: n % 3 === 0 ? 2 : 1 });
      const { receivers, hasMore } = await correlate(engine, { all: true, correlationKeys });
      assert.deepEqual([receivers.length, hasMore], [200, true]);
      const late = await engine.start({ k: 1 });
      await engine.settle();
      const waiting = engine.all(subscriptions);
      assert.equal(waiting.length, correlationKeys === undefined ? 1 : 151);
      assert.ok(waiting.some(({ instanceId }) => instanceId === late));
    }
  });

  it('passes those that are suspended', async () => {
    const engine = await deployed(hears());
    const [one, two] = [await engine.start(), await engine.start()];
    await engine.run(engine.api.suspendProcessInstance, { id: one }, admin);
    const { receivers } = await correlate(engine, { all: true });
    assert.deepEqual(
      receivers.map(({ instanceId }) => instanceId),
      [two],
    );
  });

  it('holds up no other where one fails', async () => {
    const gate = element('serviceTask', 'fail', { 'camunda:expression': `\${no.such}` });
    const model = bpmn(line(['hear', 'fail'], element('receiveTask', 'hear', { messageRef: 'm' }) + gate), { root });
    const engine = await deployed(model, hears('', 'q'));
    await engine.start();
    const other = await engine.run(engine.api.startProcess, { definitionKey: 'q' }, ann);
    await correlate(engine, { all: true });
    for (const job of engine.all(jobs)) await engine.runJob(job.id);
    assert.equal(engine.task().instanceId, other);
    assert.equal(engine.all(processInstances).length, 2);
  });

  it('starts only what the caller may start', async () => {
    const start = `<bpmn:startEvent id="s">${onMessage}</bpmn:startEvent>`;
    const model = bpmn(start + element('userTask', 'work') + flow('s', 'work'), {
      root,
      attributes: 'camunda:candidateStarterUsers="ann"',
    });
    const engine = await deployed(model);
    assert.match(await refusalOf(correlate(engine, { all: true }, bob)), /^FORBIDDEN/);
    assert.equal((await correlate(engine, { all: true }, ann)).receivers.length, 1);
  });

  it('refuses more variables than each of the jobs should hold', async () => {
    const engine = await deployed(hears());
    const variables = inputs({ text: 'x'.repeat(20_000) });
    assert.match(await refusalOf(correlate(engine, { all: true, variables })), /^LIMIT_EXCEEDED/);
  });
});
