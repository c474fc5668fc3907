import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { FileBlobStore } from '../../../src/store/blob/file-blob-store.js';
import { temporaryFolder } from '../support/folder.js';

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const HOUR_MS = 3_600_000;

describe('staged bytes', () => {
  const folder = temporaryFolder();
  let blobs: FileBlobStore;
  let count = 0;
  beforeEach(async () => {
    blobs = await FileBlobStore.open(join(folder(), 'blobs'));
  });
  const next = () => blobs.stage('part', `id-${count++}`);
  const text = (given: string) => Buffer.from(given);

  it('become a blob as they were written, pieces over pieces', async () => {
    const step = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      piece: fc.uint8Array({ minLength: 1, maxLength: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 8 }),
        fc.boolean(),
        fc.boolean(),
        async (steps, isCompleted, isHashed) => {
          const stage = next();
          let model = Buffer.alloc(0);
          for (const { at, piece } of steps) {
            const offset = Math.floor(at * model.length);
            await stage.write(offset, piece, isHashed ? hashOf(piece) : undefined);
            model = Buffer.concat([model.subarray(0, offset), piece]);
            assert.equal(await stage.holds(offset, piece), true);
            if (isCompleted) await stage.complete(model.length);
          }
          const { sha256 } = steps.length === 0 ? await blobs.write(model) : await stage.complete(model.length);
          assert.equal(sha256, hashOf(model));
          assert.equal(await blobs.size(sha256), model.length);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('change no blob that was made of them', async () => {
    const stage = next();
    await stage.write(0, text('first'));
    const first = await stage.complete(5);
    await stage.write(0, text('second'));
    const cut = await stage.complete(3);
    assert.equal(await blobs.readText(first), 'first');
    assert.equal(await blobs.readText(cut), 'sec');
    assert.deepEqual(readdirSync(join(folder(), 'blobs', 'temporary')), []);
  });

  it('are not hashed again where they are one piece whose hash is known', async () => {
    const stage = next();
    // What no bytes have as their hash shows whose word was taken.
    const said = 'ab'.repeat(32);
    await stage.write(0, text('one'), said);
    assert.deepEqual(await stage.complete(3), { sha256: said, size: 3 });
    assert.deepEqual(await stage.complete(2), { sha256: hashOf(text('on')), size: 2 });
    await stage.write(0, text('one'), said);
    await stage.write(3, text(' two'), said);
    assert.deepEqual(await stage.complete(7), { sha256: hashOf(text('one two')), size: 7 });
    await stage.discard();
    await stage.write(0, text('one'));
    assert.deepEqual(await stage.complete(3), { sha256: hashOf(text('one')), size: 3 });
  });

  it('outlive the store, and are discarded once', async () => {
    const id = `id-${count++}`;
    await blobs.stage('part', id).write(0, text('kept'));
    const again = await FileBlobStore.open(join(folder(), 'blobs'));
    assert.ok((await again.staged('part')).includes(id));
    assert.deepEqual(await again.staged('another'), []);
    const blob = await again.stage('part', id).complete(4);
    assert.equal(await again.stage('part', id).discard(), true);
    assert.equal(await again.stage('part', id).discard(), false);
    assert.equal(await again.readText(blob), 'kept');
  });

  it('count as written when they become a blob, however old they are', async () => {
    const stage = next();
    await stage.write(0, text('old bytes'));
    const { sha256 } = await stage.complete(9);
    assert.deepEqual(await blobs.sweep(() => false, HOUR_MS), { blobs: 0, bytes: 0 });
    assert.equal(await blobs.has(sha256), true);
  });

  it('have no gaps', async () => {
    const stage = next();
    await assert.rejects(stage.write(1, text('x')), { code: 'CONFLICT' });
    await assert.rejects(stage.complete(1), { code: 'CONFLICT' });
    await stage.write(0, text('x'));
    await assert.rejects(stage.write(2, text('x')), { code: 'CONFLICT' });
    assert.equal(await stage.holds(1, text('x')), false);
    assert.equal(await stage.holds(0, text('y')), false);
  });

  it('reach no other file', () => {
    for (const id of ['', '..', '../x', 'a/b', 'a\0b', '.hidden', 'x'.repeat(65)]) {
      assert.throws(() => blobs.stage('part', id), { code: 'BAD_REQUEST' }, id);
      assert.throws(() => blobs.stage(id, 'id'), { code: 'BAD_REQUEST' }, id);
    }
  });

  it('are hashed beside the main thread when they are many', async () => {
    const piece = randomBytes(8 * 1024 * 1024);
    const stage = next();
    for (let at = 0; at < 4; at++) await stage.write(at * piece.length, piece);
    const { sha256, size } = await stage.complete(4 * piece.length);
    assert.equal(sha256, hashOf(Buffer.concat([piece, piece, piece, piece])));
    assert.equal(size, 4 * piece.length);
    assert.equal(readFileSync(join(folder(), 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256)).length, size);
  });
});

describe('a blob that is touched', () => {
  const folder = temporaryFolder();

  it('counts as written now; one that is not there is none', async () => {
    const blobs = await FileBlobStore.open(join(folder(), 'blobs'));
    const { sha256 } = await blobs.write(Buffer.from('held by another'));
    assert.equal(await blobs.touch(sha256), true);
    assert.equal(await blobs.touch('f'.repeat(64)), false);
  });
});
