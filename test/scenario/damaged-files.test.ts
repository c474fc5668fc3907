import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import type { GraphqlClient } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { zipped } from '../support/zipped.js';
import { archiveByJob, endOf, filledJob, startJob, uploaded } from './support/jobs.js';

const CREATE = 'mutation ($input: CreateFileInput!) { createFile(input: $input) { path downloadUrl } }';
const TEXT =
  'query ($path: String!) { node(path: $path) { name properties { name propertyValue { ... on StringPropertyValue { value } } } } }';

describe('files whose bytes are damaged on the disk', () => {
  let server: LiveServer;
  let admin: GraphqlClient;
  before(async () => {
    server = await liveServer({ env: { MILLRACE_CHECK_EVERY: '500ms' } });
    admin = server.as('admin');
    await admin.run('mutation { createFolder(input: { path: "/content", name: "files" }) { id } }');
  });
  after(() => server.remove());

  const blobOf = (bytes: Buffer | string) => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { sha256, path: join(server.folder, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256) };
  };
  const get = (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, admin.url), { ...init, headers: { ...admin.headers, ...init.headers } });
  const created = async (name: string, bytes: Buffer) =>
    (await admin.run(CREATE, { input: { path: '/content/files', name, content: bytes.toString('base64') } }))
      .createFile;
  const damages: Record<string, (path: string, bytes: Buffer) => void> = {
    'is cut': (path, bytes) => writeFileSync(path, bytes.subarray(0, bytes.length - 100)),
    'is missing': (path) => rmSync(path),
    'has other bytes': (path, bytes) => writeFileSync(path, Buffer.concat([bytes.subarray(1), bytes.subarray(0, 1)])),
  };

  for (const [kind, size] of [
    ['small', 5_000],
    ['large', 2_500_000],
  ] as const) {
    for (const [damage, inflict] of Object.entries(damages)) {
      // Other bytes in a large file are what the look through all of them is for.
      if (kind === 'large' && damage === 'has other bytes') continue;
      it(`answer 500 with a code on every way out, where a ${kind} one ${damage}`, async () => {
        const bytes = randomBytes(size);
        const name = `${kind} ${damage}.bin`;
        const { path, downloadUrl } = await created(name, bytes);
        const website = `/bin/cms.cgi/web/content/files/${encodeURIComponent(name)}`;
        assert.equal((await get(website)).status, 200);
        inflict(blobOf(bytes).path, bytes);
        for (const url of [downloadUrl ?? '', website]) {
          for (const headers of [{}, { range: 'bytes=0-3' }, { range: 'bytes=-3' }] as const) {
            const reply = await get(url, { headers });
            assert.equal(reply.status, 500);
            const { errors } = (await reply.json()) as {
              errors: { extensions: { code: string; resourceId: string } }[];
            };
            const { code, resourceId } = errors[0]?.extensions ?? {};
            assert.deepEqual([code, resourceId], ['DATA_DAMAGED', blobOf(bytes).sha256]);
            assert.equal(reply.headers.get('etag'), null);
            assert.match(reply.headers.get('cache-control') ?? '', /no-store/);
          }
          assert.equal((await get(url, { method: 'HEAD' })).status, 500);
        }
        const archive = await archiveByJob(admin, [path]);
        assert.deepEqual([archive.status, archive.downloadUrl], ['failed', null]);
        assert.match(archive.errorMessage ?? '', new RegExp(`blob '${blobOf(bytes).sha256}'`));
        const xml = await admin.ask('query ($path: String!) { exportXml(path: $path, view: SYSTEM) }', {
          variables: { path },
        });
        assert.equal(xml.errors?.[0]?.extensions.code, 'DATA_DAMAGED', JSON.stringify(xml));
      });
    }
  }

  it('are an error at the field where a text is read from them, and nothing else fails', async () => {
    const text = 'once upon a time '.repeat(3_000);
    await admin.run('mutation ($input: CreateNodeInput!) { createNode(input: $input) { id } }', {
      input: {
        path: '/content',
        name: 'story',
        nodeType: 'nt:unstructured',
        properties: [{ name: 'text', value: { stringValue: text } }],
      },
    });
    const { path } = blobOf(text);
    writeFileSync(path, text.replace('time', 'lime'));
    const { data, errors } = await admin.ask(TEXT, { variables: { path: '/content/story' } });
    assert.equal(data?.node?.name, 'story');
    assert.deepEqual(
      errors?.map(({ extensions: { code, reason }, path: at }) => [code, reason, at?.slice(0, 2).join('.')]),
      [['DATA_DAMAGED', 'blob_damaged', 'node.properties']],
    );
  });

  it('stay what they are in a version that is restored, and are mended by writing them again', async () => {
    const bytes = randomBytes(5_000);
    const { path, downloadUrl } = await created('versioned.bin', bytes);
    const on = (mutation: string) => admin.run(`mutation ($path: String!) { ${mutation} }`, { path });
    await on('addVersionControl(input: { path: $path }) { id }');
    await on('checkout(input: { path: $path })');
    await on('checkin(input: { path: $path }) { name }');
    const other = randomBytes(5_000);
    await on('checkout(input: { path: $path })');
    writeFileSync(blobOf(bytes).path, other);
    await on('restoreVersion(input: { path: $path, versionName: "1.0" }) { id }');
    assert.equal((await get(downloadUrl ?? '')).status, 500);
    await created('again.bin', bytes);
    const mended = await get(downloadUrl ?? '');
    assert.deepEqual(Buffer.from(await mended.arrayBuffer()), bytes);
  });

  it('fail an import of which they are the ZIP', async () => {
    const zip = await zipped({ 'a.bin': randomBytes(4_000), 'b.bin': randomBytes(4_000) });
    const archivePath = await uploaded(admin, zip);
    const changed = Buffer.from(zip);
    changed[200] = (changed[200] ?? 0) ^ 1;
    writeFileSync(blobOf(zip).path, changed);
    const jobId = await filledJob(admin, 'ImportArchive');
    await startJob(admin, 'ImportArchive', { jobId, archivePath, destinationPath: '/content/imported' });
    const end = await endOf(admin, jobId);
    assert.equal(end.status, 'failed');
    assert.match(end.errorMessage ?? '', /holds other bytes than were written/);
    assert.equal((await admin.run('{ node(path: "/content/imported") { id } }')).node, null);
  });

  it('are found in the background, however large, are told in /health/ready, and are whole when they are written again', async () => {
    const bytes = randomBytes(2_500_000);
    const { downloadUrl } = await created('found.bin', bytes);
    writeFileSync(blobOf(bytes).path, Buffer.concat([bytes.subarray(1), bytes.subarray(0, 1)]));
    const status = async () => (await get(downloadUrl ?? '', { method: 'HEAD' })).status;
    const warnings = async () => ((await (await get('/health/ready')).json()) as { warnings?: object[] }).warnings;
    await eventually('it is found', async () => (await status()) === 500);
    assert.match(JSON.stringify(await warnings()), /data_damaged/);
    await created('found-again.bin', bytes);
    assert.equal(await status(), 200);
  });
});
