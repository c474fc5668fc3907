import assert from 'node:assert/strict';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';

const YAML = `- route:
    id: outer
    from:
      uri: direct:outer
      steps:
        - setBody: { id: same, simple: "\${body}" }
        - to: { id: call, uri: direct:inner }
        - to: { id: out, uri: "mock:out" }
- route:
    id: inner
    from:
      uri: direct:inner
      steps:
        - filter:
            id: bad
            simple: "\${body} == 'bad'"
            steps:
              - throwException: { id: no, exceptionType: java.lang.IllegalStateException, message: no way }
- route:
    id: handling
    errorHandler: { deadLetterChannel: { deadLetterUri: "mock:dead", redeliveryPolicy: { maximumRedeliveries: 2, redeliveryDelay: "1" } } }
    from:
      uri: direct:handling
      steps:
        - throwException: { id: again, exceptionType: java.io.IOException, message: gone }
`;

const COUNTS = `exchangesTotal exchangesCompleted exchangesFailed exchangesInflight`;
const TIMES = 'meanProcessingTime minProcessingTime maxProcessingTime lastProcessingTime totalProcessingTime';

describe('what is counted of routes', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  const users = [
    { userId: 'olga', roles: ['operator'] },
    { userId: 'dan', roles: ['deployer'] },
  ];
  const begin = async (folder?: string) => {
    server = await liveServer({ clock: 'system', users, ...(folder !== undefined && { folder }) });
    admin = server.as('admin');
  };
  beforeEach(async () => {
    await begin();
    await admin.run(
      'mutation ($content: Base64!) { createFile(input: { path: "/etc/eip/routes", name: "counted.yaml", content: $content }) { id } }',
      { content: Buffer.from(YAML).toString('base64') },
    );
    await admin.run('mutation { startAllRoutes { id } }');
  });
  afterEach(() => server.remove());

  const send = (uri: string, body: string) =>
    admin.run('mutation ($input: SendToEndpointInput!) { sendToEndpoint(input: $input) { success } }', {
      input: { endpointUri: uri, body },
    });
  const one = async <T = Record<string, unknown>>(id: string, fields: string): Promise<T> =>
    (await admin.run(`{ route(id: "${id}") { ${fields} } }`)).route as unknown as T;
  const context = async <T = Record<string, unknown>>(fields: string): Promise<T> =>
    (await admin.run(`{ camelContexts { edges { node { ${fields} } } } }`)).camelContexts.edges[0]
      ?.node as unknown as T;
  const counts = (total: number, completed: number, failed: number) => ({
    ...{ exchangesTotal: total, exchangesCompleted: completed, exchangesFailed: failed, exchangesInflight: 0 },
  });

  it('is told of each route, of their context, where each exchange counts once, and of endpoints', async () => {
    for (const body of ['good', 'good', 'bad']) await send('direct:outer', body);
    await send('direct:handling', 'x');
    assert.deepEqual(await one('outer', COUNTS), counts(3, 2, 1));
    assert.deepEqual(await one('inner', COUNTS), counts(3, 2, 1));
    assert.deepEqual(await one('handling', `${COUNTS} failuresHandled redeliveries`), {
      ...counts(1, 1, 0),
      ...{ failuresHandled: 1, redeliveries: 2 },
    });
    const { idleSince } = await one<{ idleSince: number }>('handling', 'idleSince');
    assert.ok(idleSince >= 0);
    assert.deepEqual(await context(`${COUNTS} tracing messageHistory logMask`), {
      ...counts(4, 3, 1),
      ...{ tracing: false, messageHistory: true, logMask: false },
    });
    const { endpoints } = await admin.run(
      '{ endpoints { edges { node { uri exchangesTotal exchangesCompleted exchangesFailed } } } }',
    );
    const found = Object.fromEntries(endpoints.edges.map(({ node: { uri, ...told } }) => [uri, Object.values(told)]));
    assert.deepEqual(found['mock://out'] ?? found['mock:out'], [2, 2, 0]);
    const times = await one<Record<string, number>>(
      'outer',
      `${TIMES} firstExchangeCompletedTime lastExchangeFailureTime`,
    );
    assert.ok(
      Object.values(times).every((value) => value !== null),
      JSON.stringify(times),
    );
    assert.ok((times.minProcessingTime ?? 0) <= (times.maxProcessingTime ?? 0));
  });

  it('has how long steps took', async () => {
    for (let at = 0; at < 20; at++) await send('direct:outer', 'good');
    const { stepStatistics } = await one<{ stepStatistics: Record<string, number | string | null>[] }>(
      'outer',
      'stepStatistics { stepId endpointUri count p50 p90 p95 p99 max }',
    );
    assert.deepEqual(
      stepStatistics.map(({ stepId, endpointUri, count }) => [stepId, endpointUri, count]),
      [
        ['same', null, 20],
        ['call', 'direct:inner', 20],
        ['out', 'mock:out', 20],
      ],
    );
    for (const { p50, p90, p95, p99, max } of stepStatistics) {
      const ascending = [p50, p90, p95, p99, max].map(Number);
      assert.deepEqual(
        ascending,
        ascending.toSorted((a, b) => a - b),
      );
    }
    await admin.run(
      'mutation { updateRoute(input: { id: "outer", yaml: "- route: { id: outer, from: { uri: direct:outer, steps: [ { setBody: { id: other, constant: x } } ] } }" }) { id } }',
    );
    const updated = await one<{ stepStatistics: { stepId: string; p50: number | null }[] }>(
      'outer',
      'stepStatistics { stepId p50 }',
    );
    assert.deepEqual(updated.stepStatistics, [{ stepId: 'other', p50: null }]);
  });

  it('goes on over a restart, and begins anew where that is asked for', async () => {
    for (const body of ['good', 'bad']) await send('direct:outer', body);
    const fields = `${COUNTS} ${TIMES} firstExchangeCompletedTime lastExchangeFailureTime stepStatistics { stepId count p99 }`;
    const before = await one('outer', fields);
    const inContext = await context(COUNTS);
    await server.end();
    await begin(server.folder);
    assert.deepEqual(await one('outer', fields), before);
    assert.deepEqual(await context(COUNTS), inContext);
    await send('direct:outer', 'good');
    assert.deepEqual(await one('outer', COUNTS), counts(3, 2, 1));
    const olga = server.as('olga');
    const { resetRouteStatistics } = await olga.run(`mutation { resetRouteStatistics(id: "outer") { ${fields} } }`);
    const { stepStatistics, ...numbers } = resetRouteStatistics as unknown as Record<string, unknown>;
    assert.deepEqual(Object.values(numbers), [0, 0, 0, 0, null, null, null, null, null, null, null]);
    assert.deepEqual(
      (stepStatistics as { count: number }[]).map(({ count }) => count),
      [0, 0, 0],
    );
    assert.deepEqual(await one('inner', COUNTS), counts(3, 2, 1));
    await olga.run('mutation { resetAllStatistics { name } }');
    assert.deepEqual(await one('inner', COUNTS), counts(0, 0, 0));
    assert.deepEqual(await context(COUNTS), counts(0, 0, 0));
    await send('direct:outer', 'good');
    assert.deepEqual(await one('outer', COUNTS), counts(1, 1, 0));
    await server.end();
    await begin(server.folder);
    assert.deepEqual(await one('outer', COUNTS), counts(1, 1, 0));
    for (const field of [
      'resetRouteStatistics(id: "outer") { id }',
      'resetAllStatistics { name }',
      'enableTracing { name }',
    ])
      await assert.rejects(
        server.as('dan').run(`mutation { it: ${field} }`),
        /an operator, supervisor or administrator/,
      );
  });

  it('begins anew for a route that was deleted and is made again', async () => {
    await send('direct:outer', 'good');
    const yaml = '- route: { id: again, from: { uri: direct:again, steps: [ { setBody: { constant: x } } ] } }';
    const create = () =>
      admin.run(
        'mutation ($yaml: String!) { createRoute(input: { routeId: "again", yaml: $yaml, autoStart: true }) { id } }',
        { yaml },
      );
    await create();
    await send('direct:again', 'x');
    assert.deepEqual(await one('again', COUNTS), counts(1, 1, 0));
    await admin.run('mutation { deleteRoute(id: "again") }');
    await create();
    assert.deepEqual(await one('again', COUNTS), counts(0, 0, 0));
    await server.end();
    await begin(server.folder);
    assert.deepEqual(await one('again', COUNTS), counts(0, 0, 0));
  });

  it('is switched to writing steps to the log, and back', async () => {
    const { enableTracing } = await admin.run('mutation { enableTracing { tracing } }');
    assert.equal((enableTracing as { tracing: boolean }).tracing, true);
    assert.deepEqual(await context('tracing'), { tracing: true });
    const { disableTracing } = await server.as('olga').run('mutation { disableTracing { tracing } }');
    assert.equal((disableTracing as { tracing: boolean }).tracing, false);
  });

  it('has the last error, of an exchange or of the route itself', async () => {
    await send('direct:outer', 'bad');
    let found: { lastError: Record<string, unknown> | null } = { lastError: null };
    while (found.lastError === null) found = await one('outer', 'lastError { exchangeId message stackTrace endpoint }');
    assert.equal(found.lastError.message, 'no way');
    assert.equal(found.lastError.stackTrace, 'java.lang.IllegalStateException: no way\n\tat inner/no');
    assert.equal(
      (await server.as('dan').run('{ route(id: "outer") { lastError { message } } }')).route?.lastError,
      null,
    );
    const { errors } = await admin.ask(
      'mutation ($yaml: String!) { createRoute(input: { routeId: "second", yaml: $yaml, autoStart: true }) { id } }',
      { variables: { yaml: '- route: { id: second, from: { uri: direct:outer, steps: [ { to: "mock:x" } ] } }' } },
    );
    assert.equal(errors?.[0]?.extensions.code, 'EXECUTION_FAILED');
    const second = await one<{ lastError: { exchangeId: string | null; message: string } }>(
      'second',
      'lastError { exchangeId message }',
    );
    assert.equal(second.lastError.exchangeId, null);
    assert.match(second.lastError.message, /consumer/);
  });
});
