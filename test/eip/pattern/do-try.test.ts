import assert from 'node:assert/strict';
import { ExchangeFailure } from '../../../src/expression/routes.js';
import { Routes, routes } from '../support/routes.js';

const CATCH = `
doCatch:
  - exception: [ java.lang.IllegalArgumentException, java.io.IOException ]
    onWhen: { simple: "\${header.n} == 1" }
    steps: [ { to: { uri: "mock:first" } } ]
  - exception: [ java.lang.RuntimeException ]
    steps: [ { to: { uri: "mock:second" } } ]
doFinally: { steps: [ { to: { uri: "mock:finally" } } ] }`.replaceAll('\n', '\n            ');

/** A doTry that sends to `outside:throws`, behind an onException for everything. */
async function trying(parts = CATCH): Promise<Routes> {
  const tested = new Routes();
  tested.outside('throws', ({ headers }) => {
    if (!headers.has('type')) return undefined;
    const cause = headers.has('cause') ? new ExchangeFailure(String(headers.get('cause')), 'cause') : undefined;
    throw new ExchangeFailure(String(headers.get('type')), 'thrown', { cause });
  });
  return await tested.start(`
- onException: { exception: [ java.lang.Throwable ], handled: { constant: "true" }, steps: [ { to: { uri: "mock:handler" } } ] }
- from:
    uri: direct:in
    steps:
      - doTry:
            steps: [ { to: { uri: "outside:throws" } }, { to: { uri: "mock:tried" } } ]
            ${parts}
      - to: { uri: "mock:behind" }
`);
}

const counts = (tested: Routes) =>
  ['tried', 'first', 'second', 'finally', 'behind', 'handler'].map((name) => tested.mock(name).counter);

