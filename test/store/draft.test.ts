import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Entry } from '../../src/store/entries.js';
import { collection, type Document, Draft, put, type State } from '../../src/store/index.js';
import { entryOf } from '../../src/store/overlay.js';
import { MemoryDocuments, MemoryState } from '../support/memory-state.js';
import { type Counter, counters } from '../support/test-domain.js';

const ids = ['a', 'b', 'c', 'd', 'e'];

const counter = (id: string): fc.Arbitrary<Counter> =>
  fc.record(
    {
      id: fc.constant(id),
      group: fc.constantFrom('x', 'y'),
      value: fc.integer({ min: -3, max: 3 }),
      tags: fc.uniqueArray(fc.constantFrom('red', 'blue')),
    },
    { noNullPrototype: true },
  );

const someCounter = fc.constantFrom(...ids).chain(counter);

/** A document in a list, whose keys do not repeat there. */
interface Place extends Document {
  readonly list: string;
  readonly key: string;
}

const places = collection<Place>({
  name: 'place',
  columns: { list: (it) => it.list, key: (it) => it.key },
  indexes: { list: { columns: ['list', 'key'], unique: true } },
});

const KEYS = ['a', 'b', 'c', 'd', 'e', 'f', '\u{1F600}', '\uFFFD'];
const place = fc.record(
  { list: fc.constantFrom('x', 'x', 'y'), key: fc.constantFrom(...KEYS) },
  { noNullPrototype: true },
);

/** What every kind of read gives. */
const seen = (state: State, from: number, limit: number) => ({
  got: ids.map((id) => state.get(counters, id)),
  found: state.find(counters, 'group', ['x']),
  first: state.find(counters, 'group', ['x'], { from, limit }),
  last: state.find(counters, 'group', ['x'], { from, limit, descending: true }),
  ranged: state.range(counters, 'group', ['x', from], limit),
  tagged: state.findMulti(counters, 'tag', 'red'),
  firstTagged: state.findMulti(counters, 'tag', 'red', limit),
});

describe('a draft', () => {
  it('reads as the state will once its writes are there, and its writes are all of it', () => {
    const change = fc.oneof(
      someCounter.map((document) => ({ id: document.id, document })),
      fc.record({ id: fc.constantFrom(...ids), document: fc.constant(null) }),
    );
    fc.assert(
      fc.property(
        fc.array(someCounter, { maxLength: 5 }),
        fc.array(change, { maxLength: 6 }),
        fc.integer({ min: -4, max: 4 }),
        fc.integer({ min: 1, max: 4 }),
        (before, changes, from, limit) => {
          const documents = new MemoryDocuments();
          documents.apply(before.map((document) => put(counters, document)));
          const draft = new Draft(new MemoryState(documents, 'seed', 0));
          for (const { id, document } of changes) {
            if (document === null) draft.remove(counters, id);
            else draft.put(counters, document);
          }
          const now = seen(draft, from, limit);
          documents.apply(draft.writes());
          assert.deepEqual(now, seen(new MemoryState(documents, 'seed', 0), from, limit));
        },
      ),
    );
  });

  it('counts and numbers as the state will once its writes are there', () => {
    const all = fc.uniqueArray(place, { selector: ({ list, key }) => `${list} ${key}`, maxLength: 8 });
    const bound = fc.constantFrom(...KEYS, undefined);
    fc.assert(
      fc.property(all, all, fc.array(bound, { minLength: 6, maxLength: 6 }), (before, after, bounds) => {
        const documents = new MemoryDocuments();
        documents.apply(before.map((one, n) => put(places, { ...one, id: `p${n}` })));
        const draft = new Draft(new MemoryState(documents, 'seed', 0));
        before.forEach((_, n) => {
          if (n % 3 > 0) draft.remove(places, `p${n}`);
        });
        for (const [n, one] of after.entries()) {
          const isTaken = before.some(({ list, key }, i) => i % 3 === 0 && list === one.list && key === one.key);
          if (!isTaken) draft.put(places, { ...one, id: n % 2 === 0 ? `p${n * 2 + 1}` : `q${n}` });
        }
        const numbered = (state: State) => ({
          nth: [0, 1, 2, 3, 7].map((n) => state.nth(places, 'list', ['x'], n)),
          counts: bounds.map((below, i) => {
            const from = i % 2 === 0 ? undefined : bounds[i - 1];
            return state.count(places, 'list', ['x'], { ...(from && { from }), ...(below && { below }) });
          }),
        });
        const now = numbered(draft);
        documents.apply(draft.writes());
        assert.deepEqual(now, numbered(new MemoryState(documents, 'seed', 0)));
      }),
    );
  });

  it('writes nothing of what came and went within it', () => {
    const draft = new Draft(new MemoryState(new MemoryDocuments(), 'seed', 0));
    draft.put(counters, { id: 'a', group: 'x', value: 1, tags: [] });
    draft.remove(counters, 'a');
    assert.deepEqual(draft.writes(), []);
  });

  it('says by which values a document is found, of that document alone', () => {
    const draft = new Draft(new MemoryState(new MemoryDocuments(), 'seed', 0));
    draft.put(counters, { id: 'a', group: 'x', value: 1, tags: ['red'] });
    const [write] = draft.writes();
    assert.ok(write);
    const other: Counter = { id: 'a', group: 'y', value: 2, tags: [] };
    const valuesOf = ({ columns, multi }: Entry) => ({ columns, multi });
    assert.deepEqual(valuesOf(entryOf(write, 1)), { columns: ['x', 1, 'a'], multi: [['red']] });
    assert.deepEqual(valuesOf(entryOf({ ...write, document: other }, 1)), { columns: ['y', 2, 'a'], multi: [[]] });
  });
});
