import assert from 'node:assert/strict';
import { failureType } from '../../../src/expression/routes.js';
import { routes } from '../support/routes.js';

const CALLED = '- route: { id: called, from: { uri: "direct:called", steps: [{ to: "mock:called" }] } }';
const NOW = { timeoutMs: 0 };

describe('direct', () => {
  it('waits for a route that comes in time', async () => {
    const tested = await routes('[]');
    const sent = tested.send('direct:called', 'x');
    await tested.time.advance(29_999);
    await tested.start(CALLED);
    assert.equal((await sent).exception, undefined);
    assert.deepEqual(tested.bodies('called'), ['x']);
  });

  it('fails when none came by its timeout, or at once where it does not block', async () => {
    const tested = await routes('[]');
    for (const [options, ms] of [
      ['', 30_000],
      ['?timeout=50', 50],
      ['?block=false', 0],
    ] as const) {
      const began = tested.time.now();
      const sent = tested.send(`direct:nobody${options}`);
      await tested.time.advance(ms);
      const { exception } = await sent;
      assert.equal(failureType(exception), 'org.apache.camel.component.direct.DirectConsumerNotAvailableException');
      assert.match(String(exception), /No consumers available on endpoint: direct:\/\/nobody/);
      assert.equal(tested.time.now() - began, ms);
    }
  });

  it('goes on without a route where that is no failure', async () => {
    const tested = await routes('[]');
    const sent = await tested.send('direct:nobody?block=false&failIfNoConsumers=false', 'x');
    assert.equal(sent.exception, undefined);
    assert.equal(sent.body, 'x');
  });

  it('lets callers wait while the route is suspended', async () => {
    const tested = await routes(CALLED);
    await tested.runtime.suspend('called', NOW);
    const sent = tested.send('direct:called', 'x');
    await tested.time.advance(1000);
    assert.deepEqual(tested.bodies('called'), []);
    await tested.start(CALLED);
    await sent;
    assert.deepEqual(tested.bodies('called'), ['x']);
  });

  it('has one route at a name', async () => {
    const twin = CALLED.replace('id: called', 'id: twin');
    await assert.rejects(
      routes(`${CALLED}\n${twin}`),
      /Cannot add a 2nd consumer to the same endpoint: direct:\/\/called/,
    );
  });
});
