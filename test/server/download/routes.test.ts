import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import type { FileSource } from '../../../src/server/download/file-access.js';
import { ServiceError } from '../../../src/shared/errors.js';
import { fillAsStarted as fill } from '../../support/first-start.js';
import { basic, type CallInit, type TestServer, testServer } from '../../support/test-server.js';
import { fileOf, LAST_MODIFIED, MemoryFiles, wireOfFiles } from './support/memory-files.js';

const ENDLESS = 1_000_000_000;
const ann = basic('ann', 'ann');
const bob = basic('bob', 'bob');

/** A file that never ends, and counts what was read of it. */
class Endless {
  read = 0;
  stream: Readable | undefined;

  readonly file = fileOf('endless', 'video/mp4', '', {
    size: ENDLESS,
    open: () => {
      this.stream = new Readable({
        read: () => {
          this.read += 65_536;
          this.stream?.push(Buffer.alloc(65_536));
        },
      });
      return this.stream;
    },
  });
}

const endless = new Endless();
const failing = (open: FileSource['open']) => fileOf('x', 'text/plain', '0123456789', { open });
const gone = () =>
  new Readable({
    read() {
      this.destroy(new ServiceError('NOT_FOUND', 'expected a blob, but there is none'));
    },
  });
const breaking = () =>
  Readable.from(
    (async function* () {
      yield Buffer.from('01234');
      await new Promise(setImmediate);
      throw new Error('the disk is broken');
    })(),
  );

const files = new MemoryFiles({
  'web/': 'other',
  'web/content': 'folder',
  'web/content/a b.txt': fileOf('Ü b.txt', 'text/plain', '0123456789', { encoding: 'ISO-8859-1' }),
  'web/content/empty': fileOf('empty', 'application/octet-stream', ''),
  'web/content/page.svg': fileOf('page.svg', 'image/svg+xml', '<svg/>'),
  'web/content/site': 'folder',
  'web/content/site/index.gsp': fileOf('index.gsp', 'application/octet-stream', '<p>site</p>'),
  'web/content/app': 'folder',
  'web/content/app/index.html': fileOf('index.html', 'text/html', '<p>app</p>'),
  'web/content/app/index.gsp': fileOf('index.gsp', 'text/plain', '<p>gsp</p>'),
  'web/content/app/.web.yml': fileOf('.web.yml', 'text/yaml', 'secret: 1'),
  'web/content/app/own.js': fileOf('own.js', 'text/javascript', '1', { isPublic: false }),
  'web/content/WEB-INF': 'folder',
  'web/content/WEB-INF/routes.xml': fileOf('routes.xml', 'text/xml', '<a/>'),
  'web/content/private/x.txt': fileOf('x.txt', 'text/plain', 'private'),
  'web/home/x.txt': fileOf('x.txt', 'text/plain', 'at home'),
  'web/content/node': 'other',
  'web/content/endless': endless.file,
  'web/content/gone': failing(gone),
  'web/content/breaking': failing(breaking),
});

