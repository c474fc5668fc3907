import assert from 'node:assert/strict';
import { untilInstant } from '../../../src/eip/flow/outcome.js';
import { type Exchange, ExchangeFailure, failureType } from '../../../src/expression/routes.js';
import { Routes } from '../support/routes.js';

/** `direct:in` has a circuit breaker around `outside:service`, which fails with what the header `type` names, and takes as many ms as `ms` says. */
async function breaking(options: string, fallback = true): Promise<Routes> {
  const tested = new Routes();
  tested.outside('service', ({ headers, context }) => {
    const end = () => {
      if (headers.has('type')) throw new ExchangeFailure(String(headers.get('type')), 'thrown');
      return undefined;
    };
    const ms = Number(headers.get('ms') ?? 0);
    return ms > 0 ? untilInstant(context.now() + ms, end) : end();
  });
  const steps = 'onFallback: { steps: [ { to: { uri: "mock:fallback" } }, { setBody: { constant: instead } } ] }';
  return await tested.start(`
- errorHandler: { deadLetterChannel: { deadLetterUri: "mock:dead" } }
- from:
    uri: direct:in
    steps:
      - circuitBreaker:
            resilience4jConfiguration: { ${options} }
            steps:
              - setBody: { simple: "\${body}-in" }
              - to: { uri: "outside:service" }
            ${fallback ? steps : ''}
      - to: { uri: "mock:end" }
`);
}

const FAILS = { type: 'java.io.IOException' };
const told = (exchange: Exchange) =>
  ['SuccessfulExecution', 'ResponseFromFallback', 'ResponseShortCircuited', 'State'].map((name) =>
    exchange.properties.get(`CamelCircuitBreaker${name}`),
  );

