import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { EventReader, textOf } from './support/event-reader.js';
import { type Answer, answerOf, asJson, signedIn, startServer, type TestServer } from './support/test-server.js';

const LIMIT = 300_000;
const strict = { accept: 'application/graphql-response+json' };
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the bytes of answers', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startServer({ limits: { answerBytesMax: LIMIT, answersBytesMax: 2_500_000 } });
  });
  afterEach(() => server.close());

  const isRefused = ({ data, errors }: Answer) => {
    assert.equal(data, undefined);
    assert.deepEqual(
      errors?.map(({ extensions }) => [extensions.code, extensions.reason]),
      [['LIMIT_EXCEEDED', 'answer_too_large']],
    );
    assert.match(
      errors?.[0]?.message ?? '',
      /^expected an answer of at most 300000 bytes, but there are more; ask for/,
    );
  };

  describe('are counted while a query is executed', () => {
    for (const field of ['text', 'json', 'texts']) {
      it(`in values of ${field}, and no more of them are made`, async () => {
        isRefused(await server.ask(`{ large(count: 1000, chars: 10000) { ${field} } }`));
        assert.ok(server.workspace.made <= 31, `${server.workspace.made} were made`);
      });
    }

    it('over all aliases', async () => {
      const field = 'large(count: 1, chars: 10000) { text }';
      const aliases = (count: number) => `{ ${Array.from({ length: count }, (_, n) => `a${n}: ${field}`).join(' ')} }`;
      isRefused(await server.ask(`{ a: large(count: 40, chars: 10000) { text } }`));
      const { data } = await server.ask(aliases(29));
      assert.equal(Object.keys(data ?? {}).length, 29);
      const small = await startServer({ limits: { answerBytesMax: 200_000 } });
      assert.equal((await small.ask(aliases(29))).errors?.[0]?.extensions.reason, 'answer_too_large');
      await small.close();
    });

    it('and to the byte before the first is sent: escapes have more than characters', async () => {
      isRefused(await server.ask('{ large(count: 1, chars: 100000, char: "\\u0001") { text } }'));
      isRefused(await server.ask('{ large(count: 1, chars: 110000, char: "€") { text } }'));
      const response = await server.post({ query: '{ large(count: 1, chars: 110000, char: "€") { text } }' }, strict);
      assert.equal(response.status, 400);
      isRefused(await answerOf(response));
      const query = (chars: number) => `{ large(count: 3, chars: ${chars}) { text } }`;
      const frame = '{"data":{"large":[{"text":""},{"text":""},{"text":""}]}}'.length;
      const fits = Math.floor((LIMIT - frame) / 3);
      assert.equal((await server.ask(query(fits))).errors, undefined);
      isRefused(await server.ask(query(fits + 1)));
    });
  });

  describe('of a mutation that was carried out', () => {
    it('are refused at their field: what it did stays, its position is answered, and the others come', async () => {
      const { data, errors, extensions } = await server.ask(
        'mutation { a: add(text: "a") { text large(count: 1000, chars: 10000) { text } } b: add(text: "b") { text } }',
      );
      assert.deepEqual(server.workspace.added, ['a', 'b']);
      assert.ok(server.workspace.made <= 31, `${server.workspace.made} were made`);
      assert.equal(extensions?.position, server.workspace.feed.head);
      assert.deepEqual(data?.b, { text: 'b' });
      const { text, large } = (data as { a: { text: string; large: { text: string | null }[] } }).a;
      assert.deepEqual([text, large.length, large[0]?.text?.length, large.at(-1)?.text], ['a', 1_000, 10_000, null]);
      assert.equal(errors?.length, 21, 'it is said, but not a thousand times');
      assert.deepEqual(errors?.[0]?.path, ['a', 'large', 26, 'text']);
      assert.match(
        errors?.[0]?.message ?? '',
        /at most 300000 bytes, but there are more; what was changed stays changed$/,
      );
    });

    it('are refused at its fields where that is known at the end, with the position', async () => {
      const response = await server.post(
        { query: 'mutation { a: add(text: "a") { large(count: 1, chars: 110000, char: "€") { text } } }' },
        strict,
      );
      const { data, errors, extensions } = await answerOf(response);
      assert.deepEqual(server.workspace.added, ['a']);
      assert.deepEqual([data, errors?.[0]?.path, errors?.[0]?.extensions.code], [null, ['a'], 'LIMIT_EXCEEDED']);
      assert.equal(extensions?.position, server.workspace.feed.head);
    });
  });

  describe('go out in pieces', () => {
    const LONG = { query: '{ large(count: 20, chars: 400000, char: "ü") { text json } }' };
    beforeEach(async () => {
      await server.close();
      server = await startServer();
    });

    it('with their length, as they are', async () => {
      const response = await server.post(LONG);
      const text = await response.text();
      assert.equal(Number(response.headers.get('content-length')), Buffer.byteLength(text));
      const item = { text: 'ü'.repeat(400_000), json: { chars: 400_000, list: ['ü'.repeat(400_000)] } };
      assert.ok(text === JSON.stringify({ data: { large: Array(20).fill(item) } }), 'it is another');
    });

    it('to HTTP/1.0 as well, and the next request is answered on the same connection of HTTP/1.1', async () => {
      for (const version of ['1.0', '1.1']) {
        const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
        const read = reading(socket);
        const body = JSON.stringify(LONG);
        const head = `POST ${new URL(server.url).pathname} HTTP/${version}\r\nHost: 127.0.0.1\r\nCookie: user=ann\r\nContent-Type: application/json\r\n`;
        socket.write(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
        assert.equal(JSON.parse(await read()).data.large.length, 20);
        if (version === '1.1') {
          const next = '{"query":"{ __typename }"}';
          socket.write(`${head}Content-Length: ${next.length}\r\n\r\n${next}`);
          assert.deepEqual(JSON.parse(await read()), { data: { __typename: 'Query' } });
        }
        socket.destroy();
      }
    });

    it('while others have their turn', async () => {
      const answer = server.post(LONG).then((response) => response.text());
      let isOver = false;
      void answer.then(() => {
        isOver = true;
      });
      let answered = 0;
      while (!isOver) {
        await server.ask('{ __typename }');
        answered++;
      }
      assert.ok(answered >= 5, `others had their turn ${answered} times`);
    });
  });

  it('of a long list of small objects are made while others have their turn', async () => {
    let turns = 0;
    let isOver = false;
    const count = () => {
      if (server.workspace.made > 0 && server.workspace.made < 5_000) turns++;
      if (!isOver) setImmediate(count);
    };
    count();
    const { data } = await server.ask('{ large(count: 5000, chars: 1) { text } }');
    isOver = true;
    assert.deepEqual(data?.large, Array(5_000).fill({ text: 'x' }));
    assert.ok(turns >= 15, `others had their turn ${turns} times`);
  });

  describe('of all at once', () => {
    /** A client that reads nothing of its answer. */
    const stalled = async (query: string, user = 'ann'): Promise<Socket> => {
      const headers = { ...asJson, cookie: `user=${user}` };
      const sent = request(server.url, { method: 'POST', headers, agent: false });
      sent.on('error', () => {});
      sent.end(JSON.stringify({ query }));
      const [response] = await once(sent, 'response');
      response.pause();
      response.on('error', () => {});
      return sent.socket as Socket;
    };
    /** More than sockets take unread. */
    const LARGE = '{ large(count: 20, chars: 1000000) { text } }';

    beforeEach(async () => {
      await server.close();
      server = await startServer({ limits: { answerBytesMax: 30_000_000, answersBytesMax: 50_000_000 } });
    });

    const isTaken = async (): Promise<boolean> => {
      const response = await server.post({ query: LARGE });
      const { errors } = await answerOf(response);
      if (response.status === 200) return true;
      assert.deepEqual([response.status, errors?.[0]?.extensions.code], [503, 'UNAVAILABLE']);
      assert.match(errors?.[0]?.message ?? '', /^expected the answers .* at most 50000000 bytes together/);
      assert.equal(response.headers.get('retry-after'), '1');
      return false;
    };
    const isTakenAgain = async () => {
      while (!(await isTaken())) await turn();
    };

    it('are limited: what has no room is 503 until others have been taken; small ones always have', async () => {
      const sockets = [await stalled(LARGE), await stalled(LARGE)];
      assert.equal(await isTaken(), false);
      assert.equal((await server.ask('{ large(count: 1, chars: 60000) { text } }')).errors, undefined);
      sockets[0]?.destroy();
      await isTakenAgain();
      sockets[1]?.destroy();
    });

    it('and one user alone has a share of them, which others need not wait for', async () => {
      await server.close();
      const limits = { answerBytesMax: 30_000_000, answersBytesMax: 70_000_000, answersPerClientBytesMax: 30_000_000 };
      server = await startServer({ limits });
      const socket = await stalled(LARGE);
      const refused = await server.post({ query: LARGE });
      assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '1']);
      assert.match(
        (await answerOf(refused)).errors?.[0]?.message ?? '',
        /^expected one caller's answers that are being given to have at most 30000000 bytes together/,
      );
      const of = (user: string) =>
        fetch(server.url, {
          method: 'POST',
          headers: { ...asJson, cookie: `user=${user}` },
          body: JSON.stringify({ query: LARGE }),
        });
      const taken = await of('bob');
      assert.equal(taken.status, 200);
      await taken.text();
      socket.destroy();
      while ((await server.post({ query: LARGE })).status !== 200) await turn();
    });

    it('never ask for a mutation again: it is told that its answer is left out', async () => {
      const sockets = [await stalled(LARGE), await stalled(LARGE)];
      const response = await server.post({
        query: 'mutation { add(text: "a") { text large(count: 20, chars: 1000000) { text } } }',
      });
      const { data, errors, extensions } = await answerOf(response);
      assert.equal(response.status, 200);
      assert.deepEqual(server.workspace.added, ['a']);
      assert.equal((data?.add as { text: string } | undefined)?.text, 'a');
      assert.deepEqual(
        [errors?.[0]?.extensions.code, extensions?.position],
        ['LIMIT_EXCEEDED', server.workspace.feed.head],
      );
      for (const socket of sockets) socket.destroy();
      await isTakenAgain();
    });

    it('are given up when a client takes nothing of its own for 30 seconds', async () => {
      const sockets = [await stalled(LARGE), await stalled(LARGE)];
      assert.equal(await isTaken(), false);
      server.timers.advance(29_999);
      assert.equal(await isTaken(), false);
      while (!(await isTaken())) server.timers.advance(30_000);
      for (const socket of sockets) socket.destroy();
    });

    it('are given back by those that were refused', async () => {
      for (let n = 0; n < 5; n++) {
        assert.equal((await server.ask('{ large(count: 40, chars: 1000000) { text } }')).errors?.length, 1);
      }
      assert.equal(await isTaken(), true);
    });
  });

  describe('of events', () => {
    const SUBSCRIBE = 'subscription { ticked(topic: "a") { text } }';

    it('are limited, one by one: the stream goes on', async () => {
      const reader = await EventReader.open(server.url, {
        method: 'POST',
        headers: { ...asJson, accept: 'text/event-stream' },
        body: JSON.stringify({ query: SUBSCRIBE }),
      });
      for (const text of ['one', 'x'.repeat(LIMIT), 'ü'.repeat(LIMIT / 2), 'ü'.repeat(LIMIT / 3), 'two']) {
        server.workspace.feed.append('a', text);
      }
      assert.equal(textOf(await reader.next()), 'one');
      for (const _ of ['counted', 'to the byte']) {
        const { errors } = JSON.parse((await reader.next())?.data ?? '{}') as Answer;
        assert.equal(errors?.[0]?.extensions.reason, 'answer_too_large');
      }
      assert.equal(textOf(await reader.next()), 'ü'.repeat(LIMIT / 3));
      assert.equal(textOf(await reader.next()), 'two');
      reader.close();
    });

    it('are limited where an operation is answered by its stream', async () => {
      const token = await (await fetch(server.streamUrl, { method: 'PUT', headers: signedIn })).text();
      const reader = await EventReader.open(`${server.streamUrl}?token=${token}`, { headers: signedIn });
      await fetch(`${server.streamUrl}?token=${token}`, {
        method: 'POST',
        headers: asJson,
        body: JSON.stringify({
          query: '{ large(count: 1000, chars: 10000) { text } }',
          extensions: { operationId: 'one' },
        }),
      });
      const { id, payload } = JSON.parse((await reader.next())?.data ?? '{}');
      assert.equal(id, 'one');
      isRefused(payload);
      assert.equal((await reader.next())?.event, 'complete');
      reader.close();
    });
  });
});

/** Reads one answer after the other from a connection, by their length. */
function reading(socket: Socket): () => Promise<string> {
  let text = '';
  let wake = () => {};
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += String(chunk);
    wake();
  });
  const more = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  return async () => {
    while (!text.includes('\r\n\r\n')) await more();
    const from = text.indexOf('\r\n\r\n') + 4;
    const to = from + Number(/content-length: (\d+)/i.exec(text.slice(0, from))?.[1]);
    while (text.length < to) await more();
    const body = text.slice(from, to);
    text = text.slice(to);
    return Buffer.from(body, 'latin1').toString();
  };
}
