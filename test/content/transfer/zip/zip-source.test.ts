import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { ZipSource } from '../../../../src/content/transfer/zip/zip-source.js';
import type { BlobStore } from '../../../../src/store/index.js';
import { changed, renamed, rewritten, zipped } from '../../../support/zipped.js';

const LIMITS = { bytesMax: 8_000_000, entriesMax: 4, ratioMax: 200, depthMax: 3 };
/** What is inline is in no blob. */
const NO_BLOBS = {} as BlobStore;
const MIB = 1_048_576;

const opened = (zip: Buffer, limits = LIMITS) =>
  ZipSource.open({ inline: zip.toString('base64'), size: zip.length }, NO_BLOBS, limits);
const read = async (zip: Buffer, name: string, max = 1_000) => {
  const source = await opened(zip);
  const entry = source.entries.get(name);
  assert.ok(entry);
  return String(await source.bytes(entry, max));
};
const refused = (work: Promise<unknown>, code: string, reason: string | undefined, message: RegExp) =>
  assert.rejects(work, (thrown: { code?: string; message: string; info?: { reason?: string } }) => {
    assert.deepEqual([thrown.code, thrown.info?.reason], [code, reason], thrown.message);
    assert.match(thrown.message, message);
    return true;
  });

/** The size that the packed bytes of the entry have. */
async function packedIn(zip: Buffer, name: string): Promise<number> {
  return (await opened(zip)).entries.get(name)?.compressedSize ?? 0;
}

