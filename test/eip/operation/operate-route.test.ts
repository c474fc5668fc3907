import assert from 'node:assert/strict';
import { incidents } from '../../../src/store/incident/incident.js';
import { jobs } from '../../../src/store/index.js';
import { callerNamed } from '../../support/harness.js';
import { deployer, RouteHarness, rejected } from '../support/route-harness.js';

describe('operating routes', () => {
  let at: RouteHarness;
  beforeEach(async () => {
    at = new RouteHarness();
    await at.begin();
    await at.deploy('/etc/eip/routes/orders.yaml', [{ id: 'orders' }]);
  });

  it('starts what is deployed, and tells each change of its state', async () => {
    assert.equal(at.state('orders'), 'Started');
    assert.deepEqual(at.changes, ['orders Stopped Starting', 'orders Starting Started']);
    assert.equal(at.route('orders')?.startedAt, at.harness.now);
  });

  it('suspends, resumes, stops and starts', async () => {
    await at.operate('suspend', 'orders');
    assert.equal(at.state('orders'), 'Suspended');
    await at.operate('resume', 'orders');
    assert.equal(at.state('orders'), 'Started');
    await at.operate('stop', 'orders');
    assert.equal(at.state('orders'), 'Stopped');
    assert.equal(at.route('orders')?.startedAt, null);
    await at.operate('start', 'orders');
    assert.equal(at.state('orders'), 'Started');
    assert.deepEqual(at.runtime.asked, [
      'start orders:1',
      'suspend orders',
      'resume orders:1',
      'stop orders',
      'start orders:1',
    ]);
  });

  it('says who did it', async () => {
    await at.operate('stop', 'orders');
    const [stopping, stopped] = at.harness.events.slice(-2).map(({ data }) => data as { userId: string });
    assert.deepEqual([stopping?.userId, stopped?.userId], ['olga', 'olga']);
  });

  it('starts a suspended route by resuming it', async () => {
    await at.operate('suspend', 'orders');
    await at.operate('start', 'orders');
    assert.deepEqual(at.runtime.asked.slice(-1), ['resume orders:1']);
  });

  it('does nothing where it is so already', async () => {
    const before = at.harness.revision;
    await at.operate('start', 'orders');
    assert.equal(at.harness.revision, before);
    assert.deepEqual(at.runtime.asked, ['start orders:1']);
  });

  it('refuses what its state does not accept, routes that there are none, timeouts that are none, and those without the role', async () => {
    await at.operate('stop', 'orders');
    await rejected(at.operate('suspend', 'orders'), 'CONFLICT', 'route_state');
    await rejected(at.operate('start', 'oders'), 'BAD_REQUEST', 'route_not_found');
    await rejected(at.operate('stop', 'orders', -1), 'BAD_REQUEST', 'timeout_invalid');
    const { startRoute } = at.eip.api;
    await rejected(at.run(startRoute, { id: 'orders' }, deployer), 'FORBIDDEN', 'role_missing');
  });

  it('says what was still under way when the time to stop was over', async () => {
    at.runtime.stuck = [{ exchangeId: 'E-1', stepId: 'delay1', elapsedMs: 2_000 }];
    await at.operate('stop', 'orders', 1);
    assert.equal(at.state('orders'), 'Stopped');
    const [{ error } = { error: '' }] = at.harness.events.slice(-1).map(({ data }) => data as { error: string });
    assert.equal(error, "1 exchange was under way after 1000 ms, and ended then: E-1 in step 'delay1' for 2000 ms");
  });

  it('is stopped with its cause where it does not start and somebody waits for it', async () => {
    await at.operate('stop', 'orders');
    at.runtime.outcomes.set('start orders', () => {
      throw new Error('the port is taken');
    });
    await at.operate('start', 'orders');
    assert.equal(at.state('orders'), 'Stopped');
    assert.equal(at.route('orders')?.fault?.message, 'the port is taken');
    assert.deepEqual(
      at.harness.all(incidents).map(({ message }) => message),
      ["route 'orders': the port is taken"],
    );
    at.runtime.outcomes.clear();
    await at.operate('start', 'orders');
    assert.equal(at.route('orders')?.fault, null);
    assert.deepEqual(at.harness.all(incidents), []);
  });

  it('tries again later, twice as late each time, where nobody waits for it', async () => {
    at.runtime.told?.failed('orders', { message: 'the folder is gone' });
    await at.quiet();
    assert.equal(at.state('orders'), 'Starting');
    at.runtime.outcomes.set('start orders', () => {
      throw new Error('it is still gone');
    });
    for (const delayMs of [2_000, 4_000]) {
      assert.equal(at.state('orders'), 'Starting');
      const [job] = at.harness.all(jobs);
      assert.equal(job?.dueAt, at.harness.now + delayMs);
      await at.runJob(job?.id ?? '');
    }
    assert.equal(at.state('orders'), 'Stopped');
    assert.equal(at.harness.all(incidents).length, 1);
  });

  it('takes the end of a thread as a new beginning, and keeps stopped by what it ended three times', async () => {
    await at.deploy('/etc/eip/routes/bills.yaml', [{ id: 'bills' }]);
    for (const expected of ['Started', 'Started', 'Stopped']) {
      at.runtime.told?.ended({ message: 'no heartbeat for 10 s' }, ['orders']);
      await at.quiet();
      assert.equal(at.state('orders'), expected);
      assert.equal(at.state('bills'), 'Started');
    }
    assert.match(at.harness.all(incidents)[0]?.message ?? '', /ended 3 times within ten minutes/);
  });

  it('forgets ends that are longer ago than ten minutes', async () => {
    for (let ends = 0; ends < 5; ends++) {
      at.runtime.told?.ended({ message: 'no heartbeat for 10 s' }, ['orders']);
      await at.quiet();
      at.harness.now += 400_000;
    }
    assert.equal(at.state('orders'), 'Started');
  });

  it('resolves those who wait when it is so, or their time is over', async () => {
    let go = () => {};
    at.runtime.outcomes.set('stop orders', () => new Promise<void>((resolve) => (go = resolve)));
    await at.operate('stop', 'orders');
    assert.equal(at.state('orders'), 'Stopping');
    const waiting = at.conductor.settled(['orders'], 60_000);
    await at.conductor.settled(['orders'], 1);
    go();
    await waiting;
    assert.equal(at.state('orders'), 'Stopped');
  });

  it('stops what is just starting, whatever becomes of the start', async () => {
    await at.operate('stop', 'orders');
    let go = () => {};
    at.runtime.outcomes.set('start orders', () => new Promise<void>((resolve) => (go = resolve)));
    await at.operate('start', 'orders');
    await at.operate('stop', 'orders');
    assert.equal(at.state('orders'), 'Stopped');
    go();
    await at.quiet();
    assert.equal(at.state('orders'), 'Stopped');
  });
});

