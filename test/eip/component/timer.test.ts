import assert from 'node:assert/strict';
import type { RouteToRun } from '../../../src/eip/route-port.js';
import { type Routes, routes } from '../support/routes.js';

const timed = (options: string): Promise<Routes> =>
  routes(`
- from:
    uri: timer:tick?${options}
    steps: [{ to: "mock:out" }]
`);

const BEGIN = Date.UTC(2026, 0, 1);

describe('timer', () => {
  it('fires after a second, and then each second, with a body of null and no headers', async () => {
    const tested = await timed('exchangePattern=InOnly');
    await tested.time.advance(999);
    assert.equal(tested.mock('out').counter, 0);
    await tested.time.advance(2001);
    const [first] = tested.mock('out').exchanges;
    assert.equal(tested.mock('out').counter, 3);
    assert.equal(first?.body, null);
    assert.equal(first?.headers.size, 0);
    assert.equal(first?.pattern, 'InOnly');
  });

  it('fires as often as repeatCount says, by delay and period', async () => {
    const tested = await timed('delay=10&period=5s&repeatCount=3');
    await tested.time.advance(10);
    assert.equal(tested.mock('out').counter, 1);
    await tested.time.advance(60_000);
    assert.equal(tested.mock('out').counter, 3);
  });

  it('fires once where the period is 0, and without end or wait where the delay is negative', async () => {
    const once = await timed('delay=0&period=0');
    await once.time.advance(60_000);
    assert.equal(once.mock('out').counter, 1);
    const fast = await timed('delay=-1&repeatCount=500');
    await fast.time.advance(0);
    assert.equal(fast.mock('out').counter, 500);
  });

  it('tells when and how often it fired, where metadata are asked for', async () => {
    const tested = await timed('delay=1s&period=2000&includeMetadata=true');
    await tested.time.advance(3000);
    const [, second] = tested.mock('out').exchanges;
    assert.deepEqual(second?.headers.get('CamelTimerFiredTime'), new Date(BEGIN + 3000));
    assert.equal(second?.headers.get('CamelMessageTimestamp'), BEGIN + 3000);
    assert.deepEqual(Object.fromEntries(second?.properties ?? []), {
      CamelTimerCounter: 2,
      CamelTimerName: 'tick',
      CamelTimerPeriod: 2000,
      CamelTimerFiredTime: new Date(BEGIN + 3000),
    });
  });

  it('begins at a time, also one in a pattern', async () => {
    const times = ['2026-01-01T00:01:00', '2026-01-01 00:01:00', "1.1.2026 'at' 0:01&pattern=d.M.yyyy '''at''' H:mm"];
    for (const time of times) {
      const tested = await timed(`time=${time}&period=10s&includeMetadata=true`);
      await tested.time.advance(59_999);
      assert.equal(tested.mock('out').counter, 0, time);
      await tested.time.advance(1);
      assert.equal(tested.mock('out').counter, 1, time);
      assert.deepEqual(tested.mock('out').exchanges[0]?.properties.get('CamelTimerTime'), new Date(BEGIN + 60_000));
    }
    await assert.rejects(timed('time=tomorrow'), /expected time to be written as yyyy-MM-dd HH:mm:ss, got 'tomorrow'/);
  });

  const slow = (options: string, pause: string): Promise<Routes> =>
    routes(`
- from:
    uri: timer:tick?delay=0&${options}
    steps: [{ to: "mock:in" }, { to: "pause:${pause}" }, { to: "mock:out" }]
`);

  it('does not fire while its exchange blocks, and at once when that is through', async () => {
    const tested = await slow('period=1000', '2500');
    await tested.time.advance(2499);
    assert.equal(tested.mock('in').counter, 1);
    await tested.time.advance(1);
    assert.equal(tested.mock('in').counter, 2);
  });

  it('counts its period from the beginning of an exchange', async () => {
    const tested = await slow('period=1000', '700');
    await tested.time.advance(1000);
    assert.equal(tested.mock('in').counter, 2);
  });

  it('at a fixed rate makes up for what it missed', async () => {
    const [fixedRate, otherwise] = [await slow('period=1000&fixedRate=true', '900'), await slow('period=1000', '900')];
    for (const tested of [fixedRate, otherwise]) {
      tested.time.set(tested.time.now() + 5500);
      await tested.time.advance(2 * 900);
    }
    assert.equal(fixedRate.mock('in').counter, 3);
    assert.equal(otherwise.mock('in').counter, 2);
  });

  it('fires on while exchanges wait in a way that gives its thread back', async () => {
    const tested = await slow('period=300&repeatCount=4', '1000?frees=true');
    await tested.time.advance(950);
    assert.equal(tested.mock('in').counter, 4);
    assert.equal(tested.mock('out').counter, 0);
    await tested.time.advance(1000);
    assert.equal(tested.mock('out').counter, 4);
  });

  it('stands still while its route is suspended', async () => {
    const tested = await timed('delay=0&period=1000');
    const [routeId] = ['route1'];
    await tested.time.advance(1500);
    await tested.runtime.suspend(routeId, { timeoutMs: 0 });
    await tested.time.advance(10_000);
    assert.equal(tested.mock('out').counter, 2);
    await tested.runtime.stop(routeId, { timeoutMs: 0 });
    await tested.time.advance(10_000);
    assert.equal(tested.mock('out').counter, 2);
  });

  it('goes on when its route is resumed', async () => {
    const tested = await timed('delay=0&period=1000');
    await tested.time.advance(1500);
    await tested.runtime.suspend('route1', { timeoutMs: 0 });
    await tested.time.advance(10_000);
    await tested.runtime.resume({ routeId: 'route1' } as RouteToRun);
    await tested.time.advance(2_000);
    assert.equal(tested.mock('out').counter, 4);
  });

  it('refuses what it does not know, with what may be meant', async () => {
    await assert.rejects(timed('perod=5'), /unknown option perod; the nearest is period/);
    await assert.rejects(timed('period=soon'), /expected period to be a time such as 500, 5s or 1m30s, got 'soon'/);
    await assert.rejects(timed('fixedRate=yes'), /expected fixedRate to be one of true, false, got 'yes'/);
    await assert.rejects(timed('exchangePattern=InInOut'), /expected exchangePattern to be one of InOnly, InOut/);
    await assert.rejects(timed('exceptionHandler=%23x'), /the option exceptionHandler is not supported/);
  });
});