describe('a ZIP that is imported', () => {
  it('has its entries by name, and their bytes', async () => {
    const zip = await zipped({ 'd/': null, 'd/a.txt': 'text', empty: '' });
    assert.deepEqual([...(await opened(zip)).entries.keys()], ['d/', 'd/a.txt', 'empty']);
    assert.equal(await read(zip, 'd/a.txt'), 'text');
    assert.equal(await read(zip, 'empty'), '');
  });

  it('gives an entry whole only where it is small', async () => {
    const zip = await zipped({ a: 'text' });
    assert.equal(await read(zip, 'a', 4), 'text');
    await refused(read(zip, 'a', 3), 'LIMIT_EXCEEDED', undefined, /'a' of at most 3 bytes, but it has 4/);
  });

  it('is refused where it is none, or its bytes are others than it says', async () => {
    const zip = await zipped({ a: 'text', b: 'x' });
    const none = (bytes: Buffer) => refused(opened(bytes), 'BAD_REQUEST', 'not_an_archive', /expected a ZIP file/);
    await none(Buffer.from('no archive at all'));
    await none(zip.subarray(0, 60));
    await none(Buffer.concat([zip, Buffer.from('more')]));
    await refused(
      read(changed(zip, 'a', { crc32: 1 }), 'a'),
      'BAD_REQUEST',
      'archive_damaged',
      /entry 'a' to have the CRC-32 that the ZIP says, 3b8ba7c8, but it is 3b8ba7c7: the file is damaged/,
    );
    for (const by of [{ size: 1 }, { size: -1 }, { packed: -3 }])
      await refused(read(changed(zip, 'a', by), 'a'), 'BAD_REQUEST', 'not_an_archive', /expected a ZIP file/);
  });

  it('has no names that lead out of it, or that no file could have', async () => {
    const zip = await zipped({ 'abc/efgh.txt': 'a' });
    for (const name of ['../..efg.txt', '/etc/abc.txt', 'ab\\cefgh.txt', 'C:/cefgh.txt'])
      await refused(opened(renamed(zip, 'abc/efgh.txt', name)), 'BAD_REQUEST', 'not_an_archive', /expected a ZIP file/);
    for (const [name, message] of [
      ['abc\0efgh.txt', /entry 'abc\?efgh.txt' to have a name without control/],
      ['abc//fgh.txt', /'abc\/\/fgh.txt' to have names of files and folders in its path, but found ''/],
      ['abc/./gh.txt', /in its path, but found '\.'/],
    ] as const)
      await refused(opened(renamed(zip, 'abc/efgh.txt', name)), 'BAD_REQUEST', 'archive_entry_refused', message);
  });

  it('is refused with a long name cut', async () => {
    const named = async (length: number) => opened(await zipped({ [`${'n'.repeat(length - 1)}\u0001`]: '' }));
    await refused(named(200), 'BAD_REQUEST', 'archive_entry_refused', /entry 'n{199}\?' to/);
    await refused(named(201), 'BAD_REQUEST', 'archive_entry_refused', /entry 'n{200}…' to/);
  });

  it('has entries of names of their own', async () => {
    const zip = renamed(await zipped({ a1: 'a', b1: 'b' }), 'a1', 'b1');
    await refused(opened(zip), 'BAD_REQUEST', 'archive_entry_refused', /there are two of 'b1'/);
  });

  it('has neither symbolic links nor what cannot be unpacked', async () => {
    const zip = await zipped({ a: 'text', b: 'b' });
    const attributes = (unix: number, mode: number) =>
      rewritten(zip, 'a', (header) => {
        header.writeUInt8(unix, 5);
        header.writeUInt16LE(mode, 40);
      });
    const refusedFor = (bytes: Buffer, message: RegExp) =>
      refused(opened(bytes), 'BAD_REQUEST', 'archive_entry_refused', message);
    await refusedFor(attributes(3, 0o120777), /entry 'a' .* is a symbolic link/);
    await opened(attributes(3, 0o100777));
    await opened(attributes(0, 0o120777));
    await refusedFor(
      rewritten(zip, 'a', (header) => void header.writeUInt16LE(header.readUInt16LE(8) | 1, 8)),
      /entry 'a' not to be encrypted/,
    );
    await refusedFor(
      rewritten(zip, 'a', (header) => void header.writeUInt16LE(12, 10)),
      /entry 'a' to be stored or deflated, but its method is 12/,
    );
  });

  it('has as many entries, names in a path and characters of a name as it may, and no more', async () => {
    const entries = (count: number) =>
      zipped(Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, ''])));
    assert.equal((await opened(await entries(4))).entries.size, 4);
    await refused(opened(await entries(5)), 'LIMIT_EXCEEDED', 'archive_too_large', /at most 4 entries/);
    await opened(await zipped({ 'a/b/c': '', 'd/e/f/': null }));
    const deep = opened(await zipped({ 'a/b/c/d': '' }));
    await refused(
      deep,
      'LIMIT_EXCEEDED',
      'archive_too_deep',
      /'a\/b\/c\/d' to have at most 3 names in its path and 4096/,
    );
    await opened(await zipped({ ['n'.repeat(4_096)]: '' }));
    const long = opened(await zipped({ ['n'.repeat(4_097)]: '' }));
    await refused(long, 'LIMIT_EXCEEDED', 'archive_too_deep', /entry 'n{200}…' to have/);
  });

  it('is no larger unpacked than it may be', async () => {
    const zip = await zipped({ a: 'x'.repeat(60), b: 'x'.repeat(40) });
    await opened(zip, { ...LIMITS, bytesMax: 100 });
    const large = opened(zip, { ...LIMITS, bytesMax: 99 });
    await refused(large, 'LIMIT_EXCEEDED', 'archive_too_large', /at most 99 bytes unpacked/);
  });

  it('is no bomb: entries of more than 1 MiB are not packed beyond measure, and share no bytes', async () => {
    await opened(await zipped({ zeros: Buffer.alloc(MIB) }));
    const bomb = opened(await zipped({ zeros: Buffer.alloc(MIB + 1) }));
    await refused(
      bomb,
      'LIMIT_EXCEEDED',
      'archive_bomb',
      /'zeros' to be at most 200 times as large as packed, but \d+ /,
    );
    const zip = await zipped({ noise: randomBytes(6_000) });
    const packed = await packedIn(zip, 'noise');
    await opened(changed(zip, 'noise', { size: packed * 200 - 6_000 }));
    await refused(
      opened(changed(zip, 'noise', { size: packed * 200 - 6_000 + 1 })),
      'LIMIT_EXCEEDED',
      'archive_bomb',
      /200 times/,
    );
    const two = await zipped({ first: 'x'.repeat(50), second: 'x'.repeat(50) });
    const more = two.length - (await packedIn(two, 'first')) - (await packedIn(two, 'second'));
    await opened(changed(two, 'second', { packed: more }));
    await refused(
      opened(changed(two, 'second', { packed: more + 1 })),
      'LIMIT_EXCEEDED',
      'archive_bomb',
      /lie side by side, but they overlap/,
    );
  });
});
