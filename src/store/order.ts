import type { Scalar } from './collection.js';
import type { CountRange } from './state.js';

/** SQLite's order of values: null, numbers, then texts by their UTF-8 bytes. */
export function compareScalars(a: Scalar, b: Scalar): number {
  if (a === b) return 0;
  const rank = rankOf(a) - rankOf(b);
  if (rank !== 0) return rank;
  return typeof a === 'string' ? compareTexts(a, b as string) : (a as number) - (b as number);
}

/** Whether a value is in the range. */
export const isInRange = (value: Scalar, { from, below }: CountRange): boolean =>
  (from === undefined || compareScalars(value, from) >= 0) && (below === undefined || compareScalars(value, below) < 0);

/** Compares keys column by column: negative, 0 or positive. */
export function compareKeys(a: readonly Scalar[], b: readonly Scalar[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const order = compareScalars(a[i] ?? null, b[i] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}

/** Whether a document's place in an index is at or behind `from`, which may have an id behind all columns. */
export const isAtOrBehind = (key: readonly Scalar[], id: string, from: readonly Scalar[]): boolean => {
  const order = compareKeys(key, from);
  return order !== 0 || from.length <= key.length ? order >= 0 : compareScalars(id, from[key.length] ?? null) >= 0;
};

/** Values as one text; no others have the same. */
export function textOfValues(values: readonly Scalar[]): string {
  let text = '';
  for (const value of values) text += typeof value === 'string' ? `${value.length}:${value} ` : `${value} `;
  return text;
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

const rankOf = (value: Scalar): number => (value === null ? 0 : typeof value === 'number' ? 1 : 2);

// UTF-16 and UTF-8 differ in order only where a surrogate meets a unit above it (U+E000..U+FFFF).
function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return weightOf(x) - weightOf(y);
  }
  return a.length - b.length;
}

const weightOf = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x2800 : unit);
