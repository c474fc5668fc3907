import assert from 'node:assert/strict';
import { ExchangeFailure } from '../../../src/expression/routes.js';
import { Routes, routes } from '../support/routes.js';

/** `direct:in` throws what the headers type and cause name. */
async function throwing(yaml: string): Promise<Routes> {
  const tested = new Routes();
  tested.outside('throws', ({ headers }) => {
    const cause = headers.has('cause') ? new ExchangeFailure(String(headers.get('cause')), 'cause') : undefined;
    throw new ExchangeFailure(String(headers.get('type')), 'thrown', { cause });
  });
  return await tested.start(
    `${yaml}\n- route: { id: in, from: { uri: "direct:in", steps: [ { to: { uri: "outside:throws" } }, { to: { uri: "mock:behind" } } ] } }`,
  );
}

const WHEN = ', onWhen: { simple: "${header.n} == 1" }';
const handling = (classes: string, to: string, more = '') =>
  `{ exception: [ ${classes} ], handled: { constant: "true" }, steps: [ { to: { uri: "mock:${to}" } } ]${more} }`;

describe('onException', () => {
  it('is that of the nearest class, of the thrown one or of a cause; the deeper cause first', async () => {
    const tested = await throwing(`
- onException: ${handling('java.lang.Exception', 'any')}
- onException: ${handling('java.io.IOException', 'io')}
- onException: ${handling('java.lang.RuntimeException, java.sql.SQLException', 'runtime')}
`);
    const cases = [
      ['java.lang.IllegalArgumentException', undefined, 'runtime'],
      ['java.net.ConnectException', undefined, 'io'],
      ['java.lang.InterruptedException', undefined, 'any'],
      ['java.sql.SQLException', undefined, 'runtime'],
      ['java.lang.RuntimeException', 'java.io.IOException', 'io'],
      ['java.lang.RuntimeException', 'java.net.ConnectException', 'runtime'],
      ['java.lang.IllegalStateException', 'java.io.FileNotFoundException', 'io'],
    ] as const;
    for (const [type, cause, expected] of cases) {
      const before = tested.mock(expected).counter;
      const exchange = await tested.send('direct:in', 'x', { type, ...(cause === undefined ? {} : { cause }) });
      assert.equal(tested.mock(expected).counter, before + 1, `${type} caused by ${cause} → ${expected}`);
      assert.equal(exchange.exception, undefined);
    }
    assert.equal(tested.mock('behind').counter, 0);
  });

  it('whose onWhen does not hold counts as not there', async () => {
    const tested = await throwing(`
- onException: ${handling('java.io.IOException', 'when', WHEN)}
- onException: ${handling('java.lang.Exception', 'else')}
`);
    await tested.send('direct:in', 'x', { type: 'java.io.IOException', n: 1 });
    await tested.send('direct:in', 'x', { type: 'java.io.IOException', n: 2 });
    assert.deepEqual([tested.mock('when').counter, tested.mock('else').counter], [1, 1]);
  });

  it('of the route comes before that of its file, of a nearer class unless the class is that of the failure', async () => {
    const tested = new Routes();
    await tested.start(`
- onException: ${handling('java.io.IOException', 'file')}
- route:
    id: in
    onException: [ { onException: ${handling('java.lang.Exception', 'route')} }, { onException: ${handling('java.net.SocketException', 'socket')} } ]
    from: { uri: "direct:in", steps: [ { choice: { when: [ { header: io, steps: [ { throwException: { exceptionType: java.io.IOException, message: m } } ] } ], otherwise: { steps: [ { throwException: { exceptionType: java.net.SocketException, message: m } } ] } } } ] }
`);
    await tested.send('direct:in', 'x', { io: true });
    await tested.send('direct:in', 'x');
    assert.deepEqual(
      [tested.mock('file').counter, tested.mock('route').counter, tested.mock('socket').counter],
      [1, 0, 1],
    );
  });

  it('of a configuration takes the place of that of the file for the same class; an id must be named', async () => {
    const configured = (id: string, to: string) =>
      `- routeConfiguration: {${id} onException: [ { onException: ${handling('java.io.IOException', to)} } ] }`;
    const steps = 'steps: [ { throwException: { exceptionType: java.io.IOException, message: m } } ]';
    const tested = await routes(`
- onException: ${handling('java.io.IOException', 'file')}
${configured('', 'all')}
${configured('id: one,', 'one')}
- route: { id: a, from: { uri: "direct:a", ${steps} } }
- route: { id: b, routeConfigurationId: "on*", from: { uri: "direct:b", ${steps} } }
`);
    await tested.send('direct:a');
    await tested.send('direct:b');
    assert.deepEqual(
      ['file', 'all', 'one'].map((name) => tested.mock(name).counter),
      [0, 1, 1],
    );
  });

  it('of a configuration holds where the precondition of that does', async () => {
    const configured = (is: string, to: string) =>
      `- routeConfiguration: { precondition: "\${body} ${is} null", onException: [ { onException: ${handling('java.io.IOException', to)} } ] }`;
    const tested = await routes(`
${configured('==', 'yes')}
${configured('!=', 'no')}
- from: { uri: "direct:in", steps: [ { throwException: { exceptionType: java.io.IOException, message: m } } ] }
`);
    await tested.send('direct:in', 'x');
    assert.deepEqual([tested.mock('yes').counter, tested.mock('no').counter], [1, 0]);
  });

  it('that is not handled runs its steps, and leaves the failure', async () => {
    const tested = await throwing(`
- onException: { exception: [ java.lang.Exception ], steps: [ { setBody: { constant: seen } }, { to: { uri: "mock:seen" } } ] }
`);
    const exchange = await tested.send('direct:in', 'x', { type: 'java.io.IOException' });
    assert.equal((exchange.exception as Error).message, 'thrown');
    assert.deepEqual(tested.bodies('seen'), ['seen']);
    assert.deepEqual(
      [exchange.body, exchange.headers.get('CamelRedelivered'), exchange.headers.get('CamelRedeliveryCounter')],
      ['seen', false, 0],
    );
  });

  it('that is continued goes on behind the step that failed', async () => {
    const tested = await throwing(`
- onException: { exception: [ java.lang.Exception ], continued: { constant: "true" }, steps: [ { setBody: { constant: mended } } ] }
`);
    const exchange = await tested.send('direct:in', 'x', { type: 'java.io.IOException' });
    assert.equal(exchange.exception, undefined);
    assert.deepEqual(tested.bodies('behind'), ['mended']);
    assert.match(String(tested.mock('behind').exchanges[0]?.properties.get('CamelExceptionCaught')), /thrown/);
    assert.ok(!exchange.headers.has('CamelRedelivered'));
  });

  it('has a policy of redelivery of its own; with steps and none it does not try again', async () => {
    const tested = new Routes();
    const calls = new Map<string, number>();
    tested.outside('throws', ({ headers }) => {
      const type = String(headers.get('type'));
      calls.set(type, (calls.get(type) ?? 0) + 1);
      throw new ExchangeFailure(type, 'thrown');
    });
    await tested.start(`
- errorHandler: { defaultErrorHandler: { redeliveryPolicy: { maximumRedeliveries: 1, redeliveryDelay: "0" } } }
- onException: { exception: [ java.io.IOException ], redeliveryPolicy: { maximumRedeliveries: 3, redeliveryDelay: "0" } }
- onException: ${handling('java.sql.SQLException', 'sql')}
- onException: { exception: [ java.lang.IllegalStateException ], handled: { constant: "true" } }
- onException: { exception: [ java.lang.ArithmeticException ], retryWhile: { simple: "\${header.CamelRedeliveryCounter} < 5" }, redeliveryPolicy: { redeliveryDelay: "0" } }
- from: { uri: "direct:in", steps: [ { to: { uri: "outside:throws" } } ] }
`);
    const types = [
      'io.IOException',
      'sql.SQLException',
      'lang.IllegalStateException',
      'lang.ArithmeticException',
      'lang.Error',
    ];
    for (const type of types) await tested.send('direct:in', 'x', { type: `java.${type}` });
    assert.deepEqual([...calls.values()], [4, 1, 2, 5, 2]);
  });

  it('whose steps fail leaves that failure in place of the first one', async () => {
    const tested = await throwing(`
- onException: { exception: [ java.lang.Exception ], handled: { constant: "true" }, steps: [ { throwException: { exceptionType: java.lang.IllegalStateException, message: second } }, { to: { uri: "mock:no" } } ] }
`);
    const exchange = await tested.send('direct:in', 'x', { type: 'java.io.IOException' });
    assert.equal((exchange.exception as Error).message, 'second');
    assert.equal(exchange.properties.get('CamelExceptionCaught'), exchange.exception);
    assert.equal(tested.mock('no').counter, 0);
  });

  it('that leads back to what failed is broken out of', async () => {
    const tested = await routes(`
- onException: { exception: [ java.lang.Exception ], handled: { constant: "true" }, steps: [ { to: { uri: "direct:in" } } ] }
- route: { id: in, from: { uri: "direct:in", steps: [ { throwException: { exceptionType: java.io.IOException, message: m } } ] } }
`);
    const exchange = await tested.send('direct:in');
    assert.match(String(exchange.exception), /java.io.IOException: m/);
    assert.ok(tested.logged.some(({ message }) => message.startsWith('Circular error-handler detected at route: in')));
  });

  it('is refused where its class is not known, or its options exclude each other', async () => {
    for (const [options, why] of [
      [
        'exception: [ java.lang.IOException ], useOriginalBody: true',
        /unknown exception java.lang.IOException: did you mean java.io.IOException\?/,
      ],
      ['exception: [ com.acme.Mine ], useOriginalBody: true', /unknown exception com.acme.Mine: Java classes/],
      ['handled: { constant: "true" }, useOriginalBody: true', /expected at least one exception/],
      [
        'exception: [ java.lang.Exception ], handled: { constant: "true" }, continued: { constant: "true" }',
        /only one of/,
      ],
      ['exception: [ java.lang.Exception ]', /is not configured/],
    ] as const)
      await assert.rejects(routes(`[{ onException: { ${options} } }, { from: { uri: "direct:in", steps: [] } }]`), why);
  });
});
