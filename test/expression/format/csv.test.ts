import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { CsvRecords } from '../../../src/expression/format/csv/csv-records.js';
import { csvStyle } from '../../../src/expression/format/csv/csv-style.js';
import { FormatOptions } from '../../../src/expression/format/format-options.js';
import { exchangeOf, failureOf, failureTypes } from '../exchange-support.js';
import { PRINTED, READ, REFUSED } from './commons-csv-answers.js';
import { formatOf, marshalled, unmarshalled } from './format-support.js';

/** The records of a text that comes in pieces of this length. */
function recordsOf(text: string, options: Readonly<Record<string, unknown>>, length: number): unknown[] {
  const records = new CsvRecords(csvStyle(new FormatOptions({ kind: 'csv', options, at: { line: 1, column: 1 } })));
  const found: unknown[] = [];
  const take = () => {
    for (let record = records.next(); record !== undefined; record = records.next()) found.push(record);
  };
  for (let at = 0; at < text.length; at += length) {
    records.push(text.slice(at, at + length));
    take();
  }
  records.end();
  take();
  return found;
}

describe('csv: what Commons CSV answers', () => {
  for (const [text, options, records] of READ) {
    it(`reads ${JSON.stringify(text)} with ${JSON.stringify(options)}, in whatever pieces it comes`, () => {
      for (const length of [1_000, 1, 2, 3]) assert.deepEqual(recordsOf(text, options, length), records);
    });
  }
  for (const [text, options] of REFUSED) {
    it(`refuses ${JSON.stringify(text)} with ${JSON.stringify(options)}`, async () => {
      assert.deepEqual(failureTypes(await failureOf(() => recordsOf(text, options, 1_000))), ['java.io.IOException']);
    });
  }
  for (const [records, options, text] of PRINTED) {
    it(`prints ${JSON.stringify(records)} with ${JSON.stringify(options)}`, async () => {
      assert.equal(await marshalled('csv', records, options), text);
    });
  }
});

describe('csv as a data format', () => {
  const TEXT = 'name,price\nrye,3\noat,12\n';

  it('reads lists, or maps by the names of the first record', async () => {
    assert.deepEqual(await unmarshalled('csv', TEXT), [
      ['name', 'price'],
      ['rye', '3'],
      ['oat', '12'],
    ]);
    const maps = [
      { name: 'rye', price: '3' },
      { name: 'oat', price: '12' },
    ];
    assert.deepEqual(await unmarshalled('csv', Buffer.from(TEXT), { useMaps: true }), maps);
    assert.deepEqual(await unmarshalled('csv', `\ufeff${TEXT}`, { useOrderedMaps: 'true' }), maps);
    assert.deepEqual(
      await unmarshalled('csv', Readable.from(['name,pr', 'ice\nrye,3\noat,12']), { useMaps: true }),
      maps,
    );
  });

  it('takes given names, and leaves out the first record where it has them', async () => {
    assert.deepEqual(
      await unmarshalled('csv', 'a,b\n1,2,3', { header: 'x,y', useMaps: true, skipHeaderRecord: true }),
      [{ x: '1', y: '2' }],
    );
    assert.deepEqual(await unmarshalled('csv', '1\n', { header: ['x', 'y'], useMaps: true }), [{ x: '1' }]);
    assert.deepEqual(await unmarshalled('csv', TEXT, { skipHeaderRecord: true }), [
      ['rye', '3'],
      ['oat', '12'],
    ]);
  });

  it('refuses a name that is missing, unless that is allowed', async () => {
    const thrown = await failureOf(() => unmarshalled('csv', 'a,,b\n1,2,3', { useMaps: true }));
    assert.deepEqual(failureTypes(thrown), ['java.lang.IllegalArgumentException']);
    assert.deepEqual(await unmarshalled('csv', 'a,,b\n1,2,3', { useMaps: true, allowMissingColumnNames: true }), [
      { a: '1', '': '2', b: '3' },
    ]);
  });

  it('puts the names into a header where captureHeaderRecord asks for it', async () => {
    const exchange = exchangeOf(TEXT);
    const rows = formatOf('csv', { captureHeaderRecord: true }).unmarshal(exchange, TEXT);
    assert.deepEqual(exchange.headers.get('CamelCsvHeaderRecord'), ['name', 'price']);
    assert.deepEqual(rows, [
      ['rye', '3'],
      ['oat', '12'],
    ]);
  });

  it('reads row by row with lazyLoad: of a stream, no more than is asked for', async () => {
    const rows = formatOf('csv', { lazyLoad: true }).unmarshal(exchangeOf(TEXT), TEXT) as Iterator<unknown>;
    assert.deepEqual(rows.next().value, ['name', 'price']);
    let pulled = 0;
    const endless = (async function* () {
      for (;;) yield `row${++pulled},1\n`;
    })();
    const stream = formatOf('csv', { lazyLoad: true }).unmarshal(
      exchangeOf(endless),
      endless,
    ) as AsyncIterator<unknown>;
    assert.deepEqual((await stream.next()).value, ['row1', '1']);
    assert.ok(pulled <= 3);
    await stream.return?.();
  });

  it('writes maps in their order, or by the columns of header, whose names come first', async () => {
    const rows = [{ name: 'rye', price: 3.5 }, new Map([['price', 12]])];
    assert.equal(await marshalled('csv', rows), 'rye,3.5\r\n12\r\n');
    assert.equal(await marshalled('csv', rows, { header: 'price,name' }), 'price,name\r\n3.5,rye\r\n12,\r\n');
    assert.equal(await marshalled('csv', rows, { header: 'price,name', skipHeaderRecord: true }), '3.5,rye\r\n12,\r\n');
    assert.equal(await marshalled('csv', { a: 1, b: null }), '1,\r\n');
  });

  it('refuses what are no rows', async () => {
    const thrown = await failureOf(() => marshalled('csv', 5));
    assert.deepEqual(failureTypes(thrown), ['org.apache.camel.NoTypeConversionAvailableException']);
  });

  it('refuses a record without end', async () => {
    const endless = (async function* () {
      yield '"';
      for (;;) yield 'a'.repeat(1_048_576);
    })();
    const rows = formatOf('csv', { lazyLoad: true }).unmarshal(exchangeOf(endless), endless) as AsyncIterator<unknown>;
    assert.deepEqual(failureTypes(await failureOf(() => rows.next())), ['java.io.IOException']);
  });

  it('reads again what it has written', async () => {
    const field = fc.string({ unit: fc.constantFrom('a', ' ', ',', '"', '\n', '\r', '\\', '#', 'é', '\t') });
    const style = fc.constantFrom(
      {},
      { quoteMode: 'ALL' },
      { delimiter: ';' },
      { format: 'RFC4180' },
      { format: 'MYSQL' },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(field, { minLength: 2 }), { maxLength: 5 }), style, async (rows, options) => {
        assert.deepEqual(await unmarshalled('csv', await marshalled('csv', rows, options), options), rows);
      }),
    );
  });
});
