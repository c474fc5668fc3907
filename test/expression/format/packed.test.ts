import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { deflateSync, gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { Asked } from '../../../src/expression/routes.js';
import { answerOf, exchangeOf, failureOf, failureTypes } from '../exchange-support.js';
import { formatOf, marshalled, unmarshalled } from './format-support.js';

describe('gzipDeflater and zipDeflater', () => {
  for (const kind of ['gzipDeflater', 'zipDeflater']) {
    it(`${kind} unpacks what it has packed, whatever its size`, async () => {
      const format = formatOf(kind);
      for (const size of [0, 1, 1_000, 65_536, 300_000]) {
        const bytes = Buffer.alloc(size, 'abc');
        const packed = await answerOf(format.marshal(exchangeOf(bytes), bytes));
        assert.deepEqual(await answerOf(format.unmarshal(exchangeOf(packed), packed)), bytes);
      }
    });

    it(`${kind} refuses what is not packed`, async () => {
      const types = async (body: unknown) => failureTypes(await failureOf(() => unmarshalled(kind, body)));
      assert.deepEqual(await types('not packed'), ['java.util.zip.ZipException']);
      assert.deepEqual(await types(Buffer.alloc(70_000, 'x')), ['java.util.zip.ZipException']);
      assert.deepEqual(await types(5), ['org.apache.camel.NoTypeConversionAvailableException']);
    });
  }

  it('refuse a bomb: little that becomes more than memory takes', async () => {
    const bomb = gzipSync(Buffer.alloc(150_000_000));
    assert.deepEqual(failureTypes(await failureOf(() => unmarshalled('gzipDeflater', bomb))), ['java.io.IOException']);
    const deflated = deflateSync(Buffer.alloc(150_000_000));
    assert.deepEqual(failureTypes(await failureOf(() => unmarshalled('zipDeflater', deflated))), [
      'java.io.IOException',
    ]);
  });

  it('take large bodies to threads of zlib, small ones not', () => {
    const format = formatOf('gzip');
    assert.ok(Buffer.isBuffer(format.marshal(exchangeOf(''), 'small')));
    assert.ok(format.marshal(exchangeOf(''), 'x'.repeat(100_000)) instanceof Asked);
  });

  it('make streams of streams, and pass on what fails in them', async () => {
    const format = formatOf('gzipDeflater');
    const packed = format.marshal(exchangeOf(null), Readable.from(['hello ', 'mill']));
    assert.ok(packed instanceof Readable);
    assert.equal(gunzipSync(await buffer(packed)).toString(), 'hello mill');
    const failing = (async function* () {
      yield 'hello';
      throw new Error('the source is gone');
    })();
    const broken = format.marshal(exchangeOf(null), failing) as Readable;
    await assert.rejects(buffer(broken), /the source is gone/);
  });
});

describe('base64', () => {
  const cases: readonly (readonly [options: object, text: string, encoded: string])[] = [
    [{}, '', ''],
    [{}, 'ab?>', 'YWI/Pg==\r\n'],
    [{ urlSafe: true }, 'ab?>', 'YWI_Pg\r\n'],
    [{ lineLength: 0 }, 'ab?>', 'YWI/Pg=='],
    [{ lineLength: 10 }, 'aaaaaaaaaaaaaaa', 'YWFhYWFh\r\nYWFhYWFh\r\nYWFh\r\n'],
    [{ lineLength: 1 }, 'aaaaaaaa', 'YWFhYWFhYWE='],
    [{ lineLength: 4, lineSeparator: '|' }, 'aaaa', 'YWFh|YQ==|'],
    [{}, 'x'.repeat(60), `${'eHh4'.repeat(19)}\r\n${'eHh4'}\r\n`],
  ];
  for (const [options, text, encoded] of cases) {
    it(`writes ${JSON.stringify(text)} with ${JSON.stringify(options)}`, async () => {
      assert.equal(await marshalled('base64', text, { ...options }), encoded);
    });
  }

  it('passes over what is no sign of it', async () => {
    for (const [text, bytes] of [
      ['YQ', 'a'],
      ['Y', ''],
      ['YWJj\r\nYW Jj', 'abcabc'],
      ['YQ==YQ==', 'a'],
      ['!!!!', ''],
    ]) {
      assert.equal(String(await unmarshalled('base64', text)), bytes);
    }
  });

  it('reads again what it has written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array(), fc.nat(90), fc.boolean(), async (bytes, lineLength, urlSafe) => {
        const text = await marshalled('base64', bytes, { lineLength, urlSafe });
        assert.deepEqual(await unmarshalled('base64', text), Buffer.from(bytes));
      }),
    );
  });
});
