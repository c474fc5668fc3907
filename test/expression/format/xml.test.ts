import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { Double } from '../../../src/expression/routes.js';
import { exchangeOf, failureOf, failureTypes } from '../exchange-support.js';
import { formatOf, marshalled, unmarshalled } from './format-support.js';

describe('jacksonXml', () => {
  const read: readonly (readonly [xml: string, value: unknown])[] = [
    ['<a>1</a>', { '': '1' }],
    ['<a><b>1</b></a>', { b: '1' }],
    ['<a><b>1</b><c/><b>2</b></a>', { b: ['1', '2'], c: '' }],
    ["<a x='1'><b y='2'>t</b></a>", { x: '1', b: { y: '2', '': 't' } }],
    ["<a x='1'>t</a>", { x: '1', '': 't' }],
    ['<a>t<b/>u</a>', { '': ['t', 'u'], b: '' }],
    ['<a/>', {}],
    ['<a><b> </b></a>', { b: ' ' }],
    ["<a><b x='1'/></a>", { b: { x: '1' } }],
    ['<a><b><c>1</c></b><b><c>2</c></b></a>', { b: [{ c: '1' }, { c: '2' }] }],
    ["<n:a xmlns:n='u'><n:b n:x='1'>1</n:b></n:a>", { b: { x: '1', '': '1' } }],
    ['<a><b><![CDATA[<x>]]></b></a>', { b: '<x>' }],
    ['<a>\n  <b>1</b>\n</a>', { b: '1' }],
    ['<a><b>1</b> x <c>2</c></a>', { b: '1', '': ' x ', c: '2' }],
    ["<a b='1'><b>2</b></a>", { b: ['1', '2'] }],
    ["<a><b xsi:nil='true' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'/></a>", { b: null }],
    ['<a><!--c--><b>1</b><?p i?></a>', { b: '1' }],
  ];
  for (const [xml, value] of read) {
    it(`reads ${JSON.stringify(xml)} as Jackson does`, async () =>
      assert.deepEqual(await unmarshalled('jacksonXml', xml), value));
  }

  it('reads a list with useList, and streams', async () => {
    assert.deepEqual(await unmarshalled('jacksonXml', '<a><b>1</b><c/><b>2</b></a>', { useList: true }), [
      '1',
      {},
      '2',
    ]);
    assert.deepEqual(await unmarshalled('jacksonXml', Readable.from(['<a><b>', '1</b></a>'])), { b: '1' });
  });

  it('refuses what is no XML, DTDs, and depth', async () => {
    const deep = '<a>'.repeat(2_000) + '</a>'.repeat(2_000);
    for (const xml of ['x', '', '<a>', "<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>", '<a/><c/>', deep]) {
      const types = failureTypes(await failureOf(() => unmarshalled('jacksonXml', xml)));
      assert.deepEqual(
        types,
        ['com.fasterxml.jackson.core.JsonParseException', 'org.xml.sax.SAXParseException'],
        xml.slice(0, 20),
      );
    }
  });

  const written: readonly (readonly [value: unknown, xml: string])[] = [
    [
      {
        a: 1,
        n: null,
        l: [1, 2],
        m: { k: `<&>"'` },
        e: [],
        s: '',
        t: true,
        d: new Double(5),
        ll: [[1, 2], [3]],
        date: new Date(0),
        b: Buffer.from([1, 2]),
        lm: [{ x: 1 }, { x: 2 }],
        nn: [null],
        mm: {},
      },
      `<LinkedHashMap><a>1</a><n/><l>1</l><l>2</l><m><k>&lt;&amp;>"'</k></m><s></s><t>true</t><d>5.0</d><ll>1</ll><ll>2</ll><ll>3</ll><date>0</date><b>AQI=</b><lm><x>1</x></lm><lm><x>2</x></lm><nn/><mm/></LinkedHashMap>`,
    ],
    [[1, 2], '<ArrayList><item>1</item><item>2</item></ArrayList>'],
    [[{ a: 1 }], '<ArrayList><item><a>1</a></item></ArrayList>'],
    ['t', '<String>t</String>'],
    [5, '<Integer>5</Integer>'],
    [null, '<null/>'],
    [[], '<ArrayList/>'],
    [{}, '<LinkedHashMap/>'],
    [{ a: 'é\t\r\n]]>' }, '<LinkedHashMap><a>é\t&#xd;\n]]&gt;</a></LinkedHashMap>'],
  ];
  for (const [value, xml] of written) {
    it(`writes ${JSON.stringify(xml)} as Jackson does`, async () =>
      assert.equal(await marshalled('jacksonXml', value), xml));
  }

  it('writes in lines with prettyPrint, without what include leaves out, and tells the content type', async () => {
    const value = { a: 1, m: { k: 'x' }, n: null, mm: {} };
    const lines = '<LinkedHashMap>\n  <a>1</a>\n  <m>\n    <k>x</k>\n  </m>\n  <mm/>\n</LinkedHashMap>\n';
    assert.equal(await marshalled('jacksonXml', value, { prettyPrint: true, include: 'NON_NULL' }), lines);
    const exchange = exchangeOf(null);
    formatOf('jacksonXml').marshal(exchange, value);
    assert.equal(exchange.headers.get('Content-Type'), 'application/xml');
  });

  it('refuses names and texts that XML cannot have, circles, and classes of Java', async () => {
    const circle: Record<string, unknown> = {};
    circle.a = circle;
    for (const value of [{ 'a b': 1 }, { '1a': 1 }, { a: '\u0001' }, circle, { a: Readable.from([]) }]) {
      const types = failureTypes(await failureOf(() => marshalled('jacksonXml', value)));
      assert.deepEqual(types, ['com.fasterxml.jackson.databind.JsonMappingException']);
    }
    assert.match(
      String(await failureOf(() => formatOf('jacksonXml', { unmarshalType: 'com.acme.A' }))),
      /com\.acme\.A is not supported/,
    );
  });

  it('reads again what it has written', async () => {
    const text = fc
      .string({ unit: fc.constantFrom('a', ' ', '<', '&', '>', '"', "'", 'é', ']', '\n') })
      .map((it) => `x${it}`);
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '_', 'é'), minLength: 1, maxLength: 4 });
    const { value } = fc.letrec((tie) => ({
      value: fc.dictionary(name, fc.oneof({ maxDepth: 3 }, text, tie('value')), { minKeys: 1, maxKeys: 4 }),
    }));
    await fc.assert(
      fc.asyncProperty(value, async (given) => {
        const again = await unmarshalled('jacksonXml', await marshalled('jacksonXml', given));
        assert.equal(await marshalled('json', again), await marshalled('json', given));
      }),
      { numRuns: 200 },
    );
  });
});
