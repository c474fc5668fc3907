const SCALAR_CHARS = 8;

/** How much of `room` is left when about the characters of a value's JSON are taken from it; it stops looking below 0. */
export function weigh(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length - 3;
  if (typeof value !== 'object' || value === null) return room - SCALAR_CHARS;
  let left = room - 2;
  if (Array.isArray(value)) {
    for (const item of value) {
      left = weigh(item, left);
      if (left < 0) return left;
    }
    return left;
  }
  for (const name in value) {
    left = weigh(value[name as keyof typeof value], left - name.length - 4);
    if (left < 0) return left;
  }
  return left;
}
