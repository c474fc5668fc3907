import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hasProtoKey, nestsDeeper } from '../../src/graphql/http/json-guard.js';

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

describe('the guard of JSON', () => {
  it('knows how deep any JSON nests, whatever its strings hold', () =>
    fc.assert(
      fc.property(fc.json({ maxDepth: 6, noUnicodeString: false }), fc.nat(8), (text, limit) => {
        assert.equal(nestsDeeper(Buffer.from(text), limit), depthOf(JSON.parse(text)) > limit);
      }),
    ));

  it('is not led astray by brackets and quotes within strings', () => {
    assert.equal(nestsDeeper(Buffer.from(String.raw`{"a\"[[[[":"\\","b":"[[\\\"[["}`), 1), false);
    assert.equal(nestsDeeper(Buffer.from(String.raw`{"a":"\\","b":[[1]]}`), 2), true);
  });

  it('looks at megabytes of brackets without parsing them', () => {
    assert.equal(nestsDeeper(Buffer.alloc(4_000_000, '['), 64), true);
    assert.equal(nestsDeeper(Buffer.from(`["${'['.repeat(1_000_000)}`), 64), false);
  });

  const finds = (text: string) => hasProtoKey(Buffer.from(text), JSON.parse(text));

  it('finds a key __proto__ at any depth, in whatever spelling', () => {
    assert.equal(finds('{"a":[{"__proto__":{"admin":true}}]}'), true);
    assert.equal(finds(String.raw`{"a":{"\u005f_proto__":1}}`), true);
  });

  it('takes the word for what it is in a value', () => {
    assert.equal(finds('{"a":"__proto__"}'), false);
    assert.equal(finds('{"proto":1}'), false);
  });
});
