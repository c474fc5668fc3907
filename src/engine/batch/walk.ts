import type { Collection, Document, Scalar, State } from '../../store/index.js';
import { BATCH_PAGE, type Page } from './batch-type.js';

/** A walk along an index: documents with the same first columns, in the order of the next one. */
export interface Walk<T extends Document> {
  readonly collection: Collection<T>;
  readonly index: string;
  readonly prefix: readonly Scalar[];
  /** What is ordered by. */
  at(one: T): number;
  /** Where it begins. */
  readonly from: number;
  /** Whether it goes on with this one: it has the prefix, and is not behind the end. */
  goesOn(one: T): boolean;
}

/** The next page of a walk, of which those are taken that are meant. */
export function nextPage<T extends Document>(
  state: State,
  { collection, index, prefix, at, from, goesOn }: Walk<T>,
  after: unknown,
  isMeant: (one: T) => boolean,
): Page {
  const [behind, lastId] = (after as readonly [number, string] | null) ?? [from, ''];
  const found = state
    .range(collection, index, [...prefix, behind, lastId], BATCH_PAGE + 1)
    .filter(({ id }) => id !== lastId)
    .slice(0, BATCH_PAGE);
  const end = found.findIndex((one) => !goesOn(one));
  const page = end < 0 ? found : found.slice(0, end);
  const last = page.at(-1);
  const isOver = page.length < BATCH_PAGE || last === undefined;
  return { ids: page.filter(isMeant).map(({ id }) => id), after: isOver ? null : [at(last), last.id] };
}
