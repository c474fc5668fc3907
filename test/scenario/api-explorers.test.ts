import assert from 'node:assert/strict';
import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery } from 'graphql';
import { createClient } from 'graphql-sse';
import { type LiveServer, liveServer } from '../support/server.js';
import { ADMIN_PASSWORD } from '../support/test-server.js';

const STUDIO = 'https://studio.apollographql.com';
const SUBSCRIPTION = 'subscription { nodeChanged(path: "/content", deep: true) { path } }';
const authorization = `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`;

/** What Altair 8.5 sends: an introspection without newer options, a request each time with a name of null. */
const ALTAIR = { accept: 'application/json', 'content-type': 'application/json' };
const OLD = {
  specifiedByUrl: false,
  directiveIsRepeatable: false,
  schemaDescription: false,
  inputValueDeprecation: false,
};
/** What Apollo's pages send: all that an introspection may ask, and whatever they could make of an answer in parts. */
const APOLLO = {
  accept: 'multipart/mixed;deferSpec=20220824,application/graphql-response+json,application/json',
  'content-type': 'application/json',
  'apollo-require-preflight': 'true',
  'x-apollo-operation-name': 'IntrospectionQuery',
};
const NEW = {
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
};

describe('pages that explore the API from elsewhere', () => {
  let server: LiveServer;
  let url: string;
  before(async () => {
    server = await liveServer({ clock: 'system', env: { MILLRACE_ALLOWED_ORIGINS: STUDIO } });
    url = `${server.baseUrl}/bin/graphql.cgi/web`;
  });
  after(() => server.remove());

  const post = (headers: Readonly<Record<string, string>>, query: string) =>
    fetch(url, {
      method: 'POST',
      headers: { origin: STUDIO, 'sec-fetch-site': 'cross-site', authorization, ...headers },
      body: JSON.stringify({ query, variables: {}, operationName: null }),
    });

  it('may send what they send, also from a public page to a server on this machine', async () => {
    const asked = {
      origin: STUDIO,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'apollo-require-preflight,authorization,content-type,x-apollo-operation-name',
    };
    const preflight = async (headers: Readonly<Record<string, string>>) => {
      const { status, headers: answer } = await fetch(url, { method: 'OPTIONS', headers });
      const names = ['allow-origin', 'allow-credentials', 'allow-headers', 'allow-private-network'];
      return [status, ...names.map((name) => answer.get(`access-control-${name}`))];
    };
    const allowed = [204, STUDIO, 'true', asked['access-control-request-headers']];
    assert.deepEqual(await preflight(asked), [...allowed, null]);
    const local = { 'access-control-request-private-network': 'true' };
    assert.deepEqual(await preflight({ ...asked, ...local }), [...allowed, 'true']);
    const [status, , , , isLocal] = await preflight({ ...asked, ...local, origin: 'https://evil.example' });
    assert.deepEqual([status, isLocal], [403, null]);
  });

  for (const { what, headers, options } of [
    { what: 'Altair', headers: ALTAIR, options: OLD },
    { what: 'Apollo Sandbox', headers: APOLLO, options: NEW },
  ])
    it(`learn the schema as ${what} asks for it, and run an operation`, async () => {
      const answer = await post(headers, getIntrospectionQuery(options));
      assert.deepEqual([answer.status, answer.headers.get('access-control-allow-origin')], [200, STUDIO]);
      const { data } = (await answer.json()) as { readonly data: IntrospectionQuery };
      assert.ok(buildClientSchema(data).getSubscriptionType()?.getFields().nodeChanged);
      const { data: made } = (await (
        await post(headers, `mutation { createFolder(path: "/content", name: "${what}") { path } }`)
      ).json()) as { readonly data: unknown };
      assert.deepEqual(made, { createFolder: { path: `/content/${what}` } });
    });

  it('hear of events by the protocol of graphql-sse, in both modes, as Altair does', async () => {
    for (const singleConnection of [false, true]) {
      const headers = { origin: STUDIO, authorization };
      const at = singleConnection ? `${url}/stream` : url;
      const client = createClient({ url: at, singleConnection, headers, retryAttempts: 0 } as never);
      const name = `heard${singleConnection}`;
      const events = client.iterate<{ nodeChanged: { path: string } }>({ query: SUBSCRIPTION });
      const first = events.next();
      const changing = setInterval(
        () => void post(ALTAIR, `mutation { createFolder(path: "/content/${name}", name: "n${Date.now()}") { path } }`),
        50,
      );
      try {
        assert.match((await first).value?.data?.nodeChanged.path ?? '', new RegExp(`^/content/${name}`));
      } finally {
        clearInterval(changing);
        client.dispose();
      }
    }
  });

  it('that speak another protocol for events are told which it is here', async () => {
    const accept = 'multipart/mixed;boundary="graphql";subscriptionSpec=1.0,application/json';
    const { status, ...answer } = await post({ ...APOLLO, accept }, SUBSCRIPTION).then(async (reply) => ({
      status: reply.status,
      text: await reply.text(),
    }));
    assert.equal(status, 400);
    assert.match(answer.text, /send Accept: text\/event-stream/);
  });
});
