import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { readJson } from '../../../src/expression/format/json-text.js';
import { writeJson } from '../../../src/expression/format/json-writer.js';
import { evaluate, type Options } from '../../../src/expression/jsonpath/evaluate.js';
import { jsonpath } from '../../../src/expression/jsonpath/jsonpath.js';
import { parsePath } from '../../../src/expression/jsonpath/path-parser.js';
import { Asked, ExchangeFailure, type Language } from '../../../src/expression/routes.js';
import { answerOf, exchangeOf, expressionModel, failureOf, failureTypes } from '../exchange-support.js';
import { DOCUMENT, FAILURES, NO_PATHS, VALUES, WITH_OPTION } from './jayway-answers.js';

const OPTIONS: Readonly<Record<string, keyof Options>> = {
  SUPPRESS_EXCEPTIONS: 'suppressExceptions',
  ALWAYS_RETURN_LIST: 'alwaysReturnList',
  DEFAULT_PATH_LEAF_TO_NULL: 'defaultPathLeafToNull',
  AS_PATH_LIST: 'asPathList',
  REQUIRE_PROPERTIES: 'requireProperties',
};
const document = readJson(DOCUMENT);
const asked = (path: string, options?: Options) => writeJson(evaluate(parsePath(path), document, options));
const typeThrown = (work: () => unknown): string => {
  try {
    return `no failure: ${work()}`;
  } catch (thrown) {
    return thrown instanceof ExchangeFailure ? (thrown.type.split('.').at(-1) ?? '') : String(thrown);
  }
};

describe('jsonpath: what Jayway answers', () => {
  for (const [path, json] of VALUES) it(path, () => assert.equal(asked(path), json));
  for (const [path, type] of FAILURES)
    it(`${path} fails`, () =>
      assert.equal(
        typeThrown(() => asked(path)),
        type,
      ));
  for (const path of NO_PATHS) {
    it(`${path} is no path`, () =>
      assert.equal(
        typeThrown(() => parsePath(path)),
        'InvalidPathException',
      ));
  }
  for (const [path, option, json] of WITH_OPTION) {
    it(`${path} with ${option}`, () => {
      const options = { [OPTIONS[option] ?? '']: true };
      if (json.startsWith('!'))
        assert.equal(
          typeThrown(() => asked(path, options)),
          json.slice(1),
        );
      else assert.equal(asked(path, options), json);
    });
  }
});

describe('jsonpath: where Jayway depends on what was asked before, or stumbles', () => {
  const cases: readonly (readonly [path: string, json: string])[] = [
    ['$..*.goods', '["Rye of the North","Wheat of Spring","Oat Flakes","The Bran of the Hill"]'],
    ['$..[0,1].goods', '["Rye of the North","Wheat of Spring"]'],
    ['$..[0][0]', '["a"]'],
    ['$.mill.keys().length()', '2'],
    ['$.tags[1].last()', '"c"'],
    ["$.concat($.expensive, ' / ', $.yes)", '"10 / true"'],
  ];
  for (const [path, json] of cases) it(path, () => assert.equal(asked(path), json));
});

describe('jsonpath: bounds', () => {
  it('ends a path that goes through too many values', () => {
    const rows = Array.from({ length: 100 }, () => Array.from({ length: 100 }, () => [[[[1], 2]], 3]));
    assert.equal(
      typeThrown(() => evaluate(parsePath('$..*..*..*..*..*'), rows)),
      'JsonPathException',
    );
  });

  it('refuses a document that is nested too deeply', () => {
    assert.equal(
      typeThrown(() => readJson('['.repeat(5_000) + ']'.repeat(5_000))),
      'StreamConstraintsException',
    );
  });

  it('matches patterns in linear time', () => {
    const path = parsePath('$[?(@ =~ /(a+)+b/)]');
    assert.deepEqual(evaluate(path, ['a'.repeat(5_000)]), []);
  });

  it('refuses a path of nested filters without end, and one that is too long', () => {
    assert.equal(
      typeThrown(() => parsePath(`$[?(${'('.repeat(100)}@.a${')'.repeat(100)})]`)),
      'InvalidPathException',
    );
    assert.equal(
      typeThrown(() => parsePath(`$.${'a'.repeat(20_000)}`)),
      'InvalidPathException',
    );
  });

  it('finds nothing that an object only inherits', () => {
    assert.equal(
      typeThrown(() => evaluate(parsePath('$.constructor'), {})),
      'PathNotFoundException',
    );
    assert.equal(
      typeThrown(() => evaluate(parsePath('$.__proto__'), {})),
      'PathNotFoundException',
    );
  });
});

/** Knows `${header.name}` alone. */
const simple: Language = {
  expression:
    ({ text }) =>
    (exchange) =>
      text.replace(/\$\{header\.(\w+)\}/g, (_, name: string) => String(exchange.headers.get(name))),
  predicate: () => () => true,
};
const language = jsonpath({
  simple,
  convert: (value, type) => `${type}(${writeJson(value)})`,
  isTrue: (value) => (Array.isArray(value) ? value.length > 0 : value !== null && value !== false),
});
const ORDER = '{"id": 7, "lines": [{"name": "rye", "price": 3.5}, {"name": "oat", "price": 12}]}';

