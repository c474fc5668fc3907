// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts under test are written so
import assert from 'node:assert/strict';
import { compileExpression, evaluateCondition } from '../../src/expression/routes.js';
import { contextOf } from './context.js';
import { evaluate, fails, variables } from './juel-support.js';

describe('JUEL', () => {
  it('says which functions an expression calls', () => {
    assert.deepEqual(compileExpression('${now()} and ${a.b(f(1), c[g()])}').functions, ['now', 'f', 'g']);
    assert.deepEqual(compileExpression('text').functions, []);
  });

  describe('types', () => {
    const typed = (text: string, variable?: { type: string; value: unknown }) =>
      compileExpression(text).evaluateTyped({ variable: () => variable, bean: contextOf().bean });
    const rows: [string, { type: string; value: unknown } | undefined, string, unknown][] = [
      ['${10 / 2}', undefined, 'Double', 5],
      ['${10 / 2 + 1}', undefined, 'Double', 6],
      ['${5}', undefined, 'Long', 5],
      ['${5.0}', undefined, 'Double', 5],
      ['${1 / 0}', undefined, 'Double', 'Infinity'],
      ['${9007199254740993}', undefined, 'Long', '9007199254740993'],
      ['${v}', { type: 'Integer', value: 5 }, 'Integer', 5],
      ['${v + 1}', { type: 'Integer', value: 5 }, 'Long', 6],
      ['${v}', { type: 'Double', value: 5 }, 'Double', 5],
      ['${v + 1}', { type: 'Double', value: 5 }, 'Double', 6],
      ['${v}', { type: 'Double', value: 'NaN' }, 'Double', 'NaN'],
      ['${v + 1}', { type: 'Long', value: '9007199254740993' }, 'Long', '9007199254740994'],
      ['${v}', { type: 'Date', value: '2026-01-01T00:00:00.000Z' }, 'Date', '2026-01-01T00:00:00.000Z'],
      ['${v.plusDays(1)}', { type: 'Date', value: '2026-01-01T00:00:00.000Z' }, 'Date', '2026-01-02T00:00:00.000Z'],
      ['${v}', { type: 'String', value: '2026-01-01T00:00:00.000Z' }, 'String', '2026-01-01T00:00:00.000Z'],
      ['${v}', { type: 'Json', value: { a: [1] } }, 'Json', { a: [1] }],
      ['${v}', { type: 'Null', value: null }, 'Null', null],
      ['x${v}', { type: 'Double', value: 5 }, 'String', 'x5.0'],
      ['x${v}', { type: 'Double', value: 12345678.5 }, 'String', 'x1.23456785E7'],
      ['x${v}', { type: 'Double', value: 0.0001 }, 'String', 'x1.0E-4'],
      ['plain', undefined, 'String', 'plain'],
      ['${true}', undefined, 'Boolean', true],
    ];
    for (const [text, variable, type, value] of rows) {
      it(`${text}${variable ? ` with the ${variable.type} ${JSON.stringify(variable.value)}` : ''} is the ${type} ${JSON.stringify(value)}`, () =>
        assert.deepEqual(typed(text, variable), { type, value }));
    }
  });

  describe('limits', () => {
    const refuses = (text: string, message: RegExp) =>
      assert.throws(() => compileExpression(text), { code: 'BAD_REQUEST', message });
    it('an expression has at most 4096 characters', () => {
      assert.equal(evaluate(`\${'${'x'.repeat(4000)}'}`), 'x'.repeat(4000));
      refuses(`\${'${'x'.repeat(4096)}'}`, /at most 4096 characters/);
    });
    it('a text with expressions has at most 65536 characters, a text without any number', () => {
      refuses(`${'x'.repeat(65_536)}\${1}`, /at most 65536 characters/);
      assert.equal(evaluate('x'.repeat(200_000)), 'x'.repeat(200_000));
    });
    it('an expression has at most 500 operators, however they are nested', () => {
      for (const text of [
        '('.repeat(2000),
        '!'.repeat(2000),
        '-'.repeat(2000),
        `1${'+1'.repeat(1500)}`,
        `a${'.b'.repeat(1500)}`,
      ])
        refuses(`\${${text}}`, /at most 500 operators/);
      assert.equal(evaluate(`\${1${'+1'.repeat(500)}}`), 501);
    });
    it('an evaluation that would grow a text beyond all measure stops', () => {
      const text = `\${text${'.replace("x", text)'.repeat(20)}.length()}`;
      fails(text, /within 1000000 steps/, contextOf({ text: 'x'.repeat(100) }));
    });
    it('data that is nested too deeply is refused, not a crash', () => {
      const nested = () => {
        let value: unknown = 1;
        for (let i = 0; i < 20_000; i++) value = [value];
        return value;
      };
      const deep = nested();
      fails('${deep == other}', /levels in a comparison/, contextOf({ deep, other: nested() }));
      fails('x${deep}', /nested too deeply/, contextOf({ deep }));
    });
  });

  describe('conditions', () => {
    const condition = (text: string) => evaluateCondition(compileExpression(text), contextOf(variables));
    it('are true or false', () => {
      assert.equal(condition('${amount > 1000}'), true);
      assert.equal(condition('${empty name}'), false);
    });
    for (const [text, found] of [
      ['${name}', "the String 'Anna'"],
      ['${nothing}', 'null'],
      ['true', "the String 'true'"],
      ['${1}', "the Long '1'"],
      [' ${yes} ', "the String ' true '"],
    ] as const) {
      it(`${text} is neither`, () =>
        assert.throws(() => condition(text), {
          code: 'EXECUTION_FAILED',
          message: `condition expression returns non-Boolean: expected true or false from '${text}', but found ${found}`,
        }));
    }
  });

  it('knows whether a text holds an expression', () => {
    assert.equal(compileExpression('plain \\${x}').literal, true);
    assert.equal(compileExpression('${x}').literal, false);
    assert.equal(compileExpression('a${x}').literal, false);
  });

  it('compiles a text once', () => assert.equal(compileExpression('${once}'), compileExpression('${once}')));

  it('is quick: a comparison takes about 0.1 µs', () => {
    const expression = compileExpression('${amount > 1000}');
    const context = contextOf(variables);
    const count = 200_000;
    const start = process.cpuUsage();
    for (let i = 0; i < count; i++) expression.evaluate(context);
    const { user, system } = process.cpuUsage(start);
    assert.ok((user + system) / count < 2, `${(user + system) / count} µs of CPU each`);
  });
});
