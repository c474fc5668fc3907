import assert from 'node:assert/strict';
import { createClient } from 'graphql-sse';
import { ServiceError } from '../../src/shared/errors.js';
import { EventReader, textOf } from './support/event-reader.js';
import { answerOf, asJson, atGate, signedIn, startServer, type TestServer } from './support/test-server.js';

const TICKED = 'subscription ($topic: String) { ticked(topic: $topic) { topic text } }';

describe('event streams, distinct connections mode', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startServer();
  });
  afterEach(() => server.close());

  const open = (query: string, headers: Record<string, string> = {}, search = '') =>
    EventReader.open(`${server.url}${search}`, {
      method: 'POST',
      headers: { ...asJson, accept: 'text/event-stream', ...headers },
      body: JSON.stringify({ query }),
    });
  const append = (...texts: string[]) => {
    for (const text of texts) server.workspace.feed.append('a', text);
  };

  for (const path of ['', '/stream']) {
    it(`serves the client of graphql-sse at <endpoint>${path}`, () => servesClient(`${server.url}${path}`));
  }

  const servesClient = async (url: string) => {
    const client = createClient({ url, headers: { ...signedIn }, retryAttempts: 0 });
    const events = client.iterate<{ ticked: { text: string } }>(
      { query: TICKED, variables: { topic: 'a' } },
      { connected: () => append('one') },
    );
    const texts: (string | undefined)[] = [];
    for await (const { data } of events) {
      texts.push(data?.ticked.text);
      server.workspace.feed.append('b', 'not for it');
      if (texts.length < 3) append(`after ${texts.length}`);
      else break;
    }
    assert.deepEqual(texts, ['one', 'after 1', 'after 2']);
    client.dispose();
  };

  it('writes each event with its position as id', async () => {
    const reader = await open('subscription { ticked { text } }');
    assert.equal(reader.response.status, 200);
    assert.equal(reader.response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    assert.equal(reader.response.headers.get('cache-control'), 'no-cache');
    assert.equal(reader.response.headers.get('x-accel-buffering'), 'no');
    append('one');
    assert.deepEqual(await reader.next(), {
      event: 'next',
      id: '1',
      data: '{"data":{"ticked":{"text":"one"}}}',
      comment: undefined,
    });
    reader.close();
  });

  it('resumes behind the last event that the client saw, by header or parameter', async () => {
    append('one', 'two', 'three');
    const byHeader = await open(TICKED, { 'last-event-id': '1' });
    assert.deepEqual(await byHeader.texts(2), ['two', 'three']);
    const byParameter = await open(TICKED, {}, '?lastEventId=2');
    assert.deepEqual(await byParameter.texts(1), ['three']);
    byHeader.close();
    byParameter.close();
  });

  it('says RESYNC_REQUIRED, and ends, when that is too long ago', async () => {
    append('one', 'two', 'three');
    server.workspace.feed.forgotten = 2;
    const reader = await open(TICKED, { 'last-event-id': '1' });
    const frame = await reader.next();
    assert.equal(JSON.parse(frame?.data ?? '').errors[0].extensions.code, 'RESYNC_REQUIRED');
    assert.deepEqual(await reader.next(), { event: 'complete', id: undefined, data: '', comment: undefined });
    assert.equal(await reader.next(), undefined);
  });

  it('serves GET, as EventSource asks', async () => {
    const reader = await EventReader.open(
      `${server.url}?${new URLSearchParams({ query: 'subscription { ticked { text } }' })}`,
      {
        headers: { ...signedIn, accept: 'text/event-stream' },
      },
    );
    append('one');
    assert.deepEqual(await reader.texts(1), ['one']);
    reader.close();
  });

  it('answers a query or mutation with one event, also to a document that is wrong', async () => {
    for (const [query, found] of [
      ['{ greet(name: "Ann") }', '{"data":{"greet":"Hello Ann"}}'],
      ['mutation { add(text: "x") { text } }', '{"data":{"add":{"text":"x"}},"extensions":{"position":"1"}}'],
    ] as const) {
      const reader = await open(query);
      assert.equal((await reader.next())?.data, found);
      assert.equal((await reader.next())?.event, 'complete');
      assert.equal(await reader.next(), undefined);
    }
    const wrong = await open('{ nothing }');
    assert.equal(JSON.parse((await wrong.next())?.data ?? '').errors[0].extensions.code, 'GRAPHQL_VALIDATION_FAILED');
    assert.equal((await wrong.next())?.event, 'complete');
  });

  it('streams to a client that takes JSON too only what needs a stream', async () => {
    const accept = 'application/graphql-response+json, application/json, text/event-stream, multipart/mixed';
    const query = await server.post({ query: '{ __typename }' }, { accept });
    assert.match(query.headers.get('content-type') ?? '', /^application\/graphql-response\+json/);
    const reader = await open(TICKED, { accept });
    assert.match(reader.response.headers.get('content-type') ?? '', /^text\/event-stream/);
    reader.close();
  });

  it('refuses guests before it streams', async () => {
    const response = await fetch(server.url, { headers: { accept: 'text/event-stream' } });
    assert.deepEqual([response.status, (await answerOf(response)).errors?.[0]?.extensions.code], [401, 'UNAUTHORIZED']);
  });

  it('sends a heartbeat every 30 seconds, with the place that it has come to', async () => {
    const reader = await open('subscription { ticked(topic: "a") { text } }');
    append('one');
    assert.deepEqual(await reader.texts(1), ['one']);
    server.workspace.feed.append('b', 'passed over');
    await new Promise((resolve) => setImmediate(resolve));
    server.timers.advance(29_999);
    server.timers.advance(1);
    assert.deepEqual(await reader.next(), { event: undefined, id: '2', data: undefined, comment: 'heartbeat' });
    reader.close();
  });

  it('ends at the heartbeat after the session has ended', async () => {
    const reader = await open(TICKED);
    server.signedOut.add('ann');
    server.timers.advance(30_000);
    assert.equal(await reader.next(), undefined);
  });

  it('ends at once when the server is told of the sign-out', async () => {
    const reader = await open(TICKED);
    server.handler.endSession('session-bob');
    append('one');
    assert.equal(textOf(await reader.next()), 'one');
    server.handler.endSession('session-ann');
    assert.equal(await reader.next(), undefined);
  });

  it('ends without a final word when its source is away for now', async () => {
    const reader = await open(TICKED);
    append('one');
    assert.deepEqual(await reader.texts(1), ['one']);
    server.workspace.feed.failure = new ServiceError('UNAVAILABLE', 'expected a feed, but it is away');
    server.workspace.feed.wake();
    assert.equal(await reader.next(), undefined);
  });

  it('says what is wrong at the start, and ends', async () => {
    const reader = await open('subscription { broken(how: REFUSED) { text } }');
    assert.equal(JSON.parse((await reader.next())?.data ?? '').errors[0].extensions.code, 'FORBIDDEN');
    assert.equal((await reader.next())?.event, 'complete');
  });

  it('gives six streams to a session, and one again when one is closed', async () => {
    const readers = await Promise.all(Array.from({ length: 6 }, () => open(TICKED)));
    const refused = await server.post({ query: TICKED }, { accept: 'text/event-stream' });
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '5']);
    const other = await open(TICKED, { cookie: 'user=bob' });
    assert.equal(other.response.status, 200);
    server.handler.endSession('session-ann');
    for (const reader of readers) assert.equal(await reader.next(), undefined);
    assert.equal((await open(TICKED)).response.status, 200);
  });

  it('gives a thousand streams in all, or what it is told', async () => {
    const small = await startServer({ streamLimits: { streamsMax: 1 } });
    const ask = (cookie: string) =>
      EventReader.open(small.url, {
        method: 'POST',
        headers: { ...asJson, accept: 'text/event-stream', cookie },
        body: JSON.stringify({ query: TICKED }),
      });
    assert.equal((await ask('user=ann')).response.status, 200);
    assert.equal((await ask('user=bob')).response.status, 429);
    await small.close();
  });

  it('tells a query that its client is gone', async () => {
    const reader = open('{ gate { id } }');
    await atGate(server.workspace);
    (await reader).close();
    server.workspace.openGate();
  });
});
