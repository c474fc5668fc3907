import assert from 'node:assert/strict';
import { request } from 'node:http';
import { createClient } from 'graphql-sse';
import { EventReader } from './support/event-reader.js';
import { IdKeeper } from './support/id-keeper.js';
import { answerOf, asJson, signedIn, startServer, type TestServer } from './support/test-server.js';

const TOKEN = 'x-graphql-event-stream-token';
const EVENTS = { ...signedIn, accept: 'text/event-stream' };
const ticked = (topic: string) => `subscription { ticked(topic: "${topic}") { text } }`;

interface Ticked {
  readonly ticked: { readonly text: string };
}

describe('event streams in single connection mode', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startServer();
  });
  afterEach(() => server.close());

  const append = (topic: string, text: string) => server.workspace.feed.append(topic, text);
  const reserve = async (url = server.url) => (await fetch(url, { method: 'PUT', headers: signedIn })).text();
  const start = (url: string, token: string, operationId: string, query: string) =>
    fetch(url, {
      method: 'POST',
      headers: { ...asJson, [TOKEN]: token },
      body: JSON.stringify({ query, extensions: { operationId } }),
    });

  for (const path of ['', '/stream']) {
    describe(`at <endpoint>${path}`, () => {
      const url = () => `${server.url}${path}`;

      it('carry subscriptions and a query of the client of graphql-sse on one connection', async () => {
        let opened = 0;
        const client = createClient({
          url: url(),
          headers: { ...signedIn },
          singleConnection: true,
          retryAttempts: 0,
          on: { connected: () => opened++ },
        });
        const [a, b] = ['a', 'b'].map((topic) => client.iterate<Ticked>({ query: ticked(topic) }));
        const greeting = await client.iterate({ query: '{ greet(name: "Ann") }' }).next();
        assert.deepEqual(greeting.value, { data: { greet: 'Hello Ann' } });
        const ticking = setInterval(() => {
          append('a', 'tick');
          append('b', 'tock');
        }, 5);
        const both = [await a?.next(), await a?.next(), await b?.next()];
        clearInterval(ticking);
        const texts = both.map((result) => result?.value?.data?.ticked.text);
        assert.deepEqual([texts, opened], [['tick', 'tick', 'tock'], 1]);
        client.dispose();
      });

      it('are resumed by that client, which misses nothing when it sends the last id that it saw', async () => {
        const ids = new IdKeeper();
        const client = createClient({
          url: url(),
          headers: () => ({ ...signedIn, ...ids.headers }),
          fetchFn: ids.fetch,
          singleConnection: true,
          retryAttempts: 3,
          retry: async () => {
            append('a', 'while away'); // before it is back
          },
        });
        const events = client.iterate<Ticked>({ query: ticked('a') });
        const next = async () => (await events.next()).value?.data?.ticked.text;
        const first = next();
        await ids.posted;
        append('a', 'one');
        assert.equal(await first, 'one');
        server.handler.close(); // the connection is lost, and the token with it
        assert.equal(await next(), 'while away');
        append('a', 'two');
        assert.equal(await next(), 'two');
        client.dispose();
      });

      for (const by of ['header', 'parameter']) {
        it(`take each step with the token by ${by}, and go on where the connection was lost`, async () => {
          const put = await fetch(url(), { method: 'PUT', headers: signedIn });
          assert.deepEqual([put.status, put.headers.get('content-type')], [201, 'text/plain; charset=utf-8']);
          const token = await put.text();
          const at = by === 'header' ? url() : `${url()}?token=${token}`;
          const named: Record<string, string> = by === 'header' ? { [TOKEN]: token } : {};
          const reader = await EventReader.open(at, { headers: { ...EVENTS, ...named } });
          const body = JSON.stringify({ query: ticked('a'), extensions: { operationId: 'x' } });
          const post = { method: 'POST', headers: { ...asJson, ...named }, body };
          assert.equal((await fetch(at, post)).status, 202);
          append('a', 'one');
          const last = (await reader.next())?.id ?? '';
          const noticed = server.streamClosed();
          reader.close();
          await noticed;
          append('a', 'two');
          const again = await EventReader.open(at, { headers: { ...EVENTS, ...named, 'last-event-id': last } });
          assert.deepEqual(await again.texts(1), ['two']);
          const operation = `${at}${by === 'header' ? '?' : '&'}operationId=x`;
          const end = await fetch(operation, { method: 'DELETE', headers: { ...signedIn, ...named } });
          assert.equal(end.status, by === 'header' ? 200 : 204);
          append('a', 'nobody listens');
          await start(at, token, 'q', '{ __typename }');
          assert.match((await again.next())?.data ?? '', /"id":"q"/);
          again.close();
        });
      }

      it('do not know a token of another user', async () => {
        const headers = { ...EVENTS, [TOKEN]: await reserve(url()), cookie: 'user=bob' };
        assert.equal((await fetch(url(), { headers })).status, 404);
      });

      it('refuse guests', async () => {
        for (const method of ['PUT', 'GET', 'POST', 'DELETE']) {
          const headers = { accept: 'text/event-stream', [TOKEN]: 'any' };
          assert.equal((await fetch(url(), { method, headers })).status, 401, method);
        }
      });
    });
  }

  it('are the same streams at either path', async () => {
    const token = await reserve();
    const reader = await EventReader.open(`${server.streamUrl}?token=${token}`, { headers: signedIn });
    assert.equal((await start(server.url, token, 'x', '{ __typename }')).status, 202);
    assert.match((await reader.next())?.data ?? '', /"id":"x"/);
    reader.close();
  });

  describe('and what is no call of one at the endpoint', () => {
    const refusal = async (init: RequestInit, search = '') => {
      const response = await fetch(server.url + search, { ...init, headers: { ...asJson, ...init.headers } });
      return [response.status, response.headers.get('allow')];
    };

    it('is refused: a PUT with a body, a DELETE without a token, other methods with one', async () => {
      assert.deepEqual(await refusal({ method: 'PUT', body: '{}' }), [405, 'GET, POST']);
      assert.deepEqual(await refusal({ method: 'PUT', body: '{}' }, '?token=any'), [405, 'GET, POST']);
      assert.deepEqual(await refusal({ method: 'DELETE' }), [405, 'GET, POST']);
      assert.deepEqual(await refusal({ method: 'DELETE' }, '?operationId=x'), [405, 'GET, POST']);
      for (const method of ['PATCH', 'OPTIONS', 'HEAD'])
        assert.deepEqual(await refusal({ method }, '?token=any'), [405, 'GET, POST'], method);
    });

    it('is refused where the body comes in chunks, of a length that nobody told', async () => {
      const status = await new Promise((resolve, reject) => {
        const put = request(server.url, { method: 'PUT', headers: { ...asJson, 'transfer-encoding': 'chunked' } });
        put.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
        put.end('{}');
      });
      assert.equal(status, 405);
    });

    it('says what a PUT and a DELETE are for', async () => {
      const response = await fetch(server.url, { method: 'DELETE', headers: signedIn });
      const { errors } = await answerOf(response);
      assert.match(errors?.[0]?.message ?? '', /a DELETE with the token of one .*, but got a DELETE without a token$/);
    });

    it('is a plain request: a query by GET that asks for JSON, whatever its parameters', async () => {
      const search = new URLSearchParams({ query: '{ __typename }', token: 'any' });
      const response = await fetch(`${server.url}?${search}`, { headers: signedIn });
      assert.deepEqual(await answerOf(response), { data: { __typename: 'Query' } });
    });

    it('is not executed when it names a stream that is not there', async () => {
      assert.equal((await start(server.url, 'gone', 'x', 'mutation { add(text: "x") { text } }')).status, 404);
      assert.deepEqual(server.workspace.added, []);
    });
  });
});
