import assert from 'node:assert/strict';
import { compileFeel, fromFeel } from '../../src/expression/index.js';

const scope = { now: 0, variable: () => undefined };

const resultOf = (text: string) => compileFeel(text).evaluate(scope);
const evaluated = (text: string) => {
  const value = fromFeel(resultOf(text).value);
  return value instanceof Date ? value.toISOString() : value;
};

/** Each text and what it is. */
function are(expected: Readonly<Record<string, unknown>>): void {
  for (const [text, value] of Object.entries(expected)) assert.deepEqual(evaluated(text), value, text);
}

describe('FEEL as the standard has it', () => {
  it('multiplies and divides durations, which stay of their kind', () => {
    are({
      '10 * @"P1D"': 'P10D',
      '@"PT1H" * 26': 'P1DT2H',
      '1.5 * @"P4DT1H"': 'P6DT1H30M',
      '@"P1Y11M" * -2.5': '-P4Y9M',
      '@"P10Y11M" / 2.5': 'P4Y4M',
      '@"P10DT23H" / 2.5': 'P4DT9H12M',
      '@"P10Y" / @"P5Y"': 2,
      '@"P10D" / @"P1Y"': null,
      '@"P1D" / 0': null,
      '-@"P1Y"': '-P1Y',
    });
  });

  it('adds durations to dates, which stay dates, and to times, which have no months', () => {
    are({
      '@"2021-01-01" + @"PT36H"': '2021-01-02',
      '@"2021-01-02" - @"PT1S"': '2021-01-01',
      '@"P1M" + @"2021-01-31"': '2021-02-28',
      '@"10:10:10" + @"P1Y"': null,
      '@"2021-01-01" - @"10:10:10"': null,
    });
  });

  it('subtracts instants: zones count, and what has none is in UTC', () => {
    are({
      '@"2021-01-02T10:10:10@Europe/Paris" - @"2021-01-01T10:10:10@Asia/Dhaka"': 'P1DT5H',
      '@"2021-01-02" - @"2021-01-01T10:10:10+11:00"': 'P1DT49M50S',
      '@"2021-01-02T00:00:00" - @"2021-01-01T00:00:00Z"': 'P1D',
    });
  });

  it('knows years before 0 and beyond 9999, and the end of a day', () => {
    are({
      'string(@"-2021-01-01T10:10:10+11:00" + @"P1M")': '-2021-02-01T10:10:10+11:00',
      'string(date("-2017-12-31"))': '-2017-12-31',
      'string(date(-2017, 12, 31))': '-2017-12-31',
      'string(date and time("99999-12-31T11:22:33"))': '99999-12-31T11:22:33',
      '@"2021-01-01T24:00:00" + @"PT1S"': '2021-01-02T00:00:01.000Z',
      'date and time("01211-12-31T11:22:33")': null,
    });
  });

  it('takes an offset or the name of a zone, not both, and none of most of a day', () => {
    are({
      'time("13:20:00+02:00@Europe/Paris")': null,
      'time("13:20:00+19:00")': null,
      'date and time("2017-12-31T13:20:00-19:00")': null,
      'string(time("13:20:00@Europe/Paris"))': '13:20:00@Europe/Paris',
      'string(time(12, 59, 1.3, @"-PT1H"))': '12:59:01.3-01:00',
      'date and time(date("2017-01-01"), time("23:59:01Z"))': '2017-01-01T23:59:01.000Z',
      'date and time(date: date("2017-01-01"), time: time("23:59:01Z"))': '2017-01-01T23:59:01.000Z',
    });
  });

  it('counts years and months between dates in whole months', () => {
    are({
      'years and months duration(date("2011-12-22"), date("2013-08-24"))': 'P1Y8M',
      'years and months duration(from: date("2013-08-24"), to: date("2011-12-22"))': '-P1Y8M',
      'years and months duration(@"2014-12-31T23:59:59", @"2019-10-01T12:32:59")': 'P4Y9M',
    });
  });

  it('has the patterns of XPath, with their flags', () => {
    are({
      'matches("hello world", "hello\\ sworld", "x")': true,
      'matches("hello world", " hello[ ]world", "x")': true,
      'matches("X", "[A-Z-[OI]]", "i")': true,
      'matches("O", "[A-Z-[OI]]")': false,
      'matches("abc", "\\p{IsBasicLatin}+")': true,
      'matches("a", "a", "q")': null,
      'matches("abcd", "(asd)[asd\\0]")': null,
      'replace("a b c ", "[a-z]", "#", "x")': '# # # ',
      'replace(input: "abc", pattern: "(b)", replacement: "<$1>")': 'a<b>c',
    });
  });

  it('compares ranges by where they begin and end', () => {
    are({
      'during(5, [1..10])': true,
      'during([4..6], [1..10))': true,
      'finishes(10, [1..10])': true,
      'finishes((1..10], [1..10])': true,
      'finished by([1..10], [5..10))': false,
      'starts([1..5], [1..10])': true,
      'started by((1..10], 1)': false,
      'overlaps before([1..5], [3..8])': true,
      'overlaps after([5..8], [1..5])': true,
      'coincides([1..5), [1..5])': false,
      'coincides(5, 5)': true,
      'overlaps before(1, [1..2])': null,
    });
  });

  it('reads ranges of texts, of literals of one type that go up', () => {
    are({
      '2 in range("[1..3]")': true,
      'range("(18..21]") = (18..21]': true,
      'range("[date(\\"1970-01-01\\")..@\\"1970-01-02\\"]") instance of range<date>': true,
      'range("[1..3]") instance of range<string>': false,
      'range("[3..1]")': null,
      'range("[1..\\"b\\"]")': null,
      'range(">=10")': null,
    });
  });

  it('goes through dates and whole numbers, up and down', () => {
    are({
      'for day in @"2024-02-28"..@"2024-03-01" return day': ['2024-02-28', '2024-02-29', '2024-03-01'],
      'for i in 2..0 return i': [2, 1, 0],
      'for i in "a".."c" return i': null,
      'for i in 1..2.5 return i': null,
    });
  });

  it('replaces in lists from their end, too, and where a function says so', () => {
    are({
      'list replace([1, 2, 3], -1, 4)': [1, 2, 4],
      'list replace([1, 2, 3], 4, 4)': null,
      'list replace([2, 4, 7], function(item, newItem) item < newItem, 5)': [5, 5, 7],
      'list replace([2, 4], function(item) item = 2, 5)': null,
    });
  });

  it('tells what is an instance of a type with parts, also in a filter', () => {
    are({
      '[1, 2] instance of list<number>': true,
      '{a: null} instance of context<a: string>': true,
      '{b: 1} instance of context<a: string>': false,
      '[[1], ["x"]][item instance of list<number>]': [[1]],
    });
  });

  it('has no range with an end that is null, and goes through none that goes down', () => {
    are({
      '5 in [1..null)': null,
      '5 in [1..missing]': null,
      '5 in (0, [1..missing], 5)': true,
      'for i in [2..4) return i': [2, 3],
      'for i in [2..1] return i': null,
      'for i in ["a".."c"] return i': null,
      'count(for d in [@"2021-01-30"..@"2021-02-02"] return d)': 4,
      '(= 10).end included': true,
      '(= 10) = (= 10)': true,
    });
    assert.equal(resultOf('5 in [1..missing]').cause, "Variable 'missing' not found");
  });

  it('compares with true and false', () => {
    are({ 'true in true': true, 'true in (false, true)': true, 'false in (true)': false, '1 in (true, 1)': true });
  });

  it('filters what is no list as a list of one', () => {
    are({ '"a"[true]': ['a'], '[1, 2][true]': [1, 2], '"a"[false]': [] });
  });

  it('tests each item of a list, whatever the test is written as', () => {
    are({
      '["ab", "c"][contains(item, "a")]': ['ab'],
      '[{n: "ab"}, {n: "c"}][not(contains(n, "a"))]': [{ n: 'c' }],
      '[1, 2, 3][(odd(item))]': [1, 3],
      '[1, 2, 3][if item > 1 then true else false]': [2, 3],
      '{f: function(x) x > 1, r: [1, 2, 3][f(item)]}.r': [2, 3],
      '[{n: 1, b: true}, {n: 2, b: false}][b].n': [1],
      '[{n: 1, b: {c: true}}, {n: 2}][b.c].n': [1],
      '[true, false, true][item]': [true, true],
      '[{a: [1]}, {a: [2]}][a = [2]]': [{ a: [2] }],
      'null[contains(item, "a")]': null,
    });
    const orders = [{ 'is paid': true, n: 1 }, { n: 2 }];
    const variable = (name: string) => (name === 'orders' ? orders : undefined);
    const { value } = compileFeel('orders[is paid].n', 'expression', { orders: { 'is paid': 0 } }).evaluate({
      now: 0,
      variable,
    });
    assert.deepEqual(value, [1]);
  });

  it('takes an item by its number, which an expression may give', () => {
    are({
      '{i: 2, r: [5, 6, 7][i]}.r': 6,
      '{c: {i: -1}, r: [5, 6, 7][c.i]}.r': 7,
      '[5, 6, 7][count([1, 2])]': 6,
      '{f: function() 9, r: [5][f()]}.r': null,
    });
    assert.deepEqual(evaluated(`{i: 1, r: [[7]]${'[i]'.repeat(300)}}.r`), 7);
  });

  it('knows whether lists are equal', () => {
    are({
      '{l: [1, 2], r: if l != [] then "some" else "none"}.r': 'some',
      '{l: [], m: [1, 2], r: [l = m, l != m, l = []]}.r': [false, true, true],
      '[1, [2, "a"]] = [1, [2, "a"]]': true,
      '{l: null, r: l = []}.r': false,
    });
  });

  it('takes from lists, and puts into them, at positions from 1 and from the end', () => {
    are({
      'remove([1, 2, 3], -1)': [1, 2],
      'remove([1, 2, 3], 0)': null,
      'insert before([1, 3], -1, 2)': [1, 2, 3],
      'insert before([1, 3], 0, 2)': null,
    });
  });

  it('finds the first and the last of dates, times, durations and texts', () => {
    are({
      'min([@"2020-01-01", @"2019-01-01"])': '2019-01-01',
      'max(@"P1D", @"P2D")': 'P2D',
      'min("b", "a")': 'a',
      'max(@"P1D", 2)': null,
      'max(1, 3, 2)': 3,
      'before(null, 5)': null,
      'before("a", 5)': null,
      'after(@"2020-01-02", [@"2019-01-01"..@"2020-01-01"])': true,
    });
  });

  it('has one entry of a name in a context', () => {
    are({ '{a: 1, b: {a: 2}}': { a: 1, b: { a: 2 } }, '{a: 1, "a": 2}': null });
    assert.equal(resultOf('{a: 1, "a": 2}').cause, "a context has several entries of the name 'a'");
  });

  it('gives functions values of the types of their parameters', () => {
    are({
      '{f: function(a: number, b) a + b, r: f(1, 2)}.r': 3,
      '{f: function(a: number, b) [a, b], r: f("1", 2)}.r': null,
      '{f: function(a: tOrder) a, r: f("1")}.r': '1',
    });
  });

  it('calls parameters by the names of the standard and of Camunda 8', () => {
    are({
      'get entries(context: {a: 1})': [{ key: 'a', value: 1 }],
      'before(point1: 1, point2: 2)': true,
      'before(point: 3, range: [1..2])': false,
      'starts(point: 1, range: [1..2])': true,
      'finished by(range: [1..2], point: 2)': true,
      'during(range1: [2..3], range2: [1..4])': true,
      'includes(range: [1..3], point: 2)': true,
      'sublist(list: [1, 2, 3], start position: 2)': [2, 3],
      'concatenate(lists: [[1], [2]])': [1, 2],
      'union(lists: [[1, 2], [2]])': [1, 2],
      'append(list: [1], items: [2, 3])': [1, 2, 3],
      'extract(input: "a1", pattern: "1")': ['1'],
      'from json(json: "1")': 1,
      'get entries({a: 1}, {b: 1})': null,
      'before(1, 2, 3)': null,
      'from json(other: "1")': null,
    });
  });

  it('has no position 0, and texts as the keys of a context', () => {
    are({
      'sublist([1, 2], 0)': null,
      'sublist([1, 2], -1)': [2],
      'substring("abc", 0)': null,
      'substring("abc", -2, 1)': 'b',
      'context([{key: "a", value: 1}, {key: 2, value: 2}])': null,
      'concatenate([1], 2, [3])': [1, 2, 3],
      'append([1], 2, null)': [1, 2, null],
    });
  });

  it('finds items that are null or false by their own name', () => {
    are({
      '[1, null, 2, null][item = null]': [null, null],
      '[true, false, null][item != true]': [false, null],
      '[true, false][not(item)]': [false],
      '[1, null, 3][item = null or item > 2]': [null, 3],
      '[0, "", null][item in [0, null]]': [0, null],
      '[null, 1, null][is defined(item)]': [1],
      'count([false, false, true][item = false])': 2,
      '[{a: 1}, null][item = null]': [null],
    });
  });

  it('takes what is no boolean in a condition for one that does not hold', () => {
    are({
      'if "no" then 1 else 2': 2,
      'if (1) then 1 else if not("x") then 2 else 3': 3,
      'if {a: true}.a then (if 0 then 1 else 2) else 3': 2,
      'if contains("ab", "a") then 1 else 2': 1,
      'if 1 < 2 and true then 1 else 2': 1,
    });
  });

  it('says why it cannot', () => {
    assert.equal(resultOf('matches("a", "[")').cause, "'[' is no pattern");
    assert.equal(resultOf('time("25:00:00")').cause, `time('"25:00:00"') is not a valid time`);
    assert.equal(resultOf('"a" * x').cause, "Variable 'x' not found");
  });

  it('leaves a name of a function to a variable', () => {
    const given = { now: 0, variable: (name: string) => (name === 'range' ? 5 : undefined) };
    assert.equal(compileFeel('range + 1').evaluate(given).value, 6);
  });
});