describe('jsonpath as a language of routes', () => {
  const ask = (text: string, body: unknown, options = {}, headers = {}) =>
    language.expression(expressionModel('jsonpath', text, options))(exchangeOf(body, headers));

  it('reads texts, bytes, maps, lists and streams', async () => {
    assert.equal(ask('$.id', ORDER), 7);
    assert.equal(ask('id', Buffer.from(ORDER)), 7);
    assert.equal(ask('$.id', Buffer.from(ORDER, 'utf16le')), 7);
    assert.equal(ask('$.id', JSON.parse(ORDER)), 7);
    assert.equal(ask('$.id', new Map([['id', 7]])), 7);
    assert.equal(ask('$[1]', ['a', 'b']), 'b');
    const later = ask('$.lines[1].name', Readable.from([ORDER.slice(0, 20), ORDER.slice(20)]));
    assert.ok(later instanceof Asked);
    assert.equal(await answerOf(later), 'oat');
  });

  it('fails with the class of the cause, as Camel wraps it', async () => {
    const thrown = await failureOf(() => ask('$.none', ORDER));
    assert.deepEqual(failureTypes(thrown), [
      'org.apache.camel.ExpressionEvaluationException',
      'com.jayway.jsonpath.PathNotFoundException',
    ]);
    assert.match(String(thrown), /PathNotFoundException: No results for path: \$\['none'\]/);
  });

  it('fails for a body that is no JSON, and for none', async () => {
    const types = async (body: unknown) => failureTypes(await failureOf(() => ask('$.id', body))).at(-1);
    assert.equal(await types('{"id": '), 'com.fasterxml.jackson.core.JsonParseException');
    assert.equal(await types(null), 'org.apache.camel.CamelExchangeException');
    assert.equal(await types(Readable.from(['{"id": '])), 'com.fasterxml.jackson.core.JsonParseException');
    assert.equal(ask('$.id', null, { suppressExceptions: 'true' }), null);
  });

  it('refuses what is no path when it is compiled', () => {
    assert.equal(
      typeThrown(() => language.expression(expressionModel('jsonpath', '$.a['))),
      'ExpressionIllegalSyntaxException',
    );
  });

  it('writes rows as JSON where writeAsString asks for it', () => {
    assert.deepEqual(ask('$.lines[*]', ORDER, { writeAsString: true }), [
      '{"name":"rye","price":3.5}',
      '{"name":"oat","price":12}',
    ]);
    assert.deepEqual(ask('$.lines[0]', ORDER, { writeAsString: true }), { name: '"rye"', price: '3.5' });
    assert.equal(ask('$.id', ORDER, { writeAsString: true }), '7');
  });

  it('converts to the result type, and unpacks a list of one', () => {
    assert.equal(ask('$.id', ORDER, { resultType: 'int' }), 'int(7)');
    assert.equal(
      ask('$.lines[?(@.price > 10)].name', ORDER, { resultType: 'String', unpackArray: true }),
      'String("oat")',
    );
    assert.equal(ask('$.lines[?(@.price > 10)].name', ORDER, { resultType: 'String' }), 'String("oat")');
    assert.equal(ask('$.lines[*].name', ORDER, { resultType: 'String' }), 'String(["rye","oat"])');
    assert.equal(ask('$.lines[?(@.price > 10)].name', ORDER, { unpackArray: true }), 'oat');
    assert.equal(
      ask('$.lines[?(@.price > 10)].name', ORDER, { resultType: 'java.util.List' }),
      'java.util.List(["oat"])',
    );
    assert.equal(ask('$.id', ORDER, { resultType: 'java.util.List' }), 'java.util.List([7])');
  });

  it('looks at a header, property or variable instead of the body', async () => {
    assert.equal(ask('$.id', 'none', { source: 'header:order' }, { Order: ORDER }), 7);
    const expression = language.expression(expressionModel('jsonpath', '$.id', { source: 'variable:order' }));
    const exchange = exchangeOf('none');
    exchange.variables.set('order', ORDER);
    assert.equal(expression(exchange), 7);
    const thrown = await failureOf(() => ask('$.id', 'none', { source: 'property:order' }));
    assert.equal(failureTypes(thrown).at(-1), 'org.apache.camel.NoSuchPropertyException');
  });

  it('may have ${…} of Simple in its text', () => {
    assert.equal(ask('$.lines[?(@.name == "${header.name}")].price', ORDER, {}, { name: 'oat' })?.toString(), '12');
  });

  it('is true as a predicate where something is found, also in the short form', () => {
    const holds = (text: string) => language.predicate(expressionModel('jsonpath', text))(exchangeOf(ORDER));
    assert.equal(holds('$.lines[?(@.price > 10)]'), true);
    assert.equal(holds('$.lines[?(@.price > 100)]'), false);
    assert.equal(holds('lines.price > 10'), true);
    assert.equal(holds('price > 100'), false);
    assert.equal(holds(`name == 'rye'`), true);
  });
});