describe('files over HTTP', () => {
  let server: TestServer;
  before(async () => {
    server = await testServer({
      fill,
      users: [
        { userId: 'ann', password: 'ann' },
        { userId: 'bob', password: 'bob' },
      ],
      wire: wireOfFiles(files),
    });
  });
  after(() => server.remove());

  const get = (path: string, headers: CallInit['headers'] = ann, method = 'GET') =>
    server.call(path, { method, headers: { ...headers } });
  const statuses = async (cases: Readonly<Record<string, number>>, headers: CallInit['headers'] = ann) => {
    for (const [path, status] of Object.entries(cases)) {
      const reply = await get(path, headers);
      assert.equal(reply.status, status, `${path}: ${reply.text}`);
      if (status >= 400 && status !== 416) assert.ok((reply.json() as { errors: unknown[] }).errors.length > 0);
    }
  };

  describe('at /bin/download.cgi', () => {
    const path = '/bin/download.cgi/web/content/a%20b.txt';

    it('are sent with all that belongs to them', async () => {
      const { status, headers, text } = await get(`${path}?t=ignored&other`);
      assert.equal(status, 200);
      assert.equal(text, '0123456789');
      assert.equal(headers['content-type'], 'text/plain; charset=ISO-8859-1');
      assert.equal(headers['content-length'], '10');
      assert.equal(headers['content-disposition'], `inline; filename="_ b.txt"; filename*=UTF-8''%C3%9C%20b.txt`);
      assert.match(String(headers.etag), new RegExp(`^"${LAST_MODIFIED}-[0-9a-f]{16}"$`));
      assert.equal(headers['last-modified'], 'Fri, 02 Jan 2026 03:04:05 GMT');
      assert.equal(headers['accept-ranges'], 'bytes');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['cache-control'], 'private, no-cache, must-revalidate');
    });

    it('are the same without a body for HEAD', async () => {
      const [whole, head] = [await get(path), await get(path, ann, 'HEAD')];
      assert.equal(head.status, 200);
      assert.equal(head.text, '');
      for (const name of ['content-type', 'content-length', 'etag', 'last-modified', 'content-disposition']) {
        assert.equal(head.headers[name], whole.headers[name], name);
      }
      assert.equal((await get(path, { ...ann, Range: 'bytes=0-1' }, 'HEAD')).status, 200);
    });

    it('are attachments when that is asked for', async () => {
      const disposition = async (query: string) =>
        String((await get(`${path}?${query}`)).headers['content-disposition']).split(';')[0];
      for (const query of ['attachment', 'attachment=', 'attachment=true', 'attachment=x']) {
        assert.equal(await disposition(query), 'attachment', query);
      }
      assert.equal(await disposition('attachment=false'), 'inline');
    });

    it('are kept for good only under the address of these very bytes', async () => {
      const cached = async (query: string) => (await get(`${path}${query}`)).headers['cache-control'];
      assert.equal(await cached(`?v=${LAST_MODIFIED}`), 'private, max-age=31536000, immutable');
      assert.equal(await cached('?v=1'), 'private, no-cache, must-revalidate');
    });

    it('are not sent again to who has them', async () => {
      const etag = String((await get(path)).headers.etag);
      const { status, text, headers } = await get(path, { ...ann, 'If-None-Match': etag });
      assert.equal(status, 304);
      assert.equal(text, '');
      assert.equal(headers.etag, etag);
      assert.equal((await get(path, { ...ann, 'If-Match': '"x"' })).status, 412);
    });

    it('are sent in parts', async () => {
      const part = async (range: string, more = {}) => {
        const { status, text, headers } = await get(path, { ...ann, Range: range, ...more });
        return [status, text, headers['content-range']];
      };
      assert.deepEqual(await part('bytes=2-4'), [206, '234', 'bytes 2-4/10']);
      assert.deepEqual(await part('bytes=-2'), [206, '89', 'bytes 8-9/10']);
      assert.deepEqual(await part('bytes=8-'), [206, '89', 'bytes 8-9/10']);
      assert.deepEqual(await part('bytes=0-1,4-5'), [200, '0123456789', undefined]);
      assert.deepEqual(await part('bytes=10-'), [416, '', 'bytes */10']);
      assert.deepEqual(await part('bytes=x'), [416, '', 'bytes */10']);
      assert.deepEqual(await part('bytes=2-4', { 'If-Range': '"old"' }), [200, '0123456789', undefined]);
    });

    it('may be empty', async () => {
      const { status, headers, text } = await get('/bin/download.cgi/web/content/empty');
      assert.deepEqual([status, headers['content-length'], text], [200, '0', '']);
    });

    it('cannot act for whoever looks at them', async () => {
      const { headers } = await get('/bin/download.cgi/web/content/page.svg');
      assert.equal(headers['content-security-policy'], 'sandbox');
    });

    it('are refused where there is none', () =>
      statuses({
        '/bin/download.cgi': 400,
        '/bin/download.cgi/': 400,
        '/bin/download.cgi/web': 400,
        '/bin/download.cgi/web/content': 400,
        '/bin/download.cgi/web/content/node': 400,
        '/bin/download.cgi/web/content/a%00b': 400,
        '/bin/download.cgi/web/content/%ff': 400,
        '/bin/download.cgi/web/content/../home/x.txt': 403,
        '/bin/download.cgi/web/content/%2e%2e/home/x.txt': 403,
        '/bin/download.cgi/web/content/none': 404,
        '/bin/download.cgi/none/content/a%20b.txt': 404,
      }));

    it('are for callers who are signed in, and may read them', async () => {
      await statuses({ [path]: 401 }, {});
      await statuses({ [path]: 401 }, basic('ann', 'wrong'));
      await statuses({ '/bin/download.cgi/web/content/private/x.txt': 403 }, bob);
      await statuses({ '/bin/download.cgi/web/content/private/x.txt': 200 }, ann);
    });

    it('are only read', async () => {
      for (const method of ['POST', 'PUT', 'DELETE']) {
        const { status, headers } = await get(path, ann, method);
        assert.deepEqual([status, headers.allow], [405, 'GET, HEAD']);
      }
    });

    it('are properties, too', async () => {
      const { status, text, headers } = await get(`${path}?property=thumbnail&index=1`);
      assert.deepEqual([status, text, headers['content-type']], [200, 'thumbnail 1', 'image/png']);
      assert.match(String(headers['content-disposition']), /thumbnail\.png/);
      await statuses({
        [`${path}?property=thumbnail`]: 200,
        [`${path}?property=thumbnail&index=2`]: 404,
        [`${path}?property=none`]: 404,
        [`${path}?property=title`]: 400,
        [`${path}?property=jcr:data`]: 403,
        [`${path}?property=rep:x`]: 403,
        [`${path}?property=oak:x`]: 403,
        [`${path}?property=`]: 400,
        [`${path}?property=a&property=b`]: 400,
        [`${path}?property=thumbnail&index=-1`]: 400,
        '/bin/download.cgi/web/content/none?property=thumbnail': 404,
      });
    });

    it('that cannot be opened are an error of its own, those that break are broken off', async () => {
      await statuses({ '/bin/download.cgi/web/content/gone': 404 });
      await assert.rejects(get('/bin/download.cgi/web/content/breaking'));
    });

    it('are read no faster than they are taken, and no further when the client has gone', async () => {
      const url = new URL('/bin/download.cgi/web/content/endless', `http://127.0.0.1:${server.port}`);
      const asking = request(url, { headers: ann, agent: false });
      asking.end();
      const [response] = await once(asking, 'response');
      await once(response, 'readable');
      // The client takes nothing: the buffers between fill up, and that is all.
      for (let before = -1; before !== endless.read; ) {
        before = endless.read;
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
      assert.ok(endless.read < 100_000_000, `${endless.read} bytes were read`);
      const { stream } = endless;
      assert.ok(stream);
      const closed = stream.destroyed ? undefined : once(stream, 'close').catch(() => {});
      asking.destroy();
      await closed;
      assert.equal(stream.destroyed, true);
    });
  });

  describe('at /bin/cms.cgi', () => {
    const path = '/bin/cms.cgi/web/content/app/index.html';

    it('are pages for everybody', async () => {
      const { status, text, headers } = await get(path, {});
      assert.deepEqual([status, text], [200, '<p>app</p>']);
      assert.equal(headers['content-type'], 'text/html; charset=UTF-8');
      assert.equal(headers['cache-control'], 'no-cache, must-revalidate');
      assert.equal(headers['content-disposition'], undefined);
      assert.equal((await get(path, { 'If-Modified-Since': String(headers['last-modified']) })).status, 304);
      assert.equal((await get(path, { Range: 'bytes=0-2' })).text, '<p>');
    });

    it('are kept for good under an address with a version', async () => {
      const cached = async (wanted: string) => (await get(wanted, {})).headers['cache-control'];
      assert.equal(await cached(`${path}?v=1`), 'public, max-age=31536000, immutable');
      assert.equal(await cached(`${path}?v=`), 'no-cache, must-revalidate');
      assert.equal(await cached('/bin/cms.cgi/web/content/app/own.js?v=1'), 'private, max-age=31536000, immutable');
    });

    it('stand for their folder', async () => {
      for (const [folder, page] of [
        ['app', 'app/index.html'],
        ['app/', 'app/index.html'],
        ['site?a=b', 'site/index.gsp?a=b'],
      ]) {
        const { status, headers } = await get(`/bin/cms.cgi/web/content/${folder}`, {});
        assert.deepEqual([status, headers.location], [302, `/bin/cms.cgi/web/content/${page}`]);
      }
      const page = await get('/bin/cms.cgi/web/content/site/index.gsp', {});
      assert.deepEqual([page.text, page.headers['content-type']], ['<p>site</p>', 'text/html; charset=UTF-8']);
    });

    it('are those below /content alone, without what belongs to the server', () =>
      statuses(
        {
          '/bin/cms.cgi/web/content': 404,
          '/bin/cms.cgi/web/home/x.txt': 404,
          '/bin/cms.cgi/web': 404,
          '/bin/cms.cgi': 400,
          '/bin/cms.cgi/web/content/WEB-INF': 404,
          '/bin/cms.cgi/web/content/WEB-INF/routes.xml': 404,
          '/bin/cms.cgi/web/content/%57EB-INF/routes.xml': 404,
          '/bin/cms.cgi/web/content/app/.web.yml': 404,
          '/bin/cms.cgi/web/content/app/%2eweb.yml': 404,
          '/bin/cms.cgi/web/content/none': 404,
          '/bin/cms.cgi/web/content/node': 404,
          '/bin/cms.cgi/none/content/app/index.html': 404,
          '/bin/cms.cgi/web/content/private/x.txt': 403,
          '/bin/cms.cgi/web/content/app/../WEB-INF/routes.xml': 403,
        },
        {},
      ));

    it('are previewed with what is not saved yet', async () => {
      const preview = (headers: CallInit['headers'], body: string, at = path) =>
        server.call(at, {
          method: 'POST',
          headers: { 'Content-Type': 'application/vnd.cms.preview+json', ...headers },
          body,
        });
      const reply = await preview(ann, JSON.stringify({ content: '<p>new</p>' }));
      assert.deepEqual([reply.status, reply.text], [200, '<p>new</p>']);
      assert.equal(reply.headers['content-type'], 'text/html; charset=UTF-8');
      assert.equal(reply.headers['cache-control'], 'no-store');
      assert.equal((await preview({}, JSON.stringify({ content: 'x' }))).status, 401);
      assert.equal((await preview(ann, '{"content": 1}')).status, 400);
      assert.equal((await preview(ann, 'no JSON')).status, 400);
      assert.equal((await preview(ann, JSON.stringify({ content: 'x'.repeat(1_001) }))).status, 413);
      assert.equal((await preview(ann, '{"content":""}', '/bin/cms.cgi/web/content/none')).status, 404);
      assert.equal((await preview(bob, '{"content":""}', '/bin/cms.cgi/web/content/private/x.txt')).status, 403);
      assert.equal((await preview({ ...ann, Origin: 'https://elsewhere.example' }, '{"content":""}')).status, 403);
    });

    it('are changed by nobody', async () => {
      assert.equal((await get(path, ann, 'POST')).status, 405);
      assert.equal((await get(path, ann, 'DELETE')).status, 405);
      const type = { 'Content-Type': 'application/vnd.cms.preview+json' };
      assert.equal((await get(path, { ...ann, ...type })).status, 405);
      assert.equal((await get(path, { ...ann, ...type }, 'PUT')).status, 405);
    });
  });

  describe('of archives', () => {
    const path = '/bin/download-archive.cgi/web/1767225600000-00ff';

    it('are for who started the job', async () => {
      const { status, text, headers } = await get(path);
      assert.deepEqual([status, text], [200, 'a zip']);
      assert.equal(headers['cache-control'], 'no-store');
      assert.match(String(headers['content-disposition']), /^attachment; filename="photos.zip"/);
      assert.equal((await get(`${path}/report`)).text, 'path;error');
      await statuses({ [path]: 403, [`${path}/report`]: 403 }, bob);
      await statuses({ [path]: 401, [`${path}/report`]: 401 }, {});
    });

    it('are refused where there is none', () =>
      statuses({
        '/bin/download-archive.cgi': 400,
        '/bin/download-archive.cgi/web': 400,
        '/bin/download-archive.cgi/web/nonsense': 400,
        '/bin/download-archive.cgi/web/1-0': 404,
        '/bin/download-archive.cgi/none/1-0': 404,
        [`${path}/other`]: 404,
        [`${path}/report/more`]: 404,
      }));
  });

  it('leave the root to the page of links where there is no web desktop', async () => {
    const { status, text } = await get('/', {});
    assert.equal(status, 200);
    assert.match(text, /^Millrace\n/);
  });
});

describe('a server with a web desktop', () => {
  it('leads there', async () => {
    for (const name of ['index.html', 'index.gsp']) {
      const desktop = new MemoryFiles({
        [`system/content/webtop/${name}`]: fileOf(name, 'text/html', 'desktop'),
      });
      const server = await testServer({
        fill,
        wire: wireOfFiles(desktop),
      });
      const { status, headers } = await server.call('/');
      assert.deepEqual([status, headers.location], [302, '/bin/cms.cgi/system/content/webtop/']);
      await server.remove();
    }
  });
});
