import type { IndexerModule, Projection, ReaderModule, ReaderQuery } from '../../../src/store/index.js';
import { type Counter, counters } from '../../support/test-domain.js';

const tags: Projection<Counter> = {
  name: 'tags',
  format: 1,
  collections: [counters.name],
  create: 'CREATE TABLE tags (tag TEXT, id TEXT); CREATE INDEX tags_id ON tags (id)',
  apply(index, { id, document }) {
    index.prepare('DELETE FROM tags WHERE id = ?').run(id);
    for (const tag of document?.tags ?? []) index.prepare('INSERT INTO tags VALUES (?, ?)').run(tag, id);
  },
};

export const tagged: ReaderQuery<{ tag: string }, string[]> = {
  name: 'tagged',
  needsIndex: true,
  run: ({ index }, { tag }) =>
    (index?.prepare('SELECT id FROM tags WHERE tag = ? ORDER BY id').all(tag) ?? []).map(({ id }) => String(id)),
};

export const readerModule: ReaderModule = { collections: [counters], queries: [tagged] };
export const indexerModule: IndexerModule = { projections: [tags] };
