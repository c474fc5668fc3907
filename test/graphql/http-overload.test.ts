import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isPlain, refuseAtDoor } from '../../src/graphql/http/answer.js';
import { EventReader } from './support/event-reader.js';
import { answerOf, asJson, signedIn, startServer, type TestServer } from './support/test-server.js';

const HELD = 'mutation ($text: String!) { add(text: $text) { held } }';
const RESPONSE_JSON: { readonly accept?: string } = { accept: 'application/graphql-response+json' };

const ORIGIN = 'https://intranet.example';

describe('more requests than the server can do', () => {
  let server: TestServer;
  let release: () => void;
  beforeEach(async () => {
    server = await startServer({ limits: { mutationsMax: 1, requestsWaitingMax: 1 }, allowedOrigins: [ORIGIN] });
    server.workspace.hold = new Promise((resolve) => (release = resolve));
  });
  afterEach(() => server.close());

  const add = (text: string, headers = {}) => server.post({ query: HELD, variables: { text } }, headers);
  /** Resolves when that many mutations were carried out. */
  const added = async (count: number) => {
    while (server.workspace.added.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  const assertShed = async (response: Response) => {
    const { errors, data } = await answerOf(response);
    assert.equal(response.status, 503);
    assert.equal(response.headers.get('retry-after'), '1');
    assert.deepEqual(
      [data, errors?.[0]?.extensions.code, errors?.[0]?.extensions.reason],
      [undefined, 'UNAVAILABLE', 'overloaded'],
    );
  };

  it('are refused as a whole before anything is done, whatever JSON is wanted', async () => {
    const first = add('first');
    await added(1);
    const second = add('second');
    // One waits; whoever comes then is refused at once. Which of the two that is, the network says.
    const third = add('third', RESPONSE_JSON);
    await assertShed(await Promise.race([second, third]));
    server.timers.advance(501);
    for (const response of await Promise.all([second, third])) assert.equal(response.status, 503);
    assert.deepEqual(server.workspace.added, ['first']);
    release();
    assert.equal((await first).status, 200);
    assert.equal((await add('later')).status, 200);
  });

  it('are told to a page of an allowed origin so that it can read when to try again', async () => {
    const first = add('first');
    await added(1);
    const from = { origin: ORIGIN, 'sec-fetch-site': 'cross-site' };
    const [second, third] = [add('second', from), add('third', from)];
    const refused = await Promise.race([second, third]);
    assert.equal(refused.headers.get('access-control-allow-origin'), ORIGIN);
    assert.match(refused.headers.get('access-control-expose-headers') ?? '', /retry-after/);
    await assertShed(refused);
    server.timers.advance(501);
    release();
    await Promise.all([first, second, third]);
  });

  it('keep nobody from asking, nor from following', async () => {
    const first = add('first');
    await added(1);
    const stream = await EventReader.open(server.url, {
      method: 'POST',
      headers: { ...asJson, accept: 'text/event-stream' },
      body: JSON.stringify({ query: 'subscription { ticked { text } }' }),
    });
    assert.deepEqual(await server.ask('{ greet(name: "Ann") }'), { data: { greet: 'Hello Ann' } });
    release();
    await first;
    assert.equal((await add('seen')).status, 200);
    assert.deepEqual(await stream.texts(1), ['seen']);
    stream.close();
  });

  it('are told so by a stream that is open already', async () => {
    const token = await (await fetch(server.streamUrl, { method: 'PUT', headers: signedIn })).text();
    const stream = await EventReader.open(`${server.streamUrl}?token=${token}`, { headers: signedIn });
    const first = add('first');
    await added(1);
    const waits = add('waits');
    const started = async () =>
      fetch(server.streamUrl, {
        method: 'POST',
        headers: { ...asJson, 'x-graphql-event-stream-token': token },
        body: JSON.stringify({ query: HELD, variables: { text: 'no' }, extensions: { operationId: 'one' } }),
      });
    assert.equal((await started()).status, 202);
    const outcomes = [waits.then(({ status }) => status), stream.next().then((frame) => frame?.data ?? '')];
    const outcome = await Promise.race(outcomes);
    assert.match(String(outcome), /^503$|"reason":"overloaded"/);
    server.timers.advance(501);
    assert.deepEqual(
      (await Promise.all(outcomes)).map((one) => /503|overloaded/.test(String(one))),
      [true, true],
    );
    release();
    await first;
    stream.close();
  });

  it('refuse a query as a whole where its reads have no room', async () => {
    for (const headers of [{}, RESPONSE_JSON])
      await assertShed(await server.post({ query: '{ greet(name: "Ann") fail(how: SHED) }' }, headers));
  });

  it('never take back what has committed: its answer comes, and says so', async () => {
    for (const headers of [{}, RESPONSE_JSON]) {
      const response = await server.post({ query: 'mutation { add(text: "done") { failHard } }' }, headers);
      const { data, errors, extensions } = await answerOf(response);
      assert.deepEqual([response.status, data], [200, null]);
      assert.equal(response.headers.get('retry-after'), null);
      assert.equal(extensions?.position, server.workspace.feed.head);
      assert.equal(errors?.[0]?.extensions.committed, true);
      assert.match(errors?.[0]?.message ?? '', /; what was changed stays changed$/);
    }
  });

  it('are told the same at the door, where they ask for one answer and come from no page', async () => {
    const door = createServer((request, response) => {
      if (isPlain(request)) refuseAtDoor(request, response);
      else response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
    const { port } = door.address() as AddressInfo;
    const ask = (headers: Record<string, string>, path = '/bin/graphql.cgi/web') =>
      fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers: { ...asJson, ...headers }, body: '{}' });
    for (const headers of [{}, RESPONSE_JSON]) {
      const refused = await ask(headers);
      assert.equal(refused.headers.get('content-type'), `${headers.accept ?? 'application/json'}; charset=UTF-8`);
      await assertShed(refused);
    }
    const others = [ask({ origin: 'http://a.example' }), ask({ accept: 'text/event-stream' }), ask({}, '/x/stream')];
    for (const { status } of await Promise.all(others)) assert.equal(status, 204);
    door.close();
  });
});
