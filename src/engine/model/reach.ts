/** Whether `element` is in a set of {@link reachSet}. */
export function canReach(set: string, element: number): boolean {
  const digit = set.charCodeAt(element >> 2);
  // Past the end of the text: not a number, so no bit is set.
  const nibble = digit > 57 ? digit - 87 : digit - 48;
  return ((nibble >> (element & 3)) & 1) === 1;
}

/** A set of elements as text: digit k (hex, small letters) holds elements 4k to 4k + 3, the lowest bit first; ends at the last element in it. */
export function reachSet(elements: Iterable<number>): string {
  const nibbles: number[] = [];
  for (const element of elements) {
    const at = element >> 2;
    while (nibbles.length <= at) nibbles.push(0);
    nibbles[at] = (nibbles[at] ?? 0) | (1 << (element & 3));
  }
  return nibbles.map((nibble) => nibble.toString(16)).join('');
}
