// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts under test are written so
import assert from 'node:assert/strict';
import { compileExpression } from '../../src/expression/routes.js';
import { contextOf, NOW } from './context.js';
import { evaluate, fails, table } from './juel-support.js';

const typed = (text: string, variables: Readonly<Record<string, { type: string; value: unknown }>>, beans = {}) =>
  compileExpression(text).evaluateTyped({ variable: (name) => variables[name], bean: contextOf({}, beans).bean });

describe('JUEL at its limits', () => {
  table('whole numbers', [
    ['${9223372036854775807}', 2n ** 63n - 1n],
    ['${-9223372036854775807 - 1}', -(2n ** 63n)],
    ['${9007199254740991}', Number.MAX_SAFE_INTEGER],
    ['${9007199254740990 + 1}', Number.MAX_SAFE_INTEGER],
    ['${9007199254740991 + 1}', 2n ** 53n],
    ['${-9007199254740991}', Number.MIN_SAFE_INTEGER],
    ['${-9007199254740991 - 1}', -(2n ** 53n)],
    ['${(-9223372036854775808.0).longValue()}', -(2n ** 63n)],
    ['${9223372036854774784.0.longValue()}', 2n ** 63n - 1024n],
  ]);

  it('a whole number beyond 64 bits is refused', () => {
    fails('${-9223372036854775807 - 2}', /Long of 64 bits/);
    fails('${9223372036854775807 + 1}', /Long of 64 bits/);
    fails('${-(-9223372036854775807 - 1)}', /Long of 64 bits/);
  });

  table('Doubles as text, as Java writes them', [
    ['x${0.001}', 'x0.001'],
    ['x${0.0009}', 'x9.0E-4'],
    ['x${9999999.0}', 'x9999999.0'],
    ['x${10000000.0}', 'x1.0E7'],
    ['x${12345678.9}', 'x1.23456789E7'],
    ['x${0.0}', 'x0.0'],
    ['x${-0.0}', 'x-0.0'],
    ['x${1 / 0}', 'xInfinity'],
    ['x${-1 / 0}', 'x-Infinity'],
    ['x${1.5}', 'x1.5'],
    ['x${4 / 2}', 'x2.0'],
  ]);

  table('texts in quotes', [
    ["${'it\\'s'}", "it's"],
    ['${"a\\"b"}', 'a"b'],
    ["${'a\\\\b'}", 'a\\b'],
    ["${''}", ''],
    ["${'}'}", '}'],
    ["${'a'}${'b'}", 'ab'],
    ['${\'a\' == "a"}', true],
  ]);

  table('text around expressions', [
    ['\\${x}', '${x}'],
    ['\\#{x}', '#{x}'],
    ['a\\\\b', 'a\\b'],
    ['a\\b', 'a\\b'],
    ['a\\', 'a\\'],
    ['\\$x', '\\$x'],
    ['\\\\${1}', '\\1'],
    ['$', '$'],
    ['a$b{c}', 'a$b{c}'],
    ['#{1}', 1],
    ['#{1}${2}', '12'],
    ['${1} and ${2}', '1 and 2'],
    ['}${1}{', '}1{'],
  ]);

  table('names and words', [
    ['${order.mod}', 7],
    ['${order.true}', null],
    ['${order.empty}', null],
    ['${1.}', 1],
    ['${.5}', 0.5],
    ['${1e3}', 1000],
    ['${1E-3}', 0.001],
    ['${not yes}', false],
    ['${!no and yes}', true],
    ['${1 lt 2 ? "a" : "b"}', 'a'],
    ['${7 mod 4}', 3],
    ['${no ? 1 : yes ? 2 : 3}', 2],
    ['${- 2 * 3}', -6],
    ['${2 + 3 * 4 - 1}', 13],
    ['${10 - 4 - 3}', 3],
    ['${(1 + 2) * 3}', 9],
  ]);

  it('an expression has at most 4,096 characters, and a text with one at most 65,536', () => {
    // The brace that closes it counts.
    const expression = (length: number) => `\${'${'x'.repeat(length - 3)}'}`;
    assert.equal(evaluate(expression(4096)), 'x'.repeat(4093));
    assert.throws(() => compileExpression(expression(4097)), { code: 'BAD_REQUEST', message: /at most 4096/ });
    assert.equal(evaluate(`${'x'.repeat(65_532)}\${1}`), `${'x'.repeat(65_532)}1`);
    assert.throws(() => compileExpression(`${'x'.repeat(65_533)}\${1}`), { code: 'BAD_REQUEST', message: /65536/ });
  });

  it('each expression of a text may have its own 500 operators', () => {
    const most = `\${1${'+1'.repeat(500)}}`;
    assert.equal(evaluate(most + most), '501501');
    assert.throws(() => compileExpression(`\${1${'+1'.repeat(501)}}`), {
      code: 'BAD_REQUEST',
      message: /500 operators/,
    });
  });

  it('a text of at most 4,096 characters is compiled once', () => {
    const once = `${'x'.repeat(4092)}\${1}`;
    assert.equal(compileExpression(once), compileExpression(once));
    assert.notEqual(compileExpression(`x${once}`), compileExpression(`x${once}`));
  });

  it('data is compared down to 200 levels', () => {
    const nested = (levels: number) => {
      let value: unknown = 1;
      for (let n = 0; n < levels; n++) value = [value];
      return value;
    };
    const compared = (levels: number) => contextOf({ a: nested(levels), b: nested(levels) });
    assert.equal(evaluate('${a == b}', compared(201)), true);
    fails('${a == b}', /at most 200 levels in a comparison/, compared(202));
  });

  it('a text of at most 400 characters may be a number', () => {
    const one = (length: number) => contextOf({ text: '1'.padStart(length) });
    assert.equal(evaluate('${text * 1.0}', one(400)), 1);
    fails('${text * 1.0}', /read as Double/, one(401));
  });

  it('a value is shown by its first 79 characters where it has more than 80', () => {
    fails('${text.foo}', new RegExp(`found the String '${'x'.repeat(80)}'`), contextOf({ text: 'x'.repeat(80) }));
    fails('${text.foo}', new RegExp(`found the String '${'x'.repeat(79)}…'`), contextOf({ text: 'x'.repeat(81) }));
  });

  it('a date has no year beyond 275760, and moves by whole numbers alone', () => {
    fails('${now().withYear(999999)}', /271,821 years/);
    for (const by of ['"1"', '1.5', 'big', 'nothing', 'yes'])
      fails(`\${now().plusDays(${by})}`, /whole number for plusDays/);
    fails('${now().plusDays(1, 2)}', /plusDays\(2 arguments\)/);
    fails('${now().isBefore(1)}', /a date for isBefore/);
    fails('${now().hasYear()}', /hasYear\(\)/);
    assert.equal(evaluate('${now().minusDays(2).plusDays(2).time}'), NOW);
  });

  describe('values that are kept in a variable', () => {
    const json = { v: { type: 'Json', value: 'a' } };

    it('keep the type of the variable that the whole expression is', () => {
      assert.deepEqual(typed('${v}', json), { type: 'Json', value: 'a' });
      assert.deepEqual(typed('${v}', { v: { type: 'Json', value: true } }), { type: 'Json', value: true });
      assert.deepEqual(typed('${v}', { v: { type: 'Json', value: 1.5 } }), { type: 'Json', value: 1.5 });
      assert.deepEqual(typed('${v}', { v: { type: 'Json', value: 1 } }), { type: 'Json', value: 1 });
    });

    it('are numbers where their type says so, though they are written as text', () => {
      for (const [type, value, expression, expected] of [
        ['Long', '5', '${v + 1}', 6],
        ['Long', '9007199254740992', '${v + 1}', '9007199254740993'],
        ['String', '5', '${v.length()}', 1],
        ['Long', 'x5', '${v.length()}', 2],
        ['Double', 'x', '${v.length()}', 1],
        ['String', 'NaN', '${v.length()}', 3],
      ] as const)
        assert.equal(typed(expression, { v: { type, value } }).value, expected, `${type} ${value}`);
    });

    it('are numbers of JavaScript as far as these are exact', () => {
      for (const value of [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])
        assert.equal(evaluate('${v}', contextOf({ v: BigInt(value) })), value);
      for (const value of [2n ** 53n, -(2n ** 53n)]) assert.equal(evaluate('${v}', contextOf({ v: value })), value);
    });

    it('have that of their own where it is more than the variable, or a function of its name', () => {
      assert.deepEqual(typed('${v}${v}', json), { type: 'String', value: 'aa' });
      assert.deepEqual(typed('${v}b', json), { type: 'String', value: 'ab' });
      assert.deepEqual(typed('${v.concat("")}', json), { type: 'String', value: 'a' });
      assert.deepEqual(typed('${v()}', json, { v: () => 'b' }), { type: 'String', value: 'b' });
    });

    it('are no beans', () => {
      const beans = { thing: { property: () => 1 } };
      const refusal = {
        code: 'EXECUTION_FAILED',
        message: /'\$\{thing\}' failed: .* kept in a variable, but found a bean/,
      };
      assert.throws(() => typed('${thing}', {}, beans), refusal);
      fails('x${thing}', /read as String, but found a bean/, contextOf({}, beans));
    });
  });

  it('finds execution and task among the beans first, then among the variables', () => {
    const bean = { property: () => 1, call: () => null };
    assert.equal(evaluate('${task.id}', contextOf({ task: { id: 2 } }, { task: bean })), 1);
    assert.equal(evaluate('${task.id}', contextOf({ task: { id: 2 } })), 2);
    fails('${task}', /named 'task'/, contextOf());
  });

  table('comparisons of different kinds', [
    ['${"b" > "a"}', true],
    ['${"a" > "b"}', false],
    ['${"a" >= "a"}', true],
    ['${"a".compareTo("a")}', 0],
    ['${"b".compareTo("a")}', 1],
    ['${no < yes}', true],
    ['${yes < yes}', false],
    ['${start < later[0]}', true],
    ['${nothing < 1}', false],
    ['${nothing <= nothing}', true],
    ['${nothing >= 1}', false],
    ['${"" + 1}', 1],
    ['${"1" + "2"}', 3],
    ['${"" + ""}', 0],
  ]);

  it('joins no texts by a plus where one of them is no number', () => {
    for (const text of ['${"1" + "x"}', '${"x" + "1"}', '${"x" + "y"}']) fails(text, /texts are joined by/);
  });

  it('asks a list for a list, and a scalar for what it has', () => {
    fails('${list.containsAll("a")}', /expected a list of values/);
    fails('${amount.size()}', /size\(\)/);
    fails('${yes.size()}', /size\(\)/);
    fails('${now().x}', /property 'x'/);
    fails('${yes.x}', /property 'x', but found the Boolean/);
    fails('${(4 / 2).x}', /property 'x', but found the Double/);
    fails('${start.before}', /property 'before'/);
  });
});
