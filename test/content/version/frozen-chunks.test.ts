import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  bucketCount,
  bucketOf,
  changedChunks,
  inOrder,
  nameBucket,
  newChunks,
  sameEntry,
} from '../../../src/content/version/frozen-chunks.js';
import type { ChunkContent, FrozenEntry } from '../../../src/content/version/version.js';

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

const EMPTY: ChunkContent = { entries: [] };

/** Every node is known in the bucket of its parent and name. */
function requireNames(chunks: readonly ChunkContent[]): void {
  const all = chunks.flatMap(({ entries }) => entries);
  const ids = (bucket: number) =>
    all.filter(({ parent, name }) => nameBucket(parent, name, chunks.length) === bucket).map(({ id }) => id);
  chunks.forEach(({ names }, bucket) => {
    assert.deepEqual(names?.map(({ id }) => id).sort(), ids(bucket).sort());
  });
}

describe('the chunks of a frozen tree', () => {
  it('hold every entry, each in the bucket of its id', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        const chunks = newChunks(entriesOf(tree));
        assert.deepEqual(chunks.flatMap(({ entries }) => entries).sort(byId), entriesOf(tree).sort(byId));
        chunks.forEach(({ entries }, bucket) => {
          for (const { id } of entries) assert.equal(bucketOf(id, chunks.length), bucket);
        });
        requireNames(chunks);
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
        const { chunks, entries } = changedChunks(layout, changes, (bucket) => before[bucket] ?? EMPTY);
        assert.equal(entries, after.size);
        const whole = chunks.map((chunk, bucket) => chunk ?? before[bucket] ?? EMPTY);
        assert.deepEqual(whole.flatMap((chunk) => chunk.entries).sort(byId), entriesOf(after).sort(byId));
        requireNames(whole);
        if (chunks.length !== before.length) return;
        chunks.forEach((chunk, bucket) => {
          if (chunk !== null) assert.notDeepEqual(chunk, before[bucket]);
        });
        assert.ok(chunks.filter((chunk) => chunk !== null).length <= 2 * (put.length + gone.length));
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
    assert.equal(bucketCount(1_024, 128), 128);
    assert.equal(bucketCount(1_023, 128), 8);
    assert.equal(bucketCount(100, 128), 1);
  });

  it('spread ids evenly, whatever they look like', () => {
    for (const id of [
      (n: number) => `node-${n}`,
      (n: number) => `01a1fcc9-0e59-7000-8380-${String(n).padStart(12, '0')}`,
    ]) {
      const chunks = newChunks(Array.from({ length: 10_000 }, (_, n) => entry(id(n), 1)));
      assert.ok(Math.max(...chunks.map(({ entries }) => entries.length)) < 160);
    }
  });

  it('follow a node that is renamed and moved', () => {
    const tree = Array.from({ length: 300 }, (_, n) => entry(`n${n}`, 1));
    const before = newChunks(tree);
    const changes = {
      put: [
        { ...entry('n7', 1), name: 'n8' },
        { ...entry('n9', 1), parent: 'q' },
      ],
      gone: ['n10'],
    };
    const layout = { buckets: before.length, entries: tree.length };
    const { chunks } = changedChunks(layout, changes, (bucket) => before[bucket] ?? EMPTY);
    requireNames(chunks.map((chunk, bucket) => chunk ?? before[bucket] ?? EMPTY));
  });

  it('do not know the names where too many are the same, so that each stays a document', () => {
    const tree = Array.from({ length: 5_000 }, (_, n) => ({ ...entry(`n${n}`, 1), name: 'same' }));
    const chunks = newChunks(tree);
    assert.equal(chunks.filter(({ names }) => names === undefined).length, 1);
    const layout = { buckets: chunks.length, entries: tree.length };
    const gone = tree.slice(100).map(({ id }) => id);
    const fewer = changedChunks(layout, { put: [], gone: gone.slice(0, 1_000) }, (bucket) => chunks[bucket] ?? EMPTY);
    assert.ok(fewer.chunks.every((chunk) => chunk === null || chunk.names === undefined || chunk.names.length === 0));
  });

  it('know up to 400 names in a bucket', () => {
    const same = (count: number) => Array.from({ length: count }, (_, n) => ({ ...entry(`n${n}`, 1), name: 'same' }));
    const known = (count: number) => newChunks(same(count)).filter(({ names }) => names !== undefined).length;
    assert.deepEqual([known(400), known(401)], [4, 3]);
  });

  it('know names as before where a node changes in place', () => {
    const tree = Array.from({ length: 300 }, (_, n) => entry(`n${n}`, 1));
    const before = newChunks(tree);
    const layout = { buckets: before.length, entries: tree.length };
    const changed = (...put: FrozenEntry[]) =>
      changedChunks(layout, { put, gone: [] }, (bucket) => before[bucket] ?? EMPTY).chunks.filter(
        (one) => one !== null,
      );
    assert.equal(changed(entry('n1', 1)).length, 0);
    assert.equal(changed(entry('n1', 2)).length, 1);
    assert.equal(changed({ ...entry('n2', 1), name: 'other' }).length, 3);
  });

  it('are found by what stays the same for good, as they are stored', () => {
    assert.deepEqual(
      ['', 'a', 'node-1', '01a1fcc9-0e59-7000-8380-000000000001'].map((id) => bucketOf(id, 1_024)),
      [257, 199, 700, 217],
    );
  });
});

describe('two entries of frozen trees', () => {
  const one = { ...entry('n', 1), order: 'a', sns: true as const };

  it('say the same where all of them is', () => {
    assert.ok(sameEntry(one, { ...one, mixins: [] }));
    const others: Partial<FrozenEntry>[] = [
      { id: 'm' },
      { body: 2 },
      { kind: 'initial' },
      { parent: 'q' },
      { name: 'm' },
      { order: 'b' },
      { type: 'nt:folder' },
      { mixins: ['mix:title'] },
    ];
    for (const other of others) assert.equal(sameEntry(one, { ...one, ...other }), false, JSON.stringify(other));
    const { sns: _, ...plain } = one;
    assert.equal(sameEntry(one, plain), false);
    assert.deepEqual(
      [sameEntry(undefined, one), sameEntry(one, undefined), sameEntry(undefined, undefined)],
      [false, false, false],
    );
  });

  it('are in the order of their siblings, else by name, else by identifier', () => {
    const named = (order: string | null, name: string, id: string) => ({ order, name, id });
    const sorted = [
      named(null, 'a', '2'),
      named(null, 'a', '3'),
      named(null, 'b', '1'),
      named('a', 'z', '9'),
      named('b', 'y', '0'),
      named('b', 'z', '0'),
    ];
    assert.deepEqual(sorted.toReversed().sort(inOrder), sorted);
    for (const same of sorted) assert.equal(inOrder(same, { ...same }), 0);
  });
});
