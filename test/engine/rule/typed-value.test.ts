import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isAtMost } from '../../../src/engine/element/native.js';
import { bounded, typedValue, typedVariables } from '../../../src/engine/rule/given-value.js';

const typed = (type: string | undefined, value: unknown) => typedValue({ name: 'v', ...(type && { type }), value });

describe('a typed variable', () => {
  it('takes native values and texts alike', () => {
    assert.deepEqual(typed('Long', 42), { type: 'Long', value: 42 });
    assert.deepEqual(typed('Long', ' -42 '), { type: 'Long', value: -42 });
    assert.deepEqual(typed('Integer', '7'), { type: 'Integer', value: 7 });
    assert.deepEqual(typed('Double', '1.5e3'), { type: 'Double', value: 1500 });
    assert.deepEqual(typed('Double', 2), { type: 'Double', value: 2 });
    assert.deepEqual(typed('Boolean', 'true'), { type: 'Boolean', value: true });
    assert.deepEqual(typed('Boolean', false), { type: 'Boolean', value: false });
    assert.deepEqual(typed('String', 5), { type: 'String', value: '5' });
    assert.deepEqual(typed('Json', { a: [1] }), { type: 'Json', value: { a: [1] } });
  });

  it('takes the text of a structure where the type says Json', () => {
    assert.deepEqual(typed('Json', '{"a":[1]}'), { type: 'Json', value: { a: [1] } });
    assert.deepEqual(typed('Object', ' [1, 2]'), { type: 'Json', value: [1, 2] });
    assert.deepEqual(typed('Json', 'plain'), { type: 'Json', value: 'plain' });
    assert.deepEqual(typed(undefined, '{"a":1}'), { type: 'String', value: '{"a":1}' });
    assert.throws(() => typed('Json', '{"a":'), { code: 'BAD_REQUEST', message: /expected JSON for variable 'v'/ });
  });

  it('may be transient', () => {
    const given = (valueInfo: object) => typedVariables([{ name: 'v', value: 1, valueInfo }]);
    assert.deepEqual(given({ transient: true }), { v: { type: 'Integer', value: 1, transient: true } });
    assert.deepEqual(given({ transient: false }), { v: { type: 'Integer', value: 1 } });
  });

  it('keeps what Camunda says of a value beyond its type', () => {
    const given = (type: string, value: unknown, valueInfo?: object) =>
      typedValue({ name: 'v', type, value, valueInfo });
    const order = { objectTypeName: 'org.Order', serializationDataFormat: 'application/json' };
    assert.deepEqual(given('object', '{"a":1}', order), {
      type: 'Json',
      value: { a: 1 },
      info: { type: 'Object', ...order },
    });
    const java = { objectTypeName: 'a.B', serializationDataFormat: 'application/x-java-serialized-object' };
    assert.deepEqual(given('Object', 'rO0AB', java), {
      type: 'String',
      value: 'rO0AB',
      info: { type: 'Object', ...java },
    });
    assert.throws(() => given('Object', '{', order), { code: 'BAD_REQUEST' });
    assert.deepEqual(given('Xml', '<a/>'), { type: 'String', value: '<a/>', info: { type: 'Xml' } });
    assert.deepEqual(given('Bytes', 'AQI='), { type: 'String', value: 'AQI=', info: { type: 'Bytes' } });
    assert.deepEqual(given('short', 7), { type: 'Integer', value: 7, info: { type: 'Short' } });
    assert.throws(() => given('Short', 40_000), { code: 'BAD_REQUEST', message: /16 bits/ });
    assert.deepEqual(given('file', 'aGk=', { filename: 'a.txt', mimetype: 'text/plain' }), {
      type: 'String',
      value: 'aGk=',
      info: { type: 'File', filename: 'a.txt', mimeType: 'text/plain' },
    });
  });

  it('keeps all digits of a Long', () => {
    assert.deepEqual(typed('Long', '9007199254740993'), { type: 'Long', value: '9007199254740993' });
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), (long) => {
        assert.equal(BigInt(typed('Long', long.toString()).value as string | number), long);
      }),
    );
  });

  it('takes the largest and the smallest of its type', () => {
    assert.deepEqual(typed('Integer', 2 ** 31 - 1).value, 2 ** 31 - 1);
    assert.deepEqual(typed('Integer', -(2 ** 31)).value, -(2 ** 31));
    assert.deepEqual(typed('Long', '9223372036854775807').value, '9223372036854775807');
    assert.deepEqual(typed('Long', '-9223372036854775808').value, '-9223372036854775808');
    assert.deepEqual(typed('Date', 8.64e15).value, '+275760-09-13T00:00:00.000Z');
  });

  it('keeps dates as UTC', () => {
    assert.deepEqual(typed('Date', '2026-01-31T08:00:00+01:00'), { type: 'Date', value: '2026-01-31T07:00:00.000Z' });
    assert.deepEqual(typed('Date', '2013-01-23T13:42:42.000+0200'), {
      type: 'Date',
      value: '2013-01-23T11:42:42.000Z',
    });
    assert.deepEqual(typed('Date', 0), { type: 'Date', value: '1970-01-01T00:00:00.000Z' });
  });

  it('takes the names of types in any case, and the JSON type without one', () => {
    assert.equal(typed('long', 1).type, 'Long');
    assert.equal(typed('OBJECT', {}).type, 'Json');
    assert.deepEqual(typed(undefined, 1), { type: 'Integer', value: 1 });
    assert.deepEqual(typed(undefined, 2 ** 40), { type: 'Long', value: 2 ** 40 });
    assert.deepEqual(typed(undefined, 1.5), { type: 'Double', value: 1.5 });
    assert.deepEqual(typed(undefined, [1]), { type: 'Json', value: [1] });
    assert.deepEqual(typed('long', null), { type: 'Null', value: null, info: { type: 'Long' } });
    assert.deepEqual(typed('Short', null), { type: 'Null', value: null, info: { type: 'Short' } });
    assert.deepEqual(typed('Null', null), { type: 'Null', value: null });
    assert.deepEqual(typed(undefined, undefined), { type: 'Null', value: null });
  });

  it('refuses what it cannot be', () => {
    const refused = (type: string, value: unknown, sentence: RegExp) =>
      assert.throws(() => typed(type, value), { code: 'BAD_REQUEST', message: sentence });
    refused('Long', 1.5, /expected a whole number for variable 'v'.*found 1.5$/);
    refused('Long', '9223372036854775808', /whole number of 64 bits/);
    refused('Long', '-9223372036854775809', /whole number of 64 bits/);
    refused('Integer', 2 ** 31, /whole number of 32 bits/);
    refused('Integer', -(2 ** 31) - 1, /whole number of 32 bits/);
    refused('Integer', '9007199254740993', /whole number of 32 bits/);
    refused('Double', 'many', /expected a number/);
    refused('Double', ' ', /expected a number/);
    refused('Boolean', 'yes', /expected true or false/);
    refused('Date', '2026-02-30', /expected a date of ISO 8601/);
    refused('Date', true, /expected a date of ISO 8601/);
    refused('Date', 8.64e15 + 1, /expected a date of ISO 8601/);
    refused('Null', 1, /expected null/);
    refused('constructor', 1, /expected one of String, Long/);
    refused('Blob', 'x', /but found 'Blob'$/);
    refused('x'.repeat(98), 'x', /but found 'x{98}'$/);
    refused('x'.repeat(99), 'x', /but found 'x{98}…$/);
  });

  it('needs a name that can be one', () => {
    for (const name of ['', 'x'.repeat(256), '__proto__', 'constructor', 'prototype', 'a\0', '\udc00b']) {
      assert.throws(() => typedVariables([{ name, value: 1 }]), {
        code: 'BAD_REQUEST',
        message: /a variable name of 1 to 255/,
      });
    }
    assert.deepEqual(typedVariables(null), {});
    assert.deepEqual(
      typedVariables([
        { name: 'a', value: 1 },
        { name: 'a', value: 2 },
      ]),
      { a: { type: 'Integer', value: 2 } },
    );
  });
});

