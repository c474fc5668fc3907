import assert from 'node:assert/strict';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';

describe('controlbus', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    const users = [
      { userId: 'dora', roles: ['deployer', 'operator'] },
      { userId: 'dave', roles: ['deployer'] },
    ];
    server = await liveServer({ users, clock: 'system', env: { MILLRACE_ROUTE_CONTROL: 'on' } });
    admin = server.as('admin');
    await admin.run(`mutation { setAccessControl(input: { path: "/etc/eip/routes", entries: [
      { principal: "dora", privileges: ["jcr:all"], allow: true },
      { principal: "dave", privileges: ["jcr:all"], allow: true } ] }) { entries { principal } } }`);
  });
  after(() => server.remove());

  const create = (by: string, routeId: string, steps: string, uri = `direct:${routeId}`) =>
    server.as(by).run('mutation ($input: CreateRouteInput!) { createRoute(input: $input) { status } }', {
      input: {
        ...{ routeId, autoStart: true },
        yaml: `- route: { id: ${routeId}, from: { uri: "${uri}", steps: [${steps}] } }`,
      },
    });
  const send = async (uri: string) =>
    (
      await admin.run('mutation ($input: SendToEndpointInput!) { sendToEndpoint(input: $input) { body exception } }', {
        input: { endpointUri: uri },
      })
    ).sendToEndpoint;
  const statusOf = async (id: string) =>
    (await admin.run('query ($id: ID!) { route(id: $id) { status } }', { id })).route?.status;
  const bus = (options: string) => `{ to: { uri: "controlbus:route?${options}" } }`;

  it('takes routes through their lives, as the user who deployed the route that does', async () => {
    await create('dora', 'worker', '{ to: { uri: "mock:worked" } }');
    for (const [action, state] of [
      ['suspend', 'Suspended'],
      ['resume', 'Started'],
      ['stop', 'Stopped'],
      ['start', 'Started'],
      ['fail', 'Stopped'],
      ['restart&restartDelay=10', 'Started'],
    ] as const) {
      const id = `does-${action.slice(0, 7)}`.replace(/&.*/, '');
      await create('dora', id, bus(`routeId=worker&action=${action}`));
      assert.equal((await send(`direct:${id}`))?.exception, null);
      assert.equal(await statusOf('worker'), state, action);
    }
  });

  it('fails a route with what was caught, until it starts again', async () => {
    const caught = 'throwException: { exceptionType: java.io.IOException, message: "the disk is full" }';
    const failing = `{ doTry: { steps: [{ ${caught} }], doCatch: [{ exception: [java.io.IOException], steps: [${bus('routeId=worker&action=fail')}] }] } }`;
    await create('dora', 'fails', failing);
    const known = async () => {
      const { route, incidents } = await admin.run(
        `{ route(id: "worker") { status health fault { message exceptionType } }
          incidents(type: "failedRoute") { edges { node { message } } } }`,
      );
      return { ...route, incidents: incidents.edges.map(({ node }) => node.message) };
    };
    assert.equal((await send('direct:fails'))?.exception, null);
    assert.deepEqual(await known(), {
      ...{ status: 'Stopped', health: 'DOWN' },
      fault: { message: 'the disk is full', exceptionType: 'java.io.IOException' },
      incidents: ["route 'worker': the disk is full"],
    });
    await create('dora', 'fails-so', bus('routeId=worker&action=fail'));
    await send('direct:fails-so');
    assert.equal((await known()).fault?.message, "route 'fails-so' has failed it");
    await admin.run('mutation { startRoute(input: { id: "worker" }) { id } }');
    assert.deepEqual(await known(), { status: 'Started', health: 'UP', fault: null, incidents: [] });
  });

  it('tells state and counters', async () => {
    await create('dora', 'state', bus('routeId=worker&action=status'));
    assert.equal((await send('direct:state'))?.body, 'Started');
    await send('direct:worker');
    await create('dora', 'counts', bus('routeId=worker&action=stats'));
    assert.match(
      (await send('direct:counts'))?.body ?? '',
      /^<routeStat id="worker" state="Started" .*exchangesCompleted="1"/,
    );
    await create('dora', 'all', bus('action=stats'));
    const totals = async () => {
      const body = (await send('direct:all'))?.body ?? '';
      assert.match(body, /<camelContextStat .*<routeStat id="worker"/s);
      return Number(/<camelContextStat [^>]*exchangesTotal="(\d+)"/.exec(body)?.[1]);
    };
    const before = await totals();
    await create('dora', 'through', '{ to: { uri: "direct:worker" } }');
    await send('direct:through');
    // One that went through two routes, and the look before.
    assert.equal((await totals()) - before, 2);
  });

  it('stops its own route without waiting for itself', async () => {
    await create('dora', 'suicidal', `${bus('routeId=current&action=stop')}, { to: { uri: "mock:went-on" } }`);
    assert.equal((await send('direct:suicidal'))?.exception, null);
    const { mockEndpoint } = await admin.run('{ mockEndpoint(name: "went-on") { receivedCounter } }');
    assert.equal(mockEndpoint?.receivedCounter, 1);
  });

  it('does nothing for a deployer who may not operate routes', async () => {
    await create('dave', 'tries', bus('routeId=worker&action=stop'));
    await send('direct:tries');
    assert.equal(await statusOf('worker'), 'Started');
  });

  it('is refused where the operator does not allow it', async () => {
    const other = await liveServer({});
    try {
      const { errors } = await other
        .as('admin')
        .ask('mutation ($input: CreateRouteInput!) { createRoute(input: $input) { status } }', {
          variables: {
            input: {
              routeId: 'a',
              yaml: `- route: { id: a, from: { uri: "direct:a", steps: [${bus('routeId=a&action=stop')}] } }`,
            },
          },
        });
      assert.match(errors?.[0]?.message ?? '', /routes may not operate routes here/);
    } finally {
      await other.remove();
    }
  });
});
