import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { Asked, type Language } from '../../src/expression/routes.js';
import { isNode, nodeText, parseXml } from '../../src/expression/xpath/document.js';
import { xpath } from '../../src/expression/xpath/xpath.js';
import { answerOf, exchangeOf, expressionModel, failureOf, failureTypes } from './exchange-support.js';

const ORDER = "<order id='7'><line price='3.5'>rye</line><line price='12'>oat</line><empty/><flag>true</flag></order>";
const simple: Language = {
  expression:
    ({ text }) =>
    (exchange) =>
      text.replace('${header.x}', String(exchange.headers.get('x'))),
  predicate: () => () => true,
};
const language = xpath({ simple, convert: (value, type) => (/int/i.test(type) ? Math.trunc(Number(value)) : value) });
const ask = (text: string, options = {}, body: unknown = ORDER) => {
  const exchange = exchangeOf(body, { x: 'oat' }, { properties: new Map([['pr', 'PR']]) });
  return language.expression(expressionModel('xpath', text, options))(exchange);
};
/** Nodes by their text. */
const shown = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shown);
  return isNode(value) ? nodeText(value) : value;
};

describe('xpath', () => {
  const nodes: readonly (readonly [text: string, nodes: readonly string[]])[] = [
    ['/order/@id', ['7']],
    ['/order/line', ['<line price="3.5">rye</line>', '<line price="12">oat</line>']],
    ['//line[@price > 10]', ['<line price="12">oat</line>']],
    ['//line[1]/text()', ['rye']],
    ['/order/none', []],
    ['//empty', ['<empty/>']],
    ["//line[. = in:header('x')]", ['<line price="12">oat</line>']],
    ['//line/text()', ['rye', 'oat']],
    ['//comment()', []],
    ['//line[last()]', ['<line price="12">oat</line>']],
    ['/order/flag | /order/line', ['<line price="3.5">rye</line>', '<line price="12">oat</line>', '<flag>true</flag>']],
    ['//@price', ['3.5', '12']],
    ['//line[2]/preceding-sibling::*', ['<line price="3.5">rye</line>']],
    ['//flag/preceding::line[1]', ['<line price="12">oat</line>']],
    [
      '//line/..',
      ['<order id="7"><line price="3.5">rye</line><line price="12">oat</line><empty/><flag>true</flag></order>'],
    ],
    ['//flag/ancestor::order/@id', ['7']],
    ['//line[following::flag]/@price', ['3.5', '12']],
    ['(//line)[2]', ['<line price="12">oat</line>']],
    ['//line[. > 10]', []],
    ['*/line[@price = 12]/text()', ['oat']],
    ["//*[name() = 'flag']", ['<flag>true</flag>']],
    ['//line[position() = 2 and @price]', ['<line price="12">oat</line>']],
    ['child::order/child::line[attribute::price=3.5]', ['<line price="3.5">rye</line>']],
    ['/', [ORDER.replaceAll("'", '"')]],
    ["out:header('x')", []],
  ];
  for (const [text, expected] of nodes) it(`finds nodes: ${text}`, () => assert.deepEqual(shown(ask(text)), expected));

  const texts: readonly (readonly [text: string, value: string])[] = [
    ['//line', 'rye'],
    ['//none', ''],
    ['count(//line)', '2'],
    ['string(/order/line[2])', 'oat'],
    ['sum(//line/@price)', '15.5'],
    ['1 div 0', 'Infinity'],
    ['-1 div 0', '-Infinity'],
    ["number('x')", 'NaN'],
    ["'5' * 2", '10'],
    ["'5' = 5", 'true'],
    ["concat(//line, '-', 1.0)", 'rye-1'],
    ['string(1 div 3)', '0.3333333333333333'],
    ['1000000 * 1000000000 * 10000000', '10000000000000000000000'],
    ["normalize-space(' a  b ')", 'a b'],
    ["translate('abc', 'ab', 'x')", 'xc'],
    ["substring-before('a-b', '-')", 'a'],
    ["substring-after('a-b', '-')", 'b'],
    ["substring('12345', 1.5, 2.6)", '234'],
    ["substring('12345', 0 div 0)", ''],
    ['string-length(/order/line)', '3'],
    ['name(/*)', 'order'],
    ['10 mod 3 - 1', '0'],
    ['round(2.5)', '3'],
    ['round(-2.5)', '-2'],
    ['floor(-2.5) + ceiling(1.2)', '-1'],
    ['boolean(//line) and not(//none)', 'true'],
    ['//line != //line', 'true'],
    ['//line/@price > 11', 'true'],
    ['11 > //line/@price', 'true'],
    ['true() > false()', 'true'],
    ['$x', 'oat'],
    ['$pr', 'PR'],
    ['$in:header.x', 'oat'],
    ['$in:body', ORDER],
    ["in:header('X')", 'oat'],
    ['in:body()', ORDER],
    ["function:simple('${header.x}!')", 'oat!'],
    ["function:properties('none', 'else')", 'else'],
    ['4 div 2 div 2', '1'],
    ['-(-3)', '3'],
    ['.5 + 1.', '1.5'],
    ["starts-with('abc', 'ab') or 1 div 'x'", 'true'],
    ['local-name(//@price)', 'price'],
  ];
  for (const [text, value] of texts) {
    it(`computes ${text}`, () => assert.equal(ask(text, { resultQName: 'STRING' }), value));
  }

  it('gives what the result is asked to be', () => {
    assert.equal(ask('//line', { resultQName: 'NUMBER' }), Number.NaN);
    assert.equal(ask('/order/@id', { resultQName: 'number' }), 7);
    assert.equal(ask('//none', { resultQName: 'BOOLEAN' }), false);
    assert.equal(shown(ask('//line', { resultQName: 'NODE' })), '<line price="3.5">rye</line>');
    assert.equal(ask('//none', { resultQName: 'NODE' }), null);
    assert.equal(ask('//line', { resultType: 'java.lang.String' }), 'rye');
    assert.equal(ask('//line', { resultType: 'int' }), null);
    assert.equal(ask('//line/@price', { resultType: 'Integer' }), 3);
    assert.equal(ask('//line', { resultType: 'Boolean' }), true);
    assert.deepEqual(shown(ask('//line/@price', { resultType: 'java.util.List' })), ['3.5', '12']);
  });

  it('holds as a predicate where the value is true: some nodes, a text, a number that is not 0', () => {
    const holds = (text: string) => language.predicate(expressionModel('xpath', text))(exchangeOf(ORDER, { x: 'oat' }));
    for (const text of ['//line', '/order/@id = 7', "'x'", '1', "in:header('x') = 'oat'"])
      assert.equal(holds(text), true, text);
    for (const text of ['//none', "''", '0', 'count(//none)', "in:header('x') = 'rye'"])
      assert.equal(holds(text), false, text);
  });

  it('reads texts, bytes, streams and nodes, and a source', async () => {
    const text = { resultQName: 'STRING' };
    assert.equal(ask('/order/@id', text, Buffer.from(ORDER)), '7');
    assert.equal(ask('/order/@id', text, parseXml(ORDER)), '7');
    const asked = ask('/order/@id', text, Readable.from([ORDER]));
    assert.ok(asked instanceof Asked);
    assert.equal(await answerOf(asked), '7');
    assert.deepEqual(ask('/order/@id', {}, null), []);
    const expression = language.expression(expressionModel('xpath', '/order/@id', { source: 'header:order', ...text }));
    assert.equal(expression(exchangeOf('none', { order: ORDER })), '7');
  });

  it('begins with an element as with a document of its own, as what was split is asked', () => {
    const text = { resultQName: 'STRING' };
    const order = parseXml(ORDER).documentElement;
    assert.equal(ask('/order/@id', text, order), '7');
    const line = order?.firstChild;
    assert.equal(ask('/line/@price', text, line), '3.5');
    assert.equal(ask('count(//line)', text, line), '1');
    assert.equal(ask('name(/*/..)', text, [line]), '');
  });

  it('knows namespaces by the prefixes that it is given', () => {
    const body = "<o:order xmlns:o='urn:mill' xmlns='urn:other'><o:line>1</o:line><line>2</line></o:order>";
    const options = { resultQName: 'STRING', namespace: [{ key: 'm', value: 'urn:mill' }] };
    assert.equal(ask('/m:order/m:line', options, body), '1');
    assert.equal(ask('count(//m:*)', options, body), '2');
    assert.equal(ask('count(//line)', options, body), '0');
    assert.equal(ask('namespace-uri(/*/*[2])', options, body), 'urn:other');
  });

  it('fails where a value is no node, a prefix or a function is not known', async () => {
    const types = async (text: string) => failureTypes(await failureOf(() => ask(text)));
    const invalid = [
      'org.apache.camel.language.xpath.InvalidXPathException',
      'javax.xml.xpath.XPathExpressionException',
    ];
    for (const text of ['count(//line)', "'x'", '/p:order', 'unknown(1)', 'exists(//line)', 'count()']) {
      assert.deepEqual(await types(text), invalid, text);
    }
  });

  for (const text of [
    '//line[',
    '//',
    'a b',
    '',
    '/order/',
    'count(',
    '$',
    "'open",
    '@',
    'foo::a',
    '1 +',
    '#',
    '('.repeat(500),
  ]) {
    it(`refuses ${JSON.stringify(text.slice(0, 20))} when it is compiled`, async () => {
      assert.equal(
        failureTypes(await failureOf(() => ask(text)))[0],
        'org.apache.camel.ExpressionIllegalSyntaxException',
      );
    });
  }

  it('refuses options of Java by name', async () => {
    assert.match(String(await failureOf(() => ask('/a', { factoryRef: 'f' }))), /factoryRef is not supported/);
    assert.match(
      String(await failureOf(() => ask('/a', { resultQName: 'TREE' }))),
      /expected resultQName to be STRING/,
    );
  });

  it('refuses what is no XML, and DTDs with whatever they bring', async () => {
    const bomb = `<!DOCTYPE o [<!ENTITY a '1'>${'bcdefgh'.replace(/./g, (it) => `<!ENTITY ${it} '${`&${String.fromCharCode(it.charCodeAt(0) - 1)};`.repeat(10)}'>`)}]><o>&h;</o>`;
    const file = "<!DOCTYPE o [<!ENTITY e SYSTEM 'file:///etc/hostname'>]><o>&e;</o>";
    for (const body of [
      'no xml',
      '',
      '<a>',
      '<a/><b/>',
      '<a>&e;</a>',
      '<a b=1/>',
      '<p:a/>',
      bomb,
      file,
      '<!DOCTYPE o><o/>',
    ]) {
      const types = failureTypes(await failureOf(() => ask('/o', {}, body)));
      assert.deepEqual(
        types,
        ['org.apache.camel.TypeConversionException', 'org.xml.sax.SAXParseException'],
        body.slice(0, 40),
      );
    }
    assert.deepEqual(failureTypes(await failureOf(() => ask('/o', {}, 5))), [
      'org.apache.camel.NoTypeConversionAvailableException',
    ]);
  });

  it('bounds the depth of a document, and the steps of an evaluation', async () => {
    const deep = await failureOf(() => ask('/a', {}, '<a>'.repeat(5_000) + '</a>'.repeat(5_000)));
    assert.match(String(deep), /at most 1000 levels/);
    const wide = `<a>${'<b/>'.repeat(1_500)}</a>`;
    assert.match(String(await failureOf(() => ask('//b[count(//b) > count(../b)]', {}, wide))), /within 1000000 steps/);
  });
});
