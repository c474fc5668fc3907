import assert from 'node:assert/strict';
import { isPublic, PUBLIC_PATHS } from '../../src/server/http/public-paths.js';
import { makeWire } from '../../src/server/wire/wire.js';
import { dataFolder } from '../support/data-folder.js';
import { fillAsStarted } from '../support/first-start.js';
import { logSettings } from '../support/log-of-run.js';
import { basic, type TestServer, testServer } from '../support/test-server.js';

/** Where else the server answers: what has a route, and what has none. */
const OTHERS = [
  '/bin/graphql.cgi/web',
  '/bin/graphql.cgi/system',
  '/bin/graphql.cgi/none',
  '/bin/graphql.cgi/web/stream',
  '/bin/graphql.cgi/system/stream',
  '/bin/download.cgi',
  '/bin/download.cgi/web/content/secret.txt',
  '/bin/download.cgi/none/content',
  '/bin/download-archive.cgi/web/1767225600000-0a1b',
  '/bin/download-archive.cgi/web/1767225600000-0a1b/report',
  '/bin/none.cgi',
  '/routes/web/none',
  '/routes/none/none',
  '/routes',
  '/etc/passwd',
  '/content/index.html',
  '/console',
  '/metrics',
  '/auth',
  '/auth/login/more',
  // What looks like a public path is none.
  '//health/live',
  '/HEALTH/live',
  '/healthy',
  '/Bin/cms.cgi/web/content',
  '/%68ealth/live',
  '/bin/cms.cgi%2f..%2fdownload.cgi/web/content',
];

describe('whoever has no session', () => {
  let server: TestServer;
  const folder = dataFolder();
  before(async () => {
    await fillAsStarted(folder.path);
    server = await testServer({ wire: makeWire, folder: folder.path, env: await logSettings(folder.path) });
  });
  after(async () => {
    await server.remove();
    folder.remove();
  });

  it('is answered at the public paths', async () => {
    for (const { path } of PUBLIC_PATHS) {
      const { status } = await server.call(path, { headers: { Accept: 'text/html' } });
      assert.notEqual(status, 401, path);
    }
  });

  it('gets 401 at all others, by every method', async () => {
    for (const path of OTHERS) {
      assert.equal(isPublic(path), false, path);
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const { status, headers } = await server.call(path, { method });
        // What GraphQL never takes is refused before anybody is asked who it is.
        const isNever = path.startsWith('/bin/graphql.cgi/') && status === 405;
        if (isNever) assert.notEqual(method, 'POST', path);
        else assert.deepEqual([status, typeof headers['www-authenticate']], [401, 'string'], `${method} ${path}`);
      }
    }
  });

  it('is no one whose credentials are wrong', async () => {
    for (const path of ['/bin/download.cgi/web/content', '/none'])
      assert.equal((await server.call(path, { headers: basic('admin', 'wrong') })).status, 401);
  });

  it('learns of no path whether there is something; whoever is signed in does', async () => {
    const texts = new Set<string>();
    for (const path of ['/none', '/bin/download.cgi/web/none']) texts.add((await server.call(path)).text);
    assert.equal(texts.size, 1);
    const { status } = await server.call('/none', { headers: basic('admin', 'a password for tests') });
    assert.equal(status, 404);
  });
});
