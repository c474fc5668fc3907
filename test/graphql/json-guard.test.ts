import assert from 'node:assert/strict';
import fc from 'fast-check';
import { jsonProblem } from '../../src/graphql/http/request-params.js';

const MANY = 1_000_000_000;
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
const valuesOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, inner) => sum + 1 + valuesOf(inner), 0)
    : 0;

describe('the guard of JSON', () => {
  const nestsDeeper = (text: string | Buffer, depthMax: number) =>
    jsonProblem(Buffer.from(text), { depthMax, valuesMax: MANY }) === 'too_deep';
  const hasMore = (text: string | Buffer, valuesMax: number) =>
    jsonProblem(Buffer.from(text), { depthMax: MANY, valuesMax }) === 'too_many_values';
  const hasProtoKey = (text: string) => jsonProblem(Buffer.from(text), { depthMax: 64, valuesMax: MANY }) !== undefined;
  const json = fc
    .json({ maxDepth: 6, noUnicodeString: false })
    .filter((text) => !text.includes('"__proto__"')) // refused for that alone
    .chain((text) => fc.constantFrom(text, JSON.stringify(JSON.parse(text), null, 2)));

  it('knows how deep any JSON nests, whatever its strings hold', () =>
    fc.assert(
      fc.property(json, fc.nat(8), (text, limit) => {
        assert.equal(nestsDeeper(text, limit), depthOf(JSON.parse(text)) > limit);
      }),
    ));

  it('knows how many values any JSON has', () =>
    fc.assert(
      fc.property(json, fc.nat(12), (text, limit) => {
        assert.equal(hasMore(text, limit), valuesOf(JSON.parse(text)) > limit);
      }),
    ));

  it('counts members that have the same name: each is parsed', () => {
    assert.equal(hasMore('{"a":0,"a":0,"a":0}', 2), true);
    assert.equal(hasMore('{"a":0,"a":0,"a":0}', 3), false);
    assert.equal(hasMore('[[],{}, [ ], {\n}]', 4), false);
  });

  it('is not led astray by brackets, commas and quotes within strings', () => {
    assert.equal(nestsDeeper(String.raw`{"a\"[[[[":"\\","b":"[[\\\"[["}`, 1), false);
    assert.equal(nestsDeeper(String.raw`{"a":"\\","b":[[1]]}`, 2), true);
    assert.equal(hasMore(String.raw`["\",\",,,\\\",","\\"]`, 2), false);
    assert.equal(hasMore(String.raw`["\\",1,2]`, 2), true);
  });

  it('looks at megabytes of brackets without parsing them', () => {
    assert.equal(nestsDeeper(Buffer.alloc(4_000_000, '['), 64), true);
    assert.equal(nestsDeeper(`["${'['.repeat(1_000_000)}`, 64), false);
    assert.equal(nestsDeeper(`["${'\\"'.repeat(1_000_000)}`, 64), false);
  });

  it('finds a key __proto__ at any depth, in whatever spelling', () => {
    assert.equal(hasProtoKey('{"a":[{"__proto__":{"admin":true}}]}'), true);
    assert.equal(hasProtoKey('{"a":[{"__proto__"\n :{"admin":true}}]}'), true);
    assert.equal(hasProtoKey(String.raw`{"a":{"\u005f_proto__":1}}`), true);
    assert.equal(hasProtoKey(String.raw`{"a":{"__pr\u006Fto_\u005F":1}}`), true);
    assert.equal(hasProtoKey(`{"${'\\u005f\\u005f\\u0070\\u0072\\u006f\\u0074\\u006f\\u005f\\u005f'}":1}`), true);
  });

  it('takes the word for what it is in a value, and other keys for what they are', () => {
    assert.equal(hasProtoKey('{"a":"__proto__"}'), false);
    assert.equal(hasProtoKey('["__proto__", 1]'), false);
    assert.equal(hasProtoKey(String.raw`{"proto":1,"__proto___":1,"\\u005f_proto__":1,"__typename":2}`), false);
  });

  it('finds what JSON.parse finds', () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('"__proto__"', String.raw`"\u005f_proto__"`, '"a"', '1', '{"b":1}'), { maxLength: 4 }),
        fc.constantFrom('"__proto__"', String.raw`"_\u005fproto__"`, String.raw`"\\u005f_proto__"`, '"c"'),
        (items, key) => {
          const text = `{"list":[${items.join(',')}],"x":{${key} : 1}}`;
          const { x } = JSON.parse(text) as { x: object };
          assert.equal(hasProtoKey(text), Object.hasOwn(x, '__proto__'));
        },
      ),
    ));
});
