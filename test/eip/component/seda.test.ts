import assert from 'node:assert/strict';
import { Exchange, failureType } from '../../../src/expression/routes.js';
import { routes } from '../support/routes.js';

/** A consumer that needs 100 ms for each exchange, in a way that keeps its thread. */
const consumer = (options: string, id = 'consumer', out = 'out') => `
- route:
    id: ${id}
    from:
      uri: seda:work?${options}
      steps: [{ to: "mock:${out}-in" }, { to: "pause:100" }, { to: "mock:${out}" }]
`;
const IDLE = { timeoutMs: 0 };

describe('seda', () => {
  it('takes a copy later, in a route of its own, while the caller goes on', async () => {
    const tested = await routes(`
- from: { uri: "direct:in", steps: [{ to: "seda:work" }, { setBody: { constant: changed } }] }
- from: { uri: "seda:work", steps: [{ setHeader: { name: seen, constant: "yes" } }, { to: "mock:out" }] }
`);
    const sent = await tested.send('direct:in', 'first', { kept: 1 }, 'InOnly');
    assert.equal(sent.body, 'changed');
    assert.equal(sent.headers.has('seen'), false);
    await tested.time.advance(0);
    const [taken] = tested.mock('out').exchanges;
    assert.equal(taken?.body, 'first');
    assert.equal(taken?.headers.get('kept'), 1);
    assert.equal(taken?.properties.get('CamelCorrelationId'), sent.id);
    assert.equal(taken?.origin.routeId, 'route2');
  });

  it('answers how the other route ended: what it stopped or dealt with ends the caller, and what it gave up is tried by no other one', async () => {
    const fails = 'throwException: { exceptionType: java.io.IOException, message: m }';
    const tested = await routes(`
- route: { id: a, errorHandler: { deadLetterChannel: { deadLetterUri: "mock:caller" } }, from: { uri: "direct:in", steps: [{ toD: "seda:\${body}" }, { to: "mock:behind" }] } }
- route: { id: b, errorHandler: { defaultErrorHandler: {} }, from: { uri: "seda:fails", steps: [{ ${fails} }] } }
- route: { id: c, errorHandler: { deadLetterChannel: { deadLetterUri: "mock:called" } }, from: { uri: "seda:handles", steps: [{ ${fails} }] } }
- route: { id: d, from: { uri: "seda:stops", steps: [{ stop: {} }] } }
- route: { id: e, errorHandler: { noErrorHandler: {} }, from: { uri: "seda:leaves", steps: [{ ${fails} }] } }
`);
    const ends: unknown[] = [];
    for (const body of ['fails', 'handles', 'stops', 'leaves'])
      ends.push((await tested.send('direct:in', body)).exception === undefined);
    assert.deepEqual(ends, [false, true, true, true]);
    assert.deepEqual(
      ['behind', 'called', 'caller'].map((name) => tested.mock(name).counter),
      [0, 1, 1],
    );
  });

  it('waits for the answer where one is expected, and takes it over', async () => {
    const tested = await routes(`
- from:
    uri: seda:work
    steps: [{ setBody: { simple: "did \${body}" } }, { setHeader: { name: seen, constant: "yes" } }]
`);
    const answered = await tested.send('seda:work', 'it');
    assert.equal(answered.body, 'did it');
    assert.equal(answered.headers.get('seen'), 'yes');
    assert.equal((await tested.send('seda:work?waitForTaskToComplete=Always', 'it', {}, 'InOnly')).body, 'did it');
    assert.equal((await tested.send('seda:work?waitForTaskToComplete=Never', 'it')).body, 'it');
  });

  it('fails with what the other route failed with', async () => {
    const tested = await routes(
      '- from: { uri: "seda:work", steps: [{ throwException: { exceptionType: java.io.IOException, message: broken } }] }',
    );
    assert.match(String((await tested.send('seda:work')).exception), /java.io.IOException: broken/);
  });

  it('waits no longer than its timeout, and takes back what was not begun', async () => {
    const tested = await routes(consumer('size=5'));
    await tested.send('seda:work', 'other', {}, 'InOnly');
    const sent = tested.send('seda:work?timeout=50', 'late');
    await tested.time.advance(500);
    const { exception } = await sent;
    assert.equal(failureType(exception), 'org.apache.camel.ExchangeTimedOutException');
    assert.match(String(exception), /The OUT message was not received within: 50 millis/);
    assert.deepEqual(tested.bodies('out'), ['other']);
    const patient = tested.send('seda:work?timeout=0', 'patient');
    await tested.time.advance(100);
    assert.equal((await patient).exception, undefined);
  });

  it('takes one exchange at a time, or as many as concurrentConsumers says', async () => {
    for (const [options, begun] of [
      ['size=9', 1],
      ['concurrentConsumers=3', 3],
    ] as const) {
      const tested = await routes(consumer(options));
      for (const body of [1, 2, 3, 4, 5]) await tested.send('seda:work', body, {}, 'InOnly');
      await tested.time.advance(99);
      assert.equal(tested.mock('out-in').counter, begun);
      await tested.time.advance(500);
      assert.deepEqual(tested.bodies('out'), [1, 2, 3, 4, 5]);
    }
    await assert.rejects(routes(consumer('concurrentConsumers=501')), /greater than 500 was 501/);
    await routes(consumer('concurrentConsumers=501&limitConcurrentConsumers=false'));
  });

  it('fails when the queue is full, or drops the message', async () => {
    const tested = await routes('- from: { uri: "direct:x", steps: [{ to: "seda:full?size=2" }] }');
    for (const body of [1, 2]) assert.equal((await tested.send('direct:x', body, {}, 'InOnly')).exception, undefined);
    const { exception } = await tested.send('direct:x', 3, {}, 'InOnly');
    assert.match(String(exception), /java.lang.IllegalStateException: Queue full/);
    assert.equal((await tested.send('seda:full?discardWhenFull=true', 4, {}, 'InOnly')).exception, undefined);
    await tested.start('- route: { id: late, from: { uri: "seda:full", steps: [{ to: "mock:out" }] } }');
    await tested.time.advance(0);
    assert.deepEqual(tested.bodies('out'), [1, 2]);
  });

  it('lets callers wait for room, where that is seen, no longer than offerTimeout', async () => {
    const tested = await routes(consumer('size=1'));
    for (const body of [1]) await tested.send('seda:work', body, {}, 'InOnly');
    await tested.time.advance(0);
    await tested.send('seda:work', 2, {}, 'InOnly');
    const third = tested.send('seda:work?blockWhenFull=true', 3, {}, 'InOnly');
    const fourth = tested.send('seda:work?blockWhenFull=true&offerTimeout=20', 4, {}, 'InOnly');
    const waits = [...tested.context.runner.held].map(({ wait }) => (wait.kind === 'signal' ? wait.of : wait.kind));
    assert.deepEqual(waits, ['instant', 'room in seda://work', 'room in seda://work']);
    await tested.time.advance(50);
    assert.match(String((await fourth).exception), /Fails to insert element into queue, after timeout of 20 milli/);
    await tested.time.advance(500);
    assert.equal((await third).exception, undefined);
    assert.deepEqual(tested.bodies('out'), [1, 2, 3]);
  });

  it('keeps messages for a route that comes, or refuses or drops them while there is none', async () => {
    const tested = await routes('[]');
    await tested.send('seda:work', 'kept', {}, 'InOnly');
    await tested.send('seda:work?discardIfNoConsumers=true', 'dropped', {}, 'InOnly');
    const { exception } = await tested.send('seda:work?failIfNoConsumers=true', 'refused', {}, 'InOnly');
    assert.equal(failureType(exception), 'org.apache.camel.component.seda.SedaConsumerNotAvailableException');
    await tested.start(consumer(''));
    await tested.time.advance(200);
    assert.deepEqual(tested.bodies('out'), ['kept']);
  });

  it('has one route for a queue, or gives each a copy where all say so', async () => {
    await assert.rejects(
      routes(consumer('', 'one') + consumer('', 'two')),
      /Multiple consumers for the same endpoint is not allowed: seda:\/\/work/,
    );
    const tested = await routes(
      consumer('multipleConsumers=true', 'one', 'a') + consumer('multipleConsumers=true', 'two', 'b'),
    );
    await tested.send('seda:work', 'both', {}, 'InOnly');
    await tested.time.advance(100);
    assert.deepEqual([tested.bodies('a'), tested.bodies('b')], [['both'], ['both']]);
  });

  it('keeps what comes while its route is suspended', async () => {
    const tested = await routes(consumer(''));
    await tested.runtime.suspend('consumer', IDLE);
    await tested.send('seda:work', 'later', {}, 'InOnly');
    await tested.time.advance(1000);
    assert.deepEqual(tested.bodies('out'), []);
  });

  it('is through with its queue before its route is stopped, or throws it away', async () => {
    for (const [options, bodies] of [
      ['', [1, 2, 3]],
      ['purgeWhenStopping=true', [1]],
    ] as const) {
      const tested = await routes(consumer(options));
      for (const body of [1, 2, 3]) await tested.send('seda:work', body, {}, 'InOnly');
      await tested.time.advance(0);
      const stopped = tested.runtime.stop('consumer', { timeoutMs: 10_000 });
      await tested.time.advance(1000);
      assert.deepEqual((await stopped).stuck, []);
      assert.deepEqual(tested.bodies('out'), bodies);
    }
  });

  it('stops when the time is over, and keeps the rest for the next start', async () => {
    const tested = await routes(consumer(''));
    for (const body of [1, 2, 3]) await tested.send('seda:work', body, {}, 'InOnly');
    await tested.time.advance(0);
    const stopped = tested.runtime.stop('consumer', { timeoutMs: 120 });
    await tested.time.advance(1000);
    await stopped;
    assert.deepEqual(tested.bodies('out-in'), [1, 2]);
    await tested.start(consumer(''));
    await tested.time.advance(1000);
    assert.deepEqual(tested.bodies('out-in'), [1, 2, 3]);
  });

  it('can be polled: what is there, what comes in time, or nothing', async () => {
    const tested = await routes('[]');
    await tested.send('seda:work', 'there', {}, 'InOnly');
    const polled: unknown[] = [];
    const poll = (timeout: number) =>
      tested.context.runner.start(
        new Exchange(tested.context, { routeId: 'test', endpointUri: 'test:' }),
        () =>
          tested.context.endpointOf('seda:work').poll?.(timeout, (exchange) => {
            polled.push(exchange?.body);
            return undefined;
          }),
        () => {},
      );
    poll(0);
    poll(0);
    assert.deepEqual(polled.splice(0), ['there', undefined]);
    poll(100);
    await tested.send('seda:work', 'in time', {}, 'InOnly');
    assert.deepEqual(polled.splice(0), ['in time']);
    poll(100);
    await tested.time.advance(100);
    assert.deepEqual(polled, [undefined]);
  });

  it('has one size for a queue', async () => {
    const tested = await routes(consumer('size=5'));
    await assert.rejects(
      tested.send('seda:work?size=6'),
      /existing queue seda:\/\/work as the existing queue size 5 does not match given queue size 6/,
    );
  });
});

describe('stub', () => {
  it('is a queue in the place of any component, whatever its options', async () => {
    const tested = await routes('- from: { uri: "stub:kafka:orders?brokers=a:9&size=3", steps: [{ to: "mock:out" }] }');
    await tested.send('stub:kafka:orders', 'x', {}, 'InOnly');
    await tested.time.advance(0);
    assert.deepEqual(tested.bodies('out'), ['x']);
  });
});
