import assert from 'node:assert/strict';
import fc from 'fast-check';
import { patternOf } from '../../../src/content/type/pattern.js';

const plenty = () => ({ left: 1_000_000 });
const matches = (pattern: string, text: string) => patternOf(pattern)?.matches(text, plenty());
const byJavaScript = (pattern: string, text: string) => {
  try {
    return new RegExp(`^(?:${pattern})$`, 'su').test(text);
  } catch {
    return new RegExp(`^(?:${pattern})$`, 's').test(text);
  }
};

const character = fc.constantFrom(
  ...['a', 'b', '.', '[ab]', '[^a]', '\\d', '\\w', '\\s', '\\.', '\\u0061', '\\x62', '[a-c\\]]', '\\p{Lu}', '😀', 'é'],
);
const edge = fc.constantFrom('^', '$', '\\b', '\\B');
const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  part: fc.oneof(
    { depthSize: 'small' },
    { arbitrary: character, weight: 6 },
    { arbitrary: edge, weight: 1 },
    {
      arbitrary: fc
        .tuple(
          fc.constantFrom('(', '(?:'),
          tie('pattern'),
          fc.constantFrom('', '*', '+', '?', '{2}', '{0,2}', '{1,}', '*?'),
        )
        .map(([open, inner, times]) => `${open}${inner})${times}`),
      weight: 3,
    },
    {
      arbitrary: fc
        .tuple(character, fc.constantFrom('*', '+', '?', '{3}', '{1,3}', '{2,}', '+?'))
        .map((all) => all.join('')),
      weight: 3,
    },
  ),
  pattern: fc.oneof(
    { depthSize: 'small' },
    { arbitrary: fc.array(tie('part'), { maxLength: 4 }).map((parts) => parts.join('')), weight: 4 },
    { arbitrary: fc.array(tie('pattern'), { minLength: 2, maxLength: 3 }).map((parts) => parts.join('|')), weight: 1 },
  ),
}));
const text = fc.array(fc.constantFrom(...'aabbcA1 .]😀é\n'), { maxLength: 7 }).map((all) => all.join(''));

describe('a pattern', () => {
  it('matches what JavaScript’s regular expression of it matches as a whole', () => {
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 3 }), (one, values) => {
        const ready = patternOf(one);
        for (const value of values) assert.equal(ready?.matches(value, plenty()), byJavaScript(one, value));
      }),
      { numRuns: 2_000 },
    );
  });

  for (const [one, taken, refused] of [
    ['[A-Z]{2}-\\d{4,6}', ['AB-1234', 'ZZ-123456'], ['AB-123', 'ab-1234', 'AB-1234567']],
    ['(?<year>\\d{4})(?:-(?<month>\\d\\d))?', ['2024', '2024-12'], ['2024-', '24']],
    ['[^@\\s]+@[^@\\s]+\\.[a-z]{2,}', ['a@b.de'], ['a@b', '@b.de', 'a b@c.de']],
    ['', [''], ['a']],
    ['a|', ['a', ''], ['b']],
    ['\\_[{]}\\/', ['_{}/'], ['_{}']],
    ['\\uD83D\\uDE00+', ['😀😀'], ['😀a']],
  ] as const)
    it(`'${one}' takes ${taken.join(', ')} and nothing else`, () => {
      for (const value of taken) assert.equal(matches(one, value), true, value);
      for (const value of refused) assert.equal(matches(one, value), false, value);
    });

  for (const one of [
    '(a)\\1',
    '(?<x>a)\\k<x>',
    '(?=a)a',
    '(?!b).',
    '(?<=a)b',
    '(?<!a)b',
    '(',
    '[a',
    'a{5,4}',
    '(?i)a',
    'a)(?:b',
    'a)|(?:b',
  ])
    it(`'${one}' is none that can be matched in one go`, () => assert.equal(patternOf(one), null));

  it('that becomes too large is none', () => {
    assert.equal(patternOf('(?:a{1,100}){1,100}'), null);
    assert.equal(patternOf('.{9999999}'), null);
    assert.equal(patternOf('(?:(?:(?:){9999}){9999}){9999}'), null);
    assert.equal(patternOf(`${'('.repeat(1_000)}a${')'.repeat(1_000)}`), null);
    assert.notEqual(patternOf('.{0,4000}'), null);
    assert.equal(patternOf('.{9999}')?.size, 10_000);
    assert.equal(patternOf('.{10000}'), null);
  });

  it('has at most two hundred groups within each other, and many beside', () => {
    const nested = (depth: number) => `${'('.repeat(depth)}a${')'.repeat(depth)}`;
    assert.notEqual(patternOf(nested(200)), null);
    assert.equal(patternOf(nested(201)), null);
    assert.equal(matches('(a)'.repeat(300), 'a'.repeat(300)), true);
  });

  for (const one of ['(a+)+', '(a|a)*', '(a|aa)+', '(.*)*', '(?:a?){30}a{30}', '([a-zA-Z]+)*', '(x+x+)+y|(a*)*'])
    it(`'${one}' costs in proportion to the text, where it might go back without end`, () => {
      const costOf = (length: number) => {
        const effort = { left: 10_000_000 };
        assert.equal(patternOf(one)?.matches(`${'a'.repeat(length)}!`, effort), one === '(.*)*');
        return 10_000_000 - effort.left;
      };
      assert.ok(costOf(16_000) < 20 * costOf(1_000) + 1_000, `it cost ${costOf(16_000)} and ${costOf(1_000)}`);
    });

  it('gives up where it would cost more than it may', () => {
    const many = patternOf('(?:.?){200}');
    assert.equal(many?.matches('a'.repeat(16_000), { left: 10_000 }), null);
    const effort = plenty();
    assert.equal(many?.matches('abc', effort), true);
    const cost = plenty().left - effort.left;
    assert.equal(many?.matches('abc', { left: cost }), true);
    assert.equal(many?.matches('abc', { left: cost - 1 }), null);
  });
});
