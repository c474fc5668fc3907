import assert from 'node:assert/strict';
import { type Exchange, languageOf, languagesOf, StreamCache } from '../../../src/expression/routes.js';
import { answer, exchangeWith } from '../simple/asked.js';

const at = { line: 3, column: 5 };
const expression = (language: string, text: string, options: Record<string, unknown> = {}) =>
  languageOf(language).expression({ language, text, options, at });
const predicate = (language: string, text: string) =>
  languageOf(language).predicate({ language, text, options: {}, at });
const values = (exchange: Exchange, ...asked: (readonly [string, string])[]) =>
  asked.map(([language, text]) => expression(language, text)(exchange));

describe('languages of routes', () => {
  it('constant, header, exchangeProperty and variable give what they name', () => {
    const exchange = exchangeWith('x');
    exchange.context.globalVariables.set('shared', 1);
    assert.deepEqual(
      values(
        exchange,
        ['constant', ' a ${body} '],
        ['header', 'NAME'],
        ['header', 'none'],
        ['header', 'p'],
        ['exchangeProperty', 'p'],
        ['variable', 'v'],
        ['variable', 'global:shared'],
      ),
      ['a ${body}', 'Camel', null, 'prop', 'prop', 'var', 1],
    );
  });

  it('trim false keeps blanks, and resultType converts', async () => {
    const exchange = exchangeWith('7');
    assert.equal(expression('constant', ' a ', { trim: 'false' })(exchange), ' a ');
    assert.equal(
      await answer(() => expression('constant', '5', { resultType: 'int' })(exchange)),
      'java.lang.Integer 5',
    );
    assert.equal(
      await answer(() => expression('simple', '${body}', { resultType: 'Double' })(exchange)),
      'java.lang.Double 7.0',
    );
    assert.equal(expression('simple', "${body} == '7'", { resultType: 'Boolean' })(exchange), true);
    assert.throws(() => expression('constant', 'x', { resultType: 'com.acme.Order' }), {
      type: /CamelExecutionException/,
    });
  });

  it('simple trims its result, writes it over lines, and evaluates what it gives once more', () => {
    const exchange = exchangeWith(' ${header.name} ');
    assert.equal(expression('simple', '${body}', { trimResult: true })(exchange), '${header.name}');
    assert.equal(expression('simple', '${body}', { nested: true })(exchange), ' Camel ');
    assert.equal(expression('simple', '{"a":1}', { pretty: 'true' })(exchange), '{\n\t"a": 1\n}\n');
  });

  it('a predicate is true for a value but null, false, "false" in any letter case, blank texts and empty lists', () => {
    const exchange = exchangeWith(null);
    for (const [text, expected] of [
      ['true', true],
      ['False', false],
      ['x', true],
      ['  ', false],
    ] as const) {
      assert.equal(predicate('constant', text)(exchange), expected, text);
    }
    for (const [value, expected] of [
      [0, true],
      [[], false],
      [[0], true],
      [{}, true],
      [null, false],
      [' TRUE ', true],
    ] as const) {
      exchange.headers.set('it', value);
      assert.equal(predicate('header', 'it')(exchange), expected, JSON.stringify(value));
    }
  });

  it('language names another one, and an unknown one is refused by name', () => {
    assert.equal(expression('language', '${body}', { language: 'simple' })(exchangeWith('x')), 'x');
    assert.throws(() => languageOf('groovy'), /NoSuchLanguageException: groovy .*expected one of constant, simple/s);
    assert.throws(() => languagesOf()('js'), /NoSuchLanguageException/);
  });

  it('Simple hands texts to jsonpath and xpath, also of a header', async () => {
    const exchange = exchangeWith('{"a":{"b":[1,2]}}');
    exchange.headers.set('order', '{"id":7}');
    exchange.headers.set('xml', '<a><b>x</b></a>');
    assert.equal(await answer(() => expression('simple', '${jsonpath($.a.b[1])}')(exchange)), 'java.lang.Integer 2');
    assert.equal(
      await answer(() => expression('simple', 'id ${jsonpath(header:order,$.id)}')(exchange)),
      'java.lang.String id 7',
    );
    assert.equal(
      await answer(() => expression('simple', '${xpath(header:xml,/a/b/text())}${xpath(header:xml,/a/b)}')(exchange)),
      'java.lang.String x<b>x</b>',
    );
  });

  it('a stream that was read as a whole is read again, and what waits for it is worked out in order', async () => {
    const stream = new StreamCache({
      async *[Symbol.asyncIterator]() {
        yield Buffer.from('ab');
        yield 'c';
      },
    });
    const exchange = exchangeWith(stream);
    assert.equal(
      await answer(() => expression('simple', '1 ${body} 2 ${bodyAs(String)}')(exchange)),
      'java.lang.String 1 abc 2 abc',
    );
    assert.equal(
      await answer(() => predicate('simple', "${body} == 'abc' && ${body} contains 'b'")(exchange)),
      'java.lang.Boolean true',
    );
    assert.equal(
      await answer(() => expression('simple', '${body} ~> ${uppercase()} ~> ${quote()}')(exchange)),
      'java.lang.String "ABC"',
    );
    assert.equal(exchange.body, stream);
    assert.equal(
      await answer(() => expression('simple', '${hash(${body},MD5)}')(exchange)),
      'java.lang.String 900150983cd24fb0d6963f7d28e17f72',
    );
  });
});
