import assert from 'node:assert/strict';
import type { Exchange } from '../../../src/expression/routes.js';
import { Routes, routes } from '../support/routes.js';

const FAILS = 'throwException: { exceptionType: java.io.IOException, message: m }';

const STEPS = `
      - setBody: { constant: changed }
      - choice:
          when:
            - header: fails
              steps: [ { ${FAILS} } ]
            - header: stops
              steps: [ { stop: {} } ]
      - to: { uri: "mock:behind" }
`;

const to = (name: string, more = '') => `{ ${more} steps: [ { to: { uri: "mock:${name}" } } ] }`;
const counts = (tested: Routes, names: string[]) => names.map((name) => tested.mock(name).counter);

describe('onCompletion', () => {
  it('runs when an exchange is over, with a copy, for those that ended so', async () => {
    const tested = await routes(`
- onCompletion: ${to('all')}
- onCompletion: ${to('completed', 'onCompleteOnly: true,')}
- onCompletion: ${to('failed', 'onFailureOnly: true,')}
- onCompletion: ${to('when', 'onWhen: { simple: "${header.stops} == true" },')}
- route:
    id: in
    from:
      uri: direct:in
      steps:${STEPS.replaceAll('\n', '\n  ')}
`);
    const sent = await tested.send('direct:in', 'x');
    await tested.send('direct:in', 'x', { stops: true });
    const failed = await tested.send('direct:in', 'x', { fails: true });
    assert.deepEqual(counts(tested, ['all', 'completed', 'failed', 'when']), [3, 2, 1, 1]);
    assert.match(String(failed.exception), /IOException/);
    const [copy] = tested.mock('all').exchanges as Exchange[];
    assert.deepEqual([copy?.body, copy?.pattern, copy?.exception], ['changed', 'InOnly', undefined]);
    assert.deepEqual(
      ['CamelOnCompletion', 'CamelCorrelationId'].map((name) => copy?.properties.get(name)),
      [true, sent.id],
    );
    assert.ok(!sent.properties.has('CamelOnCompletion'));
  });

  it('of the route takes the place of those for all; each route that an exchange goes through has its own', async () => {
    const tested = await routes(`
- onCompletion: ${to('all')}
- routeConfiguration: { onCompletion: [ { onCompletion: ${to('configured')} } ] }
- route: { id: a, onCompletion: [ { onCompletion: ${to('own')} } ], from: { uri: "direct:a", steps: [ { to: { uri: "direct:b" } } ] } }
- route: { id: b, from: { uri: "direct:b", steps: [ { to: { uri: "mock:behind" } } ] } }
`);
    await tested.send('direct:a');
    assert.deepEqual(counts(tested, ['own', 'all', 'configured']), [1, 1, 1]);
  });

  it('BeforeConsumer changes what the consumer answers, the latest first, also what failed', async () => {
    const tested = await routes(`
- onCompletion: { mode: BeforeConsumer, steps: [ { setBody: { simple: "\${body}+first" } }, { ${FAILS} } ] }
- onCompletion: { mode: BeforeConsumer, steps: [ { setBody: { simple: "\${body}+second" } } ] }
- route:
    id: in
    from:
      uri: direct:in
      steps:${STEPS.replaceAll('\n', '\n  ')}
`);
    assert.equal((await tested.send('direct:in', 'x')).body, 'changed+second+first');
    const stopped = await tested.send('direct:in', 'x', { stops: true });
    assert.deepEqual([stopped.body, stopped.isStopped], ['changed+second+first', true]);
    const failed = await tested.send('direct:in', 'x', { fails: true });
    assert.equal(failed.body, 'changed+second+first');
    assert.match(String(failed.exception), /IOException/);
    assert.ok(tested.logged.some(({ message }) => message.startsWith('Exception occurred during onCompletion.')));
  });

  it('has the message with which the exchange began, where it asks for it', async () => {
    const tested = await routes(`
- onCompletion: ${to('original', 'useOriginalMessage: true,')}
- from: { uri: "direct:in", steps: [ { setBody: { constant: changed } } ] }
`);
    await tested.send('direct:in', 'x', { h: 1 });
    assert.deepEqual(tested.bodies('original'), ['x']);
  });

  it('of a handled failure is one of a completed exchange', async () => {
    const tested = await routes(`
- errorHandler: { deadLetterChannel: { deadLetterUri: "mock:dead" } }
- onCompletion: ${to('completed', 'onCompleteOnly: true,')}
- onCompletion: ${to('failed', 'onFailureOnly: true,')}
- from: { uri: "direct:in", steps: [ { ${FAILS} } ] }
`);
    await tested.send('direct:in');
    assert.deepEqual(counts(tested, ['completed', 'failed']), [1, 0]);
  });

  it('runs beside the exchange where it is parallel, and what fails in it is nobody else’s', async () => {
    const tested = await routes(`
- onCompletion: { parallelProcessing: true, steps: [ { to: { uri: "mock:parallel" } }, { ${FAILS} } ] }
- from: { uri: "direct:in", steps: [ { to: { uri: "mock:out" } } ] }
`);
    assert.equal((await tested.send('direct:in')).exception, undefined);
    assert.equal(tested.mock('parallel').counter, 1);
  });

  it('runs for each branch of a split that goes through a route that has one', async () => {
    const tested = await routes(`
- route: { id: a, onCompletion: [ { onCompletion: ${to('part')} } ], from: { uri: "direct:part", steps: [ { to: { uri: "mock:out" } } ] } }
- route: { id: b, from: { uri: "direct:in", steps: [ { split: { simple: "\${body}", steps: [ { to: { uri: "direct:part" } } ] } } ] } }
`);
    await tested.send('direct:in', ['1', '2']);
    assert.deepEqual(tested.bodies('part'), ['1', '2']);
  });

  it('moves behind a queue that nobody waits for', async () => {
    const tested = await routes(`
- route: { id: a, onCompletion: [ { onCompletion: ${to('over')} } ], from: { uri: "direct:in", steps: [ { to: { uri: "seda:later", pattern: InOnly } }, { setBody: { constant: gone } } ] } }
- route: { id: b, from: { uri: "seda:later", steps: [ { setBody: { constant: later } }, { delay: { constant: "100" } } ] } }
`);
    await tested.send('direct:in', 'x');
    assert.equal(tested.mock('over').counter, 0);
    await tested.time.advance(0);
    await tested.time.advance(1000);
    assert.deepEqual(tested.bodies('over'), ['later']);
  });

  it('cannot be for completed and failed exchanges alone', async () => {
    const yaml = `[{ onCompletion: ${to('x', 'onCompleteOnly: true, onFailureOnly: true,')} }, { from: { uri: "direct:in", steps: [] } }]`;
    await assert.rejects(new Routes().start(yaml), /exclude each other/);
  });
});