describe('doTry', () => {
  it('goes on behind what did not fail, and runs doFinally', async () => {
    const tested = await trying();
    await tested.send('direct:in');
    assert.deepEqual(counts(tested), [1, 0, 0, 1, 1, 0]);
  });

  it('takes the first doCatch of the class, also of a cause, whose onWhen holds', async () => {
    for (const [headers, expected] of [
      [{ type: 'java.net.ConnectException', n: 1 }, [0, 1, 0, 1, 1, 0]],
      [{ type: 'java.lang.RuntimeException', cause: 'java.io.FileNotFoundException', n: 1 }, [0, 1, 0, 1, 1, 0]],
      [{ type: 'java.lang.IllegalArgumentException', n: 2 }, [0, 0, 1, 1, 1, 0]],
    ] as const) {
      const tested = await trying();
      const exchange = await tested.send('direct:in', 'x', headers);
      assert.deepEqual(counts(tested), expected);
      assert.match(String(exchange.properties.get('CamelExceptionCaught')), /thrown/);
      assert.ok(!exchange.properties.has('CamelFailureEndpoint'));
    }
  });

  it('onWhen may ask what failed', async () => {
    const tested = await trying(
      `
doCatch:
  - exception: [ java.lang.Exception ]
    onWhen: { simple: "\${exception.message} == 'else'" }
    steps: [ { to: { uri: "mock:first" } } ]
  - exception: [ java.lang.Exception ]
    onWhen: { simple: "\${exception.message} == 'thrown'" }
    steps: [ { to: { uri: "mock:second" } } ]`.replaceAll('\n', '\n            '),
    );
    await tested.send('direct:in', 'x', { type: 'java.lang.RuntimeException' });
    assert.deepEqual(counts(tested), [0, 0, 1, 0, 1, 0]);
  });

  it('leaves what it does not catch to its caller: its route has no error handler there', async () => {
    const tested = await trying();
    const exchange = await tested.send('direct:in', 'x', { type: 'java.sql.SQLException' });
    assert.deepEqual(counts(tested), [0, 0, 0, 1, 0, 0]);
    assert.match(String(exchange.exception), /java.sql.SQLException/);
    assert.equal(exchange.properties.get('CamelFailureEndpoint'), 'outside://throws');
  });

  it('leaves what fails in doCatch, and what failed before doFinally fails', async () => {
    const fails = (message: string) =>
      `steps: [ { throwException: { exceptionType: java.lang.IllegalStateException, message: ${message} } } ]`;
    const again = await trying(`doCatch: [ { exception: [ java.lang.Exception ], ${fails('again')} } ]`);
    assert.match(String((await again.send('direct:in', 'x', { type: 'java.io.IOException' })).exception), /again/);
    const last = await trying(`doFinally: { ${fails('last')} }`);
    assert.match(String((await last.send('direct:in', 'x', { type: 'java.io.IOException' })).exception), /thrown/);
    assert.match(String((await last.send('direct:in')).exception), /last/);
  });

  it('forgets where it failed when that was caught, also without doFinally; an uncaught failure is told', async () => {
    const caught = await trying(
      'doCatch: [ { exception: [ java.io.IOException ], steps: [ { to: { uri: "mock:first" } } ] } ]',
    );
    const mended = await caught.send('direct:in', 'x', { type: 'java.io.IOException' });
    assert.ok(!mended.properties.has('CamelFailureRouteId'));
    const failed = await caught.send('direct:in', 'x', { type: 'java.sql.SQLException' });
    assert.equal(failed.properties.get('CamelFailureRouteId'), 'route1');
    assert.equal(failed.properties.get('CamelExceptionCaught'), failed.exception);
  });

  it('catches what a called route gave up, and what fails later is handled again', async () => {
    const tested = await routes(`
- route: { id: called, errorHandler: { defaultErrorHandler: {} }, from: { uri: "direct:called", steps: [ { throwException: { exceptionType: java.io.IOException, message: m } } ] } }
- route:
    id: in
    errorHandler: { deadLetterChannel: { deadLetterUri: "mock:dead" } }
    from:
      uri: direct:in
      steps:
        - doTry:
            steps: [ { to: { uri: "direct:called" } } ]
            doCatch: [ { exception: [ java.io.IOException ], steps: [ { to: { uri: "mock:caught" } } ] } ]
        - throwException: { exceptionType: java.lang.IllegalStateException, message: later }
`);
    await tested.send('direct:in');
    assert.deepEqual([tested.mock('caught').counter, tested.mock('dead').counter], [1, 1]);
  });

  it('runs doFinally where a called route handled its failure, and ends there; not behind stop', async () => {
    const tested = await routes(`
- route: { id: called, errorHandler: { deadLetterChannel: { deadLetterUri: "mock:dead" } }, from: { uri: "direct:called", steps: [ { throwException: { exceptionType: java.io.IOException, message: m } } ] } }
- from: { uri: "direct:in", steps: [ { doTry: { steps: [ { to: { uri: "direct:called" } } ], doFinally: { steps: [ { to: { uri: "mock:finally" } } ] } } }, { to: { uri: "mock:behind" } } ] }
- from: { uri: "direct:stops", steps: [ { doTry: { steps: [ { stop: {} } ], doFinally: { steps: [ { to: { uri: "mock:finally" } } ] } } } ] }
`);
    await tested.send('direct:in');
    await tested.send('direct:stops');
    assert.deepEqual([tested.mock('finally').counter, tested.mock('behind').counter], [1, 0]);
  });
});

describe('rollback', () => {
  it('fails the exchange, and is not tried again', async () => {
    const tested = await routes(`
- errorHandler: { defaultErrorHandler: { redeliveryPolicy: { maximumRedeliveries: 3 } } }
- from: { uri: "direct:in", steps: [ { rollback: { message: undo } } ] }
- from: { uri: "direct:caught", steps: [ { doTry: { steps: [ { rollback: {} } ], doCatch: [ { exception: [ java.lang.Exception ], steps: [ { to: { uri: "mock:caught" } } ] } ] } } ] }
`);
    const exchange = await tested.send('direct:in');
    assert.match(String(exchange.exception), /RollbackExchangeException: undo\. Exchange\[exchange-/);
    const caught = await tested.send('direct:caught');
    assert.match(String(caught.exception), /Intended rollback/);
    assert.equal(tested.mock('caught').counter, 1);
  });

  it('that only marks ends the exchange without a failure', async () => {
    const tested = await routes(`
- from: { uri: "direct:in", steps: [ { rollback: { markRollbackOnly: true } }, { to: { uri: "mock:behind" } } ] }
`);
    const exchange = await tested.send('direct:in');
    assert.deepEqual([exchange.exception, exchange.rollback, tested.mock('behind').counter], [undefined, 'all', 0]);
  });
});
