import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { nodes, type SpendUpload, spendUpload, uploads } from '../../../src/content/index.js';
import { type Caller, systemCaller } from '../../../src/shared/caller.js';
import { type Committed, Draft, type Operation, operation, remove, type Write } from '../../../src/store/index.js';
import { callerNamed, Harness } from '../../support/harness.js';
import { temporaryFolder } from '../../support/temporary.js';
import { type TestContent, testContent } from '../../support/test-content.js';

const DAY_MS = 86_400_000;
const ann = callerNamed('ann');
const bob = callerNamed('bob');
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** What a command that makes files of uploads does. */
const spend = operation('spend', (state, wanted: readonly SpendUpload[], { caller }) => {
  const draft = new Draft(state);
  const values = wanted.map((one) => spendUpload(draft, caller, one));
  return { write: draft.writes(), answer: values.map(({ blob, size }) => ({ sha256: blob, size })) };
});

describe('an upload', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let parts: TestContent;
  let harness: Harness;
  beforeEach(async () => {
    folder = temporaryFolder();
    parts = await testContent(folder.path);
    harness = new Harness({ evaluators: parts.content.evaluators });
  });
  afterEach(() => folder.remove());

  const initiate = async (caller: Caller = ann) =>
    (await harness.run(parts.content.api.initiateMultipartUpload, {}, caller)).uploadId;
  const append = async (uploadId: string, text: string | Uint8Array, more: object = {}, caller: Caller = ann) => {
    const chunk = await parts.chunks.hold(Buffer.from(text));
    try {
      const input = { uploadId, chunk: chunk.name, offset: null, sha256: null, ...more };
      return (await harness.run(parts.content.api.appendMultipartUploadChunk, input, caller)).totalSize;
    } finally {
      chunk.release();
    }
  };
  const abort = (uploadId: string, caller: Caller = ann) =>
    harness.run(parts.content.api.abortMultipartUpload, { uploadId }, caller);
  const seal = (uploadId: string, caller: Caller = ann) =>
    harness.run(parts.content.jobs.sealUpload, { uploadId }, caller);
  const spent = async (uploadId: string, caller: Caller = ann) => {
    await seal(uploadId, caller);
    return harness.run(spend, [{ uploadId }], caller);
  };
  const staged = (uploadId: string) => join(folder.path, 'blobs', 'staging', 'test', uploadId);

  it('begins with no bytes', async () => {
    const { uploadId, totalSize } = await harness.run(parts.content.api.initiateMultipartUpload, {}, ann);
    assert.equal(totalSize, 0);
    assert.match(uploadId, /^[0-9a-f-]{36}$/);
    const upload = harness.get(uploads, uploadId);
    assert.equal(upload?.actor.value, 'open');
    assert.equal(upload.expires, harness.now + DAY_MS);
  });

  it('becomes a blob of all its chunks, whatever they are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }), { maxLength: 5 }), async (chunks) => {
        const id = await initiate();
        let size = 0;
        for (const chunk of chunks) {
          size += chunk.length;
          assert.equal(await append(id, chunk), size);
        }
        const whole = Buffer.concat(chunks);
        assert.deepEqual(await spent(id), [{ sha256: hashOf(whole), size }]);
        assert.equal(await parts.blobs.size(hashOf(whole)), size);
        await assert.rejects(spent(id), { code: 'BAD_REQUEST' });
        assert.equal(harness.get(uploads, id), undefined);
      }),
      { numRuns: 30 },
    );
  });

  it('takes a chunk that is sent twice once, and answers the same', async () => {
    const id = await initiate();
    assert.equal(await append(id, 'one ', { offset: 0 }), 4);
    assert.equal(await append(id, 'two', { offset: 4 }), 7);
    assert.equal(await append(id, 'two', { offset: 4 }), 7);
    assert.equal(await append(id, 'one ', { offset: 0 }), 7);
    assert.equal(harness.get(uploads, id)?.chunks, 2);
    assert.deepEqual(await spent(id), [{ sha256: hashOf(Buffer.from('one two')), size: 7 }]);
  });

  it('refuses a gap and other bytes, and tells how far it is', async () => {
    const id = await initiate();
    await append(id, 'one ');
    for (const [text, offset, reason] of [
      ['two', 5, 'upload_gap'],
      ['xyz', 0, 'upload_overlap'],
      ['e two', 2, 'upload_overlap'],
    ] as const) {
      await assert.rejects(append(id, text, { offset }), {
        code: 'CONFLICT',
        info: { reason, resourceId: id, details: { totalSize: 4 } },
      });
    }
    assert.equal(readFileSync(staged(id), 'utf8'), 'one ');
  });

  it('takes bytes that a crash has left behind it for none of its own', async () => {
    const id = await initiate();
    await append(id, 'one ');
    appendFileSync(staged(id), 'two');
    await assert.rejects(append(id, 'e two', { offset: 2 }), {
      info: { reason: 'upload_overlap', resourceId: id, details: { totalSize: 4 } },
    });
    assert.equal(await append(id, 'e ', { offset: 2 }), 4);
  });

  it('asks again where an answer is about another place, another size or another upload', async () => {
    const id = await initiate();
    await append(id, 'one ');
    const kindAsked = (operation: Operation<never, unknown>, input: object, kind: string, question: object) => {
      const answers = [{ ask: { kind, question }, answer: { value: { sha256: 'ab'.repeat(32) } } }];
      const decided = operation.decide(harness.state(), input as never, {
        caller: ann,
        commandId: '',
        seed: '',
        answers,
      });
      return 'ask' in decided ? decided.ask.kind : null;
    };
    const chunk = { sha256: hashOf(Buffer.from('two')), size: 3 };
    const input = { uploadId: id, chunk, offset: null, sha256: null };
    const { appendMultipartUploadChunk } = parts.content.api;
    for (const [kind, offset, asked] of [
      ['writeChunk', 4, null],
      ['writeChunk', 0, 'writeChunk'],
      ['compareChunk', 4, 'writeChunk'],
    ] as const)
      assert.equal(kindAsked(appendMultipartUploadChunk, input, kind, { offset }), asked, `${kind} ${offset}`);
    const { sealUpload } = parts.content.jobs;
    for (const [kind, uploadId, size, asked] of [
      ['sealUpload', id, 4, null],
      ['sealUpload', id, 3, 'sealUpload'],
      ['sealUpload', 'another', 4, 'sealUpload'],
      ['writeChunk', id, 4, 'sealUpload'],
    ] as const)
      assert.equal(
        kindAsked(sealUpload, { uploadId: id }, kind, { uploadId, size }),
        asked,
        `${kind} ${uploadId} ${size}`,
      );
  });

  it('has its chunks at hand until the last of those who send them has its answer', async () => {
    const { chunks } = parts;
    const bytes = Buffer.from('text');
    const [one, other] = [await chunks.hold(bytes), await chunks.hold(bytes)];
    one.release();
    assert.equal(chunks.bytes(one.name.sha256), bytes);
    other.release();
    assert.throws(() => chunks.bytes(one.name.sha256), /expected chunk [0-9a-f]{64} to be held/);
  });

  it('leaves no bytes behind once it is gone', async () => {
    const { staged: bytes, blobs } = parts;
    const [kept, aborted] = [await initiate(), await initiate()];
    for (const id of [kept, aborted]) await append(id, 'text');
    const follower = bytes.follower('test');
    const tell = (writes: readonly Write[]) => follower.committed({ writes } as Committed);
    const committed = async () => {
      tell(harness.lastDecision?.write ?? []);
      await bytes.quiet();
      return (await blobs.staged('test')).sort();
    };
    assert.deepEqual(await committed(), [kept, aborted].sort());
    tell([remove(nodes, kept)]);
    await abort(aborted);
    assert.deepEqual(await committed(), [kept]);
    await blobs.stage('test', aborted).write(0, Buffer.from('left'), hashOf(Buffer.from('left')));
    await bytes.sweep({ id: 'test', read: () => harness.state() as never });
    assert.deepEqual(await blobs.staged('test'), [kept]);
  });

  it('is shown to whoever began it', async () => {
    const upload = harness.get(uploads, await initiate());
    assert.ok(upload);
    assert.deepEqual(
      [ann, bob].map((caller) => uploads.visible?.(caller, upload)),
      [true, false],
    );
  });

  for (const offset of [-1, 0.5, '9007199254740993']) {
    it(`refuses the offset ${offset}`, async () => {
      await assert.rejects(append(await initiate(), 'text', { offset }), { code: /BAD_REQUEST/ });
    });
  }

  it('compares the SHA-256 of a chunk and of the whole', async () => {
    const id = await initiate();
    const sha256 = hashOf(Buffer.from('one'));
    await assert.rejects(append(id, 'two', { sha256 }), { code: 'BAD_REQUEST', message: /SHA-256/ });
    await assert.rejects(append(id, 'one', { sha256: 'no hash' }), { message: /expected 64 hexadecimal digits/ });
    assert.equal(existsSync(staged(id)), false);
    await append(id, 'one', { sha256: sha256.toUpperCase() });
    await seal(id);
    await assert.rejects(harness.run(spend, [{ uploadId: id, sha256: hashOf(Buffer.from('two')) }], ann), {
      code: 'BAD_REQUEST',
    });
    assert.deepEqual(await harness.run(spend, [{ uploadId: id, sha256 }], ann), [{ sha256, size: 3 }]);
  });

  it('refuses an empty chunk, a large one, and one too many', async () => {
    const id = await initiate();
    await assert.rejects(append(id, ''), { code: 'BAD_REQUEST' });
    await assert.rejects(append(id, 'x'.repeat(21)), { code: 'LIMIT_EXCEEDED' });
    for (let at = 0; at < 5; at++) await append(id, 'x'.repeat(20));
    await assert.rejects(append(id, 'x'), { code: 'LIMIT_EXCEEDED', message: /100 bytes/ });
    assert.equal(statSync(staged(id)).size, 100);
  });

  it('tells nothing about uploads of others, of the past, or that never were', async () => {
    const id = await initiate();
    await append(id, 'secret');
    const unknown = '01890000-0000-7000-8000-000000000000';
    const sentence = async (uploadId: string, caller: Caller) => {
      const refusals = [];
      for (const call of [append(uploadId, 'x', {}, caller), spent(uploadId, caller)]) {
        refusals.push(
          await call.then(
            () => 'taken',
            ({ code, message }) => `${code}: ${message.replace(uploadId, '#')}`,
          ),
        );
      }
      return refusals;
    };
    const refusals = await sentence(unknown, ann);
    assert.match(refusals[0] ?? '', /^BAD_REQUEST/);
    assert.deepEqual(await sentence(id, bob), refusals);
    assert.equal(await abort(id, bob), false);
    harness.now += DAY_MS;
    assert.deepEqual(await sentence(id, ann), refusals);
    assert.equal(await abort(id), false);
  });

  it('is aborted once', async () => {
    const id = await initiate();
    await append(id, 'text');
    assert.equal(await abort(id), true);
    assert.equal(await abort(id), false);
    assert.equal(harness.get(uploads, id), undefined);
    await assert.rejects(append(id, 'more'), { code: 'BAD_REQUEST' });
  });

  it('is spent as it was sealed: another chunk breaks the seal, and the same seals it anew', async () => {
    const id = await initiate();
    await append(id, 'one ');
    assert.equal(await seal(id), true);
    const first = harness.get(uploads, id)?.blob ?? '';
    assert.equal(first, hashOf(Buffer.from('one ')));
    await append(id, 'one ', { offset: 0 });
    assert.equal(harness.get(uploads, id)?.blob, first);
    await append(id, 'two');
    await assert.rejects(harness.run(spend, [{ uploadId: id }], ann), { code: 'CONFLICT' });
    assert.deepEqual(await spent(id), [{ sha256: hashOf(Buffer.from('one two')), size: 7 }]);
    assert.equal(await parts.blobs.readText({ sha256: first, size: 4 }), 'one ');
    assert.equal(await seal(id), false);
  });

  it('is made a blob and a file by one command, with what came before it', async () => {
    const admin = callerNamed('ann', { roles: ['administrator'] });
    const complete = parts.content.nodes.completeMultipartUpload.operation;
    await harness.run(parts.content.jobs.ensureStandardTree, null, systemCaller('test'));
    const id = await initiate();
    await append(id, 'one ');
    await seal(id);
    await append(id, 'two');
    const before = harness.revision;
    const input = { uploadId: id, path: '/content', name: 'file', mimeType: 'text/plain' };
    await assert.rejects(harness.run(complete, { ...input, sha256: 'ab'.repeat(32) }, admin), { code: 'BAD_REQUEST' });
    const { nodeId } = await harness.run(complete, input, admin);
    assert.equal(harness.revision, before + 1);
    assert.equal(harness.get(uploads, id), undefined);
    const content = harness.all(nodes).find(({ parent }) => parent === nodeId);
    const data = { blob: hashOf(Buffer.from('one two')), size: 7 };
    assert.deepEqual(content?.properties['jcr:data'], { type: 'Binary', value: data });
    assert.equal(await parts.blobs.readText({ sha256: data.blob, size: 7 }), 'one two');
  });

  it('holds the blob that it was sealed as', async () => {
    const id = await initiate();
    await append(id, 'text');
    await seal(id);
    assert.deepEqual(harness.state().findMulti(uploads, 'blob', hashOf(Buffer.from('text'))).length, 1);
  });

  it('is spent once by one command', async () => {
    const id = await initiate();
    await append(id, 'text');
    await seal(id);
    await assert.rejects(harness.run(spend, [{ uploadId: id }, { uploadId: id }], ann), { code: 'BAD_REQUEST' });
    assert.equal((await spent(id)).length, 1);
  });

  it('lets a user have some at a time; those that are over do not count', async () => {
    for (let at = 0; at < 3; at++) await initiate();
    await assert.rejects(initiate(), { code: 'RATE_LIMITED' });
    await initiate(bob);
    harness.now += DAY_MS;
    await initiate();
    assert.equal(harness.all(uploads).filter(({ owner }) => owner === 'ann').length, 1);
  });

  it('lasts as long as chunks come, then is removed', async () => {
    const [left, lasting] = [await initiate(), await initiate()];
    harness.now += DAY_MS - 1;
    await append(lasting, 'text');
    harness.now += 1;
    assert.equal(await harness.run(parts.content.jobs.expireUploads, {}, ann), false);
    assert.equal(harness.get(uploads, left), undefined);
    assert.equal(await append(lasting, 'more'), 8);
  });

  it('goes on from the size that is stored, whatever a crash left behind it', async () => {
    const id = await initiate();
    await append(id, 'one ');
    appendFileSync(staged(id), 'half of a chu');
    await append(id, 'two');
    appendFileSync(staged(id), 'again');
    assert.deepEqual(await spent(id), [{ sha256: hashOf(Buffer.from('one two')), size: 7 }]);
  });

  it('is no blob of fewer bytes when its file is lost', async () => {
    const id = await initiate();
    await append(id, 'one ');
    rmSync(staged(id));
    await assert.rejects(append(id, 'two'), { code: 'CONFLICT', info: { reason: 'bytes_lost', resourceId: id } });
    await assert.rejects(spent(id), { code: 'CONFLICT' });
  });

  it('may be tried again when the disk failed', async () => {
    const id = await initiate();
    const input = { uploadId: id, chunk: { sha256: hashOf(Buffer.from('x')), size: 1 }, offset: null, sha256: null };
    await assert.rejects(harness.run(parts.content.api.appendMultipartUploadChunk, input, ann), {
      code: 'UNAVAILABLE',
    });
    assert.equal(await append(id, 'x'), 1);
  });
});
