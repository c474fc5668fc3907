import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { Double } from '../../../src/expression/exchange/double.js';
import { exchangeOf, failureOf, failureTypes } from '../exchange-support.js';
import { formatOf, marshalled, unmarshalled } from './format-support.js';

const VALUE = new Map<string, unknown>([
  ['a', 1],
  ['n', null],
  ['l', [1, { k: 2 }]],
  ['d', 12345678.9],
  ['e', []],
  ['f', {}],
  ['t', new Date(0)],
  ['b', Buffer.from([1, 2, 3])],
  ['s', 'é\u0001\u007f/<"'],
  ['z', ''],
]);

describe('json', () => {
  const written: readonly (readonly [value: unknown, json: string])[] = [
    [
      VALUE,
      '{"a":1,"n":null,"l":[1,{"k":2}],"d":1.23456789E7,"e":[],"f":{},"t":0,"b":"AQID","s":"é\\u0001\u007f/<\\"","z":""}',
    ],
    ['text', '"text"'],
    [5, '5'],
    [null, 'null'],
    [[1, 'a'], '[1,"a"]'],
    [Buffer.from([1, 2]), '"AQI="'],
    [Number.NaN, '"NaN"'],
    [new Double(1), '1.0'],
    [true, 'true'],
    [12345678901234567890n, '12345678901234567890'],
    [0.00012, '1.2E-4'],
    [[new Double(5), 0.5], '[5.0,0.5]'],
    [[1].values(), '[1]'],
    [Object.create(null, { a: { value: 1, enumerable: true } }), '{"a":1}'],
  ];
  for (const [value, json] of written) {
    it(`writes ${json} as Jackson does`, async () => assert.equal(await marshalled('json', value), json));
  }

  it('writes in lines with prettyPrint, as Jackson does', async () => {
    const value = [[1, 2], { a: [{ b: 1 }, { c: 2 }], e: [], f: {} }];
    assert.equal(
      await marshalled('json', value, { prettyPrint: true }),
      '[ [ 1, 2 ], {\n  "a" : [ {\n    "b" : 1\n  }, {\n    "c" : 2\n  } ],\n  "e" : [ ],\n  "f" : { }\n} ]',
    );
  });

  it('leaves out what include says', async () => {
    assert.doesNotMatch(await marshalled('json', VALUE, { include: 'NON_NULL' }), /"n"/);
    const kept = await marshalled('json', VALUE, { include: 'NON_EMPTY' });
    assert.equal(kept, '{"a":1,"l":[1,{"k":2}],"d":1.23456789E7,"t":0,"b":"AQID","s":"é\\u0001\u007f/<\\""}');
  });

  it('tells the content type, unless contentTypeHeader says no', () => {
    const contentType = (options: object) => {
      const exchange = exchangeOf(null);
      formatOf('json', { ...options }).marshal(exchange, {});
      return exchange.headers.get('content-type');
    };
    assert.equal(contentType({}), 'application/json');
    assert.equal(contentType({ contentTypeHeader: 'false' }), undefined);
  });

  const read: readonly (readonly [json: string, value: unknown])[] = [
    ['{"a":1}', { a: 1 }],
    ['[1,2]', [1, 2]],
    ['5', 5],
    ['"x"', 'x'],
    ['null', null],
    [
      '{"a":5.0,"b":12345678901234567890,"c":1e2,"d":12345678.9}',
      { a: new Double(5), b: 12345678901234567890n, c: new Double(100), d: 12345678.9 },
    ],
    ['{"a":1,"a":2}', { a: 2 }],
    ['\ufeff{"a":1}', { a: 1 }],
    [
      '{"b":1,"1":2}',
      new Map([
        ['b', 1],
        ['1', 2],
      ]),
    ],
    ['{"n":9007199254740993,"s":"1.0, 2"}', { n: 9007199254740993n, s: '1.0, 2' }],
    ['[ -0.0 , "\\u00e9\\n" ]', [new Double(-0), 'é\n']],
  ];
  for (const [json, value] of read) {
    it(`reads ${json}`, async () => assert.deepEqual(await unmarshalled('json', Buffer.from(json)), value));
  }

  for (const text of [
    '{"a":1}x',
    '{"a":1,}',
    '[NaN]',
    '{a:1}',
    "{'a':1}",
    '/*c*/{}',
    '[1.0,',
    '{"a":1.0 "b"}',
    '["\n",1.0]',
    '[01.0]',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, async () => {
      const thrown = await failureOf(() => unmarshalled('json', text));
      assert.deepEqual(failureTypes(thrown), ['com.fasterxml.jackson.core.JsonParseException']);
    });
  }

  it('refuses an empty body', async () => {
    const thrown = await failureOf(() => unmarshalled('json', '  '));
    assert.deepEqual(failureTypes(thrown), ['com.fasterxml.jackson.databind.exc.MismatchedInputException']);
  });

  it('reads a stream', async () => {
    assert.deepEqual(await unmarshalled('json', Readable.from([Buffer.from('{"a":'), Buffer.from('"é"}')])), {
      a: 'é',
    });
  });

  it('checks the type that is asked for: a map or a list', async () => {
    const types = async (json: string, options: object) =>
      failureTypes(await failureOf(() => unmarshalled('json', json, { ...options })));
    const mismatched = ['com.fasterxml.jackson.databind.exc.MismatchedInputException'];
    assert.deepEqual(await unmarshalled('json', '[{"a":1}]', { useList: true }), [{ a: 1 }]);
    assert.deepEqual(await types('{"a":1}', { useList: true }), mismatched);
    assert.deepEqual(await unmarshalled('json', '{"a":1}', { unmarshalType: 'java.util.Map' }), { a: 1 });
    assert.deepEqual(await types('[1]', { unmarshalType: 'java.util.HashMap' }), mismatched);
    assert.deepEqual(await types('5', { unmarshalType: 'java.util.Map' }), mismatched);
  });

  it('has the numbers, nulls and escapes of Gson where that is the library', async () => {
    assert.deepEqual(await unmarshalled('json', '{"a":1,"l":[2]}', { library: 'Gson' }), {
      a: new Double(1),
      l: [new Double(2)],
    });
    assert.equal(await marshalled('json', { a: '<b>', n: null }, { library: 'Gson' }), '{"a":"\\u003cb\\u003e"}');
  });

  it('refuses depth: when it reads, and when it writes a circle', async () => {
    const deep = await failureOf(() => unmarshalled('json', '['.repeat(100_000)));
    assert.deepEqual(failureTypes(deep), ['com.fasterxml.jackson.core.exc.StreamConstraintsException']);
    const circle: unknown[] = [];
    circle.push(circle);
    const thrown = await failureOf(() => marshalled('json', circle));
    assert.deepEqual(failureTypes(thrown), ['com.fasterxml.jackson.databind.JsonMappingException']);
  });

  it('refuses what it cannot write, and options of Java', async () => {
    assert.deepEqual(failureTypes(await failureOf(() => marshalled('json', Readable.from(['{}'])))), [
      'com.fasterxml.jackson.databind.exc.InvalidDefinitionException',
    ]);
    const refused = (options: object) => failureOf(() => formatOf('json', { ...options }));
    assert.match(
      String(await refused({ unmarshalType: 'com.acme.Order' })),
      /json in line 3: the unmarshalType com\.acme\.Order/,
    );
    assert.match(String(await refused({ prettyprint: true })), /there is no option prettyprint/);
    assert.match(String(await refused({ library: 'Foo' })), /expected library to be one of Jackson, Gson/);
  });

  it('reads again what it has written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const again = await unmarshalled('json', await marshalled('json', value));
        assert.equal(await marshalled('json', again), await marshalled('json', value));
      }),
    );
  });
});

describe('data formats', () => {
  it('are refused by name where there is none, or not yet', async () => {
    const refused = async (kind: string) => String(await failureOf(() => formatOf(kind)));
    assert.match(
      await refused('protobuf'),
      /protobuf in line 3: this data format is not supported; there are base64, /,
    );
    assert.match(await refused('jsno'), /is json meant\?/);
    assert.match(await refused('constructor'), /there is no data format of that name/);
  });
});
