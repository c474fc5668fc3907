import assert from 'node:assert/strict';
import { deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { mimeTypeOf, sniffMimeType } from '../../../src/content/index.js';
import { FileBlobStore } from '../../../src/store/index.js';
import { temporaryFolder } from '../../support/temporary.js';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
const text = (given: string) => Buffer.from(given);

describe('the type that bytes seem to have', () => {
  const cases: [string, Uint8Array, string, string][] = [
    ['nothing', new Uint8Array(), 'application/octet-stream', 'bin'],
    ['PNG', PNG, 'image/png', 'png'],
    ['PDF', text('%PDF-1.7\n%\u00e2\u00e3'), 'application/pdf', 'pdf'],
    ['PDF of ASCII alone', text('%PDF-1.4\n1 0 obj'), 'application/pdf', 'pdf'],
    ['gzip', gzipSync('x'), 'application/gzip', 'gz'],
    ['bytes without meaning', deflateSync(Buffer.alloc(10, 1)).subarray(3), 'application/octet-stream', 'bin'],
    ['text', text('Guten Tag, Müller\r\n'), 'text/plain', 'txt'],
    ['JSON', text('{"a": 1}'), 'text/plain', 'txt'],
    ['text in UTF-16', Buffer.from('\ufeffHallo', 'utf16le'), 'text/plain', 'txt'],
    ['text in UTF-16 of the other byte order', Buffer.from('\ufeffHallo', 'utf16le').swap16(), 'text/plain', 'txt'],
    ['half a byte order mark', Buffer.from('ff61', 'hex'), 'application/octet-stream', 'bin'],
    ['the other half of it', Buffer.from('61fe', 'hex'), 'application/octet-stream', 'bin'],
    ['half of the other one', Buffer.from('fe61', 'hex'), 'application/octet-stream', 'bin'],
    ['and the other half of that', Buffer.from('61ff', 'hex'), 'application/octet-stream', 'bin'],
    ['text in Latin 1', Buffer.from('M\u00fcller', 'latin1'), 'application/octet-stream', 'bin'],
    ['a text cut within a character', text(`${'x'.repeat(2047)}ü`), 'text/plain', 'txt'],
    ['HTML', text('\ufeff\n<!-- hello -->\n<!DOCTYPE html><p>'), 'text/html', 'html'],
    ['HTML without a doctype', text('  <HTML lang="de">'), 'text/html', 'html'],
    ['a script', text('<script>alert(1)</script>'), 'text/html', 'html'],
    ['XML', text('<?xml version="1.0"?><a/>'), 'application/xml', 'xml'],
    ['SVG', text('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml', 'svg'],
    ['SVG with a prologue', text('<?xml version="1.0"?>\n<svg xmlns="x"/>'), 'image/svg+xml', 'svg'],
  ];
  for (const [name, bytes, mimeType, extension] of cases) {
    it(`${name}: ${mimeType}`, async () => assert.deepEqual(await sniffMimeType(bytes), { mimeType, extension }));
  }

  it('is told by the first 2,048 bytes, wherever they are', async () => {
    const folder = temporaryFolder();
    try {
      const blobs = await FileBlobStore.open(folder.path);
      const typeOf = async (bytes: Buffer) => {
        const { sha256, size } = await blobs.write(bytes);
        const kept = await mimeTypeOf({ blob: sha256, size }, blobs);
        assert.equal(await mimeTypeOf({ inline: bytes.toString('base64'), size }, blobs), kept);
        return kept;
      };
      assert.equal(await typeOf(Buffer.alloc(0)), 'application/octet-stream');
      assert.equal(await typeOf(text(`${'x'.repeat(2_047)}\0`)), 'application/octet-stream');
      assert.equal(await typeOf(text(`${'x'.repeat(2_048)}\0`)), 'text/plain');
    } finally {
      folder.remove();
    }
  });

  it('is one, whatever comes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 64 }),
        fc.constantFrom('PK\x03\x04', '\x1f\x8b', 'RIFF', 'ID3', ''),
        async (bytes, magic) => {
          const { mimeType, extension } = await sniffMimeType(Buffer.concat([Buffer.from(magic, 'latin1'), bytes]));
          assert.match(mimeType, /^[\w.+-]+\/[\w.+-]+/);
          assert.match(extension, /^[\w.]+$/);
        },
      ),
      { numRuns: 300 },
    );
  });
});
