import type { Document } from '../../../src/store/collection.js';
import type { IndexerModule, Projection } from '../../../src/store/index-db/projection.js';
import { openThings, ownThings, type Thing } from './things.js';

/** The letters of things' names. Throws on a thing named `poison`, after it has written a row. */
export const letters: Projection<Thing> = {
  name: 'letters',
  format: 1,
  collections: [openThings.name, ownThings.name],
  create: 'CREATE TABLE letters (collection TEXT, id TEXT, letter TEXT); CREATE INDEX letters_id ON letters (id)',
  apply(index, { collection, id, document }) {
    index.prepare('DELETE FROM letters WHERE id = ? AND collection = ?').run(id, collection);
    for (const letter of new Set(document?.name ?? '')) {
      index.prepare('INSERT INTO letters VALUES (?, ?, ?)').run(collection, id, letter);
      if (document?.name === 'poison') throw new Error('expected a name, but found poison');
    }
  },
};

/** The revision of each thing of one collection. */
export const revisions: Projection<Document> = {
  name: 'revisions',
  format: 1,
  collections: [openThings.name],
  create: 'CREATE TABLE revisions (id TEXT PRIMARY KEY, revision INTEGER)',
  apply(index, { id, revision, document }) {
    if (document === null) index.prepare('DELETE FROM revisions WHERE id = ?').run(id);
    else index.prepare('INSERT OR REPLACE INTO revisions VALUES (?, ?)').run(id, revision);
  },
};

export const indexerModule: IndexerModule = { projections: [letters, revisions] };
