import assert from 'node:assert/strict';
import { ExchangeFailure } from '../../../src/expression/routes.js';
import { Routes, routes } from '../support/routes.js';

const ILLEGAL = 'java.lang.IllegalArgumentException';
const REDELIVERY = ['CamelRedelivered', 'CamelRedeliveryCounter', 'CamelRedeliveryMaxCounter'];

/** Routes with `outside:flaky`, which fails as often as the header n says, and changes the message before. */
async function flaky(yaml: string): Promise<{ readonly tested: Routes; readonly attempts: number[] }> {
  const tested = new Routes();
  const attempts: number[] = [];
  let calls = 0;
  tested.outside('flaky', (exchange) => {
    attempts.push(tested.time.now() - Date.UTC(2026, 0, 1));
    calls++;
    if (calls > Number(exchange.headers.get('n'))) return undefined;
    exchange.body = `changed ${calls}`;
    exchange.headers.set('left', true);
    throw new ExchangeFailure('java.lang.IllegalStateException', `failed ${calls}`);
  });
  await tested.start(yaml);
  return { tested, attempts };
}

describe('the error handler', () => {
  it('by default leaves the failure to the caller, and says what failed where', async () => {
    const tested = await routes(`
- route:
    id: a
    from:
      uri: direct:in
      steps:
        - to: { uri: "mock:before" }
        - throwException: { exceptionType: ${ILLEGAL}, message: "no \${body}" }
        - to: { uri: "mock:behind" }
`);
    const exchange = await tested.send('direct:in', 'x');
    assert.equal((exchange.exception as Error).message, 'no x');
    assert.equal(exchange.properties.get('CamelExceptionCaught'), exchange.exception);
    assert.equal(exchange.properties.get('CamelFailureRouteId'), 'a');
    assert.equal(exchange.properties.get('CamelFailureEndpoint'), 'mock://before');
    assert.ok(!exchange.headers.has('CamelRedelivered'));
    assert.deepEqual(tested.bodies('behind'), []);
    assert.match(
      tested.logged[0]?.message ?? '',
      /^Failed delivery for \(ExchangeId: .*Exhausted after delivery attempt: 1/,
    );
  });

  it('tries a step again with the message it had, after growing delays, and goes on', async () => {
    const { tested, attempts } = await flaky(`
- errorHandler:
    defaultErrorHandler:
      redeliveryPolicy: { maximumRedeliveries: 3, redeliveryDelay: 100, useExponentialBackOff: true, backOffMultiplier: 3, maximumRedeliveryDelay: 700 }
- from:
    uri: direct:in
    steps:
      - setBody: { constant: whole }
      - to: { uri: "outside:flaky" }
      - to: { uri: "mock:out" }
`);
    const sent = tested.send('direct:in', 'x', { n: 3 });
    await tested.time.advance(5000);
    const exchange = await sent;
    assert.deepEqual(attempts, [0, 100, 400, 1100]);
    assert.deepEqual(tested.bodies('out'), ['whole']);
    assert.deepEqual(
      REDELIVERY.map((name) => exchange.headers.get(name)),
      [true, 3, 3],
    );
    assert.ok(!exchange.headers.has('left'));
  });

  it('gives up behind the last attempt, with the message of that one', async () => {
    const { tested, attempts } = await flaky(`
- errorHandler:
    defaultErrorHandler: { redeliveryPolicy: { maximumRedeliveries: 2, redeliveryDelay: "0" } }
- from: { uri: "direct:in", steps: [ { to: { uri: "outside:flaky" } } ] }
`);
    const exchange = await tested.send('direct:in', 'x', { n: 9 });
    assert.equal(attempts.length, 3);
    assert.equal((exchange.exception as Error).message, 'failed 3');
    assert.equal(exchange.body, 'changed 3');
    assert.deepEqual(
      REDELIVERY.map((name) => exchange.headers.get(name)),
      [true, 2, 2],
    );
  });

  it('lets others have their turn where it tries without end and without a delay', async () => {
    const { tested, attempts } = await flaky(`
- errorHandler: { defaultErrorHandler: { redeliveryPolicy: { maximumRedeliveries: -1, redeliveryDelay: "0" } } }
- from: { uri: "direct:in", steps: [ { to: { uri: "outside:flaky" } } ] }
`);
    let turns = 0;
    const others = () => {
      turns++;
      if (attempts.length < 20_000) setImmediate(others);
    };
    setImmediate(others);
    const exchange = await tested.send('direct:in', 'x', { n: 20_000 });
    assert.deepEqual([exchange.exception, exchange.body, attempts.length], [undefined, 'x', 20_001]);
    assert.ok(turns > 100, `${turns} turns`);
  });

  it('waits as a pattern says, or a header of the message', async () => {
    const yaml = `
- errorHandler:
    defaultErrorHandler: { redeliveryPolicy: { maximumRedeliveries: 4, delayPattern: "1:10;3:1000" } }
- from: { uri: "direct:in", steps: [ { to: { uri: "outside:flaky" } } ] }
`;
    const patterned = await flaky(yaml);
    const sent = patterned.tested.send('direct:in', 'x', { n: 4 });
    await patterned.tested.time.advance(5000);
    await sent;
    assert.deepEqual(patterned.attempts, [0, 10, 20, 1020, 2020]);
    const given = await flaky(yaml);
    const other = given.tested.send('direct:in', 'x', { n: 2, CamelRedeliveryDelay: 7 });
    await given.tested.time.advance(5000);
    await other;
    assert.deepEqual(given.attempts, [0, 7, 14]);
  });

  it('sends to the dead letter channel what failed, and counts it as handled', async () => {
    const tested = await routes(`
- errorHandler: { deadLetterChannel: { deadLetterUri: "mock:dead" } }
- from:
    uri: direct:in
    steps:
      - setBody: { constant: changed }
      - throwException: { exceptionType: ${ILLEGAL}, message: boom }
      - to: { uri: "mock:behind" }
`);
    const exchange = await tested.send('direct:in', 'x');
    assert.equal(exchange.exception, undefined);
    assert.ok(exchange.isHandled);
    assert.deepEqual(tested.bodies('dead'), ['changed']);
    assert.deepEqual(tested.bodies('behind'), []);
    const [dead] = tested.mock('dead').exchanges;
    assert.match(String(dead?.properties.get('CamelExceptionCaught')), /boom/);
  });

  it('sends the message there with which the exchange began, whichever route failed', async () => {
    for (const [option, headers] of [
      ['useOriginalMessage', ['h']],
      ['useOriginalBody', ['h', 'more']],
    ] as const) {
      const tested = await routes(`
- errorHandler: { deadLetterChannel: { deadLetterUri: "mock:dead", ${option}: true } }
- from:
    uri: direct:in
    steps:
      - setBody: { constant: changed }
      - setHeader: { name: more, constant: y }
      - to: { uri: "direct:called" }
- from: { uri: "direct:called", steps: [ { throwException: { exceptionType: ${ILLEGAL}, message: boom } } ] }
`);
      await tested.send('direct:in', 'x', { h: 1 });
      assert.deepEqual(tested.bodies('dead'), ['x']);
      assert.deepEqual([...(tested.mock('dead').exchanges[0]?.headers.names() ?? [])], headers);
    }
  });

  it('sends a branch of a split there as that began, and the split goes on', async () => {
    const tested = await routes(`
- errorHandler: { deadLetterChannel: { deadLetterUri: "mock:dead", useOriginalMessage: true } }
- from:
    uri: direct:in
    steps:
      - split: { simple: "\${body}", steps: [ { setBody: { constant: changed } }, { throwException: { exceptionType: ${ILLEGAL}, message: boom } } ] }
      - to: { uri: "mock:behind" }
`);
    await tested.send('direct:in', ['a', 'b']);
    assert.deepEqual(tested.bodies('dead'), ['a', 'b']);
    assert.equal(tested.mock('behind').counter, 1);
  });

  it('sends the whole there for each branch that shares its unit of work, and that is handled, too', async () => {
    const tested = await routes(`
- errorHandler: { deadLetterChannel: { deadLetterUri: "mock:dead", useOriginalMessage: true } }
- from:
    uri: direct:in
    steps:
      - setBody: { simple: "\${body},more" }
      - split: { simple: "\${body}", shareUnitOfWork: true, steps: [ { throwException: { exceptionType: ${ILLEGAL}, message: boom } } ] }
      - to: { uri: "mock:behind" }
`);
    const exchange = await tested.send('direct:in', 'a');
    assert.deepEqual(tested.bodies('dead'), ['a', 'a']);
    assert.deepEqual([exchange.isHandled, tested.mock('behind').counter], [true, 0]);
  });

  it('handles what fails in the dead letter channel, too, unless it is told not to', async () => {
    const yaml = (option: string) => `
- errorHandler: { deadLetterChannel: { deadLetterUri: "outside:dead"${option} } }
- from: { uri: "direct:in", steps: [ { throwException: { exceptionType: ${ILLEGAL}, message: boom } } ] }
`;
    const sent = async (option: string) => {
      const tested = new Routes();
      tested.outside('dead', () => {
        throw new ExchangeFailure('java.io.IOException', 'full');
      });
      return await (await tested.start(yaml(option))).send('direct:in');
    };
    assert.equal((await sent('')).exception, undefined);
    assert.match(String((await sent(', deadLetterHandleNewException: false')).exception), /IOException: full/);
  });

  it('is not there where a route says so: the caller handles', async () => {
    const { tested, attempts } = await flaky(`
- route:
    id: caller
    errorHandler: { deadLetterChannel: { deadLetterUri: "mock:dead", redeliveryPolicy: { maximumRedeliveries: 1, redeliveryDelay: "0" } } }
    from: { uri: "direct:in", steps: [ { to: { uri: "direct:called" } } ] }
- route:
    id: called
    errorHandler: { noErrorHandler: {} }
    from: { uri: "direct:called", steps: [ { to: { uri: "outside:flaky" } } ] }
`);
    await tested.send('direct:in', 'x', { n: 9 });
    assert.equal(attempts.length, 2);
    assert.equal(tested.mock('dead').counter, 1);
  });

  it('is that of the route, else the last one of its configurations, else that of its file', async () => {
    const dead = (name: string) => `errorHandler: { deadLetterChannel: { deadLetterUri: "mock:${name}" } }`;
    const fails = `steps: [ { throwException: { exceptionType: ${ILLEGAL}, message: boom } } ]`;
    const tested = await routes(`
- ${dead('file')}
- routeConfiguration: { id: one, ${dead('one')} }
- routeConfiguration: { id: two, ${dead('two')} }
- route: { id: a, routeConfigurationId: "one,two", ${dead('own')}, from: { uri: "direct:a", ${fails} } }
- route: { id: b, routeConfigurationId: "one,two", from: { uri: "direct:b", ${fails} } }
- route: { id: c, from: { uri: "direct:c", ${fails} } }
`);
    for (const name of ['a', 'b', 'c']) await tested.send(`direct:${name}`);
    assert.deepEqual(
      ['own', 'one', 'two', 'file'].map((name) => tested.mock(name).counter),
      [1, 0, 1, 1],
    );
  });

  it('of a called route comes first; what that gives up is tried by no other one', async () => {
    const { tested, attempts } = await flaky(`
- route:
    id: caller
    errorHandler: { deadLetterChannel: { deadLetterUri: "mock:dead" } }
    from: { uri: "direct:in", steps: [ { to: { uri: "direct:called" } }, { to: { uri: "mock:behind" } } ] }
- route:
    id: called
    errorHandler: { defaultErrorHandler: { redeliveryPolicy: { maximumRedeliveries: 1, redeliveryDelay: "0" } } }
    from: { uri: "direct:called", steps: [ { to: { uri: "outside:flaky" } } ] }
`);
    const exchange = await tested.send('direct:in', 'x', { n: 9 });
    assert.equal(attempts.length, 2);
    assert.equal(tested.mock('dead').counter, 0);
    assert.equal((exchange.exception as Error).message, 'failed 2');
    assert.equal(exchange.properties.get('CamelFailureRouteId'), 'called');
  });

  it('that handled a failure in a called route ends the caller, too; so does stop', async () => {
    const tested = await routes(`
- errorHandler: { deadLetterChannel: { deadLetterUri: "mock:dead" } }
- from: { uri: "direct:in", steps: [ { to: { uri: "direct:called" } }, { to: { uri: "mock:behind" } } ] }
- from: { uri: "direct:called", steps: [ { throwException: { exceptionType: ${ILLEGAL}, message: boom } } ] }
- from: { uri: "direct:stops", steps: [ { to: { uri: "direct:stopped" } }, { to: { uri: "mock:behind" } } ] }
- from: { uri: "direct:stopped", steps: [ { stop: {} }, { to: { uri: "mock:behind" } } ] }
`);
    await tested.send('direct:in');
    await tested.send('direct:stops');
    assert.equal(tested.mock('dead').counter, 1);
    assert.equal(tested.mock('behind').counter, 0);
  });

  it('that is a Java object, or needs a transaction manager, is refused by name', async () => {
    for (const [kind, why] of [
      ['refErrorHandler: { ref: mine }', /refErrorHandler.*there is no bean mine/],
      ['jtaTransactionErrorHandler: {}', /jtaTransactionErrorHandler .*no transaction manager/],
      ['springTransactionErrorHandler: {}', /no transaction manager/],
      ['defaultErrorHandler: { onRedeliveryRef: none }', /there is no bean none/],
      [
        'defaultErrorHandler: { redeliveryPolicy: { maximumRedeliveries: many } }',
        /expected a number for maximumRedeliveries/,
      ],
    ] as const)
      await assert.rejects(routes(`[{ errorHandler: { ${kind} } }, { from: { uri: "direct:in", steps: [] } }]`), why);
  });

  it('gives up an attempt that waits when its route is to stop, where it may not go on', async () => {
    for (const [allows, attempts] of [
      [true, 2],
      [false, 1],
    ] as const) {
      const { tested, attempts: made } = await flaky(`
- errorHandler: { defaultErrorHandler: { redeliveryPolicy: { maximumRedeliveries: 1, redeliveryDelay: "100", allowRedeliveryWhileStopping: ${allows} } } }
- from: { uri: "direct:in", steps: [ { to: { uri: "outside:flaky" } } ] }
`);
      const sent = tested.send('direct:in', 'x', { n: 9 });
      const stopped = tested.runtime.stop('route1', { timeoutMs: 60_000 });
      await tested.time.advance(1000);
      const { exception } = await sent;
      await stopped;
      assert.equal(made.length, attempts);
      assert.match(String(exception), allows ? /failed 2/ : /RejectedExecutionException: Redelivery not allowed/);
    }
  });

  it('sends to the dead letter channel without waiting for an answer', async () => {
    const tested = await routes(`
- errorHandler: { deadLetterChannel: { deadLetterUri: "mock:dead" } }
- from: { uri: "direct:in", steps: [ { throwException: { exceptionType: ${ILLEGAL}, message: boom } } ] }
`);
    assert.equal((await tested.send('direct:in')).pattern, 'InOut');
    assert.equal(tested.mock('dead').exchanges[0]?.pattern, 'InOnly');
  });

  it('lets beans see each failure, each attempt and the end', async () => {
    const tested = new Routes();
    const seen: string[] = [];
    for (const name of ['occurred', 'again', 'prepare'])
      tested.context.bind(name, (exchange: { body: unknown }) => void seen.push(`${name} ${String(exchange.body)}`));
    await tested.start(`
- errorHandler:
    deadLetterChannel:
      deadLetterUri: mock:dead
      onExceptionOccurredRef: occurred
      onRedeliveryRef: again
      onPrepareFailureRef: prepare
      redeliveryPolicy: { maximumRedeliveries: 1, redeliveryDelay: "0" }
- from: { uri: "direct:in", steps: [ { throwException: { exceptionType: ${ILLEGAL}, message: boom } } ] }
`);
    await tested.send('direct:in', 'x');
    assert.deepEqual(seen, ['occurred x', 'again x', 'occurred x', 'prepare x']);
  });
});
