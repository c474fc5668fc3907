import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  maskedUri,
  parseEndpointUri,
  secretOptions,
  withParameters,
  writeEndpointUri,
} from '../../../src/eip/model/endpoint-uri.js';

describe('URIs of endpoints', () => {
  const parsed: [uri: string, path: string, options: Record<string, string | string[]>][] = [
    ['x:foo', 'foo', {}],
    ['x://foo', 'foo', {}],
    ['x:///foo', '/foo', {}],
    ['x:/foo//bar', '/foo//bar', {}],
    ['x:a:b?c=1', 'a:b', { c: '1' }],
    ['x', '', {}],
    ['x:foo?', 'foo', {}],
    ['x:foo bar/ü?a=1', 'foo bar/ü', { a: '1' }],
    ['x:foo%20bar%2Fc', 'foo bar/c', {}],
    ['x:foo+bar', 'foo+bar', {}],
    ['x:foo%zz%', 'foo%zz%', {}],
    ['x:foo#part?a=1#end', 'foo#part', { a: '1#end' }],
    ['x://user:pass@host:80/p?a=1', 'user:pass@host:80/p', { a: '1' }],
    ['x:foo?b=2&a=1', 'foo', { b: '2', a: '1' }],
    ['x:foo?a=1&a=2&a=3', 'foo', { a: ['1', '2', '3'] }],
    ['x:foo?a', 'foo', { a: '' }],
    ['x:foo?a=', 'foo', { a: '' }],
    ['x:foo?a=b=c', 'foo', { a: 'b=c' }],
    ['x:foo?a=b?c', 'foo', { a: 'b?c' }],
    ['x:foo?a=hello+world&b=hello%20world', 'foo', { a: 'hello world', b: 'hello world' }],
    ['x:foo?a=1%2B2&b=1%262', 'foo', { a: '1+2', b: '1&2' }],
    ['x:foo?a=100%&b=%2520&c=%C3%BC', 'foo', { a: '100%', b: '%20', c: 'ü' }],
    ['x:foo?a=#bean&b=#class:foo', 'foo', { a: '#bean', b: '#class:foo' }],
    ['x:foo?a=${body}&b="q"|<>', 'foo', { a: '${body}', b: '"q"|<>' }],
    ['x:foo?a=RAW(a+b&c=%20)&b=2', 'foo', { a: 'a+b&c=%20', b: '2' }],
    ['x:foo?a=RAW{a+b)&c}&b=2', 'foo', { a: 'a+b)&c', b: '2' }],
    ['x:foo?a=RAW(a)b)&c=1', 'foo', { a: 'a)b', c: '1' }],
    ['x:foo?a=RAW()', 'foo', { a: '' }],
    ['x:foo?a=RAW(x)y', 'foo', { a: 'RAW(x)y' }],
    ['x:foo?a=RAW(abc', 'foo', { a: 'RAW(abc' }],
    ['x:foo?a=x=RAW(y)', 'foo', { a: 'x=RAW(y)' }],
    ['x:foo?A=1&a=2', 'foo', { A: '1', a: '2' }],
  ];
  for (const [uri, path, options] of parsed)
    it(`takes ${uri} apart`, () => assert.deepEqual(parseEndpointUri(uri), { scheme: 'x', path, options }));

  const refused: [uri: string, why: RegExp][] = [
    ['x:foo?a=1&', /an option between two &, and none at its end/],
    ['x:foo?a=1&&b=2', /an option between two &/],
    ['x:foo?=1', /expected the name of an option before =1/],
    ['x:foo&a=1', /expected \? before the first option/],
    ['x:', /expected a path after x:/],
    [':foo', /expected a scheme/],
    ['', /expected a scheme/],
  ];
  for (const [uri, why] of refused)
    it(`refuses '${uri}'`, () => {
      const thrown = { name: 'org.apache.camel.ResolveEndpointFailedException', message: why };
      assert.throws(() => parseEndpointUri(uri), thrown);
    });

  it('are named with two slashes, and their options in order', () => {
    assert.equal(
      writeEndpointUri(parseEndpointUri('timer:tick?repeatCount=1&period=1000')),
      'timer://tick?period=1000&repeatCount=1',
    );
    assert.equal(writeEndpointUri(parseEndpointUri('file:/a b?x=RAW(1+1)&x=#bean')), 'file:///a%20b?x=1%2B1&x=%23bean');
  });

  it('read the same when they are written', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 });
    const options = fc.dictionary(text, fc.oneof(text, fc.constant('RAW(a)'), fc.array(text, { minLength: 2 })));
    const path = text.filter((it) => !it.startsWith('//') && !/&[\w.]+=/.test(it));
    fc.assert(
      fc.property(path, options, (path, options) => {
        const uri = { scheme: 'x', path, options: { ...options } };
        assert.deepEqual(parseEndpointUri(writeEndpointUri(uri)), uri);
      }),
    );
  });

  it('take the parameters of a step into their query', () => {
    const added = (uri: string, parameters: Record<string, unknown>, syntax?: string) =>
      parseEndpointUri(withParameters(uri, parameters, syntax));
    assert.deepEqual(added('log:a?level=INFO', { showAll: true, marker: 'a&b + c%20' }), {
      scheme: 'log',
      path: 'a',
      options: { level: 'INFO', showAll: 'true', marker: 'a&b + c%20' },
    });
    assert.equal(withParameters('log:a', { marker: '{{a b:c&d}} e' }), 'log:a?marker={{a b:c&d}}+e');
    assert.equal(withParameters('log:a', { marker: 'RAW(1+1)' }), 'log:a?marker=RAW(1+1)');
    assert.equal(withParameters('timer', { timerName: 'tick', period: 5 }, 'timerName'), 'timer:tick?period=5');
    assert.equal(withParameters('kamelet', { templateId: 'a', routeId: 'b' }, 'templateId/routeId'), 'kamelet:a/b');
    assert.equal(withParameters('kamelet:c', { routeId: 'b' }, 'templateId/routeId'), 'kamelet:c?routeId=b');
  });

  const shown: [uri: string, masked: string][] = [
    ['http://user:pass@host/p?a=1', 'http://***@host/p?a=1'],
    ['ftp:me:p@ss@host/dir', 'ftp:***@host/dir'],
    ['http://host/a@b', 'http://host/a@b'],
    ['x:a?password=1&passphrase=2&secret=3&secretKey=4', 'x:a?password=***&passphrase=***&secret=***&secretKey=***'],
    ['x:a?accessKey=1&accessToken=2&token=3&apiKey=4', 'x:a?accessKey=***&accessToken=***&token=***&apiKey=***'],
    ['x:a?sas=1&sig=2&authPassword=RAW(a&b)&signal=c', 'x:a?sas=***&sig=***&authPassword=***&signal=c'],
    ['x:a?PassWord=1', 'x:a?PassWord=***'],
    ['no uri', 'no uri'],
  ];
  for (const [uri, masked] of shown) it(`shows ${uri} as ${masked}`, () => assert.equal(maskedUri(uri), masked));

  it('tell no secret when they are refused', () =>
    assert.throws(
      () => parseEndpointUri('x:a?password=abc&'),
      (thrown: Error) => !thrown.message.includes('abc'),
    ));
});

describe('options that are secrets by their placeholders', () => {
  const URI = 'http:host?a={{api.token}}&b={{plain}}&c=RAW({{?db.password:none}})&d=x{{secret}}y&e=token';

  it('are those whose placeholder is called as one', () => assert.deepEqual(secretOptions(URI), ['a', 'c', 'd']));

  it('are masked with those that are secrets by their own names', () =>
    assert.equal(maskedUri('http:host?a=1&password=2&e=3', ['a']), 'http:host?a=***&password=***&e=3'));
});
