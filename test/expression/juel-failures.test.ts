// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts under test are written so
import assert from 'node:assert/strict';
import { compileExpression } from '../../src/expression/routes.js';
import { evaluate, fails } from './juel-support.js';

describe('JUEL refuses', () => {
  describe('failures at run time are EXECUTION_FAILED with expression and cause', () => {
    const rows: [string, RegExp][] = [
      ['${missing}', /'\$\{missing\}' failed: expected a variable named 'missing', but there is no variable or bean/],
      ['${missing > 3}', /named 'missing'/],
      ['${missing()}', /named 'missing'/],
      ['x ${missing} y', /'x \$\{missing\} y'/],
      ['${now}', /'now' is a function: write now\(\)/],
      ['${name + "x"}', /numbers around '\+'.*joined by/],
      ['${name - 1}', /the String 'Anna'/],
      ['${name == 1}', /read as Long.*'Anna'/],
      ['${yes + 1}', /read as Long.*Boolean 'true'/],
      ['${list + 1}', /found a List/],
      ['${!list}', /read as Boolean/],
      ['${1 % 0}', /divisor other than 0/],
      ['${list < 1}', /found a List/],
      ['${list < order}', /have an order/],
      ['${yes < start}', /have an order/],
      ['${9223372036854775807 + 1}', /Long of 64 bits/],
      ['${amount.foo}', /property 'foo', but found the Long '1500'/],
      ['${name.length}', /property 'length'/],
      ['${list.size}', /read as Long/],
      ['${nothing.foo()}', /foo\(\) on, but found null/],
      ['${name.foo()}', /found foo\(\)/],
      ['${name.matches("(?=a)")}', /found '\?' at 1 in '\(\?=a\)'/],
      ['${name.getClass()}', /getClass\(\)/],
      ['${name.substring(9)}', /from 0 to 4/],
      ['${name.substring(3, 1)}', /from 0 to 1/],
      ['${name.charAt(4)}', /from 0 to 3/],
      ['${name.split("a+?")}', /a pattern that takes as much as it can/],
      ['${name.replaceAll("(n)", "$1")}', /without groups/],
      ['${name.repeat(-1)}', /how often a text is repeated/],
      ['${list.get(3)}', /from 0 to 2/],
      ['${list.add(1)}', /add\(1 argument\)/],
      ['${list.push(1)}', /push\(/],
      ['${order.put("a", 1)}', /put\(/],
      ['${order.toLocaleString()}', /toLocaleString\(\)/],
      ['${order.valueOf()}', /valueOf\(\)/],
      ['${order.prop("x")}', /property 'x'/],
      ['${now().plusDays("x")}', /whole number for plusDays/],
      ['${now().plusYears(999999)}', /271,821 years/],
      ['${now().before("x")}', /a date for before/],
      ['${now().plusDays(big)}', /whole number for plusDays, but found 1152921504606846976/],
      ['${now().before(big)}', /a date for before, but found 1152921504606846976/],
      ['${now().setTime(1)}', /setTime/],
    ];
    for (const [text, message] of rows) it(text, () => fails(text, message));
  });

  describe("JavaScript's own machinery is out of reach", () => {
    const refused = [
      '${__proto__}',
      '${constructor}',
      '${order.__proto__}',
      '${order.constructor}',
      '${name.constructor.constructor("return process")()}',
      '${order.prototype}',
      '${order.constructor("x")}',
    ];
    for (const text of refused) {
      it(`${text} is refused when it is read`, () =>
        assert.throws(() => compileExpression(text), { code: 'BAD_REQUEST', message: /name that may be used/ }));
    }
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      const half = Math.floor(key.length / 2);
      const built = `'${key.slice(0, half)}'.concat('${key.slice(half)}')`;
      it(`${key} is refused as a key that is calculated`, () => {
        fails(`\${order[${built}]}`, /may be used/);
        fails(`\${order[${built}]('x')}`, /may be used/);
        fails(`\${order.get(${built})}`, /may be used/);
        fails(`\${name[${built}]}`, /may be used/);
      });
    }
    it('inherited things are not there', () => {
      for (const text of ['${toString}', '${hasOwnProperty}', '${globalThis}', '${process}', '${require("fs")}']) {
        fails(text, /there is no variable or bean/);
      }
      assert.equal(evaluate('${order.valueOf}'), null);
      fails('${list.map}', /read as Long/);
      fails('${name.at}', /property 'at'/);
    });
  });

  it('what is too long or has too many operators, with the column where that shows', () => {
    const rows = [
      [`ab\${${'1'.padStart(4096)}}`, { column: 5, max: 4096 }, /of at most 4096 characters at column 5/],
      [`\${1${'+1'.repeat(501)}}`, { column: 1004, max: 500 }, /found more from column 1004 of '/],
      [`${'x'.repeat(70_000)}\${1}`, { column: 70_001, max: 65_536 }, /of at most 65536 characters at column 70001/],
    ] as const;
    for (const [text, details, message] of rows) {
      assert.throws(
        () => compileExpression(text),
        (error: { code: string; message: string; info: { details: object } }) => {
          assert.deepEqual([error.code, error.info.details], ['BAD_REQUEST', details]);
          assert.match(error.message, message);
          return true;
        },
      );
    }
  });

  it('a text of more than 200 characters, shown by its first 199', () => {
    const broken = (length: number) => () => compileExpression(`\${${'x'.repeat(length - 4)} 1`);
    assert.throws(broken(200), { message: /expression '\$\{x{196} 1', but/ });
    assert.throws(broken(201), { message: /expression '\$\{x{197}…', but/ });
  });

  describe('syntax errors are BAD_REQUEST with column and text', () => {
    const rows: [string, number, string][] = [
      ['${}', 3, '}'],
      ['${1 +}', 6, '}'],
      ['${1 2}', 5, '2'],
      ["${1 'ab' }", 5, "'ab'"],
      ['abc ${', 7, 'the end of the text'],
      ['${a', 4, 'the end of the text'],
      ['${a.}', 5, '}'],
      ['${a.1}', 4, '.1'],
      ['${a[1}', 6, '}'],
      ['${(1}', 5, '}'],
      ['${f(1,)}', 7, ')'],
      ['${a ? 1}', 8, '}'],
      ['${a = 1}', 5, '='],
      ['${a; b}', 4, ';'],
      ['${a -> b}', 6, '>'],
      ["${'abc}", 3, 'the end of the text'],
      ["${'a\\n'}", 5, '\\n'],
      ['${a @ b}', 5, '@'],
      ['${a instanceof b}', 5, 'instanceof'],
      ['${9223372036854775808}', 3, '9223372036854775808'],
      ['${`x`}', 3, '`'],
      ['${{}}', 3, '{'],
      ['${[1]}', 3, '['],
      ['ok ${a} and ${b +}', 18, '}'],
      ['${a 😀}', 5, '😀'],
    ];
    for (const [text, column, found] of rows) {
      it(`${text} at column ${column}`, () =>
        assert.throws(
          () => compileExpression(text),
          (error: { code: string; message: string; info: { details: { column: number; found: string } } }) => {
            assert.equal(error.code, 'BAD_REQUEST');
            assert.deepEqual({ column: error.info.details.column, found: error.info.details.found }, { column, found });
            assert.match(error.message, new RegExp(`at column ${column} of expression`));
            return true;
          },
        ));
    }
  });
});
