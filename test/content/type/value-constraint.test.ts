import assert from 'node:assert/strict';
import { constraintOf } from '../../../src/content/type/value-constraint.js';
import type { PropertyType, Value } from '../../../src/content/value/property.js';

const holds = (type: PropertyType, constraint: string, value: Value) =>
  constraintOf(type, constraint)?.(value, { targetIsA: () => true, effort: { left: 1_000_000 } });

describe('a constraint of values', () => {
  const CASES: readonly (readonly [PropertyType, string, readonly Value[], readonly Value[]])[] = [
    ['Long', '[1,5]', [1, 3, 5], [0, 6]],
    ['Long', '[1,5)', [1, 4], [0, 5, 6]],
    ['Long', '(1,5]', [2, 5], [1, 6]],
    ['Long', '(1,5)', [2, 4], [1, 5]],
    ['Long', '[,5]', [-9, 5], [6]],
    ['Long', '[1,]', [1, 9], [0]],
    ['Long', '7', [7], [6, 8]],
    [
      'Binary',
      '[,3]',
      [
        { inline: '', size: 0 },
        { blob: 'ff', size: 3 },
      ],
      [{ blob: 'ff', size: 4 }],
    ],
    ['Path', '/a/*', ['/a/b', '/a/b/c'], ['/a', '/a/', '/b/cc', '/aa/b']],
    ['Path', '/a', ['/a'], ['/a/b', '/b']],
    ['Name', 'a', ['a'], ['b']],
    ['Boolean', 'true', [true], [false]],
    ['String', 'a|bc*', ['a', 'b', 'bccc'], ['ab', '', 'cb']],
    ['String', 'x*', ['', 'x'.repeat(16_384)], ['x'.repeat(16_385)]],
  ];
  for (const [type, constraint, taken, refused] of CASES) {
    it(`of ${type} by ${constraint}`, () => {
      for (const value of taken) assert.equal(holds(type, constraint, value), true, String(value).slice(0, 20));
      for (const value of refused) assert.equal(holds(type, constraint, value), false, String(value).slice(0, 20));
    });
  }

  const NONE: readonly (readonly [PropertyType, string])[] = [
    ['Long', ''],
    ['Long', '[x,5]'],
    ['Long', '[1,x]'],
    ['Long', '[5,1]'],
    ['Date', '[,yesterday]'],
    ['Boolean', 'maybe'],
    ['String', '(a'],
  ];
  for (const [type, constraint] of NONE)
    it(`of ${type} is not '${constraint}'`, () => assert.equal(constraintOf(type, constraint), null));
});
