import assert from 'node:assert/strict';
import fc from 'fast-check';
import { eachPiece, jsonPieces } from '../../src/graphql/http/json-pieces.js';

describe('JSON in pieces', () => {
  const values = fc.oneof(
    fc.jsonValue({ noUnicodeString: false, maxDepth: 5 }),
    fc.array(fc.string({ unit: 'binary' })),
    fc.dictionary(fc.string({ unit: 'binary' }), fc.anything({ withDate: true, withObjectString: true })),
    fc.constantFrom('\ud800', 'a\ud83d\ude00b', ['\udfff\ud800'], { a: undefined, b: () => 1, c: Number.NaN }, [
      undefined,
    ]),
  );

  it('is what JSON.stringify gives, however small the pieces', () =>
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 40 }), (value, chars) => {
        assert.equal([...jsonPieces(value, chars)].join(''), JSON.stringify(value));
      }),
      { numRuns: 2_000 },
    ));

  it('is what JSON.stringify gives of an answer as graphql-js makes it', () => {
    const answer = Object.assign(Object.create(null), {
      data: Object.assign(Object.create(null), { a: ['x', null, 1] }),
    });
    assert.equal([...jsonPieces(answer, 3)].join(''), '{"data":{"a":["x",null,1]}}');
  });

  it('has pieces of some length, whether of many small things or of one large one', () => {
    const large = [
      { many: Array.from({ length: 50_000 }, (_, n) => ({ n, name: `item ${n}` })) },
      'ü'.repeat(3_000_000),
    ];
    const pieces = [...jsonPieces(large)];
    assert.equal(pieces.join(''), JSON.stringify(large));
    assert.ok(pieces.every(({ length }) => length < 200_000));
    assert.ok(pieces.length < 100, `${pieces.length} pieces`);
  });

  it('lets others have their turn', async () => {
    let turns = 0;
    let isOver = false;
    const others = (async () => {
      while (!isOver) {
        turns++;
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    let chars = 0;
    await eachPiece(Array(40).fill('x'.repeat(1_000_000)), ({ length }) => {
      chars += length;
    });
    isOver = true;
    await others;
    assert.equal(chars, 40 * 1_000_003 + 1);
    assert.ok(turns >= 30, `others had their turn ${turns} times`);
  });
});
