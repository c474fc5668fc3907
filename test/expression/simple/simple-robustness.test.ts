import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Asked, ExchangeFailure, languageOf } from '../../../src/expression/routes.js';
import { exchangeWith } from './asked.js';

const simple = languageOf('simple');
const model = (text: string) => ({ language: 'simple', text, options: {}, at: { line: 1, column: 1 } });

/** What Simple's texts are made of, in any order. */
const PARTS = [
  ...[
    '${',
    '}',
    '$simple{',
    "'",
    '"',
    '(',
    ')',
    '[',
    ']',
    ',',
    '.',
    '?',
    ':',
    ' ',
    '\\',
    '\n',
    '$init{\n',
    '}init$',
    '$a',
  ],
  ...[
    ' == ',
    ' > ',
    ' && ',
    ' || ',
    ' ?: ',
    ' ~> ',
    ' ?~> ',
    '++',
    '--',
    ' contains ',
    ' regex ',
    ' in ',
    ' range ',
    ' is ',
  ],
  ...[
    'body',
    'header.n',
    'header.list',
    'header.map',
    'null',
    'true',
    '5',
    '-1',
    '1..2',
    'last',
    ':=',
    'bodyAs(int)',
    'date:now',
  ],
  ...[
    'list(',
    'map(',
    'replace(',
    'substring(',
    'iif(',
    'forEach(',
    'split(',
    'join(',
    'pad(',
    'range(',
    'sum(',
    'xpath(',
  ],
];
const texts = fc.oneof(
  fc.array(fc.constantFrom(...PARTS), { maxLength: 40 }).map((parts) => parts.join('')),
  fc.string({ maxLength: 60 }),
);

/** Compiles and evaluates; what fails must be a failure of an exchange. */
function tried(work: () => unknown): void {
  try {
    const value = work();
    if (value instanceof Asked) value.answer.catch(() => {});
  } catch (thrown) {
    assert.ok(thrown instanceof ExchangeFailure, thrown instanceof Error ? thrown.stack : String(thrown));
  }
}

describe("Camel's Simple with any text", () => {
  it('gives a value or a failure of the exchange, as an expression and as a predicate', () => {
    fc.assert(
      fc.property(texts, (text) => {
        tried(() => simple.expression(model(text))(exchangeWith('a,b')));
        tried(() => simple.predicate(model(text))(exchangeWith(['a', 'b'])));
      }),
      { numRuns: 1_500 },
    );
  });

  it('refuses what is nested too deep, too long or has too many parts', () => {
    const deep = `${'${uppercase('.repeat(500)}a${')}'.repeat(500)}`;
    for (const text of [deep, 'a'.repeat(1_000_001), '${body}'.repeat(10_000)]) {
      assert.throws(() => simple.expression(model(text)), { type: /SimpleIllegalSyntaxException/ });
    }
  });

  it('does not hang on patterns, wide texts and long ranges', () => {
    for (const text of [
      "${pad('x',2000000000)}",
      '${range(2000000000)}',
      "${split(${pad('a',20000)},'(a*)*b')}",
      "${list(${body.replaceAll('(a|a)*c','')})}",
    ]) {
      tried(() => simple.expression(model(text))(exchangeWith('a'.repeat(2_000))));
    }
  });

  it('names the place and the nearest function', () => {
    assert.throws(
      () => simple.expression(model('Hello ${headr.x}')),
      /Unknown function: headr\.x; did you mean header\? at location 6/,
    );
    assert.throws(() => simple.expression(model('${uppercas()}')), /did you mean uppercase\?/);
    assert.throws(() => simple.expression(model('${attachments}')), /there are no attachments here/);
  });
});
