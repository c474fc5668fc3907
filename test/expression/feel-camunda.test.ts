import assert from 'node:assert/strict';
import { compileFeel, fromFeel } from '../../src/expression/index.js';
import { idSource } from '../../src/shared/ids.js';

const scope = { now: 0, variable: () => undefined };

const resultOf = (text: string) => compileFeel(text).evaluate(scope);

/** Each text and what it is. */
function are(expected: Readonly<Record<string, unknown>>): void {
  for (const [text, value] of Object.entries(expected)) assert.deepEqual(fromFeel(resultOf(text).value), value, text);
}

describe('FEEL as Camunda 8 has it', () => {
  it('asks whether there is something, and takes something else where there is not', () => {
    are({
      'is defined(1)': true,
      'is defined(null)': false,
      'is defined(x.y)': false,
      'get or else(x.y, 3)': 3,
      'get or else(value: 0, default: 4)': 0,
      'get or else(get or else(null, null), "c")': 'c',
    });
  });

  it('fails where an assertion does not hold, with its cause', () => {
    are({ 'assert("x", "x" != null)': 'x' });
    assert.throws(() => resultOf('1 + assert(x, x != null)'), {
      code: 'EXECUTION_FAILED',
      message: /'1 \+ assert\(x, x != null\)' failed: the condition of its assertion is not fulfilled/,
    });
    assert.throws(() => resultOf('assert(1, 2 > 3, "too small")'), /failed: too small/);
  });

  it('reads and writes contexts', () => {
    are({
      'get value({x: {y: {z: 0}}}, ["x", "y"])': { z: 0 },
      'get value({a: {b: 3}}, ["b"])': null,
      'get value({a: 1}, [])': null,
      'get value(context: {a: {b: 3}}, keys: ["a", "b"])': 3,
      'get value(m: {a: 1}, key: "a")': 1,
      'put({x: 1}, "y", 2)': { x: 1, y: 2 },
      'put all({x: 1}, {x: 2}, {z: 3})': { x: 2, z: 3 },
    });
  });

  it('takes lists apart', () => {
    are({
      'partition([1, 2, 3, 4, 5], 2)': [[1, 2], [3, 4], [5]],
      'partition([1], 0)': null,
      'duplicate values([1, 2, 2, 2, 3, "a", "a", null, null])': [2, 'a', null],
      'duplicate values([{a: 1}, {a: 1}, {a: 2}])': [{ a: 1 }],
      'is empty([])': true,
      'is empty(null)': null,
    });
    assert.equal(compileFeel('duplicate values(x)').long, true);
  });

  it('makes texts of texts', () => {
    are({
      'string join(["a", null, "c"], ", ", "[", "]")': '[a, c]',
      'string join(["a", 1], "-")': null,
      'extract("references are 1234, 1256, 1378", "12[0-9]*")': ['1234', '1256'],
      'extract("abc", "x")': [],
      'trim("  hello   world ")': 'hello   world',
      'is blank(" ")': true,
      'is blank(1)': null,
      'to base64("üñ")': 'w7zDsQ==',
      'from base64("RkVFTA==")': 'FEEL',
      'from base64("?")': null,
    });
    assert.equal(compileFeel('extract(x, y)').long, true);
  });

  it('reads and writes JSON', () => {
    are({
      'from json("{\\"a\\": [1, null]}").a': [1, null],
      'from json("invalid")': null,
      'to json({a: @"2023-06-14", b: [@"PT2H", "x", null]})': '{"a":"2023-06-14","b":["PT2H","x",null]}',
      'to json(function(x) x)': 'null',
    });
    const deep = '['.repeat(1_000) + ']'.repeat(1_000);
    const variable = (name: string) => (name === 'x' ? deep : undefined);
    const { value, cause } = compileFeel('from json(x)').evaluate({ now: 0, variable });
    assert.deepEqual([value, cause], [null, 'from json expects fewer values, and fewer within each other']);
  });

  it('knows the last day of a month, and an instant in another zone', () => {
    are({
      'last day of month(@"2024-02-01")': '2024-02-29',
      'last day of month(@"2022-10-01T12:00:00")': '2022-10-31',
      'last day of month("2022-10-01")': null,
      'from unix timestamp(60) = @"1970-01-01T00:01:00Z"': true,
      'to unix timestamp(date and time("1970-01-01T00:01:00.900Z"))': 60,
      'cycle(duration("PT1H"))': 'R/PT1H',
      'cycle(3, @"P1D")': 'R3/P1D',
      'cycle("PT1H")': null,
      'string(date and time(@"2020-07-31T14:27:30@Europe/Berlin", "America/Los_Angeles"))':
        '2020-07-31T05:27:30@America/Los_Angeles',
      'string(date and time(@"2020-07-31T14:27:30Z", "+02:00"))': '2020-07-31T16:27:30+02:00',
      'string(date and time(@"2020-07-31T14:27:30", "Z"))': '2020-07-31T14:27:30Z',
      'date and time(@"2020-07-31T14:27:30Z", "Nowhere")': null,
      'string(date and time("2021-09-08T10:30:00+02:00[Europe/Berlin]"))': '2021-09-08T10:30:00@Europe/Berlin',
    });
  });

  it('rounds in the ways that it is told', () => {
    are({ 'decimal(2.5, 0, "half_up")': 3, 'decimal(2.5, 0, "FLOOR")': 2, 'decimal(2.5, 0, "x")': null });
    are({ 'decimal(2.5, 0)': 2 });
    are({ 'decimal(2.5, 1, "unnecessary")': 2.5, 'decimal(2.5, 0, "UNNECESSARY")': null });
  });

  it('has chance where it is given any, the same for the same seed', () => {
    const tell = () => {
      const chance = idSource('0123456789abcdef0123456789abcdef', 0);
      const { value } = compileFeel('[uuid(), uuid(), random number()]').evaluate({ ...scope, chance });
      return value as readonly [string, string, number];
    };
    const [one, other, number] = tell();
    assert.notEqual(one, other);
    assert.equal(one.length, 36);
    assert.ok(number >= 0 && number < 1);
    assert.deepEqual(tell(), [one, other, number]);
    assert.deepEqual(resultOf('uuid()'), { value: null, cause: 'there is no uuid here' });
  });

  it('takes a variable for what its name says, before a function', () => {
    const variable = (name: string) => (name === 'trim' ? 'mine' : undefined);
    assert.equal(compileFeel('trim + "!"').evaluate({ now: 0, variable }).value, 'mine!');
  });
});
