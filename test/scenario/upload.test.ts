import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileBlobStore } from '../../src/store/index.js';
import { eventually } from '../support/eventually.js';
import { type GraphqlClient, refusal } from '../support/graphql-client.js';
import { type LiveServer, liveServer } from '../support/server.js';
import { KillableServer } from './support/killable-server.js';

// Slow: servers are killed within uploads.

const INITIATE = 'mutation { initiateMultipartUpload { uploadId totalSize } }';
const APPEND =
  'mutation ($input: AppendMultipartUploadChunkInput!) { appendMultipartUploadChunk(input: $input) { uploadId totalSize } }';
const ABORT = 'mutation ($id: ID!) { abortMultipartUpload(input: { uploadId: $id }) }';
const LOOK = 'query ($id: ID!) { multipartUpload(uploadId: $id) { totalSize } }';

const initiate = async (client: GraphqlClient) => (await client.run(INITIATE)).initiateMultipartUpload.uploadId;
const append = async (client: GraphqlClient, uploadId: string, data: Buffer, offset?: number) => {
  const input = { uploadId, data: data.toString('base64'), ...(offset !== undefined && { offset }) };
  return Number((await client.run(APPEND, { input })).appendMultipartUploadChunk.totalSize);
};
const sizeOf = async (client: GraphqlClient, id: string) => (await client.run(LOOK, { id })).multipartUpload?.totalSize;
const staging = (folder: string) => join(folder, 'blobs', 'staging');
const stagedFiles = (folder: string) => readdirSync(staging(folder), { recursive: true, encoding: 'utf8' });
const stagedFile = (folder: string, uploadId: string) => {
  const found = stagedFiles(folder).find((path) => path.endsWith(uploadId));
  return found === undefined ? undefined : join(staging(folder), found);
};

describe('uploads', () => {
  let server: LiveServer;
  let ann: GraphqlClient;
  before(async () => {
    server = await liveServer({
      users: [{ userId: 'ann' }, { userId: 'bob' }],
      env: { MILLRACE_UPLOADS_PER_USER_MAX: '4' },
    });
    ann = server.as('ann');
  });
  after(() => server.remove());

  it('take the chunks of the web desktop: 512 KiB each', async () => {
    const chunks = Array.from({ length: 5 }, () => randomBytes(512 * 1024));
    const id = await initiate(ann);
    for (const [at, chunk] of chunks.entries()) assert.equal(await append(ann, id, chunk), (at + 1) * chunk.length);
    assert.deepEqual(readFileSync(stagedFile(server.folder, id) ?? ''), Buffer.concat(chunks));
    assert.equal((await ann.run(ABORT, { id })).abortMultipartUpload, true);
    assert.equal((await ann.run(ABORT, { id })).abortMultipartUpload, false);
    await eventually('the bytes are gone', async () => stagedFile(server.folder, id) === undefined);
  });

  it('may be begun with any input that means nothing', async () => {
    for (const input of ['', '(input: null)', '(input: {})']) {
      const { initiateMultipartUpload } = await ann.run(
        `mutation { initiateMultipartUpload${input} { uploadId totalSize } }`,
      );
      assert.equal(initiateMultipartUpload.totalSize, 0);
      await ann.run(ABORT, { id: initiateMultipartUpload.uploadId });
    }
  });

  it('take chunks that come at the same time one after the other', async () => {
    const id = await initiate(ann);
    const sizes = await Promise.all([1, 2, 3, 4, 5].map((n) => append(ann, id, Buffer.alloc(n, String(n)))));
    assert.equal(Math.max(...sizes), 15);
    const found = readFileSync(stagedFile(server.folder, id) ?? '', 'utf8');
    assert.equal([...found].sort().join(''), '122333444455555');
    await ann.run(ABORT, { id });
  });

  it('take a chunk once that is sent again with its idempotency key', async () => {
    const id = await initiate(ann);
    const input = { uploadId: id, data: Buffer.from('chunk').toString('base64') };
    for (let times = 0; times < 3; times++) {
      const { data } = await ann.ask(APPEND, { variables: { input }, idempotencyKey: 'chunk 1' });
      assert.equal(data?.appendMultipartUploadChunk.totalSize, 5);
    }
    assert.equal(await sizeOf(ann, id), 5);
    await ann.run(ABORT, { id });
  });

  it('are nobody else’s', async () => {
    const bob = server.as('bob');
    const id = await initiate(ann);
    assert.equal((await refusal(append(bob, id, Buffer.from('x')))).code, 'BAD_REQUEST');
    assert.equal(await sizeOf(bob, id), undefined);
    assert.equal((await bob.run(ABORT, { id })).abortMultipartUpload, false);
    assert.equal(await append(ann, id, Buffer.from('x')), 1);
    assert.equal((await refusal(append(server.as('ann', 'system'), id, Buffer.from('x')))).code, 'BAD_REQUEST');
    await ann.run(ABORT, { id });
  });

  it('refuse what is no Base64, and what is no id', async () => {
    const id = await initiate(ann);
    const input = { uploadId: id, data: 'no base64!' };
    assert.equal((await refusal(ann.run(APPEND, { input }))).code, 'BAD_REQUEST');
    for (const wrong of ['', '../../../etc/passwd', 'x'.repeat(10_000), 'a\0b']) {
      assert.equal((await refusal(append(ann, wrong, Buffer.from('x')))).code, 'BAD_REQUEST');
      assert.equal((await ann.run(ABORT, { id: wrong })).abortMultipartUpload, false);
    }
    await ann.run(ABORT, { id });
  });

  it('are as many at a time as a user may have', async () => {
    const ids = [];
    for (let at = 0; at < 4; at++) ids.push(await initiate(ann));
    assert.equal((await refusal(ann.run(INITIATE))).code, 'RATE_LIMITED');
    for (const id of ids) await ann.run(ABORT, { id });
  });
});

