import type { AnyCollection } from '../log/schema.js';
import { listPage } from './list.js';
import type { ListRequest, Page } from './list-request.js';
import type { ReaderQuery } from './reader-module.js';

/** A query that answers several lists over these collections at once, all of one revision: the relations of a whole page. */
export function listPagesOf(
  name: string,
  collections: readonly AnyCollection[],
): ReaderQuery<readonly Omit<ListRequest, 'caller'>[], Page[]> {
  const named = new Map(collections.map((collection) => [collection.name, collection]));
  return {
    name,
    run: ({ log, caller, room }, requests) =>
      requests.map((request) => {
        const collection = named.get(request.collection);
        if (collection === undefined) throw new Error(`expected a collection of this query: '${request.collection}'`);
        return listPage(log, collection, { ...request, caller }, room);
      }),
  };
}
