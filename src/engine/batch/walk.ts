import type { Collection, Document, Scalar, State } from '../../store/index.js';
import { BATCH_PAGE, type Page } from './batch-type.js';

/** An index, as far as its first columns have certain values. */
export interface Index<T> {
  readonly index: string;
  readonly prefix: readonly Scalar[];
  /** Whether a walk along it goes on with this one: it has the prefix. */
  goesOn(one: T): boolean;
}

/** All of an index. */
export const all = <T>(index: string): Index<T> => ({ index, prefix: [], goesOn: () => true });

/** Those of an index that have the value in its first column. */
export const along = <T>(index: string, of: (one: T) => Scalar, value: Scalar): Index<T> => ({
  index,
  prefix: [value],
  goesOn: (one) => of(one) === value,
});

/** A walk along an index, in the order of the column behind its prefix; it goes on with what is not behind its end. */
interface Walk<T extends Document> extends Index<T> {
  readonly collection: Collection<T>;
  /** What is ordered by. */
  at(one: T): number;
  /** Where it begins. */
  readonly from: number;
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