describe('bytes that nobody holds', () => {
  it('are removed when their time is over', async () => {
    const first = await liveServer();
    await first.end();
    const blobs = await FileBlobStore.open(join(first.folder, 'blobs'));
    const { sha256 } = await blobs.write(Buffer.from('written for a commit that never came'));
    await liveServer({ folder: first.folder }).then((server) => server.end());
    assert.equal(await blobs.has(sha256), true);
    const later = await liveServer({ folder: first.folder, env: { MILLRACE_BLOBS_KEPT: '1ms' } });
    await eventually('the blob is gone', async () => !(await blobs.has(sha256)));
    await later.end();
    await first.remove();
  });
});

describe('an upload to a server that is killed again and again', function () {
  this.timeout(60_000);
  let server: KillableServer;
  before(async () => {
    server = new KillableServer();
    await server.start();
  });
  after(() => server.remove());

  it('goes on from the bytes that were acknowledged, and has them all in the end', async () => {
    const chunk = 300_000;
    const whole = randomBytes(20 * chunk);
    const id = await initiate(server.client('ann'));
    let acknowledged = 0;
    for (let life = 0; acknowledged < whole.length; life++) {
      const client = server.client('ann');
      const size = Number(await sizeOf(client, id));
      assert.ok(size >= acknowledged, `${size} bytes are left of ${acknowledged}`);
      acknowledged = size;
      const dying =
        life < 3
          ? new Promise((resolve) => setTimeout(resolve, 20 + life * 25)).then(() => server.end('SIGKILL'))
          : null;
      try {
        while (acknowledged < whole.length) {
          acknowledged = await append(client, id, whole.subarray(acknowledged, acknowledged + chunk), acknowledged);
        }
      } catch (thrown) {
        if (dying === null) throw thrown;
      }
      if (dying === null) continue;
      await dying;
      const path = stagedFile(server.folder, id);
      if (path !== undefined) appendFileSync(path, 'half a chunk');
      await server.start();
    }
    const file = stagedFile(server.folder, id) ?? '';
    const found = readFileSync(file).subarray(0, whole.length);
    assert.equal(createHash('sha256').update(found).digest('hex'), createHash('sha256').update(whole).digest('hex'));

    const stray = `${file}-stray`;
    appendFileSync(stray, 'bytes of an upload that nobody knows');
    await server.end('SIGKILL');
    await server.start();
    await eventually('bytes without an upload are gone', async () => !existsSync(stray));
    assert.equal(existsSync(file), true);
  });
});
