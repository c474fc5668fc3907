import type { Scalar } from './collection.js';
import { compareScalars } from './order.js';

/** Rows in the order of keys that do not repeat, of which a layer above hides some and to which it adds others. */
export interface Layered<T> {
  /** What the layer adds, in order. */
  readonly added: readonly { readonly key: Scalar; readonly row: T }[];
  /** The keys of the rows that the layer hides, in order. */
  readonly hidden: readonly Scalar[];
  /** How many rows below the layer have a lesser key. */
  readonly countBelow: (key: Scalar) => number;
  /** The n-th row below the layer. */
  readonly nth: (n: number) => T | undefined;
}

/** The n-th row, from 0, of both layers together: asks for few counts and for one row, however many there are. */
export function layeredNth<T>({ added, hidden, countBelow, nth }: Layered<T>, n: number): T | undefined {
  const hiddenBelow = (key: Scalar) => firstOf(hidden, (one) => compareScalars(one, key) >= 0);
  const placeOf = (key: Scalar, addedBefore: number) => countBelow(key) - hiddenBelow(key) + addedBefore;
  const addedBefore = firstOf(added, ({ key }, i) => placeOf(key, i) >= n);
  const candidate = added[addedBefore];
  if (candidate !== undefined && placeOf(candidate.key, addedBefore) === n) return candidate.row;
  const shown = n - addedBefore;
  const hiddenBefore = firstOf(hidden, (key, i) => countBelow(key) - i > shown);
  return nth(shown + hiddenBefore);
}

/** The first place from which on `holds` does; the length where it never does. */
export function firstOf<T>(all: readonly T[], holds: (one: T, at: number) => boolean): number {
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(all[middle] as T, middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