describe('circuitBreaker', () => {
  it('goes on with what its steps made of the exchange, or with the fallback for the exchange as it came', async () => {
    const tested = await breaking('');
    const good = await tested.send('direct:in', 'x');
    assert.deepEqual([good.body, ...told(good)], ['x-in', true, false, undefined, 'CLOSED']);
    const failed = await tested.send('direct:in', 'x', FAILS);
    assert.deepEqual([failed.body, ...told(failed)], ['instead', false, true, true, 'CLOSED']);
    assert.deepEqual(tested.bodies('fallback'), ['x']);
    assert.equal(failureType(failed.properties.get('CamelExceptionCaught')), 'java.io.IOException');
    assert.deepEqual([tested.mock('end').counter, tested.mock('dead').counter], [2, 0]);
  });

  it('opens when too many calls failed, tries some after a while, and closes when these go well', async () => {
    const tested = await breaking(
      'minimumNumberOfCalls: 2, slidingWindowSize: 4, waitDurationInOpenState: 1, permittedNumberOfCallsInHalfOpenState: 2',
    );
    const states: unknown[] = [];
    const send = async (headers = {}) => {
      const exchange = await tested.send('direct:in', 'x', headers);
      states.push([exchange.body, exchange.properties.get('CamelCircuitBreakerState')]);
      return exchange;
    };
    await send();
    await send(FAILS);
    assert.ok(!(await send()).properties.has('CamelExceptionCaught'));
    await tested.time.advance(999);
    await send();
    await tested.time.advance(1);
    await send();
    await send(FAILS);
    await tested.time.advance(1000);
    for (let call = 0; call < 3; call++) await send();
    assert.deepEqual(states, [
      ['x-in', 'CLOSED'],
      ['instead', 'OPEN'],
      ['instead', 'OPEN'],
      ['instead', 'OPEN'],
      ['x-in', 'HALF_OPEN'],
      ['instead', 'OPEN'],
      ['x-in', 'HALF_OPEN'],
      ['x-in', 'CLOSED'],
      ['x-in', 'CLOSED'],
    ]);
  });

  it('without a fallback leaves the failure to the caller; what is not let through goes on, or fails if it is to', async () => {
    const options = 'minimumNumberOfCalls: 1, slidingWindowSize: 1';
    const tested = await breaking(options, false);
    const failed = await tested.send('direct:in', 'x', FAILS);
    assert.deepEqual(
      [failureType(failed.exception), ...told(failed)],
      ['java.io.IOException', false, false, true, 'OPEN'],
    );
    assert.equal(tested.mock('dead').counter, 0);
    const passed = await tested.send('direct:in', 'x');
    assert.deepEqual([passed.body, passed.properties.get('CamelCircuitBreakerResponseRejected')], ['x', true]);
    assert.equal(tested.mock('end').counter, 1);
    const strict = await breaking(`${options}, throwExceptionWhenHalfOpenOrOpenState: true`, false);
    await strict.send('direct:in', 'x', FAILS);
    const refused = await strict.send('direct:in', 'x');
    assert.match(String(refused.exception), /CallNotPermittedException: CircuitBreaker 'circuitBreaker1' is OPEN and/);
  });

  it('opens also when too many calls are slow', async () => {
    const tested = await breaking(
      'minimumNumberOfCalls: 2, slidingWindowSize: 2, slowCallDurationThreshold: 1, slowCallRateThreshold: 50',
    );
    const sent = tested.send('direct:in', 'x', { ms: 1001 });
    await tested.time.advance(2000);
    await sent;
    assert.equal((await tested.send('direct:in', 'x')).properties.get('CamelCircuitBreakerState'), 'OPEN');
  });

  it('forgets calls that a window by time has left behind', async () => {
    const tested = await breaking('minimumNumberOfCalls: 2, slidingWindowSize: 10, slidingWindowType: TIME_BASED');
    await tested.send('direct:in', 'x', FAILS);
    await tested.time.advance(10_000);
    for (const expected of ['CLOSED', 'OPEN'])
      assert.equal((await tested.send('direct:in', 'x', FAILS)).properties.get('CamelCircuitBreakerState'), expected);
  });

  it('counts no failures but those that it records, and passes over those that it ignores', async () => {
    const tested = await breaking(
      'minimumNumberOfCalls: 1, slidingWindowSize: 9, recordException: [ java.io.IOException ], ignoreException: [ java.io.FileNotFoundException ]',
    );
    const other = await tested.send('direct:in', 'x', { type: 'java.lang.IllegalStateException' });
    assert.deepEqual([other.body, other.exception, ...told(other)], ['x', undefined, true, false, false, 'CLOSED']);
    const ignored = await tested.send('direct:in', 'x', { type: 'java.io.FileNotFoundException' });
    assert.deepEqual([ignored.body, ...told(ignored)], ['x', false, false, false, 'CLOSED']);
    assert.equal(ignored.properties.get('CamelCircuitBreakerResponseIgnored'), true);
    assert.equal(tested.mock('fallback').counter, 0);
  });

  it('goes on without its steps when they take too long, and ends them at their next step', async () => {
    const tested = await breaking('timeoutEnabled: true, timeoutDuration: 200', false);
    const sent = tested.send('direct:in', 'x', { ms: 500 });
    await tested.time.advance(200);
    const exchange = await sent;
    assert.match(String(exchange.exception), /TimeoutException: TimeLimiter 'circuitBreaker1' recorded a timeout/);
    assert.equal(exchange.properties.get('CamelCircuitBreakerResponseTimedOut'), true);
    const inTime = tested.send('direct:in', 'y', { ms: 100 });
    await tested.time.advance(1000);
    assert.equal((await inTime).body, 'y-in');
  });

  it('lets so many calls be under way at a time; others wait for a while', async () => {
    const tested = await breaking('bulkheadEnabled: true, bulkheadMaxConcurrentCalls: 1, bulkheadMaxWaitDuration: 150');
    const sent = [100, 100, 100].map((ms) => tested.send('direct:in', 'x', { ms }));
    await tested.time.advance(1000);
    const ended = await Promise.all(sent);
    assert.deepEqual(
      ended.map(({ body }) => body),
      ['x-in', 'x-in', 'instead'],
    );
    assert.match(
      String(ended[2]?.properties.get('CamelExceptionCaught')),
      /BulkheadFullException: Bulkhead 'circuitBreaker1' is full/,
    );
    const later = tested.send('direct:in', 'x', { ms: 1 });
    await tested.time.advance(10);
    assert.equal((await later).body, 'x-in');
  });

  it('is refused with what only Java has', async () => {
    await assert.rejects(breaking('circuitBreaker: mine'), /circuitBreaker is a Java object/);
    await assert.rejects(breaking('slidingWindowSize: 0'), /expected slidingWindowSize to be a whole number above 0/);
    await assert.rejects(breaking('recordException: [ com.acme.Mine ]'), /unknown exception com.acme.Mine/);
    const yaml =
      '[{ from: { uri: "direct:in", steps: [ { circuitBreaker: { faultToleranceConfiguration: { delay: 1 }, steps: [] } } ] } }]';
    await assert.rejects(new Routes().start(yaml), /faultToleranceConfiguration is not there/);
  });
});
