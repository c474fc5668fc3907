import assert from 'node:assert/strict';
import { typed } from '../../../src/engine/element/native.js';
import { has, type SoughtVariable } from '../../../src/engine/reader/variable-search.js';

const VARIABLES = {
  n: typed(5),
  long: { type: 'Long', value: '9007199254740993' },
  text: typed('Ab_c%'),
  yes: typed(true),
  none: typed(null),
} as const;

const sought = (operator: SoughtVariable['operator'], name: string, value: SoughtVariable['value'], anyCase = false) =>
  has(VARIABLES, { of: 'process', name, operator, value, anyCase: { name: anyCase, value: anyCase } });

describe('a variable that is sought', () => {
  it('is compared by its type', () => {
    for (const [operator, value, expected] of [
      ['eq', 5, true],
      ['eq', '5', false],
      ['neq', '5', false],
      ['neq', 6, true],
      ['gt', 5, false],
      ['gteq', 5, true],
      ['lt', 6, true],
      ['lteq', 4, false],
    ] as const)
      assert.equal(sought(operator, 'n', value), expected, `${operator} ${value}`);
    assert.equal(sought('gt', 'long', 1e15), true);
    assert.equal(sought('eq', 'yes', true), true);
    assert.equal(sought('eq', 'lost', 5), false);
    assert.equal(sought('neq', 'lost', 5), false);
  });

  it('may be nothing', () => {
    assert.deepEqual([sought('eq', 'none', null), sought('neq', 'none', null)], [true, false]);
    assert.deepEqual([sought('eq', 'n', null), sought('neq', 'n', null)], [false, true]);
  });

  it('may be like a text', () => {
    for (const [pattern, expected] of [
      ['%', true],
      ['A%', true],
      ['%c_', true],
      ['%b%c%', true],
      ['a%', false],
      ['A_', false],
      ['', false],
      [`${'%b'.repeat(1_000)}`, false],
    ] as const)
      assert.deepEqual([sought('like', 'text', pattern), sought('notLike', 'text', pattern)], [expected, !expected]);
    assert.equal(sought('like', 'n', '5'), false);
  });

  it('may be in another case', () => {
    assert.equal(sought('eq', 'TEXT', 'AB_C%'), false);
    assert.equal(sought('eq', 'TEXT', 'AB_C%', true), true);
    assert.equal(sought('like', 'Text', 'aB%', true), true);
  });
});