describe('the size of a variable', () => {
  it('is at most 4,000,000 characters of its JSON', () => {
    const given = (value: unknown) => typedVariables([{ name: 'v', value }]).v?.value;
    const text = 'x'.repeat(3_999_998);
    assert.equal(given(text), text);
    const items = ['y'.repeat(1_999_995), 'z'.repeat(1_999_998)];
    assert.deepEqual(given(items), items);
    for (const larger of [`${text}x`, [...items, '']]) {
      assert.throws(() => given(larger), {
        code: 'LIMIT_EXCEEDED',
        message: /^expected at most 4000000 characters of JSON as the value of variable 'v', but found 400000[13]$/,
      });
    }
  });

  it('is told without its JSON where that surely has few characters: 6 of each in a text, 32 of any other value', () => {
    const rows: [unknown, number][] = [
      ['abc', 20],
      [true, 32],
      [null, 32],
      [-(2 ** -1000), 32],
      [{}, 2],
      [{ a: 'abc' }, 32],
      [[1], 44],
      [[1, 2], 86],
      [[[], 1], 56],
    ];
    for (const [value, length] of rows) {
      assert.deepEqual([isAtMost(value, length), isAtMost(value, length - 1)], [true, false], JSON.stringify(value));
    }
    assert.equal(isAtMost([1, 2], 44), false, 'the first item fills it');
  });
});

describe('a text of a caller', () => {
  it('has the length that its kind may have', () => {
    assert.equal(bounded('assignee', 'x'.repeat(255), 'name'), 'x'.repeat(255));
    assert.equal(bounded('reason', null, 'reason'), null);
    assert.equal(bounded('reason', undefined, 'reason'), null);
    assert.throws(() => bounded('assignee', 'x'.repeat(256), 'name'), {
      code: 'LIMIT_EXCEEDED',
      message: "expected at most 255 characters as 'assignee', but found 256",
    });
  });

  it('has neither NUL nor halves of characters', () => {
    assert.throws(() => bounded('reason', 'a\0', 'reason'), {
      code: 'BAD_REQUEST',
      message: /as 'reason', but there are some/,
    });
  });
});
