import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';

/** A route in YAML that throws where the body is `bad`. */
const route = (id: string, { more = '', steps = '' } = {}) => `- route:
    id: ${id}
${more}    from:
      uri: direct:${id}
      steps:
${steps}        - filter:
            simple: "\${body} == 'bad'"
            steps:
              - throwException: { id: no, exceptionType: java.lang.IllegalStateException, message: no way }
        - to: { id: out, uri: "mock:out" }
`;

interface Exchanges {
  readonly totalCount: number;
  readonly edges: readonly { readonly node: { readonly exchangeId: string; readonly status: string } }[];
}

describe('what is kept of the exchanges of routes', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer({ clock: 'system' });
    admin = server.as('admin');
  });
  after(() => server.remove());

  const create = (id: string, yaml = route(id)) =>
    admin.run(
      'mutation ($id: String!, $yaml: String!) { createRoute(input: { routeId: $id, yaml: $yaml, autoStart: true }) { id } }',
      { id, yaml },
    );
  const send = async (id: string, body: string, headers: object = {}) => {
    const { sendToEndpoint } = await admin.run(
      'mutation ($input: SendToEndpointInput!) { sendToEndpoint(input: $input) { exchangeId success } }',
      { input: { endpointUri: `direct:${id}`, body, headers } },
    );
    return sendToEndpoint as { readonly exchangeId: string; readonly success: boolean };
  };
  const kept = async (id: string): Promise<Exchanges> => {
    const { historyExchanges } = await admin.run(
      'query ($routes: [String!]) { historyExchanges(routes: $routes) { totalCount edges { node { exchangeId status } } } }',
      { routes: [id] },
    );
    return historyExchanges as unknown as Exchanges;
  };
  /** Until what ended before is kept: behind everything else one exchange of its own. */
  const settled = async () => {
    const { exchangeId } = await send('last', 'good');
    await eventually('the last one is kept', async () => {
      const { historyExchange } = await admin.run('query ($id: ID) { historyExchange(exchange: $id) { path } }', {
        id: exchangeId,
      });
      return historyExchange !== null;
    });
  };

  it('is each exchange, failed ones, or none, as the route says in YAML or in XML', async () => {
    await create('last');
    const property = (value: string) => `    routeProperty: [{ key: "mi:history", value: ${value} }]\n`;
    await create('each');
    await create('failures', route('failures', { more: property('failure') }));
    await create('silent', route('silent', { more: property('none') }));
    const xml = (id: string, value: string) =>
      `<route id="${id}"><routeProperty key="mi:history" value="${value}"/><from uri="direct:${id}"/><filter><simple>\${body} == 'bad'</simple><throwException exceptionType="java.io.IOException" message="gone"/></filter></route>`;
    const file = `<routes>${xml('xfailures', 'failure')}${xml('xsilent', 'none')}</routes>`;
    await admin.run(
      'mutation ($content: Base64!) { createFile(input: { path: "/etc/eip/routes", name: "kept.xml", content: $content }) { id } }',
      { content: Buffer.from(file).toString('base64') },
    );
    await eventually('the routes of the file run', async () => {
      const { routes } = await admin.run('{ routes(status: Started, search: "x") { totalCount } }');
      return routes.totalCount === 2;
    });
    for (const id of ['each', 'failures', 'silent', 'xfailures', 'xsilent'])
      for (const body of ['good', 'bad']) assert.equal((await send(id, body)).success, body === 'good', id);
    await settled();
    const statuses = async (id: string) => (await kept(id)).edges.map(({ node }) => node.status);
    assert.deepEqual(await statuses('each'), ['failed', 'completed']);
    for (const id of ['failures', 'xfailures']) assert.deepEqual(await statuses(id), ['failed']);
    for (const id of ['silent', 'xsilent']) assert.deepEqual(await statuses(id), []);
  });

  it('has the headers that it names', async () => {
    await create('headed');
    const { exchangeId } = await send('headed', 'good', {
      'mi:history.header.includes': 'order*, count',
      'mi:history.header.excludes': 'orderSecret',
      ...{ orderId: 'A-1', orderSecret: 's', count: 3, other: 'x' },
    });
    await settled();
    const { historyExchange } = await admin.run('query ($id: ID) { historyExchange(exchange: $id) { headers } }', {
      id: exchangeId,
    });
    assert.deepEqual(historyExchange?.headers, {
      orderId: { type: 'string', value: 'A-1' },
      count: { type: 'int', value: 3 },
    });
  });

  it('names the Java class of what keeps a route from starting', async () => {
    const yaml = route('wrong').replace('direct:wrong', 'timer:wrong?period=x');
    const reply = await admin.ask(
      'mutation ($yaml: String!) { createRoute(input: { routeId: "wrong", yaml: $yaml, autoStart: true }) { id } }',
      { variables: { yaml } },
    );
    assert.equal(reply.errors?.[0]?.extensions.code, 'BAD_REQUEST');
    const twice = route('first').replace('direct:first', 'direct:same');
    await create('first', twice);
    const { errors } = await admin.ask(
      'mutation ($yaml: String!) { createRoute(input: { routeId: "second", yaml: $yaml, autoStart: true }) { id } }',
      { variables: { yaml: twice.replace('id: first', 'id: second') } },
    );
    assert.equal(errors?.[0]?.extensions.code, 'EXECUTION_FAILED');
    const { route: second } = await admin.run('{ route(id: "second") { fault { exceptionType message } } }');
    assert.match(second?.fault?.exceptionType ?? '', /^(java|org)\./);
  });
});
