import type { Collection, Document, Scalar } from './collection.js';
import { firstOf } from './layered-nth.js';
import { compareScalars } from './order.js';
import type { CountRange, State } from './state.js';

/**
 * Counts of a state that does not change meanwhile. Each goes on from the nearest one that is known: the places of a page of neighbours cost
 * little more than that of the first.
 */
export class KnownCounts {
  readonly #state: Pick<State, 'count'>;
  readonly #marks = new Map<string, Mark[]>();

  constructor(state: Pick<State, 'count'>) {
    this.#state = state;
  }

  /** As {@link State.count}. */
  count<T extends Document>(
    collection: Collection<T>,
    index: string,
    prefix: readonly Scalar[],
    range: CountRange = {},
  ): number {
    const { from, below } = range;
    const ask = (asked: CountRange) => this.#state.count(collection, index, prefix, asked);
    if (from !== undefined || below === undefined) return ask(range);
    const name = JSON.stringify([collection.name, index, prefix]);
    const marks = this.#marks.get(name) ?? [];
    this.#marks.set(name, marks);
    const at = firstOf(marks, ({ key }) => compareScalars(key, below) > 0);
    const [mark, next] = [marks[at - 1], marks[at]];
    if (mark === undefined) return keep(marks, at, { key: below, count: ask(range) });
    if (mark.key === below || mark.count === next?.count) return mark.count;
    return keep(marks, at, { key: below, count: mark.count + ask({ from: mark.key, below }) });
  }
}

/** So many documents are before the key. */
interface Mark {
  readonly key: Scalar;
  readonly count: number;
}

function keep(marks: Mark[], at: number, mark: Mark): number {
  marks.splice(at, 0, mark);
  return mark.count;
}
