import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fillAsStarted as fill } from '../../support/first-start.js';
import { basic, type CallInit, type Reply, type TestServer, testServer } from '../../support/test-server.js';
import { fileOf, MemoryFiles, wireOfFiles } from '../download/support/memory-files.js';

const ORIGIN = 'https://Content.Example';
const HOST = { Host: 'content.example' };
const ann = basic('ann', 'ann');

const files = new MemoryFiles({
  'web/content': 'folder',
  'web/content/index.html': fileOf('index.html', 'text/html', '<p>page</p>'),
  'web/content/worker.js': fileOf('worker.js', 'text/javascript', '1'),
  'web/content/private/x.html': fileOf('x.html', 'text/html', 'private', { isPublic: false }),
  'system/content/webtop/index.html': fileOf('index.html', 'text/html', 'desktop'),
  'system/content/webtop/picture.svg': fileOf('picture.svg', 'image/svg+xml', '<svg/>'),
});
const PAGE = '/bin/cms.cgi/web/content/index.html';

const reasonOf = (reply: Reply) =>
  (reply.json() as { errors: { extensions: { reason: string } }[] }).errors[0]?.extensions.reason;

describe('the origin of content', () => {
  let server: TestServer;
  before(async () => {
    server = await testServer({
      fill,
      env: { MILLRACE_CONTENT_ORIGIN: ORIGIN },
      users: [{ userId: 'ann', password: 'ann' }],
      wire: wireOfFiles(files),
    });
  });
  after(() => server.remove());

  const ask = (path: string, headers: CallInit['headers'] = {}, method = 'GET') =>
    server.call(path, { method, headers: { ...HOST, ...headers } });

  it('has pages that may do what pages may do, and be framed by the server itself', async () => {
    for (const host of ['content.example', 'CONTENT.example']) {
      const { status, headers, text } = await ask(PAGE, { Host: host });
      assert.deepEqual([status, text], [200, '<p>page</p>']);
      assert.equal(headers['content-security-policy'], `frame-ancestors 'self' ${server.baseUrl}`);
    }
    assert.equal((await ask('/bin/cms.cgi/web/content/')).headers.location, PAGE);
    assert.equal((await ask(PAGE, {}, 'HEAD')).status, 200);
  });

  it('knows nobody, whatever a request brings', async () => {
    const path = '/bin/cms.cgi/web/content/private/x.html';
    assert.equal((await server.call(path, { headers: ann })).status, 200);
    assert.equal((await ask(path, ann)).status, 403);
    assert.equal((await ask(path, basic('ann', 'wrong'))).status, 403);
  });

  it('has neither API nor sign-in nor anything else', async () => {
    for (const path of [
      '/',
      '/console',
      '/health/live',
      '/bin/graphql.cgi/web?query={a}',
      '/bin/graphql.cgi/web/stream',
      '/bin/download.cgi/web/content/index.html',
      '/bin/download-archive.cgi/web/1767225600000-00ff',
      '/bin/auth.cgi/saml2/login',
      '/bin/auth.cgi/saml2/logout',
      '/idp/api/sp',
      '/bin/cms.cgi',
      '/BIN/cms.cgi/web/content/index.html',
      '//bin/cms.cgi/web/content/index.html',
    ]) {
      const reply = await ask(path, ann);
      assert.deepEqual([reply.status, reasonOf(reply)], [404, 'content_origin'], path);
    }
    for (const [method, path] of [
      ['POST', '/bin/graphql.cgi/web'],
      ['POST', '/auth/login'],
      ['POST', PAGE],
      ['OPTIONS', PAGE],
    ] as const) {
      const headers = { ...ann, 'Content-Type': 'application/vnd.cms.preview+json' };
      const reply = await ask(path, headers, method);
      assert.deepEqual([reply.status, reply.headers.allow], [405, 'GET, HEAD'], `${method} ${path}`);
    }
  });

  it('is told by the host alone: no other name of the server is it', async () => {
    for (const host of ['content.example:444', 'content.example.', 'other.example', `127.0.0.1:${server.port}`]) {
      const { headers } = await ask(PAGE, { Host: host });
      assert.match(String(headers['content-security-policy']), /^sandbox allow-scripts /, host);
      assert.equal((await ask('/bin/graphql.cgi/web', { Host: host })).status, 200, host);
    }
  });

  it('is not there for a request that names no host', async () => {
    const socket = connect(server.port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.write(`GET ${PAGE} HTTP/1.0\r\n\r\n`);
    await once(socket, 'close');
    assert.match(Buffer.concat(chunks).toString(), /Content-Security-Policy: sandbox allow-scripts /i);
  });

  it('may have service workers, which the server itself has not', async () => {
    const worker = { 'Service-Worker': 'script' };
    assert.equal((await ask('/bin/cms.cgi/web/content/worker.js', worker)).status, 200);
    for (const path of [
      '/bin/cms.cgi/web/content/worker.js',
      '/bin/download.cgi/web/content/worker.js',
      '/bin/cms.cgi/web/content/none.js',
      '/bin/cms.cgi/system/content/webtop/index.html',
    ]) {
      const reply = await server.call(path, { headers: { ...ann, ...worker } });
      assert.deepEqual([reply.status, reasonOf(reply)], [403, 'service_worker'], path);
    }
  });
});

describe('pages of the tree at the address of the server', () => {
  let server: TestServer;
  before(async () => {
    server = await testServer({
      fill,
      users: [{ userId: 'ann', password: 'ann' }],
      wire: wireOfFiles(files),
    });
  });
  after(() => server.remove());

  const headersOf = async (path: string, init: CallInit = {}) => (await server.call(path, init)).headers;
  const SANDBOX = "sandbox allow-scripts allow-forms allow-popups allow-downloads; frame-ancestors 'self'";

  it('run in a sandbox without an origin, and what cannot run is not in it', async () => {
    assert.equal((await headersOf(PAGE))['content-security-policy'], SANDBOX);
    const script = await headersOf('/bin/cms.cgi/web/content/worker.js');
    assert.equal(script['content-security-policy'], "frame-ancestors 'self'");
    const preview = await headersOf(PAGE, {
      method: 'POST',
      headers: { ...ann, 'Content-Type': 'application/vnd.cms.preview+json' },
      body: '{"content":""}',
    });
    assert.equal(preview['content-security-policy'], SANDBOX);
  });

  it("of the desktop do not, as long as that is the administrators'", async () => {
    for (const name of ['index.html', 'picture.svg']) {
      const path = `/bin/cms.cgi/system/content/webtop/${name}`;
      const trusted = await headersOf(path);
      assert.equal(trusted['content-security-policy'], "frame-ancestors 'self'");
      files.isTrusted = false;
      assert.equal((await headersOf(path))['content-security-policy'], SANDBOX);
      // A browser that has it as it was trusted gets it anew: not all of them take the headers of a 304.
      const again = await server.call(path, { headers: { 'If-None-Match': String(trusted.etag) } });
      assert.equal(again.status, 200);
      files.isTrusted = true;
      // What a browser may keep without asking stays trusted, and would load what others have written since.
      assert.equal((await headersOf(`${path}?v=1`))['cache-control'], 'no-cache, must-revalidate');
    }
  });

  it('may be read by any page where anybody may read them, and by none where not', async () => {
    const shared = (headers: Reply['headers']) => [
      headers['access-control-allow-origin'],
      headers['access-control-allow-credentials'],
      headers['cross-origin-resource-policy'],
    ];
    for (const [path, init] of [
      [PAGE, {}],
      [PAGE, { headers: ann }],
      [PAGE, { headers: { Origin: 'null' } }],
      ['/bin/cms.cgi/web/content/', {}],
      ['/bin/cms.cgi/web/content/none', {}],
      ['/bin/cms.cgi/web/content/private/x.html', {}],
    ] as const) {
      assert.deepEqual(shared(await headersOf(path, init)), ['*', undefined, 'cross-origin'], path);
    }
    for (const path of [
      '/bin/cms.cgi/web/content/private/x.html',
      '/bin/cms.cgi/web/content/none',
      '/bin/download.cgi/web/content/index.html',
      '/bin/graphql.cgi/web',
      '/bin/auth.cgi/saml2/login',
      '/health/live',
    ]) {
      assert.deepEqual(shared(await headersOf(path, { headers: ann })), [undefined, undefined, 'same-origin'], path);
    }
  });
});
