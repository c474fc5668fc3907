import assert from 'node:assert/strict';
import type { Exchange } from '../../../src/expression/routes.js';
import { steps } from '../support/steps.js';

const both = (former: unknown, next: unknown) => `${String(former)} and ${String(next)}`;
/** What `seda:q` has is taken by nobody else. */
const polling = async (yaml: string) => {
  const tested = await steps(
    yaml,
    { both },
    '- from: { uri: "direct:fill", steps: [{ setHeader: { name: h, constant: new } }, { to: { uri: "seda:q" } }] }',
  );
  return { ...tested, fill: (body: unknown) => tested.send('direct:fill', body, {}, 'InOnly'), tested };
};

describe('pollEnrich', () => {
  it('takes one message, which takes the place of the exchange’s; a strategy puts both together', async () => {
    const { fill, tested } = await polling('- pollEnrich: { constant: "seda:q", timeout: 0 }');
    await fill('polled');
    const { body, headers } = await tested.send('direct:in', 'x', { h: 'old', k: 1 });
    assert.deepEqual([body, headers.get('h'), headers.get('k')], ['polled', 'new', 1]);
    const combining = await polling(
      '- pollEnrich: { simple: "seda:${header.q}", timeout: 0, aggregationStrategy: both }',
    );
    await combining.fill('polled');
    assert.equal((await combining.tested.send('direct:in', 'x', { q: 'q' })).body, 'x and polled');
  });

  it('where nothing came within the timeout the body is null; -1 waits for ever', async () => {
    const { tested } = await polling('- pollEnrich: { constant: "seda:q", timeout: 100 }');
    const sent = tested.send('direct:in', 'x', { h: 'old' });
    await tested.time.advance(100);
    const { body, headers } = await sent;
    assert.deepEqual([body, headers.get('h')], [null, 'old']);
    const waiting = await polling('- pollEnrich: { constant: "seda:q" }');
    const late = waiting.tested.send('direct:in', 'x');
    await waiting.tested.time.advance(100_000);
    await waiting.fill('at last');
    await waiting.tested.time.advance(0);
    assert.equal((await late).body, 'at last');
  });

  it('variableReceive puts it there, and the message stays', async () => {
    const { fill, tested } = await polling('- pollEnrich: { constant: "seda:q", timeout: 0, variableReceive: v }');
    await fill('polled');
    const { body, variables } = await tested.send('direct:in', 'x');
    assert.deepEqual([body, variables.get('v'), variables.get('header:v.h')], ['x', 'polled', 'new']);
  });

  it('an endpoint that is none fails, unless ignoreInvalidEndpoint; one that cannot be polled fails', async () => {
    const fails = await polling('- pollEnrich: { constant: "none:q", timeout: 0 }');
    assert.match(String((await fails.tested.send('direct:in')).exception), /NoSuchEndpointException/);
    const ignores = await polling('- pollEnrich: { constant: "none:q", timeout: 0, ignoreInvalidEndpoint: true }');
    assert.equal((await ignores.tested.send('direct:in', 'x')).body, 'x');
    const other = await polling('- pollEnrich: { constant: "mock:q", timeout: 0 }');
    assert.match(String((await other.tested.send('direct:in')).exception), /cannot be polled/);
  });
});

describe('poll', () => {
  it('takes one message; where none came within its timeout the body is null', async () => {
    const { fill, tested } = await polling('- poll: { uri: "seda:q", timeout: 100 }');
    await fill('polled');
    assert.equal((await tested.send('direct:in', 'x')).body, 'polled');
    const sent = tested.send('direct:in', 'x');
    await tested.time.advance(100);
    assert.equal((await sent).body, null);
  });

  it('takes parameters, waits 20 s by default, and puts it into variableReceive', async () => {
    const { fill, tested } = await polling('- poll: { uri: seda, parameters: { name: q }, variableReceive: v }');
    const sent: Promise<Exchange> = tested.send('direct:in', 'x');
    await tested.time.advance(19_000);
    await fill('polled');
    await tested.time.advance(0);
    const { body, variables } = await sent;
    assert.deepEqual([body, variables.get('v')], ['x', 'polled']);
  });
});
