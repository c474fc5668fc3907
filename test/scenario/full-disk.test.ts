import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import { isOnRedis } from '../support/log-of-run.js';
import { zipped } from '../support/zipped.js';
import { archiveByJob, endOf, filledJob, startJob, uploaded } from './support/jobs.js';
import { KillableServer } from './support/killable-server.js';
import { becomesReady, readiness } from './support/readiness.js';

const CREATE = 'mutation ($name: String!) { createFolder(input: { path: "/content", name: $name }) { path } }';

/** How long files of a process may become; beyond that each write to them fails, as on a disk that is full. */
const limitFiles = (pid: number | undefined, bytes: string) =>
  spawnSync('prlimit', ['--pid', `${pid}`, `--fsize=${bytes}:`]);

const NO_ROOM = "expected a disk that works, but the server's has failed (EFBIG); try again later";

const sizesBelow = (folder: string): number[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .filter((stats) => stats.isFile())
    .map(({ size }) => size);

describe('a server whose disk takes no writes', function () {
  this.timeout(60_000);
  let server: KillableServer;
  before(async function () {
    // Linux alone lets one process limit another.
    if (isOnRedis || spawnSync('prlimit', ['--version']).error !== undefined) return this.skip();
    server = new KillableServer();
    await server.start();
  });
  after(() => server?.remove());

  it('is not ready, says why, still reads, and is ready again when there is room', async () => {
    const { baseUrl, child } = server.process;
    const admin = server.client('admin');
    await admin.run(CREATE, { name: 'before' });
    assert.equal(limitFiles(child.pid, '1').status, 0);
    try {
      await eventually('it is not ready', async () => (await readiness(baseUrl)).status === 503, 5_000);
      const { body } = await readiness(baseUrl);
      assert.deepEqual([body.status, body.reason], ['unavailable', 'log_away']);
      assert.equal((await admin.run('{ node(path: "/content/before") { name } }')).node?.name, 'before');
      await assert.rejects(admin.run(CREATE, { name: 'full' }), { code: 'UNAVAILABLE' });
    } finally {
      assert.equal(limitFiles(child.pid, 'unlimited').status, 0);
    }
    await becomesReady(baseUrl);
    await admin.run(CREATE, { name: 'after' });
    const { children } = await admin.run('{ children(path: "/content") { edges { node { name } } } }');
    const names = children.edges.map(({ node }) => node.name);
    assert.ok(names.includes('before') && names.includes('after') && !names.includes('full'), names.join());
  });

  it('refuses files that it has no room for as UNAVAILABLE, by every way in, and leaves nothing of them', async () => {
    const { child } = server.process;
    const admin = server.client('admin');
    const bytes = randomBytes(4_500_000);
    const file = (name: string, content: Buffer) =>
      admin.run('mutation ($input: CreateFileInput!) { createFile(input: $input) { id } }', {
        input: { path: '/content', name, content: content.toString('base64') },
      });
    await file('part.bin', randomBytes(2_000_000));
    await file('rest.bin', randomBytes(2_000_000));
    const zip = await uploaded(admin, await zipped({ 'large.txt': randomBytes(2_000_000).toString('hex') }));
    const room = Math.max(...sizesBelow(server.folder)) + 1_200_000;
    assert.ok(room < bytes.length, `the largest file has ${room} bytes`);
    assert.equal(limitFiles(child.pid, `${room}`).status, 0);
    try {
      await assert.rejects(file('large.bin', bytes), { code: 'UNAVAILABLE' });
      const { uploadId } = (await admin.run('mutation { initiateMultipartUpload { uploadId } }'))
        .initiateMultipartUpload;
      const chunk = (offset: number) =>
        admin.run(
          'mutation ($input: AppendMultipartUploadChunkInput!) { appendMultipartUploadChunk(input: $input) { totalSize } }',
          { input: { uploadId, offset, data: bytes.subarray(offset, offset + 1_000_000).toString('base64') } },
        );
      await chunk(0);
      await assert.rejects(
        chunk(1_000_000)
          .then(() => chunk(2_000_000))
          .then(() => chunk(3_000_000)),
        { code: 'UNAVAILABLE' },
      );
      const archive = await archiveByJob(admin, ['/content/part.bin', '/content/rest.bin']);
      assert.deepEqual([archive.status, archive.errorMessage], ['failed', NO_ROOM]);
      const jobId = await filledJob(admin, 'ImportArchive');
      await startJob(admin, 'ImportArchive', { jobId, archivePath: zip, destinationPath: '/content/imported' });
      const imported = await endOf(admin, jobId);
      assert.deepEqual([imported.status, imported.errorMessage], ['failed', NO_ROOM]);
      await admin.run(CREATE, { name: 'small things' });
    } finally {
      assert.equal(limitFiles(child.pid, 'unlimited').status, 0);
    }
    assert.deepEqual(readdirSync(join(server.folder, 'blobs', 'temporary')), []);
    await file('large.bin', bytes);
    const { node } = await admin.run('{ node(path: "/content/imported") { id } }');
    assert.equal(node, null);
  });
});
