/**
 * Whether a value counts as true where a predicate is asked for: booleans and the texts `true` and `false` in any letter case for themselves; blank texts, null and
 * lists without items are false; all else is true.
 */
export function truthOf(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (value === null || value === undefined) return false;
  if (typeof value === 'string') {
    const text = value.trim();
    return text !== '' && text.toLowerCase() !== 'false';
  }
  if (Array.isArray(value)) return value.length > 0;
  if (value instanceof Set) return value.size > 0;
  return true;
}
