import assert from 'node:assert/strict';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';

describe('files of the tree over HTTP', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  let url: string;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann' }] });
    admin = server.as('admin');
    url = new URL(admin.url).origin;
  });
  after(() => server.remove());

  const bytes = Buffer.from('0123456789'.repeat(1_000));
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(url + path, { headers, redirect: 'manual' });
  const signedIn = () => ({ ...admin.headers });

  it('are a website below /content, for guests too', async () => {
    const page = await get('/bin/cms.cgi/web/content/');
    assert.equal(page.status, 302);
    const index = await get(page.headers.get('location') ?? '');
    assert.equal(index.status, 200);
    assert.match(index.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(await index.text(), /your workspace's website/);
    assert.equal((await get('/bin/cms.cgi/web/etc/')).status, 404);
    assert.equal((await get('/bin/cms.cgi/web/content/WEB-INF/processes')).status, 404);
    assert.equal((await get('/bin/cms.cgi/web/content/none')).status, 404);
  });

  it('are downloaded by whoever is signed in: whole, in part, or not again', async () => {
    await admin.run('mutation ($input: CreateFileInput!) { createFile(input: $input) { id } }', {
      input: { path: '/content/d', name: 'größe [x] ü.bin'.replace(/[[\]]/g, ''), content: bytes.toString('base64') },
    });
    const { node } = await admin.run('{ node(path: "/content/d/größe x ü.bin") { downloadUrl size } }');
    const path = node?.downloadUrl ?? '';
    assert.equal((await get(path)).status, 401);
    const whole = await get(path, signedIn());
    assert.deepEqual(Buffer.from(await whole.arrayBuffer()), bytes);
    assert.equal(whole.headers.get('x-content-type-options'), 'nosniff');
    const part = await get(path, { ...signedIn(), range: 'bytes=5-14' });
    assert.equal(part.status, 206);
    assert.equal(await part.text(), '5678901234');
    assert.equal(part.headers.get('content-range'), `bytes 5-14/${bytes.length}`);
    const same = await get(path, { ...signedIn(), 'if-none-match': whole.headers.get('etag') ?? '' });
    assert.equal(same.status, 304);
    const attached = await get(`${path}?attachment`, signedIn());
    assert.match(attached.headers.get('content-disposition') ?? '', /^attachment; .*filename\*=UTF-8''gr%C3%B6%C3%9Fe/);
    assert.equal((await get('/bin/download.cgi/web/content/none', signedIn())).status, 404);
    assert.equal((await get('/bin/download.cgi/web/content/d', signedIn())).status, 400);
  });

  it('hold binary properties, which are downloaded by name and number', async () => {
    const properties = [{ name: 'thumb', value: { binaryValue: Buffer.from('GIF89a').toString('base64') } }];
    await admin.run(
      'mutation ($p: [PropertyInput!]!) { setProperties(path: "/content/index.html", properties: $p) { errors { message } } }',
      { p: properties },
    );
    const path = '/bin/download.cgi/web/content/index.html';
    const thumb = await get(`${path}?property=thumb`, signedIn());
    assert.deepEqual([thumb.status, await thumb.text()], [200, 'GIF89a']);
    assert.equal((await get(`${path}?property=thumb&index=1`, signedIn())).status, 404);
    assert.equal((await get(`${path}?property=none`, signedIn())).status, 404);
    assert.equal((await get(`${path}?property=jcr:data`, signedIn())).status, 403);
  });
});
