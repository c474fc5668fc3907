import assert from 'node:assert/strict';
import { blobsOf, isOtherBinary, type Property, type Value } from '../../../src/content/value/property.js';

const [ONE, TWO] = [
  { blob: '01', size: 5_000 },
  { blob: '02', size: 5_000 },
];
const SMALL = { inline: 'QQ==', size: 1 };
const binary = (...values: Value[]): Property => ({ type: 'Binary', values });
const single = (value: Value): Property => ({ type: 'Binary', value });
const text = (value: Value): Property => ({ type: 'String', value });

describe('the blobs that properties hold', () => {
  const HELD: readonly (readonly [string, Readonly<Record<string, Property>>, readonly string[]])[] = [
    ['none, where bytes are few', { a: single(SMALL), b: text('x') }, []],
    ['one', { a: single(ONE) }, ['01']],
    ['those of lists, and of long texts', { a: binary(ONE, SMALL), b: text(TWO) }, ['01', '02']],
    ['each once', { a: binary(ONE, TWO, ONE), b: single(TWO) }, ['01', '02']],
  ];
  for (const [what, properties, blobs] of HELD) {
    it(`are ${what}`, () => assert.deepEqual(blobsOf(properties), blobs));
  }
});

describe('a node has other bytes', () => {
  const CHANGES: readonly (readonly [
    string,
    Readonly<Record<string, Property>>,
    Readonly<Record<string, Property>>,
  ])[] = [
    ['where they are others', { a: single(SMALL) }, { a: single(ONE) }],
    ['where there were none', {}, { a: single(SMALL) }],
    ['where there are none any more', { a: single(SMALL) }, {}],
    ['where one of several are', { a: single(SMALL), b: single(ONE) }, { a: single(SMALL), b: single(TWO) }],
    ['in another order', { a: binary(ONE, TWO) }, { a: binary(TWO, ONE) }],
  ];
  for (const [what, before, after] of CHANGES) {
    it(what, () => assert.equal(isOtherBinary({ properties: before }, { properties: after }), true));
  }

  const SAME: readonly (readonly [string, Readonly<Record<string, Property>>, Readonly<Record<string, Property>>])[] = [
    ['where they are equal', { a: single(SMALL), b: binary(ONE) }, { a: single({ ...SMALL }), b: binary(ONE) }],
    ['where a text is another one', { a: single(SMALL), b: text('x') }, { a: single(SMALL), b: text('y') }],
  ];
  for (const [what, before, after] of SAME) {
    it(`not ${what}`, () => assert.equal(isOtherBinary({ properties: before }, { properties: after }), false));
  }

  it('not where its properties are the very same', () => {
    const properties = { a: single(SMALL) };
    assert.equal(isOtherBinary({ properties }, { properties }), false);
  });

  it('when it is new and has some', () => {
    assert.equal(isOtherBinary(undefined, { properties: { a: single(SMALL) } }), true);
    assert.equal(isOtherBinary(undefined, { properties: { a: text('x') } }), false);
  });
});
