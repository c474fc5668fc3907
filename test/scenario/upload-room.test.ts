import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { type LiveServer, liveServer } from '../support/server.js';

const UPLOADS = 8;
const CHUNK_BYTES = 600_000;

describe('uploads that come at once', () => {
  let server: LiveServer;
  before(async () => {
    server = await liveServer({ env: { MILLRACE_BODIES_BYTES_MAX: '2MB' } });
  });
  after(() => server.remove());

  it('take no more memory than they may: some are told to come back, and all arrive whole', async () => {
    const admin = server.as('admin');
    let refused = 0;
    const upload = async (name: string, bytes: Buffer) => {
      const { uploadId } = (await admin.run('mutation { initiateMultipartUpload { uploadId } }'))
        .initiateMultipartUpload;
      const append =
        'mutation ($input: AppendMultipartUploadChunkInput!) { appendMultipartUploadChunk(input: $input) { totalSize } }';
      for (let offset = 0; offset < bytes.length; ) {
        const data = bytes.subarray(offset, offset + CHUNK_BYTES).toString('base64');
        const { status, errors, headers } = await admin.ask(append, {
          variables: { input: { uploadId, data, offset } },
        });
        if (status === 200 && errors === undefined) offset += CHUNK_BYTES;
        else {
          assert.deepEqual([status, errors?.[0]?.extensions.code], [503, 'UNAVAILABLE']);
          assert.equal(headers.get('retry-after'), '1');
          refused++;
        }
      }
      const complete =
        'mutation ($input: CompleteMultipartUploadInput!) { completeMultipartUpload(input: $input) { downloadUrl } }';
      const { completeMultipartUpload: node } = await admin.run(complete, {
        input: { uploadId, path: '/content/room', name, mimeType: 'application/octet-stream' },
      });
      const found = await fetch(`${server.baseUrl}${node.downloadUrl}`, { headers: admin.headers });
      assert.equal(sha256(Buffer.from(await found.arrayBuffer())), sha256(bytes), name);
    };
    const files = Array.from({ length: UPLOADS }, () => randomBytes(2 * CHUNK_BYTES));
    await Promise.all(files.map((bytes, n) => upload(`f${n}`, bytes)));
    assert.ok(refused > 0, 'there was room for all of them');
  });
});

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
