import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import type { Blob } from '../../../src/store/blob/blob-store.js';
import { FileBlobStore } from '../../../src/store/blob/file-blob-store.js';
import { holdRemovals } from '../../../src/store/blob/hold.js';
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
          assert.deepEqual(await buffer(store.open(blob)), bytes);
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
      const blob = await store.write(source());
      assert.equal(blob.size, 40 * chunk.length);
      const hash = createHash('sha256');
      for await (const part of store.open(blob)) hash.update(part);
      assert.equal(hash.digest('hex'), blob.sha256);
    });

    it('gives a range of bytes, ends included', async () => {
      const blob = await store.write(Buffer.from('0123456789'));
      const text = async (start: number, end?: number) =>
        String(await buffer(store.open(blob, end === undefined ? { start } : { start, end })));
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
        assert.throws(() => store.open(blob, { start, end }), { code: 'BAD_REQUEST' });
      }
    });

    it('keeps the same content once, also when it is written at the same time', async () => {
      const written = await Promise.all(Array.from({ length: 10 }, () => store.write(Buffer.from('same'))));
      assert.equal(new Set(written.map(({ sha256 }) => sha256)).size, 1);
      assert.deepEqual(leftovers(), []);
      assert.equal(await store.readText({ sha256: hashOf(Buffer.from('same')), size: 4 }), 'same');
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
      assert.equal(await next.readText(blob), 'kept');
    });

    it('says when there is no such blob', async () => {
      for (const size of [1, 3_000_000]) {
        const missing = { name: 'ServiceError', code: 'DATA_DAMAGED', message: `blob '${UNKNOWN}' is missing` };
        await assert.rejects(buffer(store.open({ sha256: UNKNOWN, size })), missing);
        await assert.rejects(store.readText({ sha256: UNKNOWN, size }), missing);
      }
      await assert.rejects(store.size(UNKNOWN), { code: 'NOT_FOUND' });
      assert.equal(await store.has(UNKNOWN), false);
      assert.equal(await store.remove(UNKNOWN), false);
    });

    for (const [kind, size] of [
      ['small', 5_000],
      ['large', 3_000_000],
    ] as const) {
      it(`gives out nothing of a ${kind} blob that was cut or has grown, and tells of it`, async () => {
        const told: string[] = [];
        store = await FileBlobStore.open(join(folder(), 'blobs'), ({ sha256, problem }) =>
          told.push(`${sha256} ${problem}`),
        );
        const bytes = randomBytes(size);
        const blob = await store.write(bytes);
        for (const [found, of] of [
          [size - 1, bytes.subarray(1)],
          [size + 1, Buffer.concat([bytes, Buffer.from('x')])],
          [0, Buffer.alloc(0)],
        ] as const) {
          writeFileSync(pathOf(blob), of);
          const damaged = { code: 'DATA_DAMAGED', message: `blob '${blob.sha256}' has ${found} bytes of ${size}` };
          for (const range of [undefined, { start: 0, end: 0 }, { start: size - 2 }])
            await assert.rejects(buffer(store.open(blob, range)), damaged);
          await assert.rejects(store.readText(blob), damaged);
          assert.deepEqual(told.splice(0), Array(4).fill(`${blob.sha256} has ${found} bytes of ${size}`));
        }
      });

      it(`makes a ${kind} blob whole again that was cut, when its bytes are written again`, async () => {
        const bytes = randomBytes(size);
        const blob = await store.write(bytes);
        writeFileSync(pathOf(blob), bytes.subarray(1));
        await store.write(bytes);
        assert.deepEqual(await buffer(store.open(blob)), bytes);
        writeFileSync(pathOf(blob), bytes.subarray(1));
        const stage = store.stage('part', 'id');
        await stage.write(0, bytes);
        assert.deepEqual(await stage.complete(size), blob);
        assert.deepEqual(await buffer(store.open(blob)), bytes);
        assert.deepEqual(leftovers(), []);
      });
    }

    it('gives out no byte of a small blob in which a letter was changed, and mends it', async () => {
      const blob = await store.write(Buffer.from('0123456789'));
      writeFileSync(pathOf(blob), '0123456780');
      const damaged = { code: 'DATA_DAMAGED', message: `blob '${blob.sha256}' holds other bytes than were written` };
      await assert.rejects(buffer(store.open(blob)), damaged);
      await assert.rejects(buffer(store.open(blob, { start: 0, end: 3 })), damaged);
      await assert.rejects(store.readText(blob), damaged);
      await store.write(Buffer.from('0123456789'));
      assert.equal(await store.readText(blob), '0123456789');
    });

    it('fails a reader of a large blob that is cut while it is read, and leaves nobody waiting', async () => {
      const bytes = randomBytes(3_000_000);
      const blob = await store.write(bytes);
      const stream = store.open(blob);
      await once(stream, 'readable');
      truncateSync(pathOf(blob), 1_000_000);
      await assert.rejects(buffer(stream), { code: 'DATA_DAMAGED', message: `blob '${blob.sha256}' was cut` });
    });

    it('refuses names that are none, so that no other file is reached', async () => {
      for (const name of ['', '../../etc/passwd', 'F'.repeat(64), `${'f'.repeat(63)}/`, `${UNKNOWN}0`]) {
        assert.throws(() => store.open({ sha256: name, size: 1 }), { code: 'BAD_REQUEST' }, name);
        await assert.rejects(store.size(name), { code: 'BAD_REQUEST' }, name);
        await assert.rejects(async () => store.remove(name), { code: 'BAD_REQUEST' }, name);
      }
    });

    it('refuses a text that is too large to be held', async () => {
      const large = await store.write(Buffer.alloc(16 * 1024 * 1024 + 1));
      await assert.rejects(store.readText(large), { code: 'LIMIT_EXCEEDED' });
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

    it('removes nothing while somebody copies, and one alone may', async () => {
      const blob = await store.write(Buffer.from('unheld'));
      age(blob, 2 * HOUR_MS);
      const stage = store.stage('part', 'id');
      await stage.write(0, Buffer.from('staged'));
      const release = await holdRemovals(join(folder(), 'blobs'));
      await assert.rejects(holdRemovals(join(folder(), 'blobs')), { code: 'CONFLICT' });
      assert.deepEqual(await store.sweep(() => false, HOUR_MS), { blobs: 0, bytes: 0 });
      assert.equal(await stage.discard(), false);
      assert.deepEqual(await store.staged('part'), ['id']);
      await release();
      assert.deepEqual(await store.sweep(() => false, HOUR_MS), { blobs: 1, bytes: 6 });
      assert.equal(await stage.discard(), true);
      const dead = await holdRemovals(join(folder(), 'blobs'));
      utimesSync(join(folder(), 'blobs', 'hold'), 0, 0);
      await (await holdRemovals(join(folder(), 'blobs')))();
      await dead();
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
