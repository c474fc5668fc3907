import assert from 'node:assert/strict';
import { Failure, Work } from '../../src/expression/juel/failure.js';
import { Pattern } from '../../src/expression/juel/pattern.js';

const matches = (pattern: string, text: string) => new Pattern(pattern).matches(text, new Work());

/** Pattern, text, and what Java's String.matches says. */
const JAVA: readonly (readonly [string, string, boolean])[] = [
  ['[a-c]+\\d+', 'abc12', true],
  ['abc', 'abc12', false],
  ['a.b', 'a\nb', false],
  ['(?s)a.b', 'a\nb', true],
  ['(?i)AB', 'ab', true],
  ['(?i)[^a]', 'A', false],
  ['(?i)ä', 'Ä', false],
  ['(?i)s', 'ſ', false],
  ['a{2}b', 'aab', true],
  ['a{2,}', 'aaa', true],
  ['a{2,3}', 'aaaa', false],
  ['a{0}', 'a', false],
  ['\\w-\\w', 'x-y', true],
  ['\\w', 'é', false],
  ['\\p{L}', 'é', true],
  ['\\pL\\PL', 'é1', true],
  ['\\p{Upper}', 'A', true],
  ['\\p{IsLatin}+', 'Aé', true],
  ['[^b]', 'a', true],
  ['[]]', ']', true],
  ['[a-]', '-', true],
  ['[\\w-]', 'x', true],
  ['[\\D&]', '&', true],
  ['^a$', 'a', true],
  ['^a$', 'a\n', false],
  ['a$\n', 'a\n', true],
  ['a\\sb', 'a b', true],
  ['\\s', '\u00a0', false],
  ['\\s', '\u000b', true],
  ['.', '\u2028', false],
  ['a|ab', 'ab', true],
  ['a|', '', true],
  ['', '', true],
  ['a\\.b', 'a.b', true],
  ['\\Qa+b\\E', 'a+b', true],
  ['(a)(?:b)(?<c>c)', 'abc', true],
  ['a}', 'a}', true],
  ['a]', 'a]', true],
  ['😀', '😀', true],
  ['.', '😀', true],
  ['(a*)*', 'aa', true],
  ['a*?b', 'aab', true],
  ['\\d+(\\.\\d+)?', '1.5', true],
  ['[\\w.+-]+@[\\w-]+\\.[a-z]{2,}', 'mail@x.de', true],
  ['\\u0041\\x42', 'AB', true],
  ['\\bab\\b', 'ab', true],
];

describe('a pattern', () => {
  for (const [pattern, text, expected] of JAVA) {
    it(`${pattern} ${expected ? 'matches' : 'does not match'} ${JSON.stringify(text)}`, () => {
      assert.equal(matches(pattern, text), expected);
    });
  }

  it('is refused where it cannot be read, or not be matched in one pass', () => {
    const wrong = [
      'a{',
      '*',
      '(',
      '(a',
      'a)',
      '[',
      '[a',
      '[b-a]',
      '[a[b]]',
      '[a-c&&b]',
      '\\1',
      '\\k',
      '\\',
      '(?=a)',
      '(?!a)',
      'a?+',
      'a{3,2}',
      '\\p{Nothing}',
    ];
    for (const pattern of [...wrong, '('.repeat(60)]) assert.throws(() => new Pattern(pattern), Failure, pattern);
    assert.throws(() => new Pattern('(((a{999}){999}){999})'), /at most 5000 states/);
  });

  it('cannot be slow, whatever the text', () => {
    assert.equal(matches('(a+)+b', 'a'.repeat(2_000)), false);
    assert.throws(() => matches('(a|a|a|a)*', 'a'.repeat(200_000)), /within 1000000 steps/);
    assert.throws(() => matches('a*', 'a'.repeat(4_000_000)), /within 1000000 steps/);
  });
});
