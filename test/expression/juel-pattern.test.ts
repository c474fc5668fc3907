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
  ['(?i)@', '`', false],
  ['(?i)\\[', '{', false],
  ['(?i)a', 'A', true],
  ['(?i)A', 'a', true],
  ['(?i)z', 'Z', true],
  ['(?i)Z', 'z', true],
  ['(?i)[^z]', 'Z', false],
  ['(?i)[x-z]', 'Y', true],
  ['(?is)A.', 'a\n', true],
  ['(?i)\\Qa\\E', 'A', true],
  ['\\p{Graph}', '!', true],
  ['\\p{Graph}', ' ', false],
  ['\\p{Graph}', '~', true],
  ['\\p{Graph}', '\u007f', false],
  ['\\p{Print}', ' ', true],
  ['\\p{Print}', '\u001f', false],
  ['\\p{Print}', '~', true],
  ['\\p{Print}', '\u007f', false],
  ['\\p{Cntrl}', '\u001f', true],
  ['\\p{Cntrl}', ' ', false],
  ['\\p{Cntrl}', '\u007f', true],
  ['\\p{ASCII}', '\u007f', true],
  ['\\p{ASCII}', '\u0080', false],
  ['\\P{Lower}', 'A', true],
  ['\\P{Lower}', 'a', false],
  ['[b-d]', 'a', false],
  ['[b-d]', 'b', true],
  ['[b-d]', 'd', true],
  ['[b-d]', 'e', false],
  ['[b-b]', 'b', true],
  ['[😀-😃]', '😁', true],
  ['[^]a]', 'b', true],
  ['[^]a]', ']', false],
  ['[-a]', '-', true],
  ['[a&b]', '&', true],
  ['[\\n-\\r]', '\u000b', true],
  ['[a-c-]', '-', true],
  ['[\\]]', ']', true],
  ['\\D', '1', false],
  ['\\D', 'a', true],
  ['\\W', 'a', false],
  ['\\W', '-', true],
  ['\\S', ' ', false],
  ['\\S', 'a', true],
  ['\\-', '-', true],
  ['\\t', '\t', true],
  ['\\e', '\u001b', true],
  ['a$b', 'ab', false],
  ['a$\nb', 'a\nb', false],
  ['a^b', 'ab', false],
  ['a\\Z\n', 'a\n', true],
  ['a\\z\n', 'a\n', false],
  ['a\\z', 'a', true],
  ['\\Aa', 'a', true],
  ['a\\Ab', 'ab', false],
  ['a\\Bb', 'ab', true],
  ['a\\bb', 'ab', false],
  ['a\\b-', 'a-', true],
  ['\\Ba', 'a', false],
  ['\\B-', '-', true],
  ['a\\B', 'a', false],
  ['a{2}', 'a', false],
  ['a{2,3}', 'a', false],
  ['a{2,3}', 'aa', true],
  ['a{2,3}', 'aaa', true],
  ['a{2,2}', 'aa', true],
  ['a{2,2}', 'aaa', false],
  ['a+', '', false],
  ['a*', '', true],
  ['a?', '', true],
  ['a?', 'aa', false],
  ['a??b', 'b', true],
  ['a{1,2}?b', 'aab', true],
  ['a{0,1}', 'a', true],
  ['(ab){2}', 'abab', true],
  ['\\Qa.', 'a.', true],
  ['\\Qa.', 'ab', false],
  ['(?<a1>b)', 'b', true],
  ['a|b|c', 'c', true],
  ['(a|b)*', 'abba', true],
  ['\\x7a', 'z', true],
  ['\\p{Lu}', 'A', true],
  ['\\p{Lu}', 'a', false],
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
      '\\pX',
      '[]',
      '[^]',
      '[a-',
      '[\\x00-',
      '[\u0000-',
      '[a\\',
      '[a-\\d]',
      '\\x4',
      '\\u004',
      '\\q',
      '\\8',
      'a*+',
      'a{2}+',
      '(?<1a>b)',
      '(?x',
      '{',
      'a{,3}',
      'a|*',
      '(?P<a>b)',
    ];
    for (const pattern of [...wrong, '('.repeat(60)]) assert.throws(() => new Pattern(pattern), Failure, pattern);
    assert.throws(() => new Pattern('(((a{999}){999}){999})'), /at most 5000 states/);
    assert.throws(() => new Pattern('a{5000}'), /at most 5000 states/);
    assert.throws(() => new Pattern(`${'('.repeat(51)}a${')'.repeat(51)}`), Failure);
  });

  it('may have 5,000 states, 50 levels, and as many groups as it likes', () => {
    assert.ok(matches('a{4999}', 'a'.repeat(4999)));
    assert.ok(matches(`${'('.repeat(50)}a${')'.repeat(50)}`, 'a'));
    assert.ok(matches('(a)'.repeat(100), 'a'.repeat(100)));
  });

  it('is refused with what was found, and where', () => {
    const told = (pattern: string, message: string) => assert.throws(() => new Pattern(pattern), { message });
    const expected = 'expected a pattern that can be matched, but found';
    told('ab(c', `${expected} its end at 4 in 'ab(c'`);
    told('ab)c', `${expected} ')' at 2 in 'ab)c'`);
    told('ab[c', `${expected} '[c' at 2 in 'ab[c'`);
    told('a{3,2}', 'expected a pattern that repeats from 3 times on, but at most 2 are allowed');
  });

  it('cannot be slow, whatever the text', () => {
    assert.equal(matches('(a+)+b', 'a'.repeat(2_000)), false);
    assert.throws(() => matches('(a|a|a|a)*', 'a'.repeat(200_000)), /within 1000000 steps/);
    assert.throws(() => matches('a*', 'a'.repeat(4_000_000)), /within 1000000 steps/);
  });
});
