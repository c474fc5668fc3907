/**
 * Order keys of siblings: texts of the digits 0-9, a-z, compared by code unit. New siblings get a key of their commit, which is greater than
 * all keys given before; what is put between two gets a key between theirs. No sibling is ever rewritten for another.
 */
const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';
const LAST = DIGITS.length - 1;
/** 36^9 revisions; 36^3 siblings of one commit. */
const REVISION_DIGITS = 9;
const COUNT_DIGITS = 3;

/** The key of the n-th sibling, from 0, that the commit of this revision appends. Ends in a digit above 0, so that there is always room before it. */
export const appendedKey = (revision: number, n: number): string =>
  `${revision.toString(36).padStart(REVISION_DIGITS, '0')}${n.toString(36).padStart(COUNT_DIGITS, '0')}i`;

/** A key between two others; null: before the first, behind the last. */
export function keyBetween(before: string | null, after: string | null): string {
  let key = '';
  for (let at = 0; ; at++) {
    const low = before === null ? 0 : digitAt(before, at);
    const high = after === null || isPast(key, after) ? LAST + 1 : digitAt(after, at);
    if (high - low > 1) return key + DIGITS[Math.floor((low + high) / 2)];
    key += DIGITS[low];
  }
}

/** Whether the prefix lies before the other key already, so that it bounds no more. */
const isPast = (prefix: string, after: string): boolean => prefix < after.slice(0, prefix.length);

/** Behind its end a key goes on with zeros. */
const digitAt = (key: string, at: number): number => DIGITS.indexOf(key[at] ?? '0');
