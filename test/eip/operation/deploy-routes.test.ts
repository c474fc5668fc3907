import assert from 'node:assert/strict';
import { routeTexts } from '../../../src/eip/collection/route-text.js';
import { routeFiles, routes, routeVersions } from '../../../src/eip/collections.js';
import { routeToRun } from '../../../src/eip/reading.js';
import { jobs } from '../../../src/store/index.js';
import { callerNamed } from '../../support/harness.js';
import { operator, RouteHarness, rejected } from '../support/route-harness.js';

const FILE = '/etc/eip/routes/shop.yaml';

describe('deploying routes', () => {
  let at: RouteHarness;
  beforeEach(async () => {
    at = new RouteHarness();
    await at.begin();
  });

  it('makes a version of each route, and starts those that start by themselves', async () => {
    const { routeIds } = await at.deploy(FILE, [{ id: 'a' }, { id: 'b', autoStartup: false }]);
    assert.deepEqual(routeIds, ['a', 'b']);
    assert.deepEqual([at.state('a'), at.state('b')], ['Started', 'Stopped']);
    const route = at.route('a');
    assert.deepEqual(
      [route?.version, route?.file, route?.deployer],
      [1, FILE, { userId: 'dora', principalId: 'p-dora' }],
    );
  });

  it('starts none where that is not asked for', async () => {
    await at.deploy(FILE, [{ id: 'a' }], { autoStart: false });
    assert.equal(at.state('a'), 'Stopped');
    assert.equal(at.route('a')?.autoStart, false);
  });

  it('hands the consumers of changed routes over together, and lets the others run on', async () => {
    await at.deploy(FILE, [{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
    at.runtime.asked.length = 0;
    await at.deploy(FILE, [
      { id: 'a', description: 'new' },
      { id: 'b', line: 9 },
      { id: 'c', description: 'new' },
    ]);
    assert.deepEqual(at.runtime.asked, ['swap a:2 c:2']);
    assert.deepEqual(
      ['a', 'b', 'c'].map((id) => at.route(id)?.version),
      [2, 1, 2],
    );
    assert.equal(at.state('a'), 'Started');
  });

  it('keeps the old versions running where a new one does not start', async () => {
    await at.deploy(FILE, [{ id: 'a' }]);
    at.runtime.outcomes.set('swap a', () => {
      throw new Error('the port is taken');
    });
    await at.deploy(FILE, [{ id: 'a', description: 'new' }]);
    const route = at.route('a');
    assert.deepEqual([route?.version, route?.next, route?.latest, at.state('a')], [1, null, 2, 'Started']);
    assert.equal(route?.fault?.message, 'the port is taken');
    at.runtime.outcomes.clear();
    await at.deploy(FILE, [{ id: 'a', description: 'newer' }]);
    assert.deepEqual([at.route('a')?.version, at.route('a')?.fault], [3, null]);
  });

  it('gives a stopped or suspended route its new version for when it runs again', async () => {
    await at.deploy(FILE, [{ id: 'a' }, { id: 'b' }]);
    await at.operate('stop', 'a');
    await at.operate('suspend', 'b');
    await at.deploy(FILE, [
      { id: 'a', description: 'new' },
      { id: 'b', description: 'new' },
    ]);
    assert.deepEqual([at.state('a'), at.state('b')], ['Stopped', 'Suspended']);
    at.runtime.asked.length = 0;
    await at.operate('start', 'a');
    await at.operate('resume', 'b');
    assert.deepEqual(at.runtime.asked, ['start a:2', 'resume b:2']);
  });

  it('withdraws a route that its file has no more, and all with the file', async () => {
    await at.deploy(FILE, [{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
    await at.operate('stop', 'b');
    await at.deploy(FILE, [{ id: 'c' }]);
    assert.deepEqual(
      at.harness.all(routes).map(({ id }) => id),
      ['c'],
    );
    await at.run(at.eip.api.withdrawRoutes, { fileId: 'shop.yaml' }, operator);
    await at.quiet();
    assert.deepEqual(at.harness.all(routes), []);
    assert.deepEqual(at.harness.all(routeFiles), []);
    assert.ok(at.runtime.asked.includes('remove c'));
    for (const { id } of at.harness.all(jobs)) await at.runJob(id);
    assert.deepEqual([at.harness.all(routeVersions), at.harness.all(routeTexts)], [[], []]);
  });

  it('refuses a file as a whole, with what is wrong in it and where', async () => {
    await at.deploy(FILE, [{ id: 'a' }]);
    await rejected(at.deploy(FILE, 'setBodi'), 'BAD_REQUEST', 'route_invalid');
    await assert.rejects(
      at.deploy(FILE, 'setBodi'),
      /'\/etc\/eip\/routes\/shop.yaml': line 3, column 7: 'setBodi' is no step/,
    );
    assert.equal(at.route('a')?.version, 1);
  });

  it('refuses ids and orders that another route has', async () => {
    await at.deploy(FILE, [{ id: 'a', startupOrder: 5 }]);
    const other = '/etc/eip/routes/other.yaml';
    await assert.rejects(
      at.deploy(other, [{ id: 'x' }, { id: 'a' }]),
      /route 'a' is in '\/etc\/eip\/routes\/shop.yaml'/,
    );
    await assert.rejects(at.deploy(other, [{ id: 'x', startupOrder: 5 }]), /that of route 'a' is 5, too/);
    await assert.rejects(at.deploy(other, [{ id: 'x' }, { id: 'x' }]), /route 'x' is in/);
    assert.deepEqual(
      at.harness.all(routes).map(({ id }) => id),
      ['a'],
    );
  });

  it('is for deployers, and routes act as whoever deployed them', async () => {
    await rejected(at.deploy(FILE, [{ id: 'a' }], {}, operator), 'FORBIDDEN', 'role_missing');
    await at.deploy(FILE, [{ id: 'a' }, { id: 'b' }]);
    const eve = callerNamed('eve', { roles: ['deployer'], principalId: 'p-eve' });
    await at.deploy(FILE, [{ id: 'a', description: 'new' }, { id: 'b' }], {}, eve);
    assert.deepEqual([at.route('a')?.deployer.userId, at.route('b')?.deployer.userId], ['eve', 'dora']);
    const route = at.route('a');
    assert.equal(route && routeToRun(at.harness.state(), route)?.deployer.principalId, 'p-eve');
  });

  it('takes whoever moved a file as the deployer of its routes', async () => {
    await at.deploy(FILE, [{ id: 'a' }]);
    const eve = callerNamed('eve', { roles: ['deployer'] });
    await at.deploy('/etc/eip/routes/more/shop.yaml', [{ id: 'a' }], {}, eve);
    const route = at.route('a');
    assert.deepEqual(
      [route?.file, route?.deployer.userId, route?.version],
      ['/etc/eip/routes/more/shop.yaml', 'eve', 2],
    );
    assert.deepEqual([...at.runtime.shared.keys()], ['/etc/eip/routes/more/shop.yaml']);
  });

  it('keeps the newest fifty versions', async () => {
    for (let n = 1; n <= 53; n++) await at.deploy(FILE, [{ id: 'a', description: `${n}` }]);
    const kept = at.harness.all(routeVersions).map(({ version }) => version);
    assert.deepEqual([kept.length, Math.min(...kept), Math.max(...kept)], [50, 4, 53]);
  });

  it('starts again what comes back while it leaves', async () => {
    await at.deploy(FILE, [{ id: 'a' }]);
    let go = () => {};
    at.runtime.outcomes.set('stop a', () => new Promise<void>((resolve) => (go = resolve)));
    await at.deploy(FILE, []);
    assert.equal(at.state('a'), 'Stopping');
    await at.deploy('/etc/eip/routes/other.yaml', [{ id: 'a' }]);
    go();
    await at.quiet();
    assert.deepEqual([at.state('a'), at.route('a')?.file], ['Started', '/etc/eip/routes/other.yaml']);
  });
});

describe('routes of a server that was killed', () => {
  let at: RouteHarness;
  const wait = (what: string) => at.runtime.outcomes.set(what, () => new Promise<void>(() => {}));
  beforeEach(async () => {
    at = new RouteHarness();
    await at.begin();
    await at.deploy(FILE, [{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }]);
  });

  it('start anew where they ran, end what they were ending, and stay as they were otherwise', async () => {
    await at.operate('suspend', 'b');
    await at.operate('stop', 'c');
    wait('stop d');
    await at.operate('stop', 'd');
    assert.equal(at.state('d'), 'Stopping');
    at.kill();
    await at.begin();
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((id) => at.state(id)),
      ['Started', 'Suspended', 'Stopped', 'Stopped'],
    );
    assert.deepEqual(at.runtime.asked, ['start a:1', 'stop d']);
    assert.ok(at.changes.includes('a Started Starting'));
  });

  it('start where they were starting, and suspend where they were suspending', async () => {
    await at.operate('stop', 'a');
    wait('start a');
    await at.operate('start', 'a');
    wait('suspend b');
    await at.operate('suspend', 'b');
    assert.deepEqual([at.state('a'), at.state('b')], ['Starting', 'Suspending']);
    at.kill();
    await at.begin();
    assert.deepEqual([at.state('a'), at.state('b')], ['Started', 'Suspended']);
  });

  it('run the old version where the new one had not got the consumer, then hand it over', async () => {
    wait('swap a');
    await at.deploy(FILE, [{ id: 'a', description: 'new' }, { id: 'b' }, { id: 'c' }, { id: 'd' }]);
    assert.deepEqual([at.route('a')?.version, at.route('a')?.next], [1, 2]);
    at.kill();
    await at.begin();
    assert.deepEqual([at.state('a'), at.route('a')?.version, at.route('a')?.next], ['Started', 2, null]);
  });

  it('shares what files give to all routes before any of them starts', async () => {
    at.kill();
    await at.begin();
    assert.deepEqual([...at.runtime.shared.keys()], [FILE]);
  });
});
