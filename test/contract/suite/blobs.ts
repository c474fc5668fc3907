import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import type { Blob } from '../../../src/store/blob/blob-store.js';
import { FileBlobStore } from '../../../src/store/blob/file-blob-store.js';
import type { LogKit } from '../log-kit.js';
import { placeFixture } from '../support/log-fixture.js';

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const HOUR_MS = 3_600_000;
const UNKNOWN = 'f'.repeat(64);

/** The port of blobs, and its store in files, which a server of any log has. */
export function blobContract(kit: LogKit): void {
  describe('a blob store in files', () => {
    const place = placeFixture(kit);
    const folder = () => place().folder;
    let store: FileBlobStore;
    beforeEach(async () => {
      store = await FileBlobStore.open(join(folder(), 'blobs'));
    });

    const pathOf = ({ sha256 }: Blob) => join(folder(), 'blobs', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
    const leftovers = () => readdirSync(join(folder(), 'blobs', 'temporary'));
    const age = (blob: Blob, ms: number) => {
      const time = (Date.now() - ms) / 1_000;
      utimesSync(pathOf(blob), time, time);
    };

    it('gives back what was written, under the name of its content', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 5 }), async (chunks) => {
          const bytes = Buffer.concat(chunks);
          const blob = await store.write(Readable.from(chunks, { objectMode: true }));
          assert.deepEqual(blob, { sha256: hashOf(bytes), size: bytes.length });
          assert.deepEqual(await store.write(bytes), blob);
          assert.deepEqual(await buffer(store.open(blob.sha256)), bytes);
          assert.equal(await store.size(blob.sha256), bytes.length);
          assert.equal(await store.has(blob.sha256), true);
          assert.ok(existsSync(pathOf(blob)));
          assert.deepEqual(leftovers(), []);
        }),
        { numRuns: 30 },
      );
    });

    it('writes more than one buffer holds', async () => {
      const chunk = randomBytes(256 * 1024);
      const source = async function* () {
        for (let at = 0; at < 40; at++) yield chunk;
      };
      const { sha256, size } = await store.write(source());
      assert.equal(size, 40 * chunk.length);
      const hash = createHash('sha256');
      for await (const part of store.open(sha256)) hash.update(part);
      assert.equal(hash.digest('hex'), sha256);
    });

    it('gives a range of bytes, ends included', async () => {
      const { sha256 } = await store.write(Buffer.from('0123456789'));
      const text = async (start: number, end?: number) =>
        String(await buffer(store.open(sha256, end === undefined ? { start } : { start, end })));
      assert.equal(await text(0, 0), '0');
      assert.equal(await text(3, 5), '345');
      assert.equal(await text(8), '89');
      assert.equal(await text(8, 99), '89');
      assert.equal(await text(10), '');
      for (const [start, end] of [
        [-1, 3],
        [3, 2],
        [0.5, 3],
        [Number.NaN, 3],
      ] as const) {
        assert.throws(() => store.open(sha256, { start, end }), { code: 'BAD_REQUEST' });
      }
    });

    it('keeps the same content once, also when it is written at the same time', async () => {
      const written = await Promise.all(Array.from({ length: 10 }, () => store.write(Buffer.from('same'))));
      assert.equal(new Set(written.map(({ sha256 }) => sha256)).size, 1);
      assert.deepEqual(leftovers(), []);
      assert.equal(await store.readText(written[0]?.sha256 ?? ''), 'same');
    });

    it('leaves nothing behind when the source fails or is too large', async () => {
      const failing = async function* () {
        yield Buffer.from('some');
        throw new Error('connection lost');
      };
      await assert.rejects(store.write(failing()), /connection lost/);
      await assert.rejects(store.write(Buffer.alloc(11), { sizeMax: 10 }), { code: 'LIMIT_EXCEEDED' });
      assert.equal((await store.write(Buffer.alloc(10), { sizeMax: 10 })).size, 10);
      assert.deepEqual(leftovers(), []);
    });

    it('clears what a dead process left unfinished', async () => {
      const blob = await store.write(Buffer.from('kept'));
      writeFileSync(join(folder(), 'blobs', 'temporary', 'half'), 'half');
      const next = await FileBlobStore.open(join(folder(), 'blobs'));
      assert.deepEqual(leftovers(), []);
      assert.equal(await next.readText(blob.sha256), 'kept');
    });

    it('says when there is no such blob', async () => {
      await assert.rejects(buffer(store.open(UNKNOWN)), { name: 'ServiceError', code: 'NOT_FOUND' });
      await assert.rejects(store.size(UNKNOWN), { code: 'NOT_FOUND' });
      await assert.rejects(store.readText(UNKNOWN), { code: 'NOT_FOUND' });
      assert.equal(await store.has(UNKNOWN), false);
      assert.equal(await store.remove(UNKNOWN), false);
    });

    it('refuses names that are none, so that no other file is reached', async () => {
      for (const name of ['', '../../etc/passwd', 'F'.repeat(64), `${'f'.repeat(63)}/`, `${UNKNOWN}0`]) {
        assert.throws(() => store.open(name), { code: 'BAD_REQUEST' }, name);
        await assert.rejects(store.size(name), { code: 'BAD_REQUEST' }, name);
        await assert.rejects(async () => store.remove(name), { code: 'BAD_REQUEST' }, name);
      }
    });

    it('refuses a text that is too large to be held', async () => {
      const { sha256 } = await store.write(Buffer.alloc(16 * 1024 * 1024 + 1));
      await assert.rejects(store.readText(sha256), { code: 'LIMIT_EXCEEDED' });
    });

    it('removes a blob', async () => {
      const blob = await store.write(Buffer.from('gone'));
      assert.equal(await store.remove(blob.sha256), true);
      assert.equal(await store.has(blob.sha256), false);
      assert.deepEqual(await store.write(Buffer.from('gone')), blob);
      assert.equal(await store.has(blob.sha256), true);
    });

    it('sweeps what nobody holds and nobody wrote lately', async () => {
      const [held, fresh, old, again] = await Promise.all(
        ['held', 'fresh', 'old one', 'again'].map((text) => store.write(Buffer.from(text))),
      );
      assert.ok(held && fresh && old && again);
      for (const blob of [held, old, again]) age(blob, 2 * HOUR_MS);
      await store.write(Buffer.from('again'));
      const swept = await store.sweep((sha256) => sha256 === held.sha256, HOUR_MS);
      assert.deepEqual(swept, { blobs: 1, bytes: 7 });
      assert.deepEqual(await Promise.all([held, fresh, old, again].map(({ sha256 }) => store.has(sha256))), [
        true,
        true,
        false,
        true,
      ]);
    });

    it('never sweeps a blob away from under a write that has resolved', async () => {
      for (let round = 0; round < 30; round++) {
        const blob = await store.write(Buffer.from('contended'));
        age(blob, 2 * HOUR_MS);
        const [written] = await Promise.all([store.write(Buffer.from('contended')), store.sweep(() => false, HOUR_MS)]);
        assert.equal(await store.has(written.sha256), true);
      }
    });
  });
}
