import assert from 'node:assert/strict';
import type { RecordToPack } from '../../src/eip/history/packed-records.js';
import { eventually } from '../support/eventually.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { keepExchanges } from './support/kept-exchanges.js';

const NOW = Date.parse('2026-11-23T12:34:56.789Z');
const STEPS = [
  { routeId: 'orders', stepId: 'setBody1', endpointUri: null },
  { routeId: 'orders', stepId: 'to1', endpointUri: 'http://peer?password=***' },
];

const record = (exchangeId: string, createdAt: number, given: Partial<RecordToPack> = {}): RecordToPack => ({
  ...{ exchangeId, createdAt, routeId: 'orders', completedAt: createdAt + 2, elapsed: 2_345, status: 'completed' },
  ...{
    exceptionType: null,
    exceptionMessage: null,
    stackTrace: null,
    businessKey: null,
    bodyType: 'String',
    bodySize: 4,
  },
  ...{ headers: '{"amount":{"type":"int","value":12}}', forgotten: 0, stepCount: 2 },
  steps: [
    { step: 0, entered: 10, taken: 40 },
    { step: 1, entered: 60, taken: 2_200 },
  ],
  ...given,
});

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: Readonly<Record<string, unknown>> }[];
  readonly pageInfo: Readonly<Record<string, unknown>>;
  readonly totalCount: number;
  readonly skipped: number;
}

