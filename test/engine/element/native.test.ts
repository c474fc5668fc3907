import assert from 'node:assert/strict';
import { native, textOf, typed } from '../../../src/engine/element/native.js';

describe('the typed value of what an expression, a script or a handler gives', () => {
  const date = new Date(5);
  const rows: readonly (readonly [unknown, string, unknown])[] = [
    ['a', 'String', 'a'],
    ['', 'String', ''],
    [true, 'Boolean', true],
    [0, 'Integer', 0],
    [-0.5, 'Double', -0.5],
    [2 ** 31 - 1, 'Integer', 2 ** 31 - 1],
    [1 - 2 ** 31, 'Integer', 1 - 2 ** 31],
    [2 ** 31, 'Long', 2 ** 31],
    [-(2 ** 31), 'Long', -(2 ** 31)],
    [2 ** 53 - 1, 'Long', 2 ** 53 - 1],
    [1 - 2 ** 53, 'Long', 1 - 2 ** 53],
    [2 ** 53, 'Double', 2 ** 53],
    [1n, 'Long', 1],
    [2n ** 53n - 1n, 'Long', 2 ** 53 - 1],
    [2n ** 53n, 'Long', '9007199254740992'],
    [1n - 2n ** 53n, 'Long', 1 - 2 ** 53],
    [-(2n ** 53n), 'Long', '-9007199254740992'],
    [null, 'Null', null],
    [undefined, 'Null', null],
    [() => 1, 'Null', null],
    [date, 'Date', '1970-01-01T00:00:00.005Z'],
    [[1], 'Json', [1]],
    [{ a: 1 }, 'Json', { a: 1 }],
  ];
  for (const [value, type, plain] of rows) {
    it(`${typeof value === 'object' ? JSON.stringify(value) : String(value)} is the ${type} ${JSON.stringify(plain)}`, () =>
      assert.deepEqual(typed(value), { type, value: plain }));
  }
});

describe('the plain value of a typed one', () => {
  it('is a date or a bigint where it is kept as text, else what is kept', () => {
    assert.deepEqual(native({ type: 'Date', value: '1970-01-01T00:00:00.005Z' }), new Date(5));
    assert.equal(native({ type: 'Date', value: null }), null);
    assert.equal(native({ type: 'Long', value: '9007199254740992' }), 2n ** 53n);
    assert.equal(native({ type: 'Long', value: 5 }), 5);
    assert.equal(native({ type: 'String', value: '5' }), '5');
    assert.equal(native({ type: 'Double', value: 'NaN' }), 'NaN');
  });
});

describe('a value as its text', () => {
  const rows: readonly (readonly [unknown, string | null])[] = [
    [null, null],
    [undefined, null],
    ['', ''],
    ['a', 'a'],
    [1.5, '1.5'],
    [2n ** 53n, '9007199254740992'],
    [false, 'false'],
    [new Date(5), '1970-01-01T00:00:00.005Z'],
    [[1, 'a'], '[1,"a"]'],
    [{ a: null }, '{"a":null}'],
  ];
  for (const [value, text] of rows) it(`is ${text}`, () => assert.equal(textOf(value), text));
});
