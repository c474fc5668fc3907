import assert from 'node:assert/strict';
import { Formula, Tests } from '../../src/expression/feel/library-feel.js';
import {
  compileFeel,
  type FeelKind,
  type FeelValue,
  fromFeel,
  mayNeedShape,
  mayRunLong,
  shapeOf,
  toFeel,
} from '../../src/expression/index.js';
import { messageOf } from '../../src/shared/errors.js';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

const compiled = (text: string, values: Readonly<Record<string, unknown>>, kind: FeelKind = 'expression') =>
  compileFeel(text, kind, mayNeedShape(text) ? shapeOf(values, text) : {});

const resultOf = (text: string, values: Readonly<Record<string, unknown>> = {}) => {
  const { value, cause } = compiled(text, values).evaluate(scopeOf(values));
  return { value: fromFeel(value), cause };
};

const evaluated = (text: string, values?: Readonly<Record<string, unknown>>) => resultOf(text, values).value;

const passes = (text: string, input: FeelValue, values: Readonly<Record<string, unknown>> = {}) =>
  compiled(text, values, 'unaryTests').evaluate(scopeOf(values), input).value;

const scopeOf = (values: Readonly<Record<string, unknown>>) => ({
  now: NOW,
  variable: (name: string) => (Object.hasOwn(values, name) ? toFeel(values[name]) : undefined),
});

describe('FEEL', () => {
  it('evaluates what it compiled with other values, once and again', () => {
    for (const [amount, expected] of [
      [1001, true],
      [1000, false],
      [null, null],
    ] as const) {
      assert.equal(evaluated('amount > 1000', { amount }), expected);
    }
    assert.equal(compileFeel('amount > 1000'), compileFeel('amount > 1000'));
  });

  it('knows names with spaces and signs by the values that are there', () => {
    assert.equal(evaluated('unit price * 2', { 'unit price': 4 }), 8);
    assert.equal(evaluated('a-b + 1', { 'a-b': 4 }), 5);
    assert.equal(evaluated('a-b + 1', { a: 4, b: 1 }), 4);
    assert.equal(evaluated('order.ship-to = "x"', { order: { 'ship-to': 'x' } }), true);
    assert.equal(evaluated('`unit price`', { 'unit price': 4 }), 4);
  });

  it('says why a value is null', () => {
    assert.deepEqual(resultOf('lost > 1'), { value: null, cause: "Variable 'lost' not found" });
    assert.deepEqual(resultOf('1 + "a"'), { value: null, cause: `Can't add '"a"' to '1'` });
    assert.deepEqual(resultOf('null'), { value: null, cause: null });
  });

  it('compares only what is of one type', () => {
    for (const text of [
      '"10" > 5',
      '"x" >= 5',
      'true > 0',
      '[1] > 0',
      '"a" between 1 and 5',
      '"x" in [1..5]',
      'date("2026-01-01") > 5',
    ]) {
      assert.equal(evaluated(text), null, text);
    }
    assert.equal(passes('>= 5', 'x'), false);
    assert.equal(passes('[a..b]', 'x', { a: 1, b: 2 }), false);
    assert.equal(evaluated('[2..3] in [1..5]'), true);
  });

  it('refuses a text that it cannot read, with the column', () => {
    for (const [text, expected] of [
      ['a +', /column 4 of expression 'a \+'/],
      ['1) + (2', /column 2/],
      ['', /column 1/],
      ['x > 1, 2', /column 6/],
      [`${'('.repeat(500)}1${')'.repeat(500)}`, /at most 400 levels/],
      ['1'.repeat(5000), /at most 4096 characters/],
    ] as const) {
      assert.throws(() => compileFeel(text), { code: 'BAD_REQUEST', message: expected }, text);
    }
  });

  it('tells the time of the run', () => {
    assert.deepEqual(evaluated('now()'), new Date(NOW));
    assert.equal(evaluated('today()'), '2026-01-02');
    assert.equal(evaluated('now() - duration("P1D") < date and time("2026-01-02T00:00:00Z")'), true);
    assert.equal(evaluated('now', { now: 5 }), 5);
  });

  it('has no way to the host', () => {
    for (const text of [
      'constructor',
      'toString',
      'x.constructor',
      'x.__proto__',
      '__proto__',
      'x.constructor("return 1")()',
      '"a".length',
      'hasOwnProperty("x")',
    ]) {
      assert.equal(evaluated(text, { x: {} }) ?? null, null, text);
    }
    const polluting = JSON.parse('{"list": [{"__proto__": {"seen": 1}}]}') as Record<string, unknown>;
    assert.deepEqual(
      evaluated('list[seen = 1]', polluting),
      [] as unknown[],
      'a name of JavaScript is no name of a value',
    );
    assert.equal(({} as { seen?: number }).seen, undefined);
  });

  it('says which texts may run long', () => {
    for (const text of [
      'matches(a, "x")',
      'replace(a, "x", "y")',
      'split(a, ",")',
      'for i in 1..n return i',
      'xs[a[b = 1] = 2]',
      'some x in xs satisfies (every y in ys satisfies x = y)',
      '{f: function(x) f(x), g: f(1)}',
      `{${Array.from({ length: 20 }, (_, n) => `a${n + 1}: a${n} + a${n}`).join(', ')}}`,
      'sort(xs, function(a, b) a < b)',
    ]) {
      assert.equal(compileFeel(text).long, true, text);
    }
    for (const text of [
      'a > 1 and b < 2',
      'xs[item > 1]',
      'for x in xs return x * 2',
      '{a: 1, b: a}',
      'contains(a, "x")',
    ]) {
      assert.equal(compileFeel(text).long, false, text);
    }
  });

  it('says how much a text may look at before it may run long', () => {
    for (const text of [
      'for a in xs, b in xs return a * b',
      'some a in xs, b in xs satisfies a = b',
      'count(flatten(for x in xs return [partial, partial]))',
      '{r: [1..1000000000], all: for i in r return i}',
      'for i in range(text) return i',
      'matches(a, "x")',
    ]) {
      assert.equal(compileFeel(text).heaviest, 0, text);
    }
    const heaviest = (text: string) => compileFeel(text).heaviest;
    for (const text of ['a > 1', 'xs[1]', 'contains(a, "x")', 'x in [1..5]'])
      assert.ok(heaviest(text) >= 100_000, text);
    for (const text of ['xs[item > 1]', 'for x in xs return x * 2', 'for x in xs return if x in [1..5] then 1 else 2'])
      assert.ok(heaviest(text) >= 250, text);
    const copies = Array.from({ length: 60 }, () => 'a').join(', ');
    assert.ok(heaviest(`{a: concatenate(xs, ${copies}), b: [${copies}], c: concatenate(b, ${copies})}`) < 1_000);
    assert.ok(heaviest(`for x in xs return concatenate(${copies})`) < 150);
  });

  it('takes a range for much: it may be gone through', () => {
    const range = compileFeel('[1..1000000000]').evaluate(scopeOf({})).value;
    const scope = { now: NOW, variable: (name: string) => (name === 'r' ? { inner: range } : undefined) };
    assert.equal(mayRunLong(compileFeel('for i in r.inner return i'), scope), true);
    assert.equal(mayRunLong(compileFeel('r.inner.start > 1'), scope), false);
    assert.equal(mayRunLong(compileFeel('for i in xs return i'), scopeOf({ xs: [1, 2] })), false);
    const all = Array.from({ length: 2_000 }, (_each, at) => at);
    assert.equal(mayRunLong(compileFeel('for i in xs return i'), scopeOf({ xs: all })), true);
  });

  it('fails where it goes too deep', () => {
    assert.throws(() => evaluated('{f: function(x) f(x), g: f(1)}.g'), {
      code: 'EXECUTION_FAILED',
      message: /it goes too deep or grows too large/,
    });
  });
});