describe('operating all routes', () => {
  it('starts in the order that they say, and stops the other way round', async () => {
    const at = new RouteHarness();
    await at.begin();
    const some = [{ id: 'c' }, { id: 'b', startupOrder: 2 }, { id: 'a', startupOrder: 1 }];
    await at.deploy('/etc/eip/routes/all.yaml', some);
    assert.deepEqual(at.runtime.asked, ['start a:1', 'start b:1', 'start c:1']);
    const { stopAllRoutes, startCamelContext } = at.eip.api;
    const caller = callerNamed('olga', { roles: ['operator'] });
    assert.deepEqual(await at.run(stopAllRoutes, {}, caller), ['a', 'b', 'c']);
    await at.quiet();
    assert.deepEqual(at.runtime.asked.slice(3), ['stop c', 'stop b', 'stop a']);
    assert.deepEqual(await at.run(startCamelContext, {}, caller), ['a', 'b', 'c']);
    await at.quiet();
    assert.deepEqual(at.runtime.asked.slice(6), ['start a:1', 'start b:1', 'start c:1']);
  });

  it('leaves alone what is not to start by itself', async () => {
    const at = new RouteHarness();
    await at.begin();
    await at.deploy('/etc/eip/routes/all.yaml', [{ id: 'a', autoStartup: false }, { id: 'b' }]);
    const caller = callerNamed('olga', { roles: ['operator'] });
    await at.run(at.eip.api.stopAllRoutes, {}, caller);
    await at.quiet();
    assert.deepEqual(await at.run(at.eip.api.startAllRoutes, {}, caller), ['b']);
  });
});
