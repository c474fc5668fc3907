// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts under test are written so
import { fails, table } from './juel-support.js';

/** The comparison of each pair by `<`, `<=`, `>`, `>=`. */
const compared = (pairs: readonly (readonly [string, string, readonly [boolean, boolean, boolean, boolean]])[]) =>
  pairs.flatMap(([a, b, expected]) =>
    ['<', '<=', '>', '>='].map((operator, i) => [`\${${a} ${operator} ${b}}`, expected[i]] as const),
  );

const LESS = [true, true, false, false] as const;
const SAME = [false, true, false, true] as const;
const GREATER = [false, false, true, true] as const;
const NONE = [false, false, false, false] as const;

describe('JUEL', () => {
  table(
    'order',
    compared([
      ['1', '2', LESS],
      ['2', '2', SAME],
      ['3', '2', GREATER],
      ['ratio', '0.5', LESS],
      ['ratio', '0.25', SAME],
      ['ratio', '0.125', GREATER],
      ['big', 'big + 1', LESS],
      ['big + 1', 'big + 1', SAME],
      ['big', '1', GREATER],
      ['"a"', '"b"', LESS],
      ['"a"', '"a"', SAME],
      ['"b"', '"a"', GREATER],
      ['"9"', '10', LESS],
      ['"10"', '10', SAME],
      ['"9"', '"10"', GREATER],
      ['"2026"', 'start', LESS],
      ['"a"', 'yes', LESS],
      ['no', 'yes', LESS],
      ['yes', 'yes', SAME],
      ['yes', 'no', GREATER],
      ['start', 'now().plusMillis(1)', LESS],
      ['start', 'now()', SAME],
      ['start', 'now().minusMillis(1)', GREATER],
      ['nothing', '1', NONE],
      ['1', 'nothing', NONE],
      ['"a"', 'nothing', NONE],
      ['nothing', 'nothing', SAME],
      ['0.0 / 0', '1', NONE],
    ]),
  );

  table('equality', [
    ['${nothing == 0}', false],
    ['${0 == nothing}', false],
    ['${nothing == ""}', false],
    ['${nothing == nothing}', true],
    ['${"1" == 1}', true],
    ['${"1.0" == 1.0}', true],
    ['${"true" == yes}', true],
    ['${"yes" == yes}', false],
    ['${"" == no}', true],
    ['${start == now()}', true],
    ['${start == now().plusMillis(1)}', false],
    ['${start == "2026-01-31T08:30:00.000Z"}', true],
    ['${order == vacant}', false],
    ['${order == list}', false],
    ['${list == none}', false],
    ['${vacant == none}', false],
    ['${order.lines == order.lines}', true],
    ['${pair == same}', true],
    ['${pair == other}', false],
    ['${pair == longer}', false],
    ['${pair == renamed}', false],
    ['${dated == alike}', true],
    ['${dated == later}', false],
    ['${dated == undated}', false],
    ['${undated == dated}', false],
    ['${order == start}', false],
    ['${start == vacant}', false],
    ...['five', 'word', 'nil', 'nested', 'undated'].flatMap((a, _, all) =>
      all.map((b) => [`\${${a} == ${b}}`, a === b] as const),
    ),
    ['${service == vacant}', false],
    ['${vacant == service}', false],
    ['${service == service}', true],
  ]);

  describe('what has no order', () => {
    for (const expression of ['${list < 1 == list}', '${order < list}', '${start < 1}', '${list >= none}'])
      it(`is refused: ${expression}`, () => fails(expression, /expected /));
  });

  table('conversion', [
    ['${1 + null}', 1],
    ['${1.5 + null}', 1.5],
    ['${1.5 + ""}', 1.5],
    ['${null / 2}', 0],
    ['${2 / null}', Number.POSITIVE_INFINITY],
    ['${big / 2}', 2 ** 59],
    ['${"abcd" || no}', false],
    ['${"TRUE" && yes}', true],
    ['a${0.001}', 'a0.001'],
    ['a${0.0001}', 'a1.0E-4'],
    ['a${10000000.0}', 'a1.0E7'],
    ['a${9999999.0}', 'a9999999.0'],
    ['a${1.25e-7}', 'a1.25E-7'],
    ['a${-0.0}', 'a-0.0'],
  ]);

  describe('what cannot be converted', () => {
    for (const [expression, what] of [
      ['${list / 2}', 'Double'],
      ['${1.5 * order}', 'Double'],
      ['${-yes}', 'a number'],
      ['${-list}', 'a number'],
      ['${list + 1}', 'Long'],
      ['${list && yes}', 'Boolean'],
      ['${"1.0" == 1}', 'Long'],
    ] as const)
      it(`is refused: ${expression}`, () => fails(expression, new RegExp(`can be read as ${what}`)));
  });
});
