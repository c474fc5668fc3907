import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Draft, put, type State } from '../../src/store/index.js';
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

  it('writes nothing of what came and went within it', () => {
    const draft = new Draft(new MemoryState(new MemoryDocuments(), 'seed', 0));
    draft.put(counters, { id: 'a', group: 'x', value: 1, tags: [] });
    draft.remove(counters, 'a');
    assert.deepEqual(draft.writes(), []);
  });
});
