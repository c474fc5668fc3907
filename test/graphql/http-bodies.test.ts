import assert from 'node:assert/strict';
import { request } from 'node:http';
import { answerOf, asJson, atGate, signedIn, startServer, type TestServer } from './support/test-server.js';

const large = (query: string, extensions = {}) => ({ query, variables: { text: 'x'.repeat(60_000) }, extensions });
const WAITS = '{ gate { id } }';

describe('the bodies of all requests at once', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startServer({ limits: { bodiesBytesMax: 100_000, bodyBytesMax: 90_000 } });
  });
  afterEach(() => server.close());

  /** Whether a large one is taken now. */
  const isTaken = async (): Promise<boolean> => {
    const response = await server.post(large('{ __typename }'));
    const { errors } = await answerOf(response);
    if (response.status === 200) return true;
    assert.deepEqual([response.status, errors?.[0]?.extensions.code], [503, 'UNAVAILABLE']);
    assert.match(errors?.[0]?.message ?? '', /^expected the bodies .* at most 100000 bytes together/);
    assert.equal(response.headers.get('retry-after'), '1');
    return false;
  };
  const isTakenAgain = async () => {
    while (!(await isTaken())) await new Promise((resolve) => setImmediate(resolve));
  };

  it('are limited: one that has no room is refused until another has been answered; small ones always have', async () => {
    const waiting = atGate(server.workspace);
    const first = server.post(large(WAITS));
    await waiting;
    assert.equal(await isTaken(), false);
    assert.equal((await server.post({ query: '{ __typename }', variables: { text: 'x'.repeat(16_000) } })).status, 200);
    server.workspace.openGate();
    assert.equal((await first).status, 200);
    assert.equal(await isTaken(), true);
  });

  it('count until the work has ended where the answer is told by a stream', async () => {
    const token = await (await fetch(server.streamUrl, { method: 'PUT', headers: signedIn })).text();
    const waiting = atGate(server.workspace);
    const started = await fetch(server.streamUrl, {
      method: 'POST',
      headers: { ...asJson, 'x-graphql-event-stream-token': token },
      body: JSON.stringify(large(WAITS, { operationId: 'one' })),
    });
    assert.equal(started.status, 202);
    await waiting;
    assert.equal(await isTaken(), false);
    server.workspace.openGate();
    await isTakenAgain();
  });

  it('count as long as may be where they do not say how long they are', async () => {
    const headers = { ...asJson, 'transfer-encoding': 'chunked' };
    const unannounced = request(server.url, { method: 'POST', headers }).on('error', () => {});
    unannounced.write(' '.repeat(20_000));
    while (await isTaken()) await new Promise((resolve) => setImmediate(resolve));
    unannounced.destroy();
    await isTakenAgain();
  });

  it('are given back by requests that are refused', async () => {
    for (const body of ['{'.repeat(60_000), JSON.stringify(large('{ nothing }')), 'x'.repeat(95_000)]) {
      assert.equal((await server.post(body)).status < 500, true);
    }
    assert.equal(await isTaken(), true);
  });
});
