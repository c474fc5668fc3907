import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { buildSchema } from 'graphql';
import { createGraphqlHandler } from '../../../src/graphql/index.js';
import type { Unready } from '../../../src/server/http/readiness.js';
import { fillAsStarted as fill } from '../../support/first-start.js';
import {
  ADMIN_PASSWORD,
  basic,
  call,
  type Reply,
  type TestServer,
  testServer,
  wireOf,
} from '../../support/test-server.js';

/** Domains that are there at once, for what is about the front alone. */
const wire = async () => wireOf({ graphql: (_req, res) => void res.end() });
const errorOf = (reply: Reply) =>
  (reply.json() as { errors: { message: string; extensions: { code: string; reason: string } }[] }).errors[0];

/** Sends bytes as they are and gives all that comes back until the server closes the connection. */
async function raw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => {});
  socket.write(bytes);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}

describe('the HTTP front', () => {
  let server: TestServer;
  before(async () => {
    server = await testServer({ fill });
  });
  after(() => server.remove());

  it('tells that it lives and that it is ready', async () => {
    const [live, ready] = [await server.call('/health/live'), await server.call('/health/ready')];
    assert.deepEqual([live.status, live.json()], [200, { status: 'live' }]);
    assert.deepEqual([ready.status, ready.json()], [200, { status: 'ready' }]);
  });

  it('lets pages of allowed origins sign in, and no others', async () => {
    const shared = await testServer({ fill, env: { MILLRACE_ALLOWED_ORIGINS: 'http://front.example' } });
    const preflight = (origin: string, path = '/auth/login') =>
      shared.call(path, {
        method: 'OPTIONS',
        headers: { Origin: origin, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'a,b' },
      });
    const { status, headers } = await preflight('http://front.example');
    assert.deepEqual(
      [status, headers['access-control-allow-origin'], headers['access-control-allow-headers'], headers.vary],
      [204, 'http://front.example', 'a,b', 'origin'],
    );
    assert.equal(headers['access-control-allow-credentials'], 'true');
    for (const reply of [
      await preflight('http://other.example'),
      await preflight('http://front.example', '/nowhere'),
    ]) {
      assert.notEqual(reply.status, 204);
      assert.equal(reply.headers['access-control-allow-origin'], undefined);
    }
    await shared.remove();
  });

  it('says at the root what it is: to browsers by a page of links, to programs in some lines', async () => {
    const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const page = await server.call('/', { headers: { Accept: BROWSER } });
    assert.deepEqual([page.status, page.headers['content-type']], [200, 'text/html; charset=utf-8']);
    const links = [...page.text.matchAll(/href="([^"]+)"/g)].map(([, path]) => path);
    for (const path of ['/graphiql', '/docs/', '/health/ready', '/bin/cms.cgi/web/content/'])
      assert.ok(links.includes(path));
    for (const Accept of ['*/*', 'application/json', undefined]) {
      const text = await server.call('/', { headers: Accept === undefined ? {} : { Accept } });
      assert.deepEqual([text.status, text.headers['content-type']], [200, 'text/plain; charset=utf-8'], Accept);
      assert.match(text.text, /^Millrace\n.*\n\n {2}\/bin\/graphql\.cgi\/web /);
    }
  });

  it('shows the pages of its documentation, and nothing beside them', async () => {
    const { text } = await server.call('/docs/');
    for (const [, path = ''] of text.matchAll(/<a href="([^"]+)"/g)) {
      const page = await server.call(path);
      assert.deepEqual([page.status, page.headers['content-type']], [200, 'text/plain; charset=utf-8'], path);
    }
    assert.match((await server.call('/docs/settings.md')).text, /^# Settings/);
    assert.match(text, /<a href="\/docs\/content\/access\.md"/);
    for (const path of ['/docs/none.md', '/docs/..%2fREADME.md', '/docs/%2e%2e/package.json'])
      assert.equal((await server.call(path)).status, 404, path);
  });

  it('answers what is not there with JSON that names the path and nothing else of the request', async () => {
    const reply = await server.call('/nowhere?secret=1', { method: 'DELETE', headers: basic('admin', ADMIN_PASSWORD) });
    assert.equal(reply.status, 404);
    assert.equal(errorOf(reply)?.message, "expected a path of this server, but there is nothing at '/nowhere'");
    assert.equal(errorOf(reply)?.extensions.code, 'NOT_FOUND');
  });

  it('keeps browsers from doing harm with any answer', async () => {
    for (const path of ['/', '/health/live', '/bin/graphql.cgi/web', '/nowhere', '/bin/auth.cgi/saml2/login']) {
      const { headers } = await server.call(path);
      assert.equal(headers['x-content-type-options'], 'nosniff', path);
      assert.equal(headers['x-frame-options'], 'SAMEORIGIN', path);
      assert.match(String(headers['content-security-policy']), /^default-src 'self';.*frame-ancestors 'self'/, path);
      assert.equal(headers['strict-transport-security'], undefined, path);
      assert.equal(headers['x-powered-by'], undefined, path);
    }
  });

  it('never answers that nothing has changed of what it makes anew each time', async () => {
    const headers = { 'If-None-Match': '*', 'If-Modified-Since': new Date(Date.now() + 60_000).toUTCString() };
    const paths = ['/', '/graphiql', '/docs', '/health/live', '/health/ready', '/nowhere', '/idp/api/sp'];
    for (const path of [...paths, '/bin/graphql.cgi/web?query={a}', '/bin/auth.cgi/saml2/login', '/bin/cms.cgi']) {
      for (const method of ['GET', 'HEAD']) {
        const reply = await server.call(path, { method, headers });
        assert.notEqual(reply.status, 304, path);
        assert.equal(reply.headers.etag, undefined, path);
      }
    }
  });

  it('names every request, by the name that the client gave if that is a harmless word', async () => {
    const idFor = async (given?: string) => {
      const headers = given === undefined ? {} : { 'X-Request-Id': given };
      return String((await server.call('/health/live', { headers })).headers['x-request-id']);
    };
    assert.equal(await idFor('job-7:a.b'), 'job-7:a.b');
    assert.match(await idFor(), /^[\da-f-]{36}$/);
    assert.match(await idFor('<script>'), /^[\da-f-]{36}$/);
    assert.match(await idFor('x'.repeat(200)), /^[\da-f-]{36}$/);
  });

  it('answers malformed paths with 400', async () => {
    assert.match(
      await raw(server.port, 'GET /auth/%ZZ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
      /^HTTP\/1\.1 4\d\d /,
    );
    assert.match(await raw(server.port, 'nonsense\r\n\r\n'), /^HTTP\/1\.1 400 /);
  });

  it('takes targets in absolute form, as proxies are asked', async () => {
    const reply = await raw(
      server.port,
      'GET http://millrace.example/health/live?x=1 HTTP/1.1\r\nHost: other\r\nConnection: close\r\n\r\n',
    );
    assert.match(reply, /^HTTP\/1\.1 200 /);
    const root = await raw(
      server.port,
      'GET http://u:p@millrace.example HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    assert.match(root, /^HTTP\/1\.1 200 [\s\S]*\r\n\r\nMillrace\n/);
  });

  it('says which methods a path takes', async () => {
    const cases = {
      'GET /auth/login': 'POST',
      'DELETE /auth/logout': 'POST',
      'PUT /bin/auth.cgi/saml2/login': 'GET, HEAD, POST',
      'POST /idp/api/sp': 'GET, HEAD',
      'POST /health/ready': 'GET, HEAD',
    };
    for (const [line, allowed] of Object.entries(cases)) {
      const [method = '', path = ''] = line.split(' ');
      const reply = await server.call(path, { method });
      assert.deepEqual([reply.status, reply.headers.allow], [405, allowed], line);
    }
  });

  it('refuses headers that are too large with 431', async () => {
    const reply = await raw(server.port, `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(17 * 1024)}\r\n\r\n`);
    assert.match(reply, /^HTTP\/1\.1 431 /);
  });
});

describe('a front that waits for little', () => {
  let server: TestServer;
  before(async () => {
    const env = { MILLRACE_HEADERS_TIMEOUT: '200ms', MILLRACE_REQUEST_TIMEOUT: '400ms' };
    server = await testServer({ fill, env });
  });
  after(() => server.remove());

  it('gives up on clients that send their headers too slowly, with 408', async () => {
    assert.match(await raw(server.port, 'GET / HTTP/1.1\r\nHost: x\r\n'), /^HTTP\/1\.1 408 /);
  });

  it('gives up on clients that send their body too slowly', async () => {
    const head =
      'POST /auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{';
    assert.match(await raw(server.port, head), /^(HTTP\/1\.1 408 |$)/);
  });
});

describe('a front with as many connections as it takes', () => {
  it('closes one more at once, and answers those that it has', async () => {
    const server = await testServer({ fill, env: { MILLRACE_CONNECTIONS_MAX: '2' } });
    const sockets = [1, 2].map(() => connect(server.port, '127.0.0.1'));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const more = raw(server.port, 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n').catch(() => '');
    assert.equal(await more, '');
    for (const socket of sockets) {
      socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      assert.match(String(await once(socket, 'data')), /^HTTP\/1\.1 200 /);
    }
    assert.equal((await server.call('/health/live')).status, 200);
    await server.remove();
  });
});

describe('a front whose domains are not there yet', () => {
  it('lives, is not ready, and refuses calls as something that passes', async () => {
    const replies: Reply[] = [];
    const server = await testServer({
      wire: async ({ baseUrl }) => {
        const port = Number(new URL(baseUrl).port);
        for (const path of ['/health/live', '/health/ready', '/bin/graphql.cgi/web']) {
          replies.push(await call(port, path));
        }
        return wireOf({ graphql: (_req, res) => res.end('called') });
      },
    });
    const [live, ready, refused] = replies;
    assert.ok(live && ready && refused);
    assert.equal(live.status, 200);
    assert.deepEqual([ready.status, ready.json()], [503, { status: 'starting' }]);
    assert.equal(refused.status, 503);
    assert.equal(errorOf(refused)?.extensions.code, 'UNAVAILABLE');
    assert.equal(refused.headers['retry-after'], '1');
    assert.equal((await server.call('/bin/graphql.cgi/web')).text, 'called');
    await server.remove();
  });

  it('tells pages of allowed origins, too, that it takes no calls yet', async () => {
    const origin = 'http://front.example';
    const replies: Reply[] = [];
    const server = await testServer({
      env: { MILLRACE_ALLOWED_ORIGINS: origin },
      wire: async ({ baseUrl }) => {
        const port = Number(new URL(baseUrl).port);
        for (const [method, from] of Object.entries({ OPTIONS: origin, POST: origin, GET: 'http://other.example' }))
          replies.push(await call(port, '/bin/graphql.cgi/web', { method, headers: { Origin: from } }));
        return wireOf({ graphql: (_req, res) => res.end('called') });
      },
    });
    const [preflight, refused, foreign] = replies;
    assert.ok(preflight && refused && foreign);
    const shown = ({ status, headers }: Reply) => [status, headers['access-control-allow-origin'], headers.vary];
    assert.deepEqual([preflight, refused, foreign].map(shown), [
      [204, origin, 'origin'],
      [503, origin, 'origin'],
      [503, undefined, 'origin'],
    ]);
    assert.match(String(refused.headers['access-control-expose-headers']), /retry-after/);
    assert.equal(refused.headers['retry-after'], '1');
    await server.remove();
  });

  it('names a call in the log as its answer does', async () => {
    const named: string[] = [];
    const graphql = createGraphqlHandler({
      schema: buildSchema('type Query { a: Int }'),
      authenticate: () => Promise.reject(new Error('away')),
      workspace: () => undefined,
      context: () => ({}),
      earliestPosition: ([first = '']) => first,
      formatError: (_thrown, { requestId }) => {
        named.push(requestId);
        return { message: 'failed' };
      },
    });
    const server = await testServer({ wire: async () => wireOf({ graphql: (req, res) => void graphql(req, res) }) });
    const own = await server.call('/bin/graphql.cgi/web', { headers: { 'X-Request-Id': 'mine' } });
    const given = await server.call('/bin/graphql.cgi/web');
    assert.deepEqual(named, ['mine', given.headers['x-request-id']]);
    assert.equal(own.headers['x-request-id'], 'mine');
    await server.remove();
  });

  it('listens while they start', async () => {
    let port = 0;
    let status = 0;
    const server = await testServer({
      wire: async ({ baseUrl }) => {
        port = Number(new URL(baseUrl).port);
        status = (await fetch(`${baseUrl}/health/ready`)).status;
        return wireOf({ graphql: (_req, res) => res.end() });
      },
    });
    assert.deepEqual([port, status], [server.port, 503]);
    await server.remove();
  });

  it('is not ready while changes cannot be made, says why, and lets calls read what is there', async () => {
    let problem: Unready | undefined = { reason: 'log_away', message: 'expected a log, but there is none' };
    const server = await testServer({
      wire: async () => wireOf({ graphql: (_req, res) => res.end('called'), unready: async () => problem }),
    });
    const away = await server.call('/health/ready');
    assert.deepEqual([away.status, away.json()], [503, { status: 'unavailable', ...problem }]);
    assert.equal((await server.call('/health/live')).status, 200);
    assert.equal((await server.call('/bin/graphql.cgi/web')).text, 'called');
    problem = undefined;
    assert.equal((await server.call('/health/ready')).status, 200);
    await server.remove();
  });

  it('gives port and data folder back when they cannot start', async () => {
    const first = await testServer({ wire });
    const { folder } = first;
    await assert.rejects(testServer({ folder }), /another one is using it/);
    const broken = testServer({
      env: { MILLRACE_DATA: `${folder}/inner` },
      wire: async () => Promise.reject(new Error('no engine')),
    });
    await assert.rejects(broken, /no engine/);
    const next = await testServer({ wire, folder: `${folder}/inner` });
    await next.remove();
    await first.remove();
  });
});

describe('a port that is taken', () => {
  it('is told with the setting that names another one', async () => {
    const first = await testServer({ wire });
    await assert.rejects(testServer({ env: { PORT: String(first.port) } }), (thrown: Error) => {
      assert.match(
        thrown.message,
        new RegExp(`expected port ${first.port} of 127.0.0.1 to be free, .*set PORT to another one`),
      );
      return true;
    });
    await first.remove();
  });
});

describe('an address that cannot be listened on', () => {
  it('is told in a sentence with the settings', async () => {
    const told = { code: 'CONFLICT', message: /^expected to listen on port 0 of .*, but: .*; set HOST or PORT$/ };
    for (const HOST of ['192.0.2.1', 'nowhere.invalid'])
      await assert.rejects(testServer({ env: { HOST } }), told, HOST);
  });
});

describe('an answer of the domains', () => {
  it('may come from routes of their own', async () => {
    const { Router } = await import('express');
    const routes = Router();
    routes.get('/bin/cms.cgi/console', (_req, res) => void res.send('console'));
    routes.get('/bin/cms.cgi/broken', () => {
      throw new TypeError('secret detail');
    });
    const server = await testServer({ wire: async () => wireOf({ graphql: (_req, res) => res.end(), routes }) });
    assert.equal((await server.call('/bin/cms.cgi/console')).text, 'console');
    const broken = await server.call('/bin/cms.cgi/broken', { headers: { 'X-Request-Id': 'r-1' } });
    assert.equal(broken.status, 500);
    assert.equal(errorOf(broken)?.extensions.code, 'INTERNAL_ERROR');
    assert.match(broken.text, /request id r-1/);
    assert.doesNotMatch(broken.text, /secret detail/);
    await server.remove();
  });
});
