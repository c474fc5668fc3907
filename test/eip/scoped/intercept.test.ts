import assert from 'node:assert/strict';
import { routes } from '../support/routes.js';

const trace = (letter: string) => `setHeader: { name: trace, simple: "\${header.trace}${letter}" }`;

describe('intercept', () => {
  it('runs before each step but doTry, the latest first, which goes for the steps of earlier ones, too', async () => {
    const tested = await routes(`
- intercept: { steps: [ { ${trace('1')} } ] }
- intercept: { onWhen: { simple: "\${header.off} < 1" }, steps: [ { ${trace('2')} } ] }
- route:
    id: in
    from:
      uri: direct:in
      steps:
        - doTry:
            steps: [ { ${trace('-t-')} } ]
            doFinally: { steps: [ { ${trace('-n-')} } ] }
        - filter: { simple: "\${body} == 'x'", steps: [ { ${trace('-x-')} } ] }
        - ${trace('-e-')}
`);
    const both = await tested.send('direct:in', 'x', { trace: '', off: 0 });
    assert.equal(both.headers.get('trace'), '221-t-221-n-221221-x-221-e-');
    const one = await tested.send('direct:in', 'x', { trace: '', off: 1 });
    assert.equal(one.headers.get('trace'), '1-t-1-n-11-x-1-e-');
    assert.match(String(one.properties.get('CamelInterceptedNodeId')), /^setHeader/);
  });

  it('may stop the exchange before the step', async () => {
    const tested = await routes(`
- intercept: { onWhen: { simple: "\${body} == 'no'" }, steps: [ { stop: {} } ] }
- from: { uri: "direct:in", steps: [ { to: { uri: "mock:out" } } ] }
`);
    for (const body of ['yes', 'no']) await tested.send('direct:in', body);
    assert.deepEqual(tested.bodies('out'), ['yes']);
  });
});

describe('interceptFrom', () => {
  it('runs before the first step of routes that begin at such an endpoint, the latest first, and may stop', async () => {
    const tested = await routes(`
- interceptFrom: { steps: [ { ${trace('a')} } ] }
- interceptFrom: { uri: "direct:in*", onWhen: { simple: "\${body} == 'no'" }, steps: [ { ${trace('b')} }, { stop: {} } ] }
- interceptFrom: { uri: "seda:.*", steps: [ { ${trace('c')} } ] }
- route: { id: one, from: { uri: "direct:in1", steps: [ { ${trace('-')} } ] } }
`);
    const passed = await tested.send('direct:in1', 'yes', { trace: '' });
    assert.equal(passed.headers.get('trace'), 'a-');
    assert.equal(passed.properties.get('CamelInterceptedEndpoint'), 'direct://in1');
    assert.equal((await tested.send('direct:in1', 'no', { trace: '' })).headers.get('trace'), 'b');
  });
});

describe('interceptSendToEndpoint', () => {
  it('runs before sending; of several for an endpoint the latest holds', async () => {
    const tested = await routes(`
- interceptSendToEndpoint: { uri: "mock:*", steps: [ { ${trace('A')} } ] }
- interceptSendToEndpoint: { uri: "mock:(x|y)", afterUri: "direct:after", steps: [ { ${trace('B')} } ] }
- route: { id: in, from: { uri: "direct:in", steps: [ { to: { uri: "mock:x" } }, { to: { uri: "mock:z" } } ] } }
- route: { id: after, from: { uri: "direct:after", steps: [ { ${trace('-after-')} } ] } }
`);
    const exchange = await tested.send('direct:in', 'x', { trace: '' });
    assert.equal(exchange.headers.get('trace'), 'B-after-A');
    assert.deepEqual([tested.mock('x').counter, tested.mock('z').counter], [1, 1]);
  });

  it('takes the place of the endpoint where it says so, and its onWhen holds', async () => {
    const tested = await routes(`
- interceptSendToEndpoint: { uri: "mock:out", skipSendToOriginalEndpoint: true, afterUri: "mock:after", onWhen: { simple: "\${body} == 'x'" }, steps: [ { to: { uri: "mock:instead" } } ] }
- from: { uri: "direct:in", steps: [ { to: { uri: "mock:out" } }, { to: { uri: "mock:end" } } ] }
`);
    for (const body of ['x', 'y']) await tested.send('direct:in', body);
    assert.deepEqual(
      ['out', 'instead', 'after', 'end'].map((name) => tested.bodies(name)),
      [['y'], ['x'], [], ['x', 'y']],
    );
  });
});
