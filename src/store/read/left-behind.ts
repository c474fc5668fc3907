import type { Document, LeftBehind, Lookup } from '../collection.js';
import { isDamaged } from '../damage.js';
import { documentOf } from '../document-text.js';
import type { AnyCollection } from '../log/schema.js';
import { Replica } from '../replica.js';
import type { Statements } from '../statements.js';

/** The documents of a collection that are stored and gone, as of the snapshot that is read; undefined: none is. */
export const leftBehindIn = (log: Statements, { leftBehind }: AnyCollection): LeftBehind<Document> | undefined =>
  leftBehind?.now(lookupIn(log));

/** What is damaged is passed over: it is told of where it is shown. */
function lookupIn(log: Statements): Lookup {
  const replica = new Replica({ prepare: (sql) => log.prepare(sql), close: () => {} });
  return {
    get(collection, id) {
      const body = soundBody(replica, collection, id);
      return body === undefined ? undefined : documentOf(collection, { id, body });
    },
    range(collection, name, from, limit) {
      const index = collection.indexes[name];
      if (index === undefined) throw new Error(`expected a declared index of ${collection.name}, but found '${name}'`);
      const rows = replica.range(collection, index, from, limit);
      return rows.filter(({ damage }) => damage === undefined).map((row) => documentOf(collection, row));
    },
  };
}

function soundBody(replica: Replica, collection: AnyCollection, id: string): string | undefined {
  try {
    return replica.body(collection, id);
  } catch (thrown) {
    if (isDamaged(thrown)) return undefined;
    throw thrown;
  }
}
