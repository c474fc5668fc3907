import assert from 'node:assert/strict';
import { deflateSync, gunzipSync, gzipSync } from 'node:zlib';
import { answered, asText, type Exchange, ExchangeFailure, StreamCache } from '../../../src/expression/routes.js';
import { HttpPeer } from '../support/http-peer.js';
import { Routes, routes } from '../support/routes.js';

/** What is sent, and what the other server is asked: as Camel 4.18.1 does it. */
const REQUESTS: readonly (readonly [
  what: string,
  uri: string,
  body: unknown,
  headers: Record<string, unknown>,
  method: string,
  url: string,
])[] = [
  ['a GET where there is no body', '/echo', null, {}, 'GET', '/echo'],
  ['a POST where there is one', '/echo', 'hello', {}, 'POST', '/echo'],
  ['a POST of an empty text', '/echo', '', {}, 'POST', '/echo'],
  ['a GET where there is a query, be there a body or not', '/echo?a=1&b=x%20y', 'hello', {}, 'GET', '/echo?a=1&b=x+y'],
  ['a GET where a header has the query', '/echo', 'hello', { CamelHttpQuery: 'q=1' }, 'GET', '/echo?q=1'],
  [
    'the method, path and query of headers',
    '/echo?a=1',
    'hello',
    { CamelHttpMethod: 'PUT', CamelHttpPath: '/sub/x y', CamelHttpQuery: 'q=a b' },
    'PUT',
    '/echo/sub/x%20y?q=a%20b',
  ],
  ['a method in any letter case', '/echo', 'x', { camelhttpmethod: 'get' }, 'GET', '/echo'],
  [
    'the method of the endpoint before that of a header',
    '/echo?httpMethod=put',
    'x',
    { CamelHttpMethod: 'GET' },
    'PUT',
    '/echo',
  ],
  ['the address of a header', '/echo', null, { CamelHttpUri: 'http://{host}/other?z=1' }, 'GET', '/other?z=1'],
  [
    'its own address as a bridge',
    '/echo?bridgeEndpoint=true',
    null,
    { CamelHttpUri: 'http://{host}/o?z=1', CamelHttpPath: '/p' },
    'GET',
    '/echo/p',
  ],
  [
    'what rest says before all else',
    '/echo',
    null,
    { CamelRestHttpUri: 'http://{host}/rest', CamelRestHttpQuery: 'x=1' },
    'GET',
    '/rest?x=1',
  ],
  [
    'the raw query before the query',
    '/echo',
    null,
    { CamelHttpRawQuery: 'a%2Fb=1', CamelHttpQuery: 'q=2' },
    'GET',
    '/echo?a%2Fb=1',
  ],
  [
    'parameters in the order of their names, encoded',
    "/echo?q=a:b,c/d;e@f!$'()*~[x]|é&p=1&r=100%25",
    null,
    {},
    'GET',
    '/echo?p=1&q=a%3Ab%2Cc%2Fd%3Be%40f%21%24%27%28%29*%7E%5Bx%5D%7C%C3%A9&r=100%25',
  ],
  ['a parameter that is there twice', '/echo?id=1&id=2&empty=&x', null, {}, 'GET', '/echo?empty=&id=1&id=2&x='],
  ['a path with what must be encoded', '/e%20cho/ä', null, {}, 'GET', '/e%20cho/%C3%A4'],
  ['a query and signs in the path of a header', '/echo', null, { CamelHttpPath: 'a?b#c' }, 'GET', '/echo/a?b%23c'],
  [
    'a path that looks like another host',
    '/echo',
    null,
    { CamelHttpPath: '//evil.example/x' },
    'GET',
    '/echo/evil.example/x',
  ],
  ['an empty path and an empty query', '/echo', null, { CamelHttpPath: '', CamelHttpQuery: '' }, 'GET', '/echo?'],
  [
    'a query with what must be encoded',
    '/echo',
    null,
    { CamelHttpQuery: 'a=b c&d=é#x' },
    'GET',
    '/echo?a=b%20c&d=%C3%A9%23x',
  ],
  [
    'nothing of headers that control it where these are not to',
    '/echo?skipControlHeaders=true',
    null,
    { CamelHttpPath: '/f', CamelHttpMethod: 'POST', CamelHttpQuery: 'a=1' },
    'GET',
    '/echo',
  ],
  ['HEAD', '/echo?httpMethod=HEAD', 'x', {}, 'HEAD', '/echo'],
  ['OPTIONS', '/echo?httpMethod=OPTIONS', 'x', {}, 'OPTIONS', '/echo'],
  ['DELETE', '/echo?httpMethod=DELETE', 'x', {}, 'DELETE', '/echo'],
  ['PATCH', '/echo?httpMethod=PATCH', 'x', {}, 'PATCH', '/echo'],
];

