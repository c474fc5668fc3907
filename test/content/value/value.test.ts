import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  compareValues,
  dateOfInstant,
  equalValues,
  instantOf,
  lengthOf,
  namespacesOf,
} from '../../../src/content/index.js';
import { convertValue, valueText } from '../../../src/content/value/convert-value.js';
import type { PropertyType, Value } from '../../../src/content/value/property.js';
import { checkValue } from '../../../src/content/value/value.js';

const context = { namespaces: namespacesOf({ my: 'http://example.org/my' }), what: "property 'p' of '/a'" };
const check = (type: PropertyType, native: unknown) => checkValue(type, native, context);
const big = '9007199254740993';

describe('a value', () => {
  const GOOD: readonly (readonly [PropertyType, unknown, Value])[] = [
    ['String', '', ''],
    ['String', { blob: 'ff', size: 20_000 }, { blob: 'ff', size: 20_000 }],
    ['Binary', 'AAEC', { inline: 'AAEC', size: 3 }],
    ['Binary', 'AA', { inline: 'AA==', size: 1 }],
    ['Binary', 'AA==', { inline: 'AA==', size: 1 }],
    ['Binary', '', { inline: '', size: 0 }],
    ['Binary', { blob: 'ff', size: 5 }, { blob: 'ff', size: 5 }],
    ['Long', 42, 42],
    ['Binary', { inline: 'AAEC', size: 3 }, { inline: 'AAEC', size: 3 }],
    ['Long', -0, 0],
    ['Long', '42', 42],
    ['Long', '+007', 7],
    ['Long', 9_007_199_254_740_991, 9_007_199_254_740_991],
    ['Long', big, big],
    ['Long', '9223372036854775807', '9223372036854775807'],
    ['Long', '-9223372036854775808', '-9223372036854775808'],
    ['Long', 2n ** 60n, '1152921504606846976'],
    ['Double', 1.5, 1.5],
    ['Double', '1.5e3', 1500],
    ['Double', '.5', 0.5],
    ['Double', Number.NaN, 'NaN'],
    ['Double', '-Infinity', '-Infinity'],
    ['Double', '1e999', 'Infinity'],
    ['Boolean', true, true],
    ['Boolean', 'False', false],
    ['Date', '2020-01-02T03:04:05.678+09:00', '2020-01-02T03:04:05.678+09:00'],
    ['Date', '2020-01-02T03:04:05Z', '2020-01-02T03:04:05.000Z'],
    ['Date', '2020-01-02T03:04-05:30', '2020-01-02T03:04:00.000-05:30'],
    ['Date', '2020-01-02T03:04:05.123456Z', '2020-01-02T03:04:05.123Z'],
    ['Date', '2020-01-02T03:04:05.678+18:00', '2020-01-02T03:04:05.678+18:00'],
    ...['07-31', '08-31', '12-31'].map(
      (day) => ['Date', `2020-${day}T00:00:00.000Z`, `2020-${day}T00:00:00.000Z`] as const,
    ),
    ['Date', '2000-02-29T23:59:59.999-18:00', '2000-02-29T23:59:59.999-18:00'],
    ['Date', '+2020-02-29T00:00:00.000Z', '2020-02-29T00:00:00.000Z'],
    ['Date', '-0044-03-15T12:00:00.000Z', '-0044-03-15T12:00:00.000Z'],
    ['Date', '-0000-03-15T12:00:00.000Z', '0000-03-15T12:00:00.000Z'],
    ['Name', 'jcr:content', 'jcr:content'],
    ['Name', '{http://example.org/my}x', 'my:x'],
    ['Path', '/a/../b/', '/b'],
    ['Path', '../x', '../x'],
    ['Reference', '0190b0c0-0000-7000-8000-000000000000', '0190b0c0-0000-7000-8000-000000000000'],
    ['WeakReference', 'anything', 'anything'],
    ['Reference', 'x'.repeat(255), 'x'.repeat(255)],
    ['URI', 'http://example.org/a?b=c#d', 'http://example.org/a?b=c#d'],
    ['URI', 'urn:isbn:12', 'urn:isbn:12'],
    ['URI', '../a%20b', '../a%20b'],
    ['URI', 'http://日本.jp/ä', 'http://日本.jp/ä'],
    ['URI', '', ''],
    ['URI', 'http:///x', 'http:///x'],
    ['URI', '///', '///'],
    ['URI', 'http://u@[::1]:80/x', 'http://u@[::1]:80/x'],
    ['URI', '//[fe80::1%25eth0]', '//[fe80::1%25eth0]'],
    ['URI', '//[::ffff:1.2.3.4]', '//[::ffff:1.2.3.4]'],
    ['URI', 'http://a:', 'http://a:'],
    ['URI', 'a?b[c]#d[e]', 'a?b[c]#d[e]'],
    ['URI', 'urn:x:[a]', 'urn:x:[a]'],
    ['URI', 'x:?', 'x:?'],
    ['Decimal', '1.10', '1.10'],
    ['Decimal', '-12345678901234567890.123456789', '-12345678901234567890.123456789'],
    ['Decimal', '1E+400', '1E+400'],
    ['Decimal', '.5', '.5'],
    ['Decimal', 0.1, '0.1'],
    ['Decimal', 1e21, '1e21'],
    ['Decimal', 5n, '5'],
    ['Decimal', '1'.repeat(1_000), '1'.repeat(1_000)],
    ['Decimal', '1e-2147483647', '1e-2147483647'],
  ];
  for (const [type, native, stored] of GOOD) {
    it(`of ${type} may be ${typeof native === 'bigint' ? `${native}n` : JSON.stringify(native)}`, () => {
      assert.deepEqual(check(type, native), stored);
      assert.deepEqual(check(type, stored), stored);
    });
  }

  const BAD: readonly (readonly [PropertyType, unknown])[] = [
    ['String', 1],
    ['String', null],
    ['String', undefined],
    ['String', { blob: 'ff' }],
    ['String', { size: 5 }],
    ['String', { inline: 'AAEC', size: 3 }],
    ['Binary', { blob: 'ff' }],
    ['Binary', { blob: 1, size: 1 }],
    ['Binary', { inline: 'AAEC' }],
    ['Binary', { inline: 1, size: 1 }],
    ['Binary', { size: 3 }],
    ['Binary', null],
    ['Binary', 'a b'],
    ['Binary', 'A'],
    ['Binary', 'AA='],
    ['Binary', 'AA-_'],
    ['Binary', 7],
    ['Long', 1.5],
    ['Long', '1.0'],
    ['Long', ''],
    ['Long', ' 1'],
    ['Long', '9223372036854775808'],
    ['Long', '-9223372036854775809'],
    ['Long', 1e30],
    ['Long', Number.NaN],
    ['Long', '9'.repeat(1_000_000)],
    ['Double', ''],
    ['Double', 'x'],
    ['Double', '0x10'],
    ['Double', true],
    ['Boolean', 'yes'],
    ['Boolean', 1],
    ['Date', '2020-01-02'],
    ['Date', '2020-01-02T03:04:05'],
    ['Date', '2021-02-29T00:00:00.000Z'],
    ['Date', '1900-02-29T00:00:00.000Z'],
    ['Date', '2020-04-31T00:00:00.000Z'],
    ['Date', '2020-13-01T00:00:00.000Z'],
    ['Date', '2020-00-01T00:00:00.000Z'],
    ['Date', '2020-01-01T24:00:00.000Z'],
    ['Date', '2020-01-01T00:60:00.000Z'],
    ['Date', '2020-01-01T00:00:00.000+19:00'],
    ['Date', '2020-01-01T00:00:00.000+09:60'],
    ['Date', '12020-01-01T00:00:00.000Z'],
    ['Date', 'yesterday'],
    ['Date', 1_577_934_245_678],
    ['Name', 'a/b'],
    ['Name', 'no:such'],
    ['Path', '/a//b'],
    ['Path', ''],
    ['Reference', ''],
    ['Reference', 'a b'],
    ['Reference', 'x'.repeat(256)],
    ['URI', 'a b'],
    ['URI', 'http://a/%zz'],
    ['URI', '1a:b'],
    ['URI', 'a#b#c'],
    ['URI', 'urn:'],
    ['URI', 'a\\b'],
    ['URI', 'http://[bad'],
    ['URI', 'http://bad]'],
    ['URI', 'http://a[b]'],
    ['URI', 'http://[::1]x'],
    ['URI', '//[::1]@x'],
    ['URI', 'http://[gg]'],
    ['URI', 'http://[]'],
    ['URI', 'http://[1.2.3.4]'],
    ['URI', '//[1::2::3]'],
    ['URI', '/a[b]'],
    ['URI', 'a[b]'],
    ['URI', 'http://'],
    ['URI', '//'],
    ['URI', ':a'],
    ['URI', 'x:#f'],
    ['Decimal', ''],
    ['Decimal', '.'],
    ['Decimal', 'e5'],
    ['Decimal', '1,5'],
    ['Decimal', 'NaN'],
    ['Decimal', Number.POSITIVE_INFINITY],
    ['Decimal', '1e99999999999'],
    ['Decimal', '1e-2147483648'],
    ['Decimal', '1'.repeat(1_001)],
  ];
  for (const [type, native] of BAD) {
    it(`of ${type} may not be ${String(JSON.stringify(native)).slice(0, 40)}`, () =>
      assert.throws(
        () => check(type, native),
        (error: { code?: string; message?: string }) => {
          assert.equal(error.code, 'BAD_REQUEST');
          assert.match(error.message ?? '', /property 'p' of '\/a'/);
          return true;
        },
      ));
  }

  const TOLD: readonly (readonly [unknown, string])[] = [
    ['x', "'x'"],
    ['x'.repeat(100), `'${'x'.repeat(100)}'`],
    ['x'.repeat(101), `'${'x'.repeat(100)}…'`],
    [['1'], 'a list'],
    [{ blob: 'ff' }, 'an object'],
    [null, 'null'],
    [true, 'true'],
  ];
  for (const [native, told] of TOLD) {
    it(`that is none is told as ${told.slice(0, 20)}`, () =>
      assert.throws(() => check('Long', native), {
        message: `expected property 'p' of '/a' to be a whole number of 64 bits (-9223372036854775808 to 9223372036854775807), but found ${told}`,
      }));
  }

  it('has a length', () => {
    assert.equal(lengthOf('abc'), 3);
    assert.equal(lengthOf({ blob: 'ff', size: 9 }), 9);
    assert.equal(lengthOf(12.5), 4);
    assert.equal(lengthOf(true), 4);
  });
});

