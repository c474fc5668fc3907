import assert from 'node:assert/strict';
import { answerOf, startServer, type TestServer } from './support/test-server.js';

const proofOf = (id: string) => ({
  ...{ way: 'token', id },
  scope: { name: id, access: [], workspaces: null, domains: null },
});

describe('the streams of whoever signs in with every request', () => {
  let server: TestServer;
  const ended = new AbortController();
  before(async () => {
    server = await startServer({
      streamLimits: { streamsPerSessionMax: 2 },
      authenticate: ({ headers }) => ({
        ...{ userId: String(headers['x-user']), sessionId: (headers['x-session'] as string | undefined) ?? null },
        ...{ groups: [], roles: ['user'], workspace: '', cause: {} },
        ...(headers['x-token'] !== undefined && { proof: proofOf(String(headers['x-token'])) }),
      }),
      addressOf: ({ headers }) => String(headers['x-address']),
    });
  });
  after(async () => {
    ended.abort();
    await server.close();
  });

  /** Opens a stream; gives the refusal where there is one. */
  const open = async (
    user: string,
    address: string,
    more: Record<string, string> = {},
  ): Promise<string | undefined> => {
    const response = await fetch(server.url, {
      method: 'POST',
      signal: ended.signal,
      headers: {
        ...{ 'content-type': 'application/json', accept: 'text/event-stream, application/json' },
        ...{ 'x-user': user, 'x-address': address, ...more },
      },
      body: JSON.stringify({ query: 'subscription { ticked { text } }' }),
    });
    if (response.status === 200) return undefined;
    assert.deepEqual([response.status, response.headers.get('retry-after')], [429, '5']);
    return (await answerOf(response)).errors?.[0]?.message;
  };

  it('are counted by user and address, and the refusal says so', async () => {
    for (const n of [1, 2]) assert.equal(await open('ann', '192.0.2.1'), undefined, `${n}`);
    assert.equal(
      await open('ann', '192.0.2.1'),
      'expected at most 2 event streams of a user who signs in with every request, from one address, but all of them are open',
    );
    assert.equal(await open('ann', '192.0.2.2'), undefined);
    assert.equal(await open('bob', '192.0.2.1'), undefined);
    for (const n of [1, 2]) assert.equal(await open('ann', '192.0.2.1', { 'x-session': 's1' }), undefined, `${n}`);
    assert.match(
      (await open('ann', '192.0.2.3', { 'x-session': 's1' })) ?? '',
      /at most 2 event streams of a session,/,
    );
  });

  it('are counted by token and address, apart from those of their user', async () => {
    for (const token of ['t1', 't2']) {
      for (const n of [1, 2]) assert.equal(await open('ann', '192.0.2.1', { 'x-token': token }), undefined, `${n}`);
      assert.match((await open('ann', '192.0.2.1', { 'x-token': token })) ?? '', /at most 2 event streams/);
      assert.equal(await open('ann', '192.0.2.4', { 'x-token': token }), undefined);
    }
  });
});
