import assert from 'node:assert/strict';
import type { Entry } from '../../src/store/entries.js';
import { Draft } from '../../src/store/index.js';
import { entryOf } from '../../src/store/overlay.js';
import { MemoryDocuments, MemoryState } from '../support/memory-state.js';
import { type Counter, counters } from '../support/test-domain.js';

describe('a draft', () => {
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
    const valuesOf = ({ columns, multi }: Pick<Entry, 'columns' | 'multi'>) => ({ columns, multi });
    assert.deepEqual(valuesOf(entryOf(write)), { columns: ['x', 1, 'a'], multi: [['red']] });
    assert.deepEqual(valuesOf(entryOf({ ...write, document: other })), { columns: ['y', 2, 'a'], multi: [[]] });
  });
});