describe('dates', () => {
  it('know their instant', () => {
    assert.equal(instantOf('2020-01-02T03:04:05.678+09:00'), Date.parse('2020-01-01T18:04:05.678Z'));
    assert.equal(instantOf('0099-01-01T00:00:00.000Z'), Date.parse('0099-01-01T00:00:00.000Z'));
    assert.equal(instantOf('-0044-03-15T12:00:00.000Z'), Date.parse('-000044-03-15T12:00:00.000Z'));
    assert.equal(dateOfInstant(8.64e15), null);
    assert.equal(dateOfInstant(Date.parse('9999-12-31T23:59:59.999Z')), '9999-12-31T23:59:59.999Z');
    assert.equal(dateOfInstant(Date.parse('-009999-01-01T00:00:00.000Z')), '-9999-01-01T00:00:00.000Z');
    assert.equal(dateOfInstant(Date.parse('+010000-01-01T00:00:00.000Z')), null);
    assert.equal(dateOfInstant(Date.parse('-009999-01-01T00:00:00.000Z') - 1), null);
    assert.equal(dateOfInstant(Date.parse('-000044-03-15T12:00:00.000Z')), '-0044-03-15T12:00:00.000Z');
  });

  it('are the same again after their text', () =>
    fc.assert(
      fc.property(fc.integer({ min: -377_705_116_800_000, max: 253_402_300_799_999 }), (ms) => {
        const date = dateOfInstant(ms);
        if (date === null) return; // beyond the years that have a text
        assert.equal(instantOf(date), ms);
        assert.equal(check('Date', date), date);
      }),
    ));
});

