import assert from 'node:assert/strict';
import type { ExchangeRecord } from '../../../src/eip/history/exchange-record.js';
import { historyPolicy } from '../../../src/eip/history/history-policy.js';
import { recordAt, summariesOf } from '../../../src/eip/history/packed-records.js';
import { TimeHistogram } from '../../../src/eip/history/time-histogram.js';
import { readXml } from '../../../src/eip/model/read-routes.js';
import type { HistoryBatch } from '../../../src/eip/runtime/exchange-history.js';
import type { Meter } from '../../../src/eip/runtime/meters.js';
import { Routes } from '../support/routes.js';

/** Routes whose history is taken over, and what of it came. */
async function recording(yaml: string, properties: Readonly<Record<string, string>> = {}) {
  const batches: HistoryBatch[] = [];
  const meters: Meter[] = [];
  const routes = new Routes(properties, {}, (batch) => batches.push(batch), {
    counted: (made) => meters.push(...made),
  });
  await routes.start(yaml);
  const kept = (): ExchangeRecord[] => {
    routes.context.history?.flush();
    return batches.flatMap(({ completed, failed }) =>
      [completed, failed].flatMap((packed) =>
        packed === null ? [] : Array.from(summariesOf(packed), ({ at }) => recordAt(packed, at)),
      ),
    );
  };
  return { routes, batches, meters, kept };
}

const stepsOf = ({ steps }: ExchangeRecord) => steps.map(({ routeId, stepId }) => `${routeId}/${stepId}`);

