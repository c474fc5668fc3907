import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { FrozenEntry } from '../../../src/content/collection/version.js';
import { bucketCount, bucketOf, changedChunks, newChunks } from '../../../src/content/rule/frozen-chunks.js';

const entry = (id: string, body: number): FrozenEntry => ({
  id,
  parent: 'p',
  name: id,
  order: null,
  type: 'nt:unstructured',
  mixins: [],
  kind: 'node',
  body,
});

/** A tree as ids with the versions of their nodes. */
const trees = fc
  .tuple(fc.nat({ max: 1_500 }), fc.nat({ max: 99 }))
  .map(([size, seed]) => new Map(Array.from({ length: size }, (_, at) => [`n${seed}-${at}`, 1] as [string, number])));

const changesOf = fc.record({
  put: fc.uniqueArray(fc.nat({ max: 3_000 }), { maxLength: 40 }),
  gone: fc.uniqueArray(fc.nat({ max: 3_000 }), { maxLength: 40 }),
});

const entriesOf = (tree: ReadonlyMap<string, number>) => [...tree].map(([id, body]) => entry(id, body));
const byId = (a: FrozenEntry, b: FrozenEntry) => (a.id < b.id ? -1 : 1);

describe('the chunks of a frozen tree', () => {
  it('hold every entry, each in the bucket of its id', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const chunks = newChunks(entriesOf(tree));
        assert.deepEqual(chunks.flat().sort(byId), entriesOf(tree).sort(byId));
        chunks.forEach((chunk, bucket) => {
          for (const { id } of chunk) assert.equal(bucketOf(id, chunks.length), bucket);
        });
      }),
      { numRuns: 30 },
    );
  });

  it('become those of the changed tree, and only those that changed are others', () => {
    fc.assert(
      fc.property(trees, changesOf, (tree, { put, gone }) => {
        const before = newChunks(entriesOf(tree));
        const prefix = [...tree.keys()][0]?.split('-')[0] ?? 'n0';
        const after = new Map(tree);
        for (const at of gone) after.delete(`${prefix}-${at}`);
        for (const at of put) after.set(`${prefix}-${at}`, 2);
        const layout = { buckets: before.length, entries: tree.size };
        const changes = {
          put: put.map((at) => entry(`${prefix}-${at}`, 2)),
          gone: gone.map((at) => `${prefix}-${at}`),
        };
        const { chunks, entries } = changedChunks(layout, changes, (bucket) => before[bucket] ?? []);
        assert.equal(entries, after.size);
        const whole = chunks.flatMap((chunk, bucket) => chunk ?? before[bucket] ?? []);
        assert.deepEqual([...whole].sort(byId), entriesOf(after).sort(byId));
        if (chunks.length !== before.length) return;
        chunks.forEach((chunk, bucket) => {
          if (chunk !== null) assert.notDeepEqual(chunk, before[bucket]);
        });
        assert.ok(chunks.filter((chunk) => chunk !== null).length <= put.length + gone.length);
      }),
      { numRuns: 50 },
    );
  });

  it('stay as many while a tree grows and shrinks a little', () => {
    assert.equal(bucketCount(0), 1);
    assert.equal(bucketCount(128), 1);
    assert.equal(bucketCount(129), 2);
    assert.equal(bucketCount(10_000), 128);
    assert.equal(bucketCount(9_000, 128), 128);
    assert.equal(bucketCount(16_385, 128), 256);
    assert.equal(bucketCount(100, 128), 1);
  });

  it('spread ids evenly, whatever they look like', () => {
    for (const id of [
      (n: number) => `node-${n}`,
      (n: number) => `01a1fcc9-0e59-7000-8380-${String(n).padStart(12, '0')}`,
    ]) {
      const chunks = newChunks(Array.from({ length: 10_000 }, (_, n) => entry(id(n), 1)));
      assert.ok(Math.max(...chunks.map((chunk) => chunk.length)) < 160);
    }
  });
});