describe('the order of values', () => {
  const ORDERED: readonly (readonly [PropertyType, readonly Value[]])[] = [
    ['Long', ['-9223372036854775808', -1, 0, 7, '9007199254740992', big, '9007199254740994']],
    ['Double', ['-Infinity', -1.5, 0, 2, 'Infinity', 'NaN']],
    ['Decimal', ['-1e400', '-2', '-1.5', '0', '0.001', '1', '1.0000000000000000000001', '2e3', '1e400']],
    ['Date', ['-0044-03-15T12:00:00.000Z', '2020-01-02T03:04:05.678+09:00', '2020-01-01T18:04:05.679Z']],
    ['Boolean', [false, true]],
    ['String', ['', 'A', 'B', 'a', 'é', '日']],
    [
      'Binary',
      [
        { inline: '', size: 0 },
        { blob: 'ff', size: 5 },
        { blob: '00', size: 6 },
        { blob: '01', size: 6 },
      ],
    ],
  ];
  for (const [type, values] of ORDERED) {
    it(`of ${type}`, () => {
      for (const [i, a] of values.entries()) {
        for (const [j, b] of values.entries()) {
          assert.equal(
            Math.sign(compareValues(type, a, b)),
            Math.sign(i - j),
            `${JSON.stringify(a)} ${JSON.stringify(b)}`,
          );
        }
      }
    });
  }

  it('takes different texts of one worth as equal', () => {
    assert.ok(equalValues('Decimal', '1.0', '1'));
    assert.ok(equalValues('Decimal', '-0', '0.000'));
    assert.ok(equalValues('Decimal', '100', '1e2'));
    assert.ok(equalValues('Date', '2020-01-01T09:00:00.000+09:00', '2020-01-01T00:00:00.000Z'));
    assert.ok(!equalValues('String', '1.0', '1'));
  });

  it('of Decimal agrees with exact fractions', () =>
    fc.assert(
      fc.property(
        fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: -20, max: 20 })),
        fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: -20, max: 20 })),
        ([a, m], [b, n]) => {
          const [x, y] = [a * 10n ** BigInt(m + 20), b * 10n ** BigInt(n + 20)];
          assert.equal(Math.sign(compareValues('Decimal', `${a}e${m}`, `${b}e${n}`)), x < y ? -1 : Number(x > y));
        },
      ),
    ));
});

