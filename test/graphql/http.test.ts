import assert from 'node:assert/strict';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { challengeOf } from '../../src/graphql/index.js';
import { answerOf, asJson, signedIn, startServer, type TestServer } from './support/test-server.js';

const COOKIE = 'Cookie realm="millrace"';

const RESPONSE_TYPE = 'application/graphql-response+json';

describe('GraphQL over HTTP', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ allowedOrigins: ['https://intranet.example'] });
  });
  after(() => server.close());

  const get = (search: Record<string, string>, headers: Record<string, string> = signedIn) =>
    fetch(`${server.url}?${new URLSearchParams(search)}`, { headers });
  const errorOf = async (response: Response) => (await answerOf(response)).errors?.[0];
  const refusal = async (response: Response) => [response.status, (await errorOf(response))?.extensions.code];

  describe('who may ask', () => {
    it('refuses guests with the same words, whatever they ask', async () => {
      for (const body of ['{"query":"{ thing { id } }"}', '{"query":"{"}', 'no JSON', '']) {
        const response = await fetch(server.url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        assert.equal(response.status, 401);
        assert.equal(
          await response.text(),
          '{"errors":[{"message":"Authentication required","extensions":{"code":"UNAUTHORIZED"}}]}',
        );
      }
      assert.equal((await get({ query: '{ thing { id } }' }, {})).status, 401);
    });

    it('tells guests nothing about workspaces', async () => {
      assert.equal((await fetch(server.url.replace('w1', 'nowhere'))).status, 401);
    });

    it('shows the schema to those who have a role only', async () => {
      const query = '{ __schema { queryType { name } } }';
      assert.equal((await answerOf(await server.post({ query }))).errors, undefined);
      const { data, errors } = await answerOf(await server.post({ query }, { cookie: 'user=eve' }));
      assert.deepEqual([data, errors?.[0]?.extensions.code], [undefined, 'FORBIDDEN']);
      assert.equal(
        (await answerOf(await server.post({ query: '{ __typename }' }, { cookie: 'user=eve' }))).errors,
        undefined,
      );
    });
  });

  describe('a 401', () => {
    const challenge = async (headers: Record<string, string>) =>
      (await server.post({ query: '{ __typename }' }, { cookie: '', ...headers })).headers.get('www-authenticate');

    it('asks programs for HTTP Basic, and browsers, which would open a dialog, for a cookie', async () => {
      assert.equal(await challenge({ 'user-agent': 'Java/21.0.1', 'sec-fetch-mode': '' }), COOKIE);
      const bare = (headers: Record<string, string>) => challengeOf({ url: '/bin/graphql.cgi/w1', headers } as never);
      assert.equal(bare({ 'user-agent': 'Java/21.0.1', accept: '*/*' }), 'Basic realm="millrace", charset="UTF-8"');
      assert.equal(bare({}), 'Basic realm="millrace", charset="UTF-8"');
      for (const headers of [
        { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' },
        { 'sec-fetch-site': 'same-origin' },
        { origin: 'http://localhost' },
        { 'x-requested-with': 'XMLHttpRequest' },
        { accept: 'text/html,*/*' },
      ])
        assert.equal(bare(headers), COOKIE, JSON.stringify(headers));
      assert.equal(challengeOf({ url: '/auth/login', headers: {} } as never), COOKIE);
    });

    it('asks programs for a token where no passwords are taken', async () => {
      const told = (headers: Record<string, string>) => challengeOf({ url: '/x', headers } as never, false);
      assert.equal(told({}), 'Bearer realm="millrace"');
      assert.equal(told({ origin: 'http://localhost' }), COOKIE);
      assert.equal(told({ authorization: 'Bearer x' }), 'Bearer realm="millrace", error="invalid_token"');
      const without = await startServer({ hasPasswords: false });
      // Unlike fetch it says nothing by itself.
      const [reply] = (await once(http.get(without.url), 'response')) as [IncomingMessage];
      assert.deepEqual(
        [reply.resume().statusCode, reply.headers['www-authenticate']],
        [401, 'Bearer realm="millrace"'],
      );
      await without.close();
    });
  });

  describe('what other sites may do', () => {
    const from = (headers: Record<string, string>) => server.post({ query: '{ __typename }' }, headers);

    it('refuses a foreign origin, and a page of another site', async () => {
      assert.deepEqual(await refusal(await from({ origin: 'https://evil.example' })), [403, 'FORBIDDEN']);
      assert.deepEqual(await refusal(await from({ origin: 'null' })), [403, 'FORBIDDEN']);
      assert.deepEqual(
        await refusal(await get({ query: '{ __typename }' }, { ...signedIn, 'sec-fetch-site': 'cross-site' })),
        [403, 'FORBIDDEN'],
      );
    });

    it('takes no page without an origin for one of a request without a host', async () => {
      const { hostname, port, pathname } = new URL(server.url);
      const socket = connect(Number(port), hostname);
      const chunks: Buffer[] = [];
      socket.on('data', (chunk) => chunks.push(chunk));
      socket.write(`GET ${pathname}?query={__typename} HTTP/1.0\r\nOrigin: null\r\n\r\n`);
      await once(socket, 'close');
      assert.match(Buffer.concat(chunks).toString(), /^HTTP\/1\.1 403 /);
    });

    it('takes its own origin, and clients that are no browsers', async () => {
      assert.equal((await from({ origin: new URL(server.url).origin })).status, 200);
      assert.equal((await from({ 'sec-fetch-site': 'same-origin' })).status, 200);
      assert.equal((await from({})).status, 200);
    });

    it('lets an allowed origin read the answer, after a preflight', async () => {
      const origin = { origin: 'https://intranet.example' };
      const answer = await from({ ...origin, 'sec-fetch-site': 'cross-site' });
      assert.equal(answer.headers.get('access-control-allow-origin'), origin.origin);
      const asked = { ...origin, 'access-control-request-headers': 'authorization,content-type,x-of-the-client' };
      const preflight = await fetch(server.url, { method: 'OPTIONS', headers: asked });
      assert.equal(preflight.status, 204);
      assert.equal(preflight.headers.get('access-control-allow-headers'), 'authorization,content-type,x-of-the-client');
      assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /POST.*PUT.*DELETE/);
    });

    it('lets it read a refusal of the path, too', async () => {
      const { origin } = new URL(server.url);
      const refused = await fetch(`${origin}/bin/graphql.cgi/%E0`, { headers: { origin: 'https://intranet.example' } });
      assert.deepEqual(
        [refused.status, refused.headers.get('access-control-allow-origin')],
        [400, 'https://intranet.example'],
      );
    });

    it('refuses what a form can send', async () => {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
        assert.deepEqual(await refusal(await server.post('{"query":"{ __typename }"}', { 'content-type': type })), [
          415,
          'BAD_REQUEST',
        ]);
      }
      assert.equal((await server.post({ query: '{ __typename }' }, { 'content-encoding': 'gzip' })).status, 415);
    });
  });

  describe('where it is asked', () => {
    const at = (url: string, headers = asJson) =>
      fetch(url, { method: 'POST', headers, body: '{"query":"{ session { workspace } }"}' });

    it('takes the workspace from the path, and ignores what follows', async () => {
      assert.deepEqual((await answerOf(await at(`${server.url}/further/segments`))).data, {
        session: { workspace: 'w1' },
      });
      assert.deepEqual((await answerOf(await at(server.url.replace('w1', 'w%32')))).data, {
        session: { workspace: 'w2' },
      });
    });

    it('refuses a path without workspace, one that is unknown, and one that cannot be read', async () => {
      assert.equal((await at(server.url.replace('/w1', ''))).status, 400);
      assert.deepEqual(await refusal(await at(server.url.replace('w1', 'nowhere'))), [400, 'BAD_REQUEST']);
      assert.equal((await at(server.url.replace('w1', '%ff'))).status, 400);
      assert.equal((await at(server.url.replace('graphql.cgi', 'else'))).status, 404);
    });

    it('says when a workspace cannot be served now', async () => {
      const response = await at(server.url.replace('w1', 'busy'));
      assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '5']);
    });
  });

  describe('how it is asked', () => {
    it('takes queries by GET, with variables and an operation of several', async () => {
      const query = 'query A($name: String!) { greet(name: $name) } query B { __typename }';
      const response = await get({ query, operationName: 'A', variables: '{"name":"Ann"}' });
      assert.deepEqual(await response.json(), { data: { greet: 'Hello Ann' } });
    });

    it('executes no mutation by GET', async () => {
      const response = await get({ query: 'mutation { add(text: "x") { text } }' });
      assert.deepEqual([response.status, response.headers.get('allow')], [405, 'POST']);
      assert.deepEqual(server.workspace.added, []);
    });

    it('refuses other methods', async () => {
      for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']) {
        const body = method === 'PUT' ? '{"query":"{ __typename }"}' : null; // without one it reserves an event stream
        const response = await fetch(server.url, { method, headers: asJson, body });
        assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET, POST'], method);
      }
    });

    it('refuses batches', async () => {
      assert.deepEqual(await refusal(await server.post([{ query: '{ __typename }' }])), [400, 'BAD_REQUEST']);
    });

    it('takes an empty operationName as none, and ignores what it does not know', async () => {
      assert.equal((await get({ query: '{ __typename }', operationName: '' })).status, 200);
      assert.equal(
        (await answerOf(await server.post({ query: '{ __typename }', id: 7, operationName: '' }))).errors,
        undefined,
      );
    });

    it('refuses an operation that is not there, and several without a choice', async () => {
      for (const body of [
        { query: 'query A { __typename }', operationName: 'B' },
        { query: 'query A { __typename } query B { __typename }' },
      ]) {
        assert.deepEqual(await refusal(await server.post(body, { accept: RESPONSE_TYPE })), [400, 'BAD_REQUEST']);
      }
    });

    it('refuses a client that takes nothing it has', async () => {
      assert.equal((await server.post({ query: '{ __typename }' }, { accept: 'text/html' })).status, 406);
    });

    it('tells how to subscribe when asked by plain POST', async () => {
      const response = await server.post({ query: 'subscription { ticked { text } }' });
      assert.equal(response.status, 400);
      assert.match((await errorOf(response))?.message ?? '', /text\/event-stream/);
    });
  });

  describe('what is answered', () => {
    const statusFor = async (query: string, accept: string, variables?: object) =>
      (await server.post({ query, variables }, { accept })).status;

    it('says 200 for whatever happens within GraphQL to those who take application/json', async () => {
      for (const query of ['', '{', '{ nothing }', '{ failHard(how: BUG) }', '{ fail(how: REFUSED) }']) {
        assert.equal(await statusFor(query, 'application/json'), 200, query);
      }
    });

    it('says by the status what went wrong to those who take the response type', async () => {
      for (const [query, status] of [
        ['{', 400],
        ['{ nothing }', 400],
        ['query ($name: String!) { greet(name: $name) }', 400],
        ['{ failHard(how: REFUSED) }', 403],
        ['{ failHard(how: DETAILED) }', 409],
        ['{ failHard(how: BUSY) }', 429],
        ['{ failHard(how: BUG) }', 500],
        ['{ failHard(how: AWAY) }', 503],
        ['{ fail(how: BUG) }', 200],
      ] as const) {
        assert.equal(await statusFor(query, RESPONSE_TYPE), status, query);
      }
    });

    it('says when to come back', async () => {
      const response = await server.post({ query: '{ failHard(how: BUSY) }' }, { accept: RESPONSE_TYPE });
      assert.equal(response.headers.get('retry-after'), '7');
    });

    it('is JSON in UTF-8 that nobody keeps', async () => {
      const { headers } = await server.post({ query: '{ __typename }' });
      assert.equal(headers.get('content-type'), 'application/json; charset=UTF-8');
      assert.equal(headers.get('cache-control'), 'no-store');
    });

    it('keeps nulls', async () => {
      assert.deepEqual((await server.ask('{ session { idempotencyKey } }')).data, {
        session: { idempotencyKey: null },
      });
    });

    it('hands the idempotency key and the position to the resolvers', async () => {
      const query = '{ session { idempotencyKey atLeast } }';
      const response = await server.post(
        { query, extensions: { idempotencyKey: 'k1' } },
        { 'millrace-position': 'p9' },
      );
      assert.deepEqual((await answerOf(response)).data, { session: { idempotencyKey: 'k1', atLeast: 'p9' } });
      for (const idempotencyKey of ['', 5, 'x'.repeat(256)]) {
        assert.equal((await server.post({ query, extensions: { idempotencyKey } })).status, 400);
      }
    });

    it('gives the position of a mutation, and none for a query', async () => {
      assert.deepEqual((await server.ask('mutation { add(text: "x") { text } }')).extensions, {
        position: server.workspace.feed.head,
      });
      assert.equal((await server.ask('{ __typename }')).extensions, undefined);
    });

    it('reads the list of workspaces as the client of the original asks for it', async () => {
      assert.deepEqual((await server.ask('{ workspaces { name } }')).data, { workspaces: [{ name: 'w1' }] });
      assert.deepEqual((await server.ask('{ workspaces { totalCount } }')).data, { workspaces: { totalCount: 1 } });
    });
  });

  describe('errors', () => {
    it('carry code, reason, resource and details of a refusal, and where it was', async () => {
      const { data, errors } = await server.ask('{ fail(how: DETAILED) }');
      assert.deepEqual(data, { fail: null });
      assert.deepEqual(errors, [
        {
          message: 'expected to claim',
          locations: [{ line: 1, column: 3 }],
          path: ['fail'],
          extensions: { code: 'CONFLICT', reason: 'task_claimed', resourceId: 't1', details: { by: 'eve' } },
        },
      ]);
    });

    it('disclose nothing of a bug', async () => {
      const text = await (await server.post({ query: '{ fail(how: BUG) }' })).text();
      assert.match(text, /"message":"Internal server error"/);
      assert.match(text, /"code":"INTERNAL_ERROR"/);
      assert.doesNotMatch(text, /secret|10\.0|TypeError|stack/);
    });

    it('call a wrong variable or argument a bad request', async () => {
      assert.equal(
        (await server.ask('query ($n: String!) { greet(name: $n) }', {})).errors?.[0]?.extensions.code,
        'BAD_REQUEST',
      );
      assert.equal(
        (await server.ask('query ($n: Int) { things(first: $n) { edges { cursor } } }', { n: 'x' })).errors?.[0]
          ?.extensions.code,
        'BAD_REQUEST',
      );
    });

    it('come as an answer even when the door itself fails', async () => {
      const broken = await startServer({
        authenticate: () => {
          throw new TypeError('secret');
        },
      });
      const response = await broken.post({ query: '{ __typename }' });
      assert.equal(response.status, 500);
      assert.doesNotMatch(await response.text(), /secret/);
      await broken.close();
    });

    it('tell of an answer that could not be awaited, beside the data', async () => {
      const unsettled = await startServer({
        context: (facts) => ({ ...facts, settled: () => Promise.reject(new Error('away')) }),
      });
      const { data, errors } = await unsettled.ask('{ __typename }');
      assert.deepEqual([data, errors?.[0]?.extensions.code], [{ __typename: 'Query' }, 'INTERNAL_ERROR']);
      await unsettled.close();
    });
  });
});