describe('http', () => {
  let peer: HttpPeer;
  let tested: Routes;
  beforeEach(async () => {
    peer = await new HttpPeer().listen();
    tested = new Routes({}, { httpHosts: ['127.0.0.1', 'localhost'] });
  });
  afterEach(() => {
    tested.context.close();
    return peer.close();
  });

  const send = (path: string, body: unknown = null, headers: Record<string, unknown> = {}): Promise<Exchange> =>
    tested.send(`http://${peer.host}${path}`, body, headers);
  const failure = async (path: string, body: unknown = null, headers = {}): Promise<ExchangeFailure> => {
    const { exception } = await send(path, body, headers);
    assert.ok(exception instanceof ExchangeFailure, String(exception));
    return exception;
  };
  const text = (exchange: Exchange) => answered(asText(exchange.body));
  const [asked] = [() => peer.asked.at(-1) ?? assert.fail('nothing was asked')];
  const members = ({ members: its }: ExchangeFailure) => its ?? assert.fail('it has none');

  for (const [what, uri, body, headers, method, url] of REQUESTS)
    it(`sends ${what}`, async () => {
      const own = Object.entries(headers).map(([name, value]) => [name, String(value).replace('{host}', peer.host)]);
      const { exception } = await send(uri, body, Object.fromEntries(own) as Record<string, unknown>);
      assert.equal(exception, undefined);
      assert.deepEqual([asked().method, asked().url], [method, url]);
    });

  it('sends a body with those methods alone that have one, or where it is told so', async () => {
    for (const [options, body] of [
      ['httpMethod=POST', 'hello'],
      ['httpMethod=PUT', 'hello'],
      ['httpMethod=PATCH', 'hello'],
      ['httpMethod=DELETE', ''],
      ['httpMethod=GET', ''],
      ['httpMethod=OPTIONS', ''],
      ['httpMethod=DELETE&deleteWithBody=true', 'hello'],
      ['httpMethod=GET&getWithBody=true', 'hello'],
    ] as const) {
      await send(`/echo?${options}`, 'hello');
      assert.equal(asked().body.toString(), body, options);
    }
  });

  it('sends headers, but those of the runtime and of the connection, in any letter case', async () => {
    const date = new Date(0);
    const { exception } = await send('/echo', 'hello', {
      ...{
        'Content-Type': 'text/plain',
        'X-A': '1',
        'X-L': ['a', 'b'],
        'X-I': 5,
        'X-D': 1.5,
        'X-T': date,
        'X-N': null,
      },
      ...{
        Authorization: 'Bearer x',
        Accept: 'text/html',
        CamelFoo: '1',
        cAMELbar: '1',
        'mi:userId': 'ann',
        'MI:x': '1',
      },
      ...{ 'org.apache.camel.X': '1', host: 'evil', 'cache-control': 'no-cache', via: 'x', 'Content-Length': '99' },
      ...{ 'Transfer-Encoding': 'chunked', Connection: 'close', Expect: '100-continue', 'Keep-Alive': 'timeout=5' },
    });
    assert.equal(exception, undefined);
    const { host, connection, 'x-t': shownDate, ...headers } = asked().headers;
    assert.deepEqual([host, connection], [peer.host, 'keep-alive']);
    assert.match(String(shownDate), /^Thu Jan 01 00:00:00 UTC 1970$/);
    assert.deepEqual(headers, {
      ...{ 'content-type': 'text/plain', 'content-length': '5', 'x-a': '1', 'x-l': '[a, b]', 'x-i': '5', 'x-d': '1.5' },
      ...{ authorization: 'Bearer x', accept: 'text/html', 'user-agent': 'Millrace' },
      'accept-encoding': 'gzip, x-gzip, deflate',
    });
  });

  it('refuses a header that HTTP does not have', async () => {
    for (const headers of [{ 'a b': '1' }, { 'X-A': 'one\r\nX-B: two' }, { 'X-A': 'snow ☃' }]) {
      const { type, message } = await failure('/echo', 'hello', headers);
      assert.equal(type, 'java.lang.IllegalArgumentException');
      assert.match(message, /cannot be sent/);
    }
    assert.equal(peer.asked.length, 0);
  });

  it('leaves headers out, and sends a host, an agent and the end of the connection as it is told', async () => {
    await send('/echo?skipRequestHeaders=true', null, { 'X-A': '1' });
    assert.equal(asked().headers['x-a'], undefined);
    await send('/echo?userAgent=mine&connectionClose=true&customHostHeader=h.example');
    const { host, connection, 'user-agent': agent } = asked().headers;
    assert.deepEqual([host, connection, agent], ['h.example', 'close', 'mine']);
    await send('/echo?preserveHostHeader=true', null, { Host: 'kept.example' });
    assert.equal(asked().headers.host, 'kept.example');
    await send('/echo?bridgeEndpoint=true', null, { CamelHttpQuery: 'x=1&y=2', x: '1', z: '3' });
    assert.deepEqual([asked().url, asked().headers.x, asked().headers.z], ['/echo?x=1&y=2', undefined, '3']);
  });

  it('sends texts by their charset, bytes as they are, and refuses what has none', async () => {
    await send('/echo', 'hëllo', { 'Content-Type': 'text/plain' });
    assert.equal(asked().body.toString(), 'hëllo');
    await send('/echo', 'hëllo', { 'Content-Type': 'text/plain; charset=ISO-8859-1' });
    assert.equal(asked().body.toString('latin1'), 'hëllo');
    await send('/echo', Buffer.from([0, 255]));
    assert.deepEqual([...asked().body], [0, 255]);
    await send('/echo', 'zipped', { 'Content-Encoding': 'gzip' });
    assert.equal(gunzipSync(asked().body).toString(), 'zipped');
    for (const body of [5, { a: 1 }, [1]])
      assert.equal((await failure('/echo', body)).type, 'org.apache.camel.InvalidPayloadException');
  });

  it('sends a stream piece by piece', async () => {
    const pieces = (async function* () {
      for (let count = 0; count < 100; count++) yield Buffer.alloc(10_000, 'x');
    })();
    const { exception } = await send('/echo', new StreamCache(pieces));
    assert.equal(exception, undefined);
    assert.equal(asked().body.length, 1_000_000);
    assert.equal(asked().headers['transfer-encoding'], 'chunked');
  });

  it('goes on with the answer: its status, its headers beside those that were sent, its body', async () => {
    peer.on('/evil', (response) => {
      response.writeHead(200, {
        ...{ CamelFoo: 'x', camelbar: 'y', 'org.apache.camel.z': '1', 'X-Multi': ['a', 'b'], 'X-List': '[a, b]' },
        'Content-Type': 'text/plain',
      });
      response.end('ok');
    });
    const sent = { 'X-A': '1', 'Content-Type': 'text/xml', CamelHttpMethod: 'POST', ETag: 'e', CamelOwn: '7' };
    const exchange = await send('/evil', 'hello', sent);
    const headers = Object.fromEntries(
      [...exchange.headers].filter(([name]) => !/^(date|connection|keep-alive|transfer-encoding)$/i.test(name)),
    );
    assert.deepEqual(headers, {
      ...{ CamelHttpResponseCode: 200, CamelHttpResponseText: 'OK', 'X-Multi': ['a', 'b'], 'X-List': ['a', 'b'] },
      ...{ 'Content-Type': 'text/plain', 'X-A': '1', CamelHttpMethod: 'POST', CamelOwn: '7' },
    });
    assert.equal(exchange.properties.get('CamelCharsetName'), 'UTF-8');
    assert.equal(await text(exchange), 'ok');
    assert.equal((await send('/evil?copyHeaders=false', null, sent)).headers.get('X-A'), undefined);
    const skipped = await send('/evil?skipResponseHeaders=true', null, { 'X-A': '1' });
    assert.deepEqual(
      [...skipped.headers],
      [
        ['CamelHttpResponseCode', 200],
        ['CamelHttpResponseText', 'OK'],
        ['X-A', '1'],
      ],
    );
  });

  it('has a body as Camel has it: bytes of a known length, else a stream that can be read again; nothing where there is none', async () => {
    peer.on('/long', (response) => response.writeHead(200, { 'Content-Length': 9000 }).end('x'.repeat(9000)));
    peer.on('/short', (response) => response.writeHead(200, { 'Content-Length': 5 }).end('12345'));
    peer.on('/chunked', (response) => response.writeHead(200).end());
    peer.on('/none', (response) => response.writeHead(204).end());
    const long = await send('/long');
    assert.ok(long.body instanceof StreamCache);
    for (const _ of 'ab') assert.equal(String(await text(long)).length, 9000);
    assert.deepEqual((await send('/short')).body, Buffer.from('12345'));
    const chunked = await send('/chunked');
    assert.ok(chunked.body instanceof StreamCache);
    assert.equal(await text(chunked), '');
    for (const path of ['/none', '/short?httpMethod=HEAD', '/short?ignoreResponseBody=true'])
      assert.equal((await send(path)).body, null, path);
  });

  it('unpacks answers, and knows their charset', async () => {
    peer.on('/gzip', (response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('zipped')));
    peer.on('/deflate', (response) =>
      response.writeHead(200, { 'Content-Encoding': 'deflate' }).end(deflateSync('zipped')),
    );
    peer.on('/broken', (response) =>
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('nothing of that kind'),
    );
    peer.on('/latin', (response) =>
      response.writeHead(200, { 'Content-Type': 'text/plain; charset=ISO-8859-1' }).end(Buffer.from('äöü', 'latin1')),
    );
    for (const path of ['/gzip', '/deflate', '/gzip?bridgeEndpoint=true']) {
      const exchange = await send(path);
      assert.equal(await text(exchange), 'zipped');
      assert.equal(exchange.headers.get('Content-Encoding'), undefined);
    }
    assert.equal((await failure('/broken')).type, 'java.util.zip.ZipException');
    assert.equal(await text(await send('/latin')), 'äöü');
  });

  it('hands on what is too long for memory as a stream, and gives its connection back when the exchange is over', async () => {
    tested.context.close();
    tested = new Routes({}, { httpHosts: ['127.0.0.1'], bodyMax: 100_000 });
    let isGone: (() => void) | undefined;
    const gone = new Promise<void>((resolve) => {
      isGone = resolve;
    });
    peer.on('/large', (response) => {
      response.writeHead(200).write(Buffer.alloc(1_000_000, 'x'));
      response.once('close', () => isGone?.());
    });
    const exchange = await send('/large');
    assert.equal(exchange.exception, undefined);
    assert.ok(exchange.body instanceof StreamCache && exchange.body.bytes === undefined);
    await gone;
  });

  it('fails with what a server answers beside what was wanted', async () => {
    peer.on('/status', (response, { url }) => {
      const status = Number(url.split('=').at(-1));
      response
        .writeHead(status, { 'X-A': '1', ...(status === 302 && { Location: '/echo?r=1' }) })
        .end(`body of ${status}`);
    });
    const found = await failure('/status?s=404');
    const at = `http://${peer.host}/status?s=404`;
    assert.equal(found.type, 'org.apache.camel.http.base.HttpOperationFailedException');
    assert.equal(found.message, `HTTP operation failed invoking ${at} with statusCode: 404`);
    const { statusCode, statusText, responseBody, redirectLocation, uri, responseHeaders } = members(found);
    assert.deepEqual(
      [statusCode, statusText, responseBody, redirectLocation, uri],
      [404, 'Not Found', 'body of 404', null, at],
    );
    assert.equal((responseHeaders as Record<string, string>)['X-A'], '1');
    const moved = await failure('/status?s=302');
    assert.match(moved.message, /with statusCode: 302, redirectLocation: \/echo\?r=1$/);
    assert.deepEqual([members(moved).redirectLocation, members(moved).isRedirectError], ['/echo?r=1', true]);
    const exchange = await send('/status?s=404', null, { 'X-B': '1' });
    assert.deepEqual(
      [...exchange.headers],
      [
        ['X-B', '1'],
        ['CamelHttpResponseCode', 404],
        ['CamelHttpResponseText', 'Not Found'],
      ],
    );
    for (const [options, status, isOk] of [
      ['throwExceptionOnFailure=false', 500, true],
      ['okStatusCodeRange=200-299,404', 404, true],
      ['okStatusCodeRange=200', 201, false],
    ] as const)
      assert.equal((await send(`/status?${options}&s=${status}`)).exception === undefined, isOk, options);
  });

  it('tells routes what failed by its getters, and no secrets', async () => {
    peer.on('/no', (response) => response.writeHead(418).end('tea'));
    tested = await routes(
      `
- route:
    from:
      uri: direct:a
      steps:
        - doTry:
            steps: [{ to: "http://${peer.host}/no?password=hush&token=RAW(a+b)" }]
            doCatch:
              - exception: [org.apache.camel.http.base.HttpOperationFailedException]
                steps:
                  - setBody:
                      simple: "\${exception.statusCode} \${exception.responseBody} \${exception.getStatusText()} \${exception.message}"
`,
      {},
      { httpHosts: ['127.0.0.1'] },
    );
    const { body } = await tested.send('direct:a');
    const uri = `http://${peer.host}/no?password=***&token=***`;
    assert.equal(body, `418 tea I'm a Teapot HTTP operation failed invoking ${uri} with statusCode: 418`);
  });

  it('follows redirects where it is told to', async () => {
    for (const status of [301, 302, 303, 307, 308])
      peer.on(`/to${status}`, (response) => response.writeHead(status, { Location: '/echo?r=1' }).end());
    for (const [status, body, method, sent] of [
      ...([
        [301, null, 'GET', ''],
        [302, 'hello', 'GET', ''],
        [303, 'hello', 'GET', ''],
      ] as const),
      ...([
        [307, 'hello', 'POST', 'hello'],
        [308, 'hello', 'POST', 'hello'],
      ] as const),
    ] as const) {
      const { exception } = await send(
        `/to${status}?followRedirects=true`.replace('?', '?'),
        body,
        body === null ? {} : { CamelHttpMethod: 'POST' },
      );
      assert.equal(exception, undefined);
      assert.deepEqual(
        [asked().method, asked().url, asked().body.toString()],
        [method, '/echo?r=1', sent],
        String(status),
      );
    }
    peer.on('/loop', (response) => response.writeHead(302, { Location: '/loop' }).end());
    const loop = await failure('/loop?followRedirects=true');
    assert.equal(loop.type, 'org.apache.hc.client5.http.ClientProtocolException');
    assert.equal(loop.message, `Circular redirect to 'http://${peer.host}/loop'`);
    peer.on('/more', (response, { url }) =>
      response.writeHead(302, { Location: `/more?n=${url.length}${url.slice(8)}` }).end(),
    );
    assert.match((await failure('/more?followRedirects=true')).message, /Maximum redirects \(50\) exceeded/);
  });

  it('follows none to another host that would take along what is for one alone', async () => {
    const [, port] = peer.host.split(':');
    peer.on('/away', (response) => response.writeHead(302, { Location: `http://localhost:${port}/echo` }).end());
    const headers = { Authorization: 'Bearer x' };
    assert.equal(members(await failure('/away?followRedirects=true', null, headers)).statusCode, 302);
    assert.equal((await send('/away?followRedirects=true')).exception, undefined);
    const own = 'authMethod=Basic&authUsername=u&authPassword=p&authenticationPreemptive=true';
    assert.equal((await send(`/away?followRedirects=true&${own}`)).exception, undefined);
    assert.equal(asked().headers.authorization, undefined);
  });

  it('shows its credentials: when it is asked, at once, or a token', async () => {
    peer.on('/asks', (response, { headers }) => {
      if (headers.authorization === undefined) response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="x"' }).end();
      else response.end(String(headers.authorization));
    });
    const own = 'authUsername=u&authPassword=p';
    assert.equal(await text(await send(`/asks?authMethod=Basic&${own}`)), 'Basic dTpw');
    assert.equal(peer.asked.length, 2);
    assert.equal(await text(await send(`/asks?${own}&authenticationPreemptive=true`)), 'Basic dTpw');
    assert.equal(peer.asked.length, 3);
    assert.equal(await text(await send('/asks?authMethod=Bearer&authBearerToken=tok')), 'Bearer tok');
    assert.equal(members(await failure(`/asks?${own}&authHost=other.example`)).statusCode, 401);
    await assert.rejects(send('/asks?authMethod=Bearer'), /expected authBearerToken/);
  });

  it('says what keeps it from its answer as Camel does', async () => {
    peer.on('/cut', (response) => {
      response.writeHead(200, { 'Content-Length': 50 });
      response.write('12345', () => response.destroy());
    });
    peer.on('/hang', (response) => response.destroy());
    peer.on('/silent', () => {});
    for (const [path, type, message] of [
      ['/cut', 'org.apache.hc.core5.http.ConnectionClosedException', /Premature end/],
      ['/hang', 'org.apache.hc.core5.http.NoHttpResponseException', /^127\.0\.0\.1:\d+ failed to respond$/],
      ['/silent?responseTimeout=50', 'java.net.SocketTimeoutException', /^Read timed out$/],
      ['/silent?soTimeout=50', 'java.net.SocketTimeoutException', /^Read timed out$/],
    ] as const) {
      const found = await failure(path);
      assert.equal(found.type, type, path);
      assert.match(found.message, message);
    }
    const { exception } = await tested.send('http://127.0.0.1:1/x');
    assert.match(
      String(exception),
      /HttpHostConnectException: Connect to http:\/\/127\.0\.0\.1:1 failed: Connection refused/,
    );
  });

  it('refuses addresses that are none', async () => {
    for (const [uri, headers, message] of [
      ['http:', {}, /expected a path/],
      ['http:///x', {}, /expected a host/],
      ['http://user:pass@127.0.0.1/x', {}, /userinfo/],
      ['http://127.0.0.1:99999/x', {}, /Invalid url/],
      ['http://127.0.0.1/x', { CamelHttpUri: 'nonsense' }, /Invalid url: nonsense.* bridgeEndpoint/],
      ['http://127.0.0.1/x', { CamelHttpUri: '' }, /Invalid url/],
      ['http://127.0.0.1/x', { CamelHttpUri: 'ftp://127.0.0.1/y' }, /Invalid url/],
      ['http://127.0.0.1/x', { CamelHttpMethod: 'CONNECT' }, /no method: CONNECT/],
      ['http://127.0.0.1/x?okStatusCodeRange=abc', {}, /okStatusCodeRange/],
      ['http://127.0.0.1/x?proxyHost=p', {}, /proxyHost is not supported/],
      ['http://127.0.0.1/x?authMethod=NTLM', {}, /expected authMethod to be one of Basic, Bearer/],
    ] as const) {
      const thrown = await tested.send(uri, null, headers).then(
        ({ exception }) => exception,
        (error: unknown) => error,
      );
      assert.match(String(thrown), message, uri);
    }
  });

  it('takes the address in each form that Camel takes', async () => {
    for (const uri of [`http:${peer.host}/echo`, `http:http://${peer.host}/echo`, `https:http://${peer.host}/echo`]) {
      assert.equal((await tested.send(uri)).exception, undefined, uri);
      assert.equal(asked().url, '/echo');
    }
  });
});