describe('conversions', () => {
  const binary = (text: string) => ({ inline: Buffer.from(text).toString('base64'), size: Buffer.byteLength(text) });
  const GOOD: readonly (readonly [PropertyType, Value, PropertyType, Value])[] = [
    ['String', '42', 'Long', 42],
    ['String', '1.5', 'Double', 1.5],
    ['String', '1.50', 'Decimal', '1.50'],
    ['String', 'TRUE', 'Boolean', true],
    ['String', 'yes', 'Boolean', false],
    ['String', '2020-01-02T03:04:05Z', 'Date', '2020-01-02T03:04:05.000Z'],
    ['String', 'my:x', 'Name', 'my:x'],
    ['String', '/a/b/', 'Path', '/a/b'],
    ['String', 'urn:x', 'URI', 'urn:x'],
    ['String', 'id', 'Reference', 'id'],
    ['String', 'ä', 'Binary', binary('ä')],
    ['Binary', binary('42'), 'Long', 42],
    ['Binary', binary('ä'), 'String', 'ä'],
    ['Date', '1970-01-01T00:00:01.500Z', 'Long', 1500],
    ['Date', '1970-01-01T00:00:01.500Z', 'Double', 1500],
    ['Date', '1970-01-01T00:00:01.500Z', 'Decimal', '1500'],
    ['Date', '1970-01-01T09:00:01.500+09:00', 'String', '1970-01-01T09:00:01.500+09:00'],
    ['Double', 1.9, 'Long', 1],
    ['Double', -1.9, 'Long', -1],
    ['Double', 'NaN', 'Long', 0],
    ['Double', 'Infinity', 'Long', '9223372036854775807'],
    ['Double', 2 ** 63, 'Long', '9223372036854775807'],
    ['Double', -(2 ** 63), 'Long', '-9223372036854775808'],
    ['Double', '-Infinity', 'Long', '-9223372036854775808'],
    ['Double', 'NaN', 'String', 'NaN'],
    ['Double', '-Infinity', 'String', '-Infinity'],
    ['Double', 0, 'String', '0.0'],
    ['Double', 1500.5, 'Date', '1970-01-01T00:00:01.500Z'],
    ['Double', 0.1, 'Decimal', '0.1'],
    ['Double', 1, 'String', '1.0'],
    ['Double', 1e7, 'String', '1.0E7'],
    ['Double', 1.25e-5, 'String', '1.25E-5'],
    ['Double', 0.001, 'String', '0.001'],
    ['Decimal', '12.9', 'Long', 12],
    ['Decimal', '-12.9', 'Long', -12],
    ['Decimal', '0.5', 'Long', 0],
    ['Decimal', '0.05', 'Long', 0],
    ['Decimal', '0', 'Long', 0],
    ['Decimal', '1e63', 'Long', '-9223372036854775808'],
    ['Decimal', '1e3', 'Long', 1000],
    ['Decimal', '1e1000000', 'Long', 0],
    ['Decimal', '18446744073709551617', 'Long', 1],
    ['Decimal', '1.5', 'Double', 1.5],
    ['Decimal', '1500.7', 'Date', '1970-01-01T00:00:01.500Z'],
    ['Long', 1500, 'Date', '1970-01-01T00:00:01.500Z'],
    ['Long', big, 'Decimal', big],
    ['Long', 3, 'Double', 3],
    ['Long', big, 'String', big],
    ['Boolean', true, 'String', 'true'],
    ['Name', 'my:x', 'Path', 'my:x'],
    ['Name', 'my:ä b', 'URI', './my:%C3%A4%20b'],
    ['Path', 'my:x', 'Name', 'my:x'],
    ['Path', '/a/b c', 'URI', '/a/b%20c'],
    ['Path', '../a', 'URI', './../a'],
    ['URI', 'bar', 'Name', 'bar'],
    ['URI', './my:x', 'Name', 'my:x'],
    ['URI', '%C3%A4', 'Name', 'ä'],
    ['URI', '/a/b%20c', 'Path', '/a/b c'],
    ['Reference', 'id', 'WeakReference', 'id'],
    ['WeakReference', 'id', 'Reference', 'id'],
    ['Boolean', false, 'Binary', binary('false')],
  ];
  for (const [from, value, to, converted] of GOOD) {
    it(`of ${from} ${JSON.stringify(value)} to ${to}`, () =>
      assert.deepEqual(convertValue(value, from, to, context), converted));
  }

  const BAD: readonly (readonly [PropertyType, Value, PropertyType])[] = [
    ['String', 'x', 'Long'],
    ['String', 'x', 'Date'],
    ['String', '', 'Reference'],
    ['Date', '2020-01-01T00:00:00.000Z', 'Boolean'],
    ['Date', '2020-01-01T00:00:00.000Z', 'Name'],
    ['Double', 1, 'Boolean'],
    ['Double', 'NaN', 'Decimal'],
    ['Double', 1e300, 'Date'],
    ['Long', 1, 'Boolean'],
    ['Long', '9223372036854775807', 'Date'],
    ['Boolean', true, 'Long'],
    ['Name', 'a', 'Long'],
    ['Name', 'a', 'Reference'],
    ['Path', '/a', 'Name'],
    ['Path', 'a/b', 'Name'],
    ['Path', 'a[2]', 'Name'],
    ['Path', '..', 'Name'],
    ['URI', 'http://a/b', 'Path'],
    ['URI', 'my:x', 'Path'],
    ['URI', 'my:x', 'Name'],
    ['URI', '', 'Path'],
    ['URI', 'a?b', 'Path'],
    ['URI', 'a/b', 'Name'],
    ['URI', '%ff', 'Name'],
    ['URI', 'no:x', 'Name'],
    ['Reference', 'id', 'Path'],
    ['Binary', { inline: '/w==', size: 1 }, 'String'],
    ['Binary', { blob: 'ff', size: 9 }, 'String'],
  ];
  for (const [from, value, to] of BAD) {
    it(`there are none of ${from} ${JSON.stringify(value)} to ${to}`, () =>
      assert.throws(() => convertValue(value, from, to, context), { code: 'BAD_REQUEST' }));
  }

  const MANY_STEPS: readonly (readonly [PropertyType, string])[] = [
    ['Path', 'a/b'],
    ['Path', 'a[2]'],
    ['Path', '.'],
    ['Path', '..'],
    ['URI', 'a/b'],
    ['URI', 'a?b'],
    ['URI', '%ff'],
  ];
  for (const [from, value] of MANY_STEPS) {
    it(`there are none of ${from} '${value}' to Name, as it is not one step by name`, () =>
      assert.throws(() => convertValue(value, from, 'Name', context), {
        message: `expected property 'p' of '/a' to be a name, but found '${from} ${value}'`,
      }));
  }

  it('through text lose nothing', () =>
    fc.assert(
      fc.property(fc.double(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (double, long) => {
        const [d, l] = [check('Double', double), check('Long', long)];
        assert.deepEqual(check('Double', valueText('Double', d, context)), d);
        assert.deepEqual(check('Long', valueText('Long', l, context)), l);
        assert.equal(BigInt(String(l)), long);
      }),
    ));
});
