import assert from 'node:assert/strict';
import { createClient } from 'graphql-sse';
import { EventReader, textOf } from './support/event-reader.js';
import { answerOf, asJson, signedIn, startServer, type TestServer } from './support/test-server.js';

const TOKEN = 'x-graphql-event-stream-token';

describe('event streams, single connection mode', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startServer();
  });
  afterEach(() => server.close());

  const at = (token: string, more: Record<string, string> = {}) =>
    `${server.streamUrl}?${new URLSearchParams({ token, ...more })}`;
  const reserve = async (headers: Record<string, string> = signedIn) =>
    (await fetch(server.streamUrl, { method: 'PUT', headers })).text();
  const connect = (token: string, headers: Record<string, string> = {}) =>
    EventReader.open(at(token), { headers: { ...signedIn, ...headers } });
  const start = (token: string, operationId: string, query: string, headers: Record<string, string> = {}) =>
    fetch(at(token), {
      method: 'POST',
      headers: { ...asJson, ...headers },
      body: JSON.stringify({ query, extensions: { operationId } }),
    });
  const follow = (token: string, operationId: string, topic: string) =>
    start(token, operationId, `subscription { ticked(topic: "${topic}") { text } }`);
  const stop = (token: string, operationId: string) =>
    fetch(at(token, { operationId }), { method: 'DELETE', headers: signedIn });
  const append = (topic: string, ...texts: string[]) => {
    for (const text of texts) server.workspace.feed.append(topic, text);
  };
  /** A stream that follows topic `a`. */
  const following = async () => {
    const token = await reserve();
    const reader = await connect(token);
    await follow(token, 'a', 'a');
    return { token, reader };
  };

  it('serves the client of graphql-sse with several operations on one connection', async () => {
    const client = createClient({
      url: server.streamUrl,
      headers: { ...signedIn },
      singleConnection: true,
      retryAttempts: 0,
    });
    const collect = async (topic: string, count: number) => {
      const texts: (string | undefined)[] = [];
      const query = `subscription { ticked(topic: "${topic}") { text } }`;
      for await (const { data } of client.iterate<{ ticked: { text: string } }>({ query })) {
        texts.push(data?.ticked.text);
        if (texts.length === count) break;
      }
      return texts;
    };
    const both = Promise.all([
      collect('a', 2),
      collect('b', 1),
      client.iterate({ query: '{ greet(name: "Ann") }' }).next(),
    ]);
    const ticking = setInterval(() => {
      append('a', 'tick');
      append('b', 'tock');
    }, 5);
    const [a, b, greeting] = await both;
    clearInterval(ticking);
    assert.deepEqual([a, b], [['tick', 'tick'], ['tock']]);
    assert.deepEqual(greeting.value, { data: { greet: 'Hello Ann' } });
    client.dispose();
  });

  it('reports no error to that client when it ends an operation', async () => {
    const client = createClient({
      url: server.streamUrl,
      headers: { ...signedIn },
      singleConnection: true,
      retryAttempts: 0,
      lazyCloseTimeout: 1_000,
    });
    const results: unknown[] = [];
    await new Promise<void>((resolve, reject) => {
      const next = (result: unknown) => {
        results.push(result);
        dispose();
      };
      const dispose = client.subscribe({ query: '{ __typename }' }, { next, error: reject, complete: resolve });
    });
    assert.deepEqual(results, [{ data: { __typename: 'Query' } }]);
    client.dispose();
  });

  describe('the steps', () => {
    it('answer as the original does', async () => {
      const put = await fetch(server.streamUrl, { method: 'PUT', headers: signedIn });
      assert.deepEqual([put.status, put.headers.get('content-type')], [201, 'text/plain; charset=utf-8']);
      const token = await put.text();
      assert.match(token, /^[0-9a-f-]{36}$/);
      const reader = await connect(token);
      assert.deepEqual(
        [reader.response.status, reader.response.headers.get('content-type')],
        [200, 'text/event-stream; charset=utf-8'],
      );
      const posted = await follow(token, 'op1', 'a');
      assert.deepEqual([posted.status, await posted.text()], [202, '']);
      append('a', 'one');
      const frame = await reader.next();
      assert.equal(frame?.event, 'next');
      assert.equal(frame.data, '{"id":"op1","payload":{"data":{"ticked":{"text":"one"}}}}');
      assert.equal((await stop(token, 'op1')).status, 204);
      assert.equal((await stop(token, 'op1')).status, 204);
      assert.equal((await stop('unknown', 'op1')).status, 204);
      reader.close();
    });

    it('take the token by header too', async () => {
      const token = await reserve();
      const reader = await EventReader.open(server.streamUrl, { headers: { ...signedIn, [TOKEN]: token } });
      const body = JSON.stringify({ query: '{ __typename }', extensions: { operationId: 'x' } });
      assert.equal(
        (await fetch(server.streamUrl, { method: 'POST', headers: { ...asJson, [TOKEN]: token }, body })).status,
        202,
      );
      assert.equal((await reader.next())?.data, '{"id":"x","payload":{"data":{"__typename":"Query"}}}');
      assert.equal((await reader.next())?.data, '{"id":"x"}');
      assert.equal(
        (
          await fetch(`${server.streamUrl}?operationId=x`, {
            method: 'DELETE',
            headers: { ...signedIn, [TOKEN]: token },
          })
        ).status,
        200,
      );
      reader.close();
    });

    it('take the operationId as a parameter', async () => {
      const token = await reserve();
      const body = JSON.stringify({ query: '{ __typename }' });
      assert.equal(
        (await fetch(at(token, { operationId: 'x' }), { method: 'POST', headers: asJson, body })).status,
        202,
      );
    });

    it('refuse a bad body, a missing query, a missing operationId, and other methods', async () => {
      const token = await reserve();
      const post = async (body: string) => (await fetch(at(token), { method: 'POST', headers: asJson, body })).status;
      assert.equal(await post('{'), 400);
      assert.equal(await post('{"extensions":{"operationId":"x"}}'), 400);
      assert.equal(await post('{"query":"{ __typename }"}'), 400);
      assert.equal((await fetch(at(token), { method: 'PATCH', headers: signedIn })).status, 405);
    });

    it('refuse guests, and other sites', async () => {
      const token = await reserve();
      for (const method of ['PUT', 'GET', 'POST', 'DELETE']) {
        assert.equal((await fetch(at(token), { method })).status, 401, method);
        assert.equal(
          (await fetch(at(token), { method, headers: { ...signedIn, origin: 'https://evil.example' } })).status,
          403,
          method,
        );
      }
    });

    it('do not know a token of another user, of another workspace, or of none', async () => {
      const token = await reserve();
      const bob = { cookie: 'user=bob' };
      assert.equal((await fetch(at(token), { headers: bob })).status, 404);
      assert.equal((await start(token, 'x', '{ __typename }', bob)).status, 404);
      assert.equal((await fetch(at(token).replace('w1', 'w2'), { headers: signedIn })).status, 404);
      assert.equal((await fetch(server.streamUrl, { headers: signedIn })).status, 404);
      const unknown = await start('nothing', 'x', '{ __typename }');
      assert.deepEqual([unknown.status, (await answerOf(unknown)).errors?.[0]?.extensions.code], [404, 'NOT_FOUND']);
    });

    it('do not let another user end an operation', async () => {
      const { token, reader } = await following();
      assert.equal(
        (await fetch(at(token, { operationId: 'a' }), { method: 'DELETE', headers: { cookie: 'user=bob' } })).status,
        204,
      );
      append('a', 'still there');
      assert.deepEqual(await reader.texts(1), ['still there']);
    });

    it('say when the workspace cannot be served now', async () => {
      assert.equal(
        (await fetch(server.streamUrl.replace('w1', 'busy'), { method: 'PUT', headers: signedIn })).status,
        503,
      );
    });
  });

  describe('operations', () => {
    it('start failing on the stream', async () => {
      const token = await reserve();
      const reader = await connect(token);
      for (const [query, code] of [
        ['{', 'GRAPHQL_PARSE_FAILED'],
        ['{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
        ['subscription { broken(how: REFUSED) { text } }', 'FORBIDDEN'],
        ['subscription { broken(how: BUG) { text } }', 'INTERNAL_ERROR'],
      ] as const) {
        assert.equal((await start(token, 'x', query)).status, 202);
        const { id, payload } = JSON.parse((await reader.next())?.data ?? '');
        assert.deepEqual([id, payload.errors[0].extensions.code], ['x', code]);
        const end = await reader.next();
        assert.deepEqual([end?.event, end?.data], ['complete', '{"id":"x"}']);
      }
      reader.close();
    });

    it('replace one another silently when they have the same id', async () => {
      const { token, reader } = await following();
      await follow(token, 'a', 'b');
      append('a', 'for the old one');
      append('b', 'for the new one');
      assert.deepEqual(await reader.texts(1), ['for the new one']);
      reader.close();
    });

    it('end without a word when the client ends them', async () => {
      const { token, reader } = await following();
      await stop(token, 'a');
      append('a', 'nobody listens');
      await start(token, 'q', '{ __typename }');
      assert.match((await reader.next())?.data ?? '', /"id":"q"/);
      reader.close();
    });

    it('are 50 of a stream', async () => {
      const token = await reserve();
      for (let index = 0; index < 50; index++) assert.equal((await follow(token, String(index), 'a')).status, 202);
      assert.equal((await follow(token, '50', 'a')).status, 429);
      assert.equal((await follow(token, '7', 'b')).status, 202, 'one that replaces another');
      await stop(token, '3');
      assert.equal((await follow(token, '50', 'a')).status, 202);
    });
  });

  describe('ids', () => {
    it('are never ahead of an event that another operation has yet to deliver', async () => {
      append('b', 'old 1', 'old 2');
      const token = await reserve();
      const reader = await connect(token);
      server.workspace.hold = new Promise(() => {});
      await start(token, 'held', 'subscription { ticked(topic: "b") { text held } }', { 'last-event-id': '0' });
      await follow(token, 'a', 'a');
      append('a', 'new');
      const frame = await reader.next();
      assert.equal(textOf(frame), 'new');
      assert.match(frame?.id ?? '', /^0~/);
      reader.close();
    });

    it('move on with what no operation is waiting for', async () => {
      const { reader } = await following();
      append('b', 'passed over');
      append('a', 'one');
      assert.match((await reader.next())?.id ?? '', /^2~/);
      append('b', 'passed over');
      await new Promise((resolve) => setImmediate(resolve));
      server.timers.advance(30_000);
      const beat = await reader.next();
      assert.equal(beat?.comment, 'heartbeat');
      assert.match(beat.id ?? '', /^3~/);
      reader.close();
    });
  });
});
