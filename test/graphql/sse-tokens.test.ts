import assert from 'node:assert/strict';
import type { StreamLimits } from '../../src/graphql/index.js';
import { ServiceError } from '../../src/shared/errors.js';
import { EventReader, textOf } from './support/event-reader.js';
import { asJson, signedIn, startServer, type TestServer } from './support/test-server.js';

describe('tokens of event streams', () => {
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
  /** The client goes, and the server has noticed it. */
  const parked = async (reader: EventReader) => {
    const noticed = server.streamClosed();
    reader.close();
    await noticed;
  };
  const restart = async (streamLimits: Partial<StreamLimits>) => {
    await server.close();
    server = await startServer({ streamLimits });
  };

  describe('a client that comes back', () => {
    it('finds every event once, in order, whatever it had received', async () => {
      const { token, reader } = await following();
      await follow(token, 'b', 'b');
      append('a', 'a1');
      append('b', 'b1');
      append('a', 'a2');
      const seen = [await reader.next(), await reader.next(), await reader.next()];
      for (const index of [0, 1, 2, 0]) {
        const again = await connect(token, { 'last-event-id': seen[index]?.id ?? '' });
        assert.deepEqual(await again.texts(seen.length - index - 1), seen.slice(index + 1).map(textOf));
        append('b', `more ${seen.length}`);
        seen.push(await again.next());
        assert.equal(textOf(seen.at(-1)), `more ${seen.length - 1}`);
        again.close();
      }
    });

    it('finds what happened while it was away', async () => {
      const { token, reader } = await following();
      append('a', 'one');
      const frame = await reader.next();
      await parked(reader);
      append('a', 'two', 'three');
      const again = await connect(token, { 'last-event-id': frame?.id ?? '' });
      assert.deepEqual(await again.texts(2), ['two', 'three']);
      again.close();
    });

    it('is served by EventSource rules: the id as a parameter does too', async () => {
      const { token, reader } = await following();
      append('a', 'one', 'two');
      const frame = await reader.next();
      const again = await EventReader.open(at(token, { lastEventId: frame?.id ?? '' }), { headers: signedIn });
      assert.deepEqual(await again.texts(1), ['two']);
      again.close();
    });

    it('takes over from a connection that the server still believes in', async () => {
      const { token, reader } = await following();
      append('a', 'one');
      assert.deepEqual(await reader.texts(1), ['one']);
      const again = await connect(token);
      assert.equal(await reader.next(), undefined);
      append('a', 'two');
      assert.deepEqual(await again.texts(1), ['two']);
      again.close();
    });

    it('goes on with a new token, on any server, where it was', async () => {
      const { reader } = await following();
      append('a', 'one');
      const frame = await reader.next();
      append('a', 'two');
      const token = await reserve();
      const again = await connect(token, { 'last-event-id': frame?.id ?? '' });
      await follow(token, 'again', 'a');
      assert.deepEqual(await again.texts(1), ['two']);
      server.timers.advance(30_001);
      await follow(token, 'new', 'a');
      append('a', 'three');
      assert.deepEqual(await texts(again, 2), ['again three', 'new three']);
      again.close();
    });

    const texts = async (reader: EventReader, count: number) => {
      const found: string[] = [];
      while (found.length < count) {
        const frame = await reader.next();
        if (frame?.event === 'next') found.push(`${JSON.parse(frame.data ?? '').id} ${textOf(frame)}`);
      }
      return found.sort();
    };

    it('begins again at its position when the frames are no longer kept', async () => {
      await restart({ replayFramesMax: 2 });
      const { token, reader } = await following();
      append('a', 'one', 'two', 'three', 'four');
      const first = await reader.next();
      assert.deepEqual(await reader.texts(3), ['two', 'three', 'four']);
      const again = await connect(token, { 'last-event-id': first?.id ?? '' });
      assert.deepEqual(await again.texts(3), ['two', 'three', 'four']);
      append('a', 'five');
      assert.deepEqual(await again.texts(1), ['five']);
      again.close();
    });

    it('hears RESYNC_REQUIRED from the operations whose place is gone', async () => {
      append('a', 'one', 'two', 'three');
      server.workspace.feed.forgotten = 2;
      const token = await reserve();
      const reader = await connect(token, { 'last-event-id': '1~gone-1' });
      await follow(token, 'a', 'a');
      assert.equal(JSON.parse((await reader.next())?.data ?? '').payload.errors[0].extensions.code, 'RESYNC_REQUIRED');
      assert.equal((await reader.next())?.event, 'complete');
      reader.close();
    });
  });

  describe('a token', () => {
    it('dies after 30 seconds without a stream', async () => {
      const token = await reserve();
      server.timers.advance(29_999);
      assert.equal((await follow(token, 'a', 'a')).status, 202);
      server.timers.advance(1);
      assert.equal((await follow(token, 'a', 'a')).status, 404);
    });

    it('outlives its stream by 60 seconds', async () => {
      const { token, reader } = await following();
      await parked(reader);
      server.timers.advance(59_999);
      const again = await connect(token);
      assert.equal(again.response.status, 200);
      await parked(again);
      server.timers.advance(60_000);
      assert.equal((await connect(token)).response.status, 404);
    });

    it('ends with its session', async () => {
      const { token, reader } = await following();
      server.signedOut.add('ann');
      server.timers.advance(30_000);
      assert.equal(await reader.next(), undefined);
      assert.equal((await connect(token)).response.status, 404);
    });

    it('ends at once when the server is told of the sign-out, also while parked', async () => {
      const { token, reader } = await following();
      await parked(reader);
      server.handler.endSession('session-ann');
      assert.equal((await connect(token)).response.status, 404);
    });

    it('ends when the source of an operation is away, so that the client begins anew', async () => {
      const { token, reader } = await following();
      append('a', 'one');
      assert.deepEqual(await reader.texts(1), ['one']);
      server.workspace.feed.failure = new ServiceError('UNAVAILABLE', 'expected a feed, but it is away');
      server.workspace.feed.wake();
      assert.equal(await reader.next(), undefined);
      assert.equal((await connect(token)).response.status, 404);
    });

    it('gives way when it has no stream and its session wants a seventh', async () => {
      const tokens: string[] = [];
      for (let index = 0; index < 7; index++) tokens.push(await reserve());
      assert.equal((await follow(tokens[0] ?? '', 'a', 'a')).status, 404);
      assert.equal((await follow(tokens[1] ?? '', 'a', 'a')).status, 202);
      await Promise.all(tokens.slice(1).map((token) => connect(token)));
      assert.equal((await fetch(server.streamUrl, { method: 'PUT', headers: signedIn })).status, 429);
    });
  });

  describe('a client that does not read', () => {
    it('loses its stream when too many results wait for it', async () => {
      await restart({ pendingFramesMax: 4 });
      const { token } = await following();
      const lost = server.streamClosed();
      const query = `{ greet(name: "${'x'.repeat(900_000)}") }`;
      for (let index = 0; index < 10; index++) await start(token, String(index), query);
      await lost;
    });

    it('finds its events in the feed however many there are', async () => {
      await restart({ pendingFramesMax: 4 });
      const { reader } = await following();
      const many = Array.from({ length: 2_000 }, (_, index) => `${index} ${'x'.repeat(1_000)}`);
      append('a', ...many);
      assert.deepEqual(await reader.texts(2_000), many);
      reader.close();
    });

    it('loses its stream when a write is stuck for 60 seconds', async () => {
      await following();
      let isLost = false;
      void server.streamClosed().then(() => {
        isLost = true;
      });
      append('a', 'x'.repeat(10_000_000));
      while (!isLost) {
        server.timers.advance(60_000);
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
  });
});
