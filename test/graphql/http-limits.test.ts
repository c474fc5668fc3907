import assert from 'node:assert/strict';
import { request } from 'node:http';
import { systemTime, type Timer } from '../../src/shared/time.js';
import { answerOf, asJson, atGate, signedIn, startServer, type TestServer } from './support/test-server.js';

describe('limits of GraphQL over HTTP', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.close());

  const get = (search: Record<string, string>) =>
    fetch(`${server.url}?${new URLSearchParams(search)}`, { headers: signedIn });
  const refusal = async (response: Response) => [
    response.status,
    (await answerOf(response)).errors?.[0]?.extensions.code,
  ];

  describe('what is too much', () => {
    it('is a body beyond its limit, announced or not', async () => {
      const small = await startServer({ limits: { bodyBytesMax: 1_000 } });
      const body = JSON.stringify({ query: '{ __typename }', variables: { text: 'x'.repeat(5_000) } });
      assert.deepEqual(await refusal(await small.post(body)), [413, 'LIMIT_EXCEEDED']);
      const status = await new Promise((resolve, reject) => {
        const unannounced = request(
          small.url,
          { method: 'POST', headers: { ...asJson, 'transfer-encoding': 'chunked' } },
          (response) => {
            response.resume();
            resolve(response.statusCode);
          },
        );
        unannounced.on('error', reject);
        unannounced.end(body);
      });
      assert.equal(status, 413);
      await small.close();
    });

    it('takes a chunk of an upload', async () => {
      const body = {
        query: 'query ($text: String!) { greet(name: $text) }',
        variables: { text: 'x'.repeat(1_000_000) },
      };
      assert.equal(String((await answerOf(await server.post(body))).data?.greet).length, 1_000_006);
    });

    it('is JSON that nests beyond 64 levels', async () => {
      const deep = (levels: number) =>
        `{"query":"query ($json: JSON) { echo(json: $json) { json } }","variables":{"json":${'['.repeat(levels)}${']'.repeat(levels)}}}`;
      assert.equal((await server.post(deep(62))).status, 200);
      assert.deepEqual(await refusal(await server.post(deep(63))), [400, 'LIMIT_EXCEEDED']);
      assert.deepEqual(await refusal(await server.post(deep(500_000))), [400, 'LIMIT_EXCEEDED']);
      assert.deepEqual(await refusal(await get({ query: '{ __typename }', variables: '['.repeat(100) })), [
        400,
        'LIMIT_EXCEEDED',
      ]);
    });

    it('is JSON of more than 50,000 members and items, counted before it is parsed', async () => {
      const many = (items: number) =>
        `{"query":"query ($json: JSON) { echo(json: $json) { json } }","variables":{"json":[${Array(items).fill('0')}]}}`;
      assert.equal((await server.post(many(49_997))).status, 200);
      assert.deepEqual(await refusal(await server.post(many(49_998))), [400, 'LIMIT_EXCEEDED']);
      const response = await server.post(`${many(49_998)} this is no JSON`);
      const { errors } = await answerOf(response);
      assert.match(errors?.[0]?.message ?? '', /the body to have at most 50000 members and items of JSON/);
      assert.equal(errors?.[0]?.extensions.reason, 'json_too_many_values');
    });

    it('is lists of more than 10,000 items in all variables, however they nest, counted before their types are asked', async () => {
      const query =
        'query ($names: [String!], $row: Row, $rows: [Row!], $json: JSON) { told(names: $names, row: $row, rows: $rows, json: $json) }';
      const told = async (variables: object) => {
        const { data, errors } = await server.ask(query, variables);
        return data?.told ?? errors?.[0]?.extensions.reason;
      };
      const names = (count: number) => Array.from({ length: count }, (_, n) => `n${n}`);
      assert.equal(await told({ names: names(10_000) }), 10_000);
      assert.equal(await told({ names: names(10_001) }), 'too_many_items');
      assert.equal(await told({ row: { names: names(10_001) } }), 'too_many_items');
      assert.equal(await told({ names: names(5_000), row: { rows: [{ names: names(5_000) }] } }), 'too_many_items');
      assert.equal(await told({ names: names(5_000), row: { rows: [{ names: names(4_999) }] } }), 9_999);
      assert.equal(await told({ rows: { names: names(10_000) } }), 10_000, 'one that stands for a list counts none');
      assert.equal(await told({ names: names(3), json: names(20_000) }), 3, 'what a scalar holds is its own');
      const { errors } = await server.ask(query, { names: Array(10_001).fill(7) });
      assert.match(errors?.[0]?.message ?? '', /at most 10000 items in the lists of all variables, .* '\$names'/);
    });

    it('is a document of more than 1,000,000 characters, or of more than 100 fragments', async () => {
      const told = async (query: string) => {
        const { data, errors } = await server.ask(query);
        return data?.__typename ?? [errors?.[0]?.message, errors?.[0]?.extensions.reason];
      };
      assert.equal(await told(`{ __typename }${' '.repeat(999_986)}`), 'Query');
      assert.deepEqual(await told(`{ __typename }${' '.repeat(999_987)}`), [
        'expected a document of at most 1000000 characters, but it has 1000001: what is long belongs into variables',
        'document_too_large',
      ]);
      const fragments = (count: number) => {
        const names = Array.from({ length: count }, (_, n) => `f${n}`);
        const spread = names.map((name) => `...${name}`).join(' ');
        return `{ ${spread} } ${names.map((name) => `fragment ${name} on Query { __typename }`).join(' ')}`;
      };
      assert.equal(await told(fragments(100)), 'Query');
      assert.deepEqual(await told(fragments(101)), [
        'expected at most 100 fragments, but the document has 101',
        'document_too_large',
      ]);
    });

    it('is the schema asked for over and over: its objects are counted as others are', async () => {
      const types = (alias: number) =>
        `a${alias}: __schema { types { fields { args { name } type { fields { name } } } } }`;
      const asked = (times: number) => `{ ${Array.from({ length: times }, (_, n) => types(n)).join(' ')} }`;
      assert.equal((await server.ask(asked(1))).errors, undefined);
      const limited = await startServer({ limits: { resultObjectsMax: 3_000 } });
      assert.deepEqual((await limited.ask(asked(29))).errors?.[0]?.extensions.reason, 'result_too_large');
      await limited.close();
    });

    it('refuses keys that would become a prototype', async () => {
      assert.deepEqual(
        await refusal(await server.post('{"query":"{ __typename }","variables":{"a":{"__proto__":{}}}}')),
        [400, 'BAD_REQUEST'],
      );
    });

    it('is a page beyond 5,000, as literal, as variable, as the default of one', async () => {
      assert.equal((await server.ask('{ things(first: 5000) { pageInfo { hasNextPage } } }')).errors, undefined);
      const query = (preset: string) =>
        `query ($first: Int${preset}) { things(first: $first) { pageInfo { hasNextPage } } }`;
      for (const [text, variables] of [
        ['{ things(first: 5001) { pageInfo { hasNextPage } } }', undefined],
        [query(''), { first: 5_001 }],
        [query(' = 9000'), {}],
      ] as const) {
        assert.equal((await server.ask(text, variables)).errors?.[0]?.extensions.code, 'LIMIT_EXCEEDED', text);
      }
      assert.equal((await server.ask(query(' = 9000'), { first: 5 })).errors, undefined);
    });

    it('is pages within pages beyond 50,000 items, before anything is read', async () => {
      const query = (first: number) =>
        `{ things(first: ${first}) { edges { node { ...t } } } } fragment t on Thing { children { edges { cursor } } }`;
      assert.equal((await server.ask(query(100))).errors, undefined);
      assert.equal((await server.ask(query(2_400))).errors?.[0]?.extensions.reason, 'result_too_large');
      // A count holds no item.
      const counts = `{ ${[...'abcdefghijk'].map((name) => `${name}: workspaces(first: 5000) { totalCount }`).join(' ')} }`;
      assert.equal((await server.ask(counts)).errors, undefined);
    });

    it('is a result beyond 50,000 objects, wherever they come from', async () => {
      assert.equal((await server.ask('{ many(count: 50000) { id } }')).errors, undefined);
      const { data, errors } = await server.ask('{ many(count: 20000) { id nearby { id } } }');
      assert.deepEqual([data, errors?.length, errors?.[0]?.extensions.code], [undefined, 1, 'LIMIT_EXCEEDED']);
    });

    it('counts an item of a page once', async () => {
      const { errors, data } = await server.ask('{ things(first: 5000) { edges { cursor node { id } } } }');
      assert.equal(errors, undefined);
      assert.equal((data as { things: { edges: unknown[] } }).things.edges.length, 5_000);
    });

    it('answers a mutation that was carried out even when it selects too much', async () => {
      const { data, errors, extensions } = await server.ask(
        'mutation { a: add(text: "a") { text things(count: 60000) { id } } b: add(text: "b") { text } }',
      );
      assert.equal(errors?.[0]?.extensions.code, 'LIMIT_EXCEEDED');
      assert.deepEqual(server.workspace.added.slice(-2), ['a', 'b']);
      assert.equal(extensions?.position, server.workspace.feed.head);
      assert.deepEqual(data, { a: { text: 'a', things: null }, b: { text: 'b' } });
    });
  });

  describe('the deadline of a query', () => {
    it('ends a query that waits for ten seconds', async () => {
      const waiting = atGate(server.workspace);
      const answer = server.ask('{ gate { id nearby { id } } }');
      await waiting;
      server.timers.advance(9_999);
      server.timers.advance(1);
      const { data, errors } = await answer;
      assert.deepEqual([data, errors?.[0]?.extensions.reason], [undefined, 'deadline_exceeded']);
      server.workspace.openGate();
    });

    it('is told to the resolvers, which need not go on', async () => {
      const signals: AbortSignal[] = [];
      const other = await startServer({
        context: (facts) => {
          signals.push(facts.ending.signal);
          return Object.assign({ position: () => undefined }, facts);
        },
      });
      const waiting = atGate(other.workspace);
      const answer = other.ask('{ gate { id } }');
      await waiting;
      other.timers.advance(10_000);
      await answer;
      assert.deepEqual(
        signals.map(({ aborted }) => aborted),
        [true],
      );
      await other.close();
    });

    it('ends a query that is busy without a pause', async () => {
      let now = 0;
      const never: Timer = { cancel: () => {}, hold: () => never };
      const busy = await startServer({
        timers: { ...systemTime, monotonic: () => (now += 100), after: () => never },
      });
      const { errors } = await busy.ask('{ many(count: 10000) { nearby { id } } }');
      assert.deepEqual([errors?.length, errors?.[0]?.extensions.reason], [1, 'deadline_exceeded']);
      await busy.close();
    });

    it('is told to the resolvers when the client goes away', async () => {
      let signal: AbortSignal | undefined;
      const other = await startServer({
        context: (facts) => {
          signal = facts.ending.signal;
          return Object.assign({ position: () => undefined }, facts);
        },
      });
      const abort = new AbortController();
      const answer = fetch(other.url, {
        method: 'POST',
        headers: asJson,
        body: '{"query":"{ gate { id } }"}',
        signal: abort.signal,
      });
      await atGate(other.workspace);
      const aborted = new Promise((resolve) => signal?.addEventListener('abort', resolve));
      abort.abort();
      await assert.rejects(answer);
      await aborted;
      await other.close();
    });
  });
});