describe('values of FEEL', () => {
  it('are plain values, dates and durations', () => {
    const at = new Date('2026-05-01T12:00:00.000Z');
    for (const [text, expected] of [
      ['at', at],
      ['at + duration("PT1H")', new Date('2026-05-01T13:00:00.000Z')],
      ['at > date and time("2026-05-01T11:59:59")', true],
      ['date(at)', '2026-05-01'],
      ['time(at)', '12:00:00'],
      ['{t: at}', { t: '2026-05-01T12:00:00.000Z' }],
      ['date and time("2026-05-01T12:00:00+02:00")', new Date('2026-05-01T10:00:00.000Z')],
      ['date and time("2026-05-01T12:00:00@Europe/Berlin")', new Date('2026-05-01T10:00:00.000Z')],
      ['date("2026-02-28") + duration("P1D")', '2026-03-01'],
      ['duration("P1Y2M")', 'P1Y2M'],
      ['[1, "a", null]', [1, 'a', null]],
      ['big + 1', 2 ** 53],
      ['[1..3)', { start: 1, end: 3, 'start included': true, 'end included': false }],
      ['function(x) x', null],
      ['1 / 0', null],
      ['count(list)', 2],
      ['order.lines[price > 1].name', ['b']],
    ] as const) {
      const values = {
        at,
        big: 2n ** 53n - 1n,
        list: [1, 2],
        order: {
          lines: [
            { name: 'a', price: 1 },
            { name: 'b', price: 2 },
          ],
        },
      };
      assert.deepEqual(evaluated(text, values), expected, text);
    }
  });
});

