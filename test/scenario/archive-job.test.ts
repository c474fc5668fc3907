import assert from 'node:assert/strict';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { unzipped } from '../support/unzipped.js';
import { archiveByJob, download, filledJob, jobIn, REF } from './support/jobs.js';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('jobs that make archives', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  let ann: GraphqlClient;
  before(async () => {
    server = await liveServer({ users: [{ userId: 'ann' }] });
    admin = server.as('admin');
    ann = server.as('ann');
    const FILE =
      'mutation ($path: String!, $name: String!, $content: Base64!) { createFile(input: { path: $path, name: $name, mimeType: "text/plain", content: $content }) { id } }';
    await admin.run(FILE, { path: '/content/a/b', name: 'one.txt', content: base64('one') });
    await admin.run(FILE, { path: '/content/a/b', name: 'large.txt', content: base64('large '.repeat(10_000)) });
    await admin.run(FILE, { path: '/content/a/c', name: 'two.txt', content: base64('') });
    await admin.run('mutation { createFolder(input: { path: "/content/a", name: "empty" }) { id } }');
  });
  after(() => server.remove());

  const entriesOf = async (client: GraphqlClient, path: string | null | undefined) =>
    unzipped(Buffer.from(await (await download(client, path ?? '')).arrayBuffer()));

  it('put files and folders under one base, with what they are in the sidecar', async () => {
    const end = await archiveByJob(admin, [
      '/content/a/b',
      '/content/a/b/one.txt',
      '/content/a/c',
      '/content/a/empty',
      '/content/a/missing',
    ]);
    assert.equal(end.status, 'completed', String(end.errorMessage));
    assert.equal(Number(end.itemsTotal), 4);
    assert.equal(Number(end.itemsProcessed), 4);
    assert.equal(Number(end.itemsArchived), 3);
    const entries = await entriesOf(admin, end.downloadUrl);
    const plain = [...entries.keys()].filter((name) => !name.startsWith('.cms-archive/'));
    assert.deepEqual(plain, ['b/', 'b/large.txt', 'b/one.txt', 'c/', 'c/two.txt', 'empty/']);
    assert.equal(String(entries.get('b/one.txt')), 'one');
    assert.equal(entries.get('b/large.txt')?.length, 60_000);
    const manifest = JSON.parse(String(entries.get('.cms-archive/manifest.json')));
    assert.deepEqual(
      {
        format: manifest.format,
        version: manifest.version,
        basePath: manifest.basePath,
        nodeCount: manifest.nodeCount,
      },
      { format: 'cms-archive', version: 1, basePath: '/content/a', nodeCount: 9 },
    );
    const lines = String(entries.get('.cms-archive/nodes.ndjson'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(lines[0].path, 'b');
    assert.equal(
      lines.find(({ path }) => path === 'b/one.txt/jcr:content').properties['jcr:data'].value.entry,
      'b/one.txt',
    );
    assert.equal(entries.has('.cms-archive/acl.ndjson'), false);
  });

  it('leave the sidecar out when asked, and take a base that lies above all', async () => {
    const input = { includeMetadata: false, basePath: '/content', filename: 'my/archive' };
    const end = await archiveByJob(admin, ['/content/a/b/one.txt'], input);
    const reply = await download(admin, end.downloadUrl ?? '');
    assert.equal(reply.headers.get('cache-control'), 'no-store');
    assert.equal(reply.headers.get('content-type'), 'application/zip');
    assert.match(reply.headers.get('content-disposition') ?? '', /attachment.*my_archive\.zip/);
    assert.deepEqual([...(await unzipped(Buffer.from(await reply.arrayBuffer()))).keys()], ['a/b/one.txt']);
  });

  it('hold only what their owner may read, and are for the owner alone', async () => {
    await admin.run('mutation { createFolder(input: { path: "/home/users/hidden", name: "x" }) { id } }');
    const end = await archiveByJob(ann, ['/home', '/content/a/c']);
    const entries = await entriesOf(ann, end.downloadUrl);
    assert.equal(
      [...entries.keys()].some((name) => name.includes('hidden')),
      false,
    );
    assert.equal(entries.has('content/a/c/two.txt'), true);
    assert.equal((await download(admin, end.downloadUrl ?? '')).status, 403);
    assert.equal((await download(ann, '/bin/download-archive.cgi/web/1767225600000-0a1b')).status, 404);
    assert.equal((await download(ann, '/bin/download-archive.cgi/web/nonsense')).status, 400);
  });

  it('have nothing to be fetched before they are completed', async () => {
    const jobId = await filledJob(admin, 'DownloadArchive', ['/content/a']);
    assert.equal((await download(admin, `/bin/download-archive.cgi/web/${jobId}`)).status, 404);
    const abort = `mutation ($jobId: ID!) { job: abortDownloadArchive(input: { jobId: $jobId }) { ${REF} } }`;
    assert.equal(jobIn(await admin.run(abort, { jobId })).status, 'aborted');
    const start = `mutation { job: startDownloadArchive(input: { jobId: "${jobId}", filename: "x" }) { ${REF} } }`;
    assert.equal((await refusal(admin.run(start))).code, 'UNAVAILABLE');
  });
});
