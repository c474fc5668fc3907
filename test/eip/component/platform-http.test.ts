import assert from 'node:assert/strict';
import { type Exchange, type StreamCache, textOf } from '../../../src/expression/routes.js';
import { ServedRoutes } from '../support/http-served.js';
import { Routes } from '../support/routes.js';

describe('platform-http', () => {
  let front: ServedRoutes;
  let tested: Routes;
  let got: Exchange[];
  beforeEach(() => {
    front = new ServedRoutes();
    tested = new Routes({}, { front: front.table, bodyMax: 1000 });
    got = [];
    tested.outside('look', (exchange) => {
      got.push(exchange.copy());
      return undefined;
    });
  });
  const begin = (uri: string, steps = '') =>
    tested.start(`
- route:
    id: ${JSON.stringify(uri)}
    from:
      uri: ${JSON.stringify(`platform-http:${uri}`)}
      steps: [{ to: "outside:look" }${steps && `, ${steps}`}]
`);
  const headersOf = (exchange: Exchange | undefined) => Object.fromEntries(exchange?.headers ?? []);
  const last = () => got.at(-1) ?? assert.fail('nothing came');

  it('makes headers of what a request says, as Camel does', async () => {
    await begin('/dump');
    await front.call('/dump?a=1&b=x%20y&b=2&c', {
      headers: [
        ['X-A', '1'],
        ['x-a', '2'],
        ['Accept', '*/*'],
      ],
    });
    assert.deepEqual(headersOf(last()), {
      ...{ 'X-A': ['1', '2'], Accept: '*/*', a: '1', b: ['x y', '2'], c: '' },
      ...{ CamelHttpMethod: 'GET', CamelHttpPath: '/dump', CamelHttpUri: '/dump?a=1&b=x%20y&b=2&c' },
      ...{ CamelHttpUrl: 'http://localhost/dump?a=1&b=x%20y&b=2&c', CamelHttpQuery: 'a=1&b=x%20y&b=2&c' },
      ...{ CamelHttpRawQuery: 'a=1&b=x%20y&b=2&c', CamelVertxPlatformHttpRemoteAddress: '10.0.0.9' },
    });
    assert.deepEqual([last().body, last().pattern], [null, 'InOut']);
  });

  it('lets nobody outside say what the runtime alone says: by a header, a parameter, a field of a form or a name in the path', async () => {
    await begin('/dump/{mi:userId}');
    const names = [
      'CamelHttpResponseCode',
      'camelhttpuri',
      'CAMELx',
      'org.apache.camel.x',
      'mi:userId',
      'MI:history.header.includes',
    ];
    const query = names.map((name) => `${name}=evil`).join('&');
    await front.call(`/dump/evil?${query}`, {
      ...{ method: 'POST', body: query, userId: 'ann' },
      headers: [['Content-Type', 'application/x-www-form-urlencoded'], ...names.map((name) => [name, 'evil'] as const)],
    });
    const entries = [...last().headers].filter(([name]) => !/^CamelHttp(Url|Uri|Path|Query|RawQuery)$/.test(name));
    assert.deepEqual(
      entries.filter(([, value]) => String(value).includes('evil')),
      [],
    );
    assert.equal(last().headers.get('mi:userid'), 'ann');
    assert.equal(textOf((last().body as StreamCache).bytes), query);
  });

  it('knows no user where nobody has to say who they are', async () => {
    await begin('/open?authentication=none');
    await front.call('/open');
    assert.equal(last().headers.has('mi:userId'), false);
    const found = front.table.find('GET', ['open']);
    assert.ok(found !== undefined && 'mount' in found && found.mount.isOpen);
  });

  it('finds paths with names in them, what lies below a path, and the one that says most', async () => {
    for (const uri of [
      '/t/{id}/x/{name}',
      '/t/{id}/x/new',
      '/pre?matchOnUriPrefix=true',
      '/wild/*',
      '/deep/{a}',
      '/deep/*',
    ])
      await begin(uri, `{ setBody: { constant: ${JSON.stringify(uri)} } }`);
    for (const [url, found] of [
      ['/t/5/x/a%20b%2Fc', '/t/{id}/x/{name}'],
      ['/t/5/x/new', '/t/{id}/x/new'],
      ['/t/5/x/a/', '/t/{id}/x/{name}'],
      ['/pre', '/pre?matchOnUriPrefix=true'],
      ['/pre/a/b', '/pre?matchOnUriPrefix=true'],
      ['/wild/x/y', '/wild/*'],
      ['/wild', '/wild/*'],
      ['/deep/1', '/deep/{a}'],
      ['/deep/1/2', '/deep/*'],
      ['//deep//1', '/deep/{a}'],
    ] as const)
      assert.equal((await front.call(url)).text, found, url);
    for (const url of ['/t/5/x', '/t/5/x/a/b', '/prefix', '/T/5/x/new', '/nothing', '/'])
      assert.equal((await front.call(url)).status, 404, url);
    await front.call('/t/5/x/a%20b%2Fc');
    assert.deepEqual([last().headers.get('id'), last().headers.get('name')], ['5', 'a b/c']);
    assert.equal(last().headers.get('CamelHttpPath'), '/t/5/x/a%20b%2Fc');
  });

  it('serves the methods that it is for, and tells them to others; HEAD is a GET', async () => {
    await begin('/g?httpMethodRestrict=GET,put', '{ setBody: { simple: "${header.CamelHttpMethod}" } }');
    for (const method of ['GET', 'PUT', 'HEAD']) assert.equal((await front.call('/g', { method })).text, method);
    for (const method of ['POST', 'DELETE', 'OPTIONS', 'FOO']) {
      const { status, headers } = await front.call('/g', { method });
      assert.deepEqual([status, headers.allow], [405, ['GET', 'HEAD', 'PUT', 'OPTIONS']], method);
    }
    await begin('/any');
    for (const method of ['GET', 'PATCH', 'OPTIONS', 'TRACE', 'FOO'])
      assert.notEqual((await front.call('/any', { method })).status, 405);
  });

  it('refuses types that it does not take or give, and asks of no request without a body what it is', async () => {
    await begin('/c?consumes=application/json,text/*&produces=application/xml', '{ setBody: { constant: x } }');
    for (const [type, accept, body, status] of [
      ['text/html', '*/*', 'x', 200],
      ['application/json; charset=utf-8', 'application/xml', 'x', 200],
      ['image/png', '*/*', 'x', 415],
      ['', '*/*', 'x', 415],
      ['', '*/*', null, 200],
      ['application/json', 'text/html', 'x', 406],
      ['application/json', 'text/html, application/*;q=0.5', 'x', 200],
      ['application/json', 'application/xml;q=0, text/html', 'x', 406],
    ] as const) {
      const headers = [['Accept', accept] as const, ...(type === '' ? [] : [['Content-Type', type] as const])];
      assert.equal((await front.call('/c', { method: 'POST', headers, body })).status, status, `${type} ${accept}`);
    }
  });

  it('has bodies as streams that can be read again, by their charset, and forms as maps', async () => {
    await begin('/body', '{ setBody: { simple: "${body}|${body}|${header.a}|${header.b}" } }');
    const latin = Buffer.from('hé', 'latin1');
    const call = async (type: string, body: string | Uint8Array | AsyncIterable<Uint8Array>) =>
      (await front.call('/body?b=0', { method: 'POST', headers: [['Content-Type', type]], body })).text;
    assert.equal(await call('text/plain; charset=ISO-8859-1', latin), 'hé|hé||0');
    assert.equal(last().properties.get('CamelCharsetName'), 'ISO-8859-1');
    assert.equal(last().headers.get('CamelHttpCharacterEncoding'), 'ISO-8859-1');
    assert.equal(
      await call('application/x-www-form-urlencoded', 'a=1&b=2&b=3'),
      '{a=1, b=[2, 3]}|{a=1, b=[2, 3]}|1|[0, 2, 3]',
    );
    assert.equal(
      await call('application/x-www-form-urlencoded', pieces('a=1', '&b=2')),
      '{a=1, b=2}|{a=1, b=2}|1|[0, 2]',
    );
    assert.equal(await call('multipart/form-data; boundary=x', '--x'), '--x|--x||0');
    await begin('/raw?populateBodyWithForm=false', '{ setBody: { simple: "${body}|${header.a}" } }');
    const headers = [['Content-Type', 'application/x-www-form-urlencoded']] as const;
    assert.equal((await front.call('/raw', { method: 'POST', headers, body: 'a=1' })).text, 'a=1|1');
  });

  it('reads no more of a stream into memory than it may, and hands on what is longer', async () => {
    await begin('/all', '{ setBody: { simple: "<${body}>" } }');
    const long = () => pieces(...Array.from({ length: 20 }, () => 'x'.repeat(100)));
    assert.equal((await front.call('/all', { method: 'POST', body: long() })).status, 500);
    await begin('/through');
    assert.equal((await front.call('/through', { method: 'POST', body: long() })).text.length, 2000);
    const headers = [['Content-Type', 'application/x-www-form-urlencoded']] as const;
    assert.equal((await front.call('/all', { method: 'POST', headers, body: long() })).status, 413);
  });

  it('answers with what the message has become', async () => {
    const header = (name: string, value: unknown) =>
      `{ setHeader: { name: "${name}", constant: ${JSON.stringify(value)} } }`;
    const body = (value: string) => `{ setBody: { constant: ${JSON.stringify(value)} } }`;
    const code = (value: unknown) => header('CamelHttpResponseCode', value);
    for (const [steps, status, text] of [
      [body('abc'), 200, 'abc'],
      [body(''), 204, ''],
      ['{ setBody: { simple: "${null}" } }', 204, ''],
      [`${code(201)}, ${body('made')}`, 201, 'made'],
      [`${code('abc')}, ${body('x')}`, 500, 'x'],
      [`${code(99)}, ${body('x')}`, 500, 'x'],
      [`${code(404)}, ${body('')}`, 404, ''],
      ['{ setBody: { simple: { expression: "5", resultType: int } } }', 200, '5'],
      [`${body('abc')}, { convertBodyTo: { type: "byte[]" } }`, 200, 'abc'],
      [`${body('{"a":1}')}, { unmarshal: { json: {} } }`, 500, ''],
      ['{ throwException: { exceptionType: java.lang.IllegalArgumentException, message: bad } }', 500, ''],
      [
        `${code(422)}, { throwException: { exceptionType: java.lang.IllegalArgumentException, message: bad } }`,
        422,
        '',
      ],
    ] as const) {
      front = new ServedRoutes();
      tested = new Routes({}, { front: front.table });
      tested.outside('look', () => undefined);
      await begin('/r', steps);
      const reply = await front.call('/r');
      assert.deepEqual([reply.status, reply.text], [status, text], steps);
    }
    await begin(
      '/told?muteException=false',
      '{ throwException: { exceptionType: java.io.IOException, message: bad } }',
    );
    const told = await front.call('/told');
    assert.deepEqual(
      [told.status, told.text, told.headers['Content-Type']],
      [500, 'java.io.IOException: bad', 'text/plain; charset=utf-8'],
    );
  });

  it('sends headers back, but those of requests, of the path and of the runtime', async () => {
    const steps = ['X-Out', 'mi:foo', 'CAMELfoo', 'Content-Length', 'Cache-Control', 'Location', 'a name', 'X-Bad']
      .map((name) => `{ setHeader: { name: "${name}", constant: "${name === 'X-Bad' ? '☃' : '7'}" } }`)
      .join(', ');
    await begin(
      '/h/{id}',
      `${steps}, { setHeader: { name: X-L, simple: "\${header.l}" } }, { setBody: { constant: x } }`,
    );
    const headers = [
      ['X-A', '1'],
      ['User-Agent', 'me'],
      ['accept', 'text/html'],
      ['Cookie', 'a=1'],
      ['Authorization', 'Basic x'],
    ] as const;
    const reply = await front.call('/h/5?l=1&l=2', { headers });
    assert.deepEqual(reply.headers, {
      ...{ 'X-A': '1', l: ['1', '2'], 'X-Out': '7', 'Cache-Control': '7', Location: '7', 'X-L': ['1', '2'] },
    });
    await begin('/back?returnHttpRequestHeaders=true');
    assert.equal((await front.call('/back', { headers })).headers['User-Agent'], 'me');
  });

  it('waits no longer than it is told, and lets the exchange go on', async () => {
    await begin('/slow?requestTimeout=300', '{ delay: { constant: 1000 } }, { to: "mock:out" }');
    const reply = front.call('/slow');
    await tested.time.advance(400);
    assert.equal((await reply).status, 503);
    await tested.time.advance(1000);
    assert.equal(tested.mock('out').counter, 1);
  });

  it('answers 503 while its route is suspended, and serves nothing when it is stopped; who is being served is answered', async () => {
    await begin('/life', '{ delay: { constant: 1000 } }, { setBody: { constant: done } }');
    const under = front.call('/life');
    const within = { timeoutMs: 10_000 };
    const suspended = tested.runtime.suspend('/life', within);
    assert.equal((await front.call('/life')).status, 503);
    await tested.time.advance(1000);
    assert.equal((await under).text, 'done');
    await suspended;
    const { runtime } = tested;
    const again = new Routes({}, { front: front.table });
    again.outside('look', () => undefined);
    await runtime.stop('/life', within);
    assert.equal((await front.call('/life')).status, 404);
  });

  it('refuses to start a route that claims what another one serves, and says which', async () => {
    await begin('/orders/{id}?httpMethodRestrict=GET,PUT');
    await begin('/orders/{id}?httpMethodRestrict=POST');
    await assert.rejects(
      begin('/orders/{name}/?httpMethodRestrict=PUT'),
      /Failed to start route: .* because: the route \/orders\/\{id\}\?httpMethodRestrict=GET,PUT serves GET, PUT of \/orders\/\{id\} already/,
    );
    await assert.rejects(begin('orders/{x}'), /already/);
    assert.equal((await front.call('/orders/1', { method: 'PUT' })).status, 204);
  });

  it('refuses paths and options that are none, with the reason', async () => {
    for (const [uri, why] of [
      ['/a/{b', /expected a name, \{name\}, or \* at the end/],
      ['/a/*/b', /expected a name/],
      ['/a?httpMethodRestrict=GET,FETCH', /got FETCH/],
      ['/a?useCookieHandler=true', /useCookieHandler is not supported/],
      ['/a?authentication=off', /authentication to be one of required, none/],
      ['/a?metod=GET', /unknown option metod/],
    ] as const)
      await assert.rejects(begin(uri), why, uri);
    const bare = new Routes();
    await assert.rejects(
      bare.start('[{ route: { id: a, from: { uri: "platform-http:/a", steps: [{ stop: {} }] } } }]'),
      /no HTTP server/,
    );
  });
});

async function* pieces(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}
