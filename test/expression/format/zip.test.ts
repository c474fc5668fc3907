import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { ZipFile } from 'yazl';
import { PartMessage } from '../../../src/expression/routes.js';
import { answerOf, exchangeOf, failureOf, failureTypes } from '../exchange-support.js';
import { formatOf } from './format-support.js';

async function archiveOf(entries: Readonly<Record<string, Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, bytes] of Object.entries(entries)) {
    if (name.endsWith('/')) zip.addEmptyDirectory(name);
    else zip.addBuffer(bytes, name);
  }
  zip.end();
  return buffer(zip.outputStream as Readable);
}

async function partsOf(archive: unknown, options = {}): Promise<[unknown, string, unknown][]> {
  const parts: [unknown, string, unknown][] = [];
  const iterator = formatOf('zipFile', { usingIterator: true, ...options }).unmarshal(
    exchangeOf(null, { kept: 1 }),
    archive,
  );
  for await (const part of (await answerOf(iterator)) as AsyncIterable<PartMessage>) {
    assert.ok(part instanceof PartMessage);
    assert.equal(part.headers.get('kept'), 1);
    parts.push([part.headers.get('CamelFileName'), String(part.body), part.headers.get('zipFileName')]);
  }
  return parts;
}

describe('zipFile', () => {
  const pack = async (body: unknown, name: string | undefined, options = {}) => {
    const exchange = exchangeOf(body, name === undefined ? {} : { CamelFileName: name });
    const archive = await answerOf(formatOf('zipFile', options).marshal(exchange, body));
    return { archive, header: exchange.headers.get('CamelFileName') };
  };

  it('packs one entry by the name of the file, without its folders unless they are kept', async () => {
    const { archive, header } = await pack('hello', 'a/b/c.txt');
    assert.equal(header, 'c.txt.zip');
    assert.deepEqual(await partsOf(archive), [['c.txt', 'hello', 'c.txt']]);
    const kept = await pack(Readable.from(['hel', 'lo']), 'a/b/c.txt', { preservePathElements: true });
    assert.deepEqual(await partsOf(kept.archive), [['a/b/c.txt', 'hello', 'a/b/c.txt']]);
    assert.deepEqual(
      (await partsOf(kept.archive, { allowEmptyDirectory: true })).map(([name]) => name),
      ['a/', 'a/b/', 'a/b/c.txt'],
    );
    assert.match(String((await pack('x', undefined)).header), /^id-\d+\.zip$/);
  });

  it('unpacks the only entry, whose name the message then has', async () => {
    const exchange = exchangeOf(null);
    const archive = await archiveOf({ 'in.txt': Buffer.from('hello') });
    const asked = formatOf('zipFile').unmarshal(exchange, archive);
    assert.equal(String(await answerOf(asked)), 'hello');
    assert.equal(exchange.headers.get('CamelFileName'), 'in.txt');
  });

  it('refuses more than one entry, none, and what is no archive', async () => {
    const types = async (archive: unknown) =>
      failureTypes(await failureOf(() => formatOf('zipFile').unmarshal(exchangeOf(null), archive)));
    assert.deepEqual(await types(await archiveOf({ a: Buffer.from('1'), b: Buffer.from('2') })), [
      'java.lang.IllegalStateException',
    ]);
    assert.deepEqual(await types(await archiveOf({})), ['java.lang.IllegalStateException']);
    assert.deepEqual(await types('no archive'), ['java.util.zip.ZipException']);
    const damaged = Buffer.from(await archiveOf({ a: Buffer.from('hello hello hello') }));
    damaged[35] = (damaged[35] ?? 0) ^ 0xff;
    assert.deepEqual(await types(damaged), ['java.util.zip.ZipException']);
  });

  it('refuses a bomb: an entry, or all together, that are larger than what is allowed', async () => {
    const bomb = await archiveOf({ big: Buffer.alloc(150_000_000) });
    assert.deepEqual(failureTypes(await failureOf(() => formatOf('zipFile').unmarshal(exchangeOf(null), bomb))), [
      'java.io.IOException',
    ]);
    const many = await archiveOf({ a: Buffer.alloc(600), b: Buffer.alloc(600) });
    assert.deepEqual(failureTypes(await failureOf(() => partsOf(many, { maxDecompressedSize: 1_000 }))), [
      'java.io.IOException',
    ]);
    const lying = Buffer.from(await archiveOf({ a: Buffer.alloc(5_000) }));
    lying.writeUInt32LE(10, lying.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 24);
    assert.deepEqual(failureTypes(await failureOf(() => formatOf('zipFile').unmarshal(exchangeOf(null), lying))), [
      'java.util.zip.ZipException',
    ]);
  });

  it('refuses names that lead out of an archive', async () => {
    const archive = Buffer.from(await archiveOf({ 'aa/aa.txt': Buffer.from('1') }));
    const evil = Buffer.from(archive.toString('latin1').replaceAll('aa/aa.txt', '../aa.txt'), 'latin1');
    assert.deepEqual(failureTypes(await failureOf(() => partsOf(evil))), ['java.util.zip.ZipException']);
  });

  it('unpacks what it has packed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), async (bytes) => {
        const { archive } = await pack(bytes, 'f');
        const again = await answerOf(formatOf('zipFile').unmarshal(exchangeOf(null), archive));
        assert.deepEqual(again, Buffer.from(bytes));
      }),
      { numRuns: 30 },
    );
  });
});