describe('the history of exchanges', () => {
  it('has the steps that an exchange entered, where they send to, and how long each took', async () => {
    const { routes, kept, meters } = await recording(`
      - route:
          id: orders
          from: { uri: direct:in, steps: [
            { setBody: { id: hello, constant: Hello } },
            { filter: { id: never, simple: "\${header.none} == 1", steps: [{ setBody: { id: inner, constant: x } }] } },
            { to: { id: out, uri: "mock:out?retainFirst=1" } }] }`);
    await routes.send('direct:in', 'x');
    const [record, ...more] = kept();
    assert.deepEqual(more, []);
    assert.ok(record !== undefined);
    assert.deepEqual(stepsOf(record), ['orders/hello', 'orders/never', 'orders/out']);
    assert.deepEqual(
      record.steps.map(({ endpointUri }) => endpointUri),
      [null, null, 'mock:out?retainFirst=1'],
    );
    assert.ok(record.steps.every(({ taken }) => taken !== null));
    assert.deepEqual(
      [record.routeId, record.status, record.bodyType, record.bodySize],
      ['orders', 'completed', 'String', 5],
    );
    const out = meters.find((meter) => meter.kind === 'step' && meter.stepId === 'out');
    assert.ok(out !== undefined);
    assert.equal(new TimeHistogram(out.memory).count, 1);
  });

  it('has the steps of routes that are called with those of the route in which the exchange began', async () => {
    const { routes, kept } = await recording(`
      - route: { id: outer, from: { uri: direct:outer, steps: [{ to: { id: call, uri: direct:inner } }] } }
      - route: { id: inner, from: { uri: direct:inner, steps: [{ setBody: { id: work, constant: x } }] } }`);
    await routes.send('direct:outer');
    assert.deepEqual(kept().map(stepsOf), [['outer/call', 'inner/work']]);
  });

  it('tells of what failed, and of what was handled as completed with its exception', async () => {
    const { routes, kept } = await recording(`
      - route:
          id: failing
          from: { uri: direct:failing, steps: [
            { throwException: { id: no, exceptionType: java.lang.IllegalStateException, message: "no way" } }] }
      - route:
          id: handling
          from: { uri: direct:handling, steps: [
            { doTry: { steps: [{ throwException: { exceptionType: java.io.IOException, message: gone } }],
                       doCatch: [{ exception: [java.io.IOException], steps: [{ setBody: { constant: caught } }] }] } }] }`);
    await routes.send('direct:failing');
    await routes.send('direct:handling');
    const facts = kept().map(({ routeId, status, exceptionType, exceptionMessage }) =>
      [routeId, status, exceptionType, exceptionMessage].join(' '),
    );
    assert.deepEqual(facts.sort(), [
      'failing failed java.lang.IllegalStateException no way',
      'handling completed java.io.IOException gone',
    ]);
  });

  it('is kept of each, of failures only, or of none, as the route says in which an exchange begins', async () => {
    const route = (id: string, mode: string) => `
      - route:
          id: ${id}
          routeProperty: [{ key: "mi:history", value: ${mode} }]
          from: { uri: direct:${id}, steps: [{ to: direct:common }] }`;
    const { routes, kept } = await recording(`
      ${route('each', 'all')}${route('failures', 'Failure')}${route('silent', 'none')}${route('unclear', 'often')}
      - route:
          id: common
          from: { uri: direct:common, steps: [
            { filter: { simple: "\${body} == 'bad'", steps: [{ throwException: { exceptionType: java.io.IOException, message: bad } }] } }] }`);
    for (const id of ['each', 'failures', 'silent', 'unclear'])
      for (const body of ['good', 'bad']) await routes.send(`direct:${id}`, body);
    assert.deepEqual(
      kept()
        .map(({ routeId, status }) => `${routeId} ${status}`)
        .sort(),
      ['each completed', 'each failed', 'failures failed', 'unclear completed', 'unclear failed'],
    );
  });

  it('is kept as a property says that the route names, and as it is written in XML', async () => {
    const { routes, kept } = await recording(
      `
      - route:
          id: named
          routeProperty: [{ key: "mi:history", value: "{{kept}}" }]
          from: { uri: direct:named, steps: [{ setBody: { constant: x } }] }`,
      { kept: 'none' },
    );
    await routes.send('direct:named');
    assert.deepEqual(kept(), []);
    const { file } = readXml(
      '<route id="x"><routeProperty key="mi:history" value="failure"/><from uri="direct:x"/><to uri="mock:x"/></route>',
    );
    const [route] = file?.routes ?? [];
    assert.equal(route && historyPolicy(route, String), 'failure');
  });

  it('begins no more where too much of what failed is not kept as yet', async () => {
    const batches: HistoryBatch[] = [];
    const routes = new Routes({}, {}, (batch) => batches.push(batch), { unkeptMax: 10 });
    await routes.start(`
      - route: { id: failing, from: { uri: direct:failing, steps: [
          { throwException: { exceptionType: java.io.IOException, message: gone } }] } }
      - route: { id: silent, routeProperty: [{ key: "mi:history", value: none }],
          from: { uri: direct:silent, steps: [{ setBody: { constant: x } }] } }`);
    await routes.send('direct:failing');
    routes.context.history?.flush();
    const sent = batches[0]?.failed?.bytes.byteLength ?? 0;
    assert.ok(sent > 10);
    let isOver = false;
    const held = routes.send('direct:failing').then(() => {
      isOver = true;
    });
    await routes.send('direct:silent');
    assert.equal(isOver, false);
    assert.equal(routes.runtime.statistics('failing').inflight, 1);
    routes.context.history?.kept(sent);
    await held;
    assert.equal(routes.runtime.statistics('failing').failed, 2);
  });

  it('has a business key, and the headers that the exchange wants kept', async () => {
    const { routes, kept } = await recording(`
      - route: { id: keyed, from: { uri: direct:keyed, steps: [{ setBody: { constant: x } }] } }`);
    await routes.send('direct:keyed', null, {
      'mi:history.businessKey': 'order-7',
      'mi:history.header.includes': 'amount, x-*, app.~',
      'mi:history.header.excludes': 'x-secret',
      amount: 12,
      'x-one': 'a',
      'x-secret': 'b',
      'app.when': new Date(0),
      other: 1,
    });
    const [record] = kept();
    assert.equal(record?.businessKey, 'order-7');
    assert.deepEqual(JSON.parse(record.headers ?? ''), {
      amount: { type: 'int', value: 12 },
      'x-one': { type: 'string', value: 'a' },
      when: { type: 'date', value: '1970-01-01T00:00:00.000Z' },
    });
  });
});