describe('unary tests', () => {
  it('say themselves whether it passes where they mention the value', () => {
    assert.equal(passes('? > 3', 5), true);
    assert.equal(passes('= null', null), true);
    assert.equal(passes('= null', 1), false);
    assert.equal(passes('> 5, = null', null), true);
    assert.equal(passes('not(= null)', null), false);
    assert.equal(passes('= 5', 5), true);
    assert.equal(passes('= "a"', 5), false);
    assert.equal(passes('= a + 1', 5, { a: 4 }), true);
    assert.equal(passes('abs(?)', 5), false);
    assert.equal(passes('abs(?), 5', 5), true);
    assert.equal(passes('?', true), true);
    assert.equal(passes('not(?)', false), true);
  });

  it('say whether a value passes', () => {
    for (const [text, input, expected] of [
      ['-', 1, true],
      ['', null, true],
      ['> 5', 6, true],
      ['> 5', 5, false],
      ['< 5', null, false],
      ['< 3, > 7', 8, true],
      ['[1..3]', 3, true],
      ['[1..3)', 3, false],
      ['"a", "b"', 'b', true],
      ['not("a", "b")', 'b', false],
      ['not("a", "b")', 'c', true],
      ['not(> 5)', null, true],
      ['true', true, true],
      ['true', 'x', false],
      ['false', false, true],
      ['null', null, true],
      ['null', 1, false],
      ['? > 5 and ? < 7', 6, true],
      ['? > 5', null, false],
      ['contains(?, "x")', 'axb', true],
      ['[1, 2]', 2, true],
      ['lost', null, false],
      ['5', '5', false],
    ] as const) {
      assert.equal(passes(text, input), expected, `${text} of ${input}`);
    }
  });

  it('compare with variables', () => {
    assert.equal(passes('limit', 5, { limit: 5 }), true);
    assert.equal(passes('> limit', 6, { limit: 5 }), true);
    assert.equal(passes('flag', false, { flag: true }), false);
    assert.equal(passes('flag', false, { flag: false }), true);
    assert.equal(passes('known', 'b', { known: ['a', 'b'] }), true);
    assert.equal(passes('other > 1', 'whatever', { other: 2 }), true);
  });

  it('compare dates', () => {
    const input = toFeel(new Date('2026-05-01T12:00:00Z'));
    assert.equal(passes('> date and time("2026-01-01T00:00:00")', input), true);
    assert.equal(passes('[date and time("2026-01-01T00:00:00")..date and time("2026-02-01T00:00:00")]', input), false);
  });

  it('are refused where they cannot be read', () => {
    for (const text of ['>', 'a b c +', '[1..', 'in [1]', '"a', 'not("a"']) {
      assert.throws(
        () => compileFeel(text, 'unaryTests'),
        (thrown) => /column/.test(messageOf(thrown)),
        text,
      );
    }
  });
});

describe('what is simple in FEEL', () => {
  const values = { a: 1, b: { c: 'x', d: [1] }, list: [1, 2], nothing: null, text: 'gold' };

  it('is evaluated as the library evaluates it', () => {
    for (const text of [
      'a',
      'b.c',
      'b.d',
      'b.lost',
      'lost',
      'list',
      'list.c',
      'nothing',
      'nothing.c',
      'count',
      'b',
      '"x"',
      '-5',
      '1.50',
      'true',
      'null',
      '.5',
    ]) {
      const one = compileFeel(text);
      assert.equal(one.simple, true, text);
      const whole = new Formula(text, {});
      const [given, expected] = [one, whole].map((each) => each.evaluate(scopeOf(values)));
      assert.deepEqual(fromFeel(given?.value), fromFeel(expected?.value), text);
      assert.equal(given?.cause, expected?.cause, text);
    }
  });

  it('tests as the library does', () => {
    const texts = [
      '"gold"',
      '"gold","silver"',
      '""',
      '5',
      '-5, 1.5',
      '.5',
      'true',
      'true, false',
      'null',
      '> 5',
      '<5, >= 7.5',
      '<= -1',
      '[1..5]',
      '(1..5]',
      ']1..5[',
      '[1 .. 5)',
      'not("gold", "silver")',
      'not(5)',
      'not([1..3], > 7)',
      'not(null)',
      '5, "x", [1..2]',
    ];
    const inputs: readonly FeelValue[] = [
      'gold',
      'silver',
      '',
      '5',
      'x',
      5,
      -5,
      1,
      1.5,
      0.5,
      7.5,
      8,
      2,
      -1,
      0,
      true,
      false,
      null,
      [],
      ['gold'],
      [5, 6],
      {},
      { a: 1 },
    ];
    for (const text of texts) {
      const one = compileFeel(text, 'unaryTests');
      assert.equal(one.simple, true, text);
      const whole = new Tests(text, {});
      for (const input of inputs) {
        const [given, expected] = [one, whole].map((each) => each.evaluate(scopeOf({}), input).value);
        assert.equal(given, expected, `${text} of ${JSON.stringify(input)}`);
      }
    }
  });

  it('is nothing else', () => {
    for (const text of ['a + 1', 'f(1)', 'a b', 'if', 'a-b', 'a.b c', '"a" + "b"', '@"2020-01-01"', 'now()']) {
      try {
        assert.equal(compileFeel(text).simple, false, text);
      } catch (thrown) {
        assert.match(messageOf(thrown), /column/);
      }
    }
    for (const text of ['? > 5', 'a', '> a', '[a..b]', 'date("2020-01-01")', '"a\\"b"']) {
      assert.equal(compileFeel(text, 'unaryTests').simple, false, text);
    }
  });
});
