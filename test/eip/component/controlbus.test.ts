import assert from 'node:assert/strict';
import type { ComponentHost } from '../../../src/eip/component/component-host.js';
import type { WorkspacePort } from '../../../src/eip/component/workspace-port.js';
import { type Routes, routes } from '../support/routes.js';

/** A host that writes down what is asked of it. */
function host(): { asked: string[]; host: Partial<ComponentHost> } {
  const asked: string[] = [];
  const workspace: WorkspacePort = {
    async send(command) {
      assert.ok(command.kind === 'routes.operate');
      const { verb, routeId, failure } = command;
      asked.push(`${failure === undefined ? verb : 'fail'} ${routeId}`);
      if (routeId === 'unknown') throw Object.assign(new Error('Unknown route'), { code: 'BAD_REQUEST' });
    },
    async read(query) {
      if (query.kind === 'routes.status') return 'Started';
      return query.kind === 'routes.statistics' ? `<stats of="${query.routeId}"/>` : null;
    },
    watch: () => Promise.reject(new Error('nothing is watched')),
    stage: () => Promise.reject(new Error('nothing is staged')),
  };
  return { asked, host: { controlsRoutes: true, workspace } };
}

const bus = (given: Partial<ComponentHost>, options: string): Promise<Routes> =>
  routes(`[{ route: { id: me, from: { uri: "direct:in", steps: [{ to: "controlbus:${options}" }] } } }]`, {}, given);

describe('controlbus', () => {
  for (const action of ['start', 'stop', 'suspend', 'resume', 'fail'])
    it(`asks to ${action} a route, and goes on when that is so`, async () => {
      const { asked, host: given } = host();
      const tested = await bus(given, `route?routeId=other&action=${action}`);
      assert.equal((await tested.send('direct:in', 'x')).body, 'x');
      assert.deepEqual(asked, [`${action} other`]);
      assert.match(
        tested.logged[0]?.message ?? '',
        new RegExp(`task done \\[${action} route other\\] with result -> void`),
      );
    });

  it('restarts a route after a delay', async () => {
    const { asked, host: given } = host();
    const tested = await bus(given, 'route?routeId=other&action=restart&restartDelay=500');
    const sent = tested.send('direct:in');
    await tested.time.advance(499);
    assert.deepEqual(asked, ['stop other']);
    await tested.time.advance(1);
    await sent;
    assert.deepEqual(asked, ['stop other', 'start other']);
  });

  it('gives state and counters as the body', async () => {
    const { host: given } = host();
    assert.equal((await (await bus(given, 'route?routeId=x&action=status')).send('direct:in')).body, 'Started');
    const stats = await bus(given, 'route?action=stats');
    assert.equal((await stats.send('direct:in')).body, '<stats of="null"/>');
  });

  it('means its own route by current, and does not wait for itself', async () => {
    const { asked, host: given } = host();
    const tested = await bus(given, 'route?routeId=current&action=stop');
    await tested.send('direct:in');
    assert.deepEqual(asked, ['stop me']);
  });

  it('logs what failed, and goes on', async () => {
    const { host: given } = host();
    const tested = await bus(given, 'route?routeId=unknown&action=start&loggingLevel=WARN');
    assert.equal((await tested.send('direct:in')).exception, undefined);
    assert.match(
      tested.logged[0]?.message ?? '',
      /Error executing ControlBus task \[start route unknown\].*Unknown route/,
    );
    assert.equal(tested.logged[0]?.level, 'WARN');
  });

  it('evaluates the body in a language', async () => {
    const tested = await bus({}, 'language:simple');
    assert.equal((await tested.send('direct:in', '${header.a}', { a: 5 })).body, 5);
  });

  it('has two commands, and no other', async () => {
    for (const wrong of [
      'rout?routeId=x&action=status',
      'route:simple?routeId=x&action=status',
      'language',
      'language:',
    ])
      await assert.rejects(bus(host().host, wrong), /expected route, or language: with the name of one, got/, wrong);
    await assert.rejects(bus({}, 'language:nope'), /nope/);
  });

  it('is refused where routes may not operate routes', async () => {
    await assert.rejects(bus({}, 'route?routeId=x&action=stop'), /routes may not operate routes here/);
  });
});
