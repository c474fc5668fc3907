import assert from 'node:assert/strict';
import { fillAsStarted as fill } from '../../support/first-start.js';
import { basic, type Reply, type TestServer, testServer } from '../../support/test-server.js';
import { fileOf, LAST_MODIFIED, MemoryFiles, wireOfFiles } from './support/memory-files.js';

const files = new MemoryFiles({
  'web/content/page.html': fileOf('page.html', 'text/html', '<p>page</p>'),
  'web/content/page.svg': fileOf('page.svg', 'image/svg+xml', '<svg/>'),
  'web/content/page.gsp': fileOf('page.gsp', 'application/octet-stream', '<p>page</p>'),
  'web/content/notes.txt': fileOf('notes.txt', 'text/plain', '0123456789'),
  'web/content/secret.html': fileOf('secret.html', 'text/html', '<p>secret</p>', { isPublic: false }),
  'web/content/empty.html': fileOf('empty.html', 'text/html', ''),
});
const PATHS = [
  ...['page.html', 'page.svg', 'page.gsp', 'notes.txt', 'secret.html', 'empty.html'].flatMap((name) => [
    `/bin/download.cgi/web/content/${name}`,
    `/bin/cms.cgi/web/content/${name}`,
  ]),
  '/bin/download.cgi/web/content/page.html?attachment',
  `/bin/download.cgi/web/content/page.html?v=${LAST_MODIFIED}`,
  '/bin/download.cgi/web/content/page.html?property=thumbnail',
  '/bin/cms.cgi/web/content/page.html?v=1',
  '/bin/download-archive.cgi/web/1767225600000-00ff',
  '/bin/download-archive.cgi/web/1767225600000-00ff/report',
];

/** What an answer says of the file, without what it says of itself. */
function saidOf({ headers }: Reply): Record<string, unknown> {
  const own = ['date', 'connection', 'keep-alive', 'x-request-id', 'content-length', 'content-range'];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name)));
}

describe('the headers of a file', () => {
  let server: TestServer;
  before(async () => {
    server = await testServer({
      fill,
      users: [{ userId: 'ann', password: 'ann' }],
      wire: wireOfFiles(files),
    });
  });
  after(() => server.remove());

  const ask = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    server.call(path, { method, headers: { ...basic('ann', 'ann'), ...headers } });

  for (const path of PATHS) {
    it(`are the same whatever status the answer has, at ${path}`, async () => {
      const whole = await ask(path);
      assert.equal(whole.status, 200);
      const said = saidOf(whole);
      const validators: Record<string, string>[] = [
        { 'If-None-Match': String(whole.headers.etag) },
        { 'If-None-Match': '*' },
        { 'If-Modified-Since': String(whole.headers['last-modified']) },
      ];
      for (const method of ['GET', 'HEAD']) {
        for (const headers of validators) {
          const same = await ask(path, headers, method);
          assert.deepEqual([same.status, same.text, saidOf(same)], [304, '', said]);
        }
        const { status, headers } = await ask(path, { 'If-Match': '"other"' }, method);
        assert.deepEqual([status, headers['content-security-policy']], [412, said['content-security-policy']]);
      }
      assert.deepEqual(saidOf(await ask(path, {}, 'HEAD')), said);
      const part = await ask(path, { Range: 'bytes=0-1' });
      if (whole.text.length > 0) assert.deepEqual([part.status, saidOf(part)], [206, said]);
      const none = await ask(path, { Range: 'bytes=1000-' });
      const policy = none.headers['content-security-policy'];
      assert.deepEqual([none.status, policy], [416, said['content-security-policy']]);
    });
  }

  it('are no longer those of a tag that was given when they were others', async () => {
    const tagOf = async (path: string) => String((await ask(path)).headers.etag);
    const path = '/bin/cms.cgi/web/content';
    assert.notEqual(await tagOf(`${path}/page.html`), await tagOf(`${path}/empty.html`));
    assert.notEqual(await tagOf(`${path}/page.html`), await tagOf(`${path}/page.html?v=1`));
  });
});
