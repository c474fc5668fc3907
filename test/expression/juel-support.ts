// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts under test are written so
import assert from 'node:assert/strict';
import { compileExpression, type ExpressionContext } from '../../src/expression/routes.js';
import { contextOf, NOW } from './context.js';

/** A bean that looks like data without entries. */
class Service {
  property(): unknown {
    return null;
  }
}

/** What the expressions of the tests see. */
export const variables = {
  amount: 1500,
  ratio: 0.25,
  name: 'Anna',
  blank: '',
  nothing: null,
  yes: true,
  no: false,
  big: 2n ** 60n,
  list: ['a', 'b', 3],
  none: [],
  order: { id: 'o-1', total: 99.5, lines: [{ sku: 'x', count: 2 }], 'odd key': 1, mod: 7, nothing: null },
  vacant: {},
  start: new Date(NOW),
  pair: { a: 1, b: [1, { c: null }] },
  same: { b: [1, { c: null }], a: 1 },
  other: { a: 1, b: [1, { c: 2 }] },
  longer: { a: 1, b: [1, { c: null }], d: 1 },
  renamed: { a: 1, e: [1, { c: null }] },
  dated: [new Date(NOW)],
  alike: [new Date(NOW)],
  later: [new Date(NOW + 1)],
  undated: [{}],
  five: [5],
  word: ['ab'],
  nil: [null],
  nested: [[]],
  service: new Service(),
};

export const evaluate = (text: string, context: ExpressionContext = contextOf(variables)) =>
  compileExpression(text).evaluate(context);

/** Expects a refusal at run time. */
export const fails = (text: string, message: RegExp, context = contextOf(variables)) =>
  assert.throws(() => evaluate(text, context), { name: 'ServiceError', code: 'EXECUTION_FAILED', message });

/** One test per row: an expression and what it gives. */
export const table = (title: string, rows: readonly (readonly [string, unknown])[]) =>
  describe(title, () => {
    for (const [text, expected] of rows) {
      it(`${text} is ${typeof expected === 'bigint' ? expected : JSON.stringify(expected)}`, () =>
        assert.deepEqual(evaluate(text), expected));
    }
  });
