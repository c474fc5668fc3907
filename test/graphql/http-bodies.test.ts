import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { connect } from 'node:net';
import { ServiceError } from '../../src/shared/errors.js';
import { answerOf, asJson, atGate, signedIn, startServer, type TestServer } from './support/test-server.js';

const large = (query: string, extensions = {}) => ({ query, variables: { text: 'x'.repeat(60_000) }, extensions });
const WAITS = '{ gate { id } }';
const BOB = { cookie: 'user=bob' };
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the bodies of all requests at once', () => {
  let server: TestServer;
  const stalled: ClientRequest[] = [];
  beforeEach(async () => {
    const limits = { bodiesBytesMax: 160_000, bodiesPerClientBytesMax: 100_000, bodyBytesMax: 90_000 };
    server = await startServer({ limits });
  });
  afterEach(async () => {
    for (const one of stalled.splice(0)) one.destroy();
    await server.close();
  });

  /** Why a large one is not taken now; undefined when it is. */
  const refusal = async (who: Record<string, string> = signedIn): Promise<string | undefined> => {
    const response = await server.post(large('{ __typename }'), who);
    const { errors } = await answerOf(response);
    if (response.status === 200) return undefined;
    assert.deepEqual([response.status, errors?.[0]?.extensions.code], [503, 'UNAVAILABLE']);
    assert.equal(response.headers.get('retry-after'), '1');
    return errors?.[0]?.message;
  };
  const isTaken = async (who?: Record<string, string>) => (await refusal(who)) === undefined;
  const isTakenAgain = async () => {
    while (!(await isTaken())) await turn();
  };
  /** A request that says how long its body is, and stops within it. */
  const stall = (bytes: number, headers: Record<string, string | number> = { 'content-length': 80_000 }) => {
    const begun = request(server.url, { method: 'POST', headers: { ...asJson, ...headers } }).on('error', () => {});
    begun.write(' '.repeat(bytes));
    stalled.push(begun);
  };

  it('are limited: one that has no room is refused until another has been answered; small ones always have', async () => {
    const waiting = atGate(server.workspace);
    const first = server.post(large(WAITS));
    await waiting;
    const another = atGate(server.workspace);
    const openFirst = server.workspace.openGate;
    const second = server.post(large(WAITS), BOB);
    await another;
    assert.match(
      (await refusal({ cookie: 'user=eve' })) ?? '',
      /^expected the bodies .* at most 160000 bytes together/,
    );
    assert.equal((await server.post({ query: '{ __typename }', variables: { text: 'x'.repeat(16_000) } })).status, 200);
    openFirst();
    server.workspace.openGate();
    assert.deepEqual([(await first).status, (await second).status], [200, 200]);
    assert.equal(await isTaken(), true);
  });

  it('are limited for each caller, so that nobody takes the room of the others', async () => {
    const waiting = atGate(server.workspace);
    const first = server.post(large(WAITS));
    await waiting;
    assert.match((await refusal()) ?? '', /^expected the bodies of one caller's .* at most 100000 bytes together/);
    assert.equal(await isTaken(BOB), true);
    server.workspace.openGate();
    assert.equal((await first).status, 200);
    assert.equal(await isTaken(), true);
  });

  it('that are alone are taken whatever the share of a caller is', async () => {
    const tight = await startServer({ limits: { bodiesBytesMax: 40_000, bodiesPerClientBytesMax: 20_000 } });
    assert.equal((await tight.post(large('{ __typename }'))).status, 200);
    await tight.close();
  });

  it('count what has arrived, not what is announced', async () => {
    for (let n = 0; n < 8; n++) stall(1_000);
    for (let n = 0; n < 3; n++) stall(30_000);
    while (await isTaken()) await turn();
    assert.equal(await isTaken(BOB), true);
    for (const one of stalled.splice(0)) one.destroy();
    await isTakenAgain();
  });

  it('count what has arrived where nothing is announced', async () => {
    for (let n = 0; n < 3; n++) stall(30_000, { 'transfer-encoding': 'chunked' });
    while (await isTaken()) await turn();
    for (const one of stalled.splice(0)) one.destroy();
    await isTakenAgain();
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

  it('are given back by requests that are refused', async () => {
    for (const body of ['{'.repeat(60_000), JSON.stringify(large('{ nothing }')), 'x'.repeat(95_000)]) {
      assert.equal((await server.post(body)).status < 500, true);
    }
    assert.equal(await isTaken(), true);
  });
});

describe('a body that is not wanted', () => {
  let server: TestServer;
  const thrown: unknown[] = [];
  before(async () => {
    server = await startServer({
      limits: { bodyBytesMax: 4_000_000 },
      formatError: (error) => {
        thrown.push(error);
        return { message: 'no', extensions: { code: error instanceof ServiceError ? error.code : 'INTERNAL_ERROR' } };
      },
    });
  });
  after(() => server.close());

  /** Sends all of it before it looks at the answer, as many clients do. */
  async function sendAll(headers: Record<string, string>, bytes: number): Promise<number> {
    const { port, pathname } = new URL(server.url);
    const socket = connect(Number(port), '127.0.0.1');
    const lines = Object.entries({ host: 'x', ...headers, 'content-length': bytes });
    socket.write(`POST ${pathname} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
    for (let left = bytes; left > 0; left -= 100_000) {
      if (!socket.write(Buffer.alloc(Math.min(left, 100_000), 32))) await once(socket, 'drain');
    }
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return Number(/^HTTP\/1\.1 (\d+) /.exec(answer.toString())?.[1]);
  }

  it('passes by unread, and its sender hears why', async () => {
    const type = { 'content-type': 'application/json' };
    assert.equal(await sendAll(type, 7_000_000), 401); // whoever has no session any more
    assert.equal(await sendAll(asJson, 7_000_000), 413);
    assert.equal(await sendAll({ ...asJson, origin: 'https://evil.example' }, 7_000_000), 403);
    assert.equal(await sendAll({ ...signedIn, 'content-type': 'text/plain' }, 7_000_000), 415);
    // The connection is closed behind the answer only when the body has passed.
    assert.equal(await sendAll({ ...type, connection: 'close' }, 7_000_000), 401);
    assert.equal(await sendAll({ ...asJson, connection: 'close' }, 7_000_000), 413);
  });

  it('that breaks off is no fault of the server', async () => {
    thrown.length = 0;
    const gone = request(server.url, { method: 'POST', headers: { ...asJson, 'content-length': 1_000_000 } });
    gone.on('error', () => {});
    gone.write(' '.repeat(100_000), () => gone.destroy());
    while (thrown.length === 0) await turn();
    assert.ok(thrown[0] instanceof ServiceError);
    assert.equal(thrown[0].code, 'BAD_REQUEST');
  });
});