describe('the history of exchanges over the API', () => {
  let server: LiveServer;
  before(async () => {
    server = await liveServer({
      users: [
        { userId: 'ann' },
        { userId: 'dan', roles: ['deployer'] },
        { userId: 'olga', roles: ['operator'] },
        { userId: 'sue', roles: ['supervisor'] },
      ],
    });
    keepExchanges(server.folder, STEPS, [
      record('e1', NOW),
      record('e2', NOW + 1, { routeId: 'mail', elapsed: 1_000_000, businessKey: 'order-7' }),
      record('e3', NOW + 2, {
        ...{ status: 'failed', elapsed: 6_000_000 },
        ...{ exceptionType: 'java.io.IOException', exceptionMessage: 'gone', headers: null },
      }),
    ]);
  });
  after(() => server.remove());

  const ask = async <T>(query: string, userId = 'olga'): Promise<T> => {
    const { it } = (await server.as(userId, 'system').run(`{ it: ${query} }`)) as unknown as { readonly it: T };
    return it;
  };
  const page = (args: string) =>
    ask<Page>(
      `historyExchanges${args} { edges { cursor node { path exchangeId routeId status elapsed createdAt businessKey } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount skipped }`,
    );
  const ids = ({ edges }: Page) => edges.map(({ node }) => node.exchangeId);

  it('lists the newest first', async () => {
    const all = await page('');
    assert.deepEqual(ids(all), ['e3', 'e2', 'e1']);
    assert.deepEqual([all.totalCount, all.skipped], [3, 0]);
    assert.deepEqual(all.edges[1]?.node, {
      path: '/var/eip/history/2026/11/23/12/mail/e2.json',
      ...{ exchangeId: 'e2', routeId: 'mail', status: 'completed', elapsed: 1_000 },
      ...{ createdAt: '2026-11-23T12:34:56.790Z', businessKey: 'order-7' },
    });
  });

  it('lists what all filters let through, with the length of that list', async () => {
    assert.deepEqual(ids(await page('(routes: ["mail", "none"])')), ['e2']);
    assert.deepEqual(ids(await page('(routes: [], status: "", filter: "")')), ['e3', 'e2', 'e1']);
    assert.deepEqual(ids(await page('(status: "failed")')), ['e3']);
    assert.deepEqual(ids(await page('(status: "all", filter: "order")')), ['e3', 'e2', 'e1']);
    assert.deepEqual(ids(await page('(status: "odd")')), []);
    assert.deepEqual(ids(await page('(filter: "der-7")')), ['e2']);
    assert.deepEqual(ids(await page('(from: "2026-11-23T12:34:56.790Z", to: "2026-11-23T12:34:56.791Z")')), ['e2']);
    assert.deepEqual(ids(await page('(elapsedBands: ["under1s", "over5s", "odd"])')), ['e3', 'e1']);
    assert.deepEqual(ids(await page('(elapsedBands: ["odd"])')), []);
    assert.equal((await page('(routes: ["orders"], first: 1)')).totalCount, 2);
  });

  it('goes through pages in both directions', async () => {
    const first = await page('(first: 2)');
    assert.deepEqual(ids(first), ['e3', 'e2']);
    assert.equal(first.pageInfo.hasNextPage, true);
    const second = await page(`(first: 2, after: "${first.pageInfo.endCursor}")`);
    assert.deepEqual(ids(second), ['e1']);
    assert.deepEqual([second.pageInfo.hasNextPage, second.pageInfo.hasPreviousPage], [false, true]);
    const last = await page('(last: 2)');
    assert.deepEqual(ids(last), ['e2', 'e1']);
    assert.equal(last.pageInfo.hasPreviousPage, true);
    assert.deepEqual(ids(await page(`(last: 2, before: "${last.pageInfo.startCursor}")`)), ['e3']);
    await assert.rejects(page('(first: 2, after: "odd")'), /BAD_REQUEST|cursor/);
    await assert.rejects(page('(first: -1)'), /from 0/);
  });

  it('gives one by its path or its id, with its steps', async () => {
    const fields =
      '{ path exchangeId routeId status elapsed createdAt completedAt exceptionType exceptionMessage stackTrace businessKey bodyType bodySize headers steps { id routeId endpointUri timeTaken timeTakenMicros offsetFromStart order } }';
    const e1 = await ask(`historyExchange(path: "/var/eip/history/2026/11/23/12/orders/e1.json") ${fields}`);
    assert.deepEqual(e1, {
      path: '/var/eip/history/2026/11/23/12/orders/e1.json',
      ...{ exchangeId: 'e1', routeId: 'orders', status: 'completed', elapsed: 2 },
      ...{ createdAt: '2026-11-23T12:34:56.789Z', completedAt: '2026-11-23T12:34:56.791Z' },
      ...{
        exceptionType: null,
        exceptionMessage: null,
        stackTrace: null,
        businessKey: null,
        bodyType: 'String',
        bodySize: 4,
      },
      headers: { amount: { type: 'int', value: 12 } },
      steps: [
        {
          ...{ id: 'setBody1', routeId: 'orders', endpointUri: null },
          ...{ timeTaken: 0, timeTakenMicros: 40, offsetFromStart: 0, order: 0 },
        },
        {
          ...{ id: 'to1', routeId: 'orders', endpointUri: 'http://peer?password=***' },
          ...{ timeTaken: 2, timeTakenMicros: 2_200, offsetFromStart: 2, order: 1 },
        },
      ],
    });
    const e3 = await ask<Record<string, unknown>>(
      'historyExchange(exchange: "e3") { status exceptionType exceptionMessage headers }',
    );
    assert.deepEqual(e3, {
      ...{ status: 'failed', exceptionType: 'java.io.IOException', exceptionMessage: 'gone', headers: null },
    });
    for (const args of ['exchangeId: "e9"', 'path: "/var/eip/history/2026/11/23/13/orders/e1.json"'])
      assert.equal(await ask(`historyExchange(${args}) { exchangeId }`), null);
    await assert.rejects(ask('historyExchange(path: "/content/x") { path }'), /below \/var\/eip\/history/);
    await assert.rejects(ask('historyExchange { path }'), /'path' or 'exchange'/);
  });

  it('counts exchanges in buckets', async () => {
    const stats = await ask<Record<string, unknown>>(
      'routeStats(at: "2026-11-23T12:36:00Z", buckets: 2) { anchor from to interval boundaries points { bucket bands } }',
    );
    assert.deepEqual(stats, {
      ...{ anchor: '2026-11-23T12:36:00.000Z', from: '2026-11-23T12:30:00.000Z', to: '2026-11-23T12:40:00.000Z' },
      ...{ interval: '5min', boundaries: [1_000, 5_000] },
      points: [
        { bucket: '2026-11-23T12:30:00.000Z', bands: [1, 1, 1] },
        { bucket: '2026-11-23T12:35:00.000Z', bands: [0, 0, 0] },
      ],
    });
    const part = await ask<{ readonly points: unknown }>(
      'routeStats(from: "2026-11-23T12:34:56.790Z", to: "2026-11-23T14:00:00Z", interval: "1h", status: "completed", elapsedBoundaries: [10]) { points { bucket bands } }',
    );
    assert.deepEqual(part.points, [
      { bucket: '2026-11-23T12:00:00.000Z', bands: [0, 1] },
      { bucket: '2026-11-23T13:00:00.000Z', bands: [0, 0] },
    ]);
  });

  it('is for operators, supervisors and administrators', async () => {
    for (const user of ['olga', 'sue', 'admin'])
      assert.equal((await ask<Page>('historyExchanges { totalCount }', user)).totalCount, 3);
    for (const user of ['ann', 'dan'])
      for (const field of [
        'historyExchanges { totalCount }',
        'historyExchange(exchangeId: "e1") { path }',
        'routeStats(buckets: 1) { to }',
      ])
        await assert.rejects(ask(field, user), /an operator, supervisor or administrator/);
  });

  it('has what goes through routes, with their steps', async () => {
    const yaml = `- route:
    id: ticking
    from:
      uri: timer:tick?delay=0&repeatCount=2
      steps:
        - setHeader: { id: key, name: "mi:history.businessKey", constant: tick }
        - to: { id: out, uri: "mock:out" }
`;
    const running = await liveServer({ clock: 'system' });
    const web = running.as('admin');
    try {
      await web.run(
        `mutation ($yaml: String!) { createRoute(input: { routeId: "ticking", yaml: $yaml, autoStart: true }) { id } }`,
        { yaml },
      );
      const list = async () => {
        const fields = '{ totalCount edges { node { exchangeId businessKey } } }';
        const { historyExchanges } = await web.run(`{ historyExchanges(routes: ["ticking"]) ${fields} }`);
        return historyExchanges as unknown as Page;
      };
      await eventually('both are kept', async () => (await list()).totalCount === 2);
      const found = await list();
      assert.equal(found.edges[0]?.node.businessKey, 'tick');
      const { historyExchange } = await web.run(
        'query ($id: ID) { historyExchange(exchange: $id) { status steps { id endpointUri } } }',
        {
          id: found.edges[0]?.node.exchangeId,
        },
      );
      assert.deepEqual(historyExchange, {
        status: 'completed',
        steps: [
          { id: 'key', endpointUri: null },
          { id: 'out', endpointUri: 'mock:out' },
        ],
      });
      const { route } = await web.run(
        '{ route(id: "ticking") { exchangesTotal exchangesCompleted exchangesFailed exchangesInflight lastError { message } history { totalCount } } }',
      );
      assert.deepEqual(route, {
        ...{ exchangesTotal: 2, exchangesCompleted: 2, exchangesFailed: 0, exchangesInflight: 0, lastError: null },
        history: { totalCount: 2 },
      });
    } finally {
      await running.remove();
    }
  });
});
