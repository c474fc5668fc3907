import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Scalar } from '../../../src/store/index.js';
import {
  bodySum,
  columnSeed,
  commitSum,
  metaSum,
  multiSeed,
  outcomeSum,
  rowSum,
  valueSum,
} from '../../../src/store/log/checksum.js';
import { openDatabase } from '../../../src/store/sqlite.js';

const scalar = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double(),
  fc.constant(null),
);
const isUint32 = (sum: number) => Number.isInteger(sum) && sum >= 0 && sum < 2 ** 32;

describe('a checksum', () => {
  const database = openDatabase(':memory:');
  database.exec('CREATE TABLE t (c)');
  const insert = database.prepare('INSERT INTO t VALUES (?)');
  const read = database.prepare('SELECT c FROM t WHERE rowid = ?');
  after(() => database.close());
  const stored = (value: Scalar): Scalar => read.get(insert.run(value).lastInsertRowid)?.c as Scalar;

  it('of a value is that of what SQLite gives back of it', () => {
    fc.assert(
      fc.property(scalar, (value) => {
        assert.equal(valueSum(columnSeed('x'), stored(value)), valueSum(columnSeed('x'), value));
      }),
      {
        numRuns: 2_000,
        examples: [['a\0b'], ['\ud800x'], ['\udc00'], [Number.NaN], [-0], [2 ** 53], [2 ** 60], [Infinity]],
      },
    );
  });

  it('of any part is another where one bit of it is', () => {
    const sums = (id: string, body: string, revision: number): number[] => [
      bodySum(id, body),
      commitSum(7, { revision, id, at: 5, events: 2 }, body),
      outcomeSum(id, 5, revision, body),
      metaSum(id, body),
      rowSum(bodySum('a', body), revision, valueSum(columnSeed('x'), id)),
    ];
    const text = fc.string({ minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(text, text, fc.nat(), fc.nat(), (id, body, revision, at) => {
        const [place, bit] = [at % body.length, 1 << (at % 7)];
        const unit = body.charCodeAt(place) ^ bit;
        if (unit === 0) return;
        const changed = body.slice(0, place) + String.fromCharCode(unit) + body.slice(place + 1);
        const before = sums(id, body, revision);
        assert.ok(before.every(isUint32));
        for (const other of [sums(id, changed, revision), sums(changed, body, revision)]) {
          if (changed !== id) for (const [i, sum] of other.entries()) assert.notEqual(sum, before[i]);
        }
        const [, commit, outcome, , row] = sums(id, body, revision + 1);
        assert.notDeepEqual([commit, outcome, row], [before[1], before[2], before[4]]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('of a commit is another where one before it is', () => {
    const head = { revision: 2, id: 'c', at: 1, events: 1 };
    assert.notEqual(commitSum(1, head, '{}'), commitSum(2, head, '{}'));
  });

  it('of what a damaged row gives in place of a text is that of no text', () => {
    for (const value of [null, 1.5, 7]) {
      const damaged = value as unknown as string;
      assert.notEqual(bodySum('x', damaged), bodySum('x', String(value)));
      assert.notEqual(outcomeSum('x', 1, 1, damaged), outcomeSum('x', 1, 1, ''));
      assert.notEqual(commitSum(1, { revision: 2, id: 'c', at: 1, events: 1 }, damaged), 0);
    }
  });

  it('of a row tells columns from each other, numbers from texts, and columns from multi columns', () => {
    const sum = (seed: number, value: Scalar) => rowSum(1, 1, valueSum(seed, value));
    const all = [
      sum(columnSeed('a'), 'x'),
      sum(columnSeed('b'), 'x'),
      sum(multiSeed('a'), 'x'),
      sum(columnSeed('a'), 1),
      sum(columnSeed('a'), '1'),
      sum(columnSeed('a'), 2 ** 32 + 1),
      sum(columnSeed('a'), null),
      rowSum(1, 2, 0),
    ];
    assert.equal(new Set(all).size, all.length);
  });
});
