const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether JSON text nests deeper than `limit`. It looks at bytes, so it can be asked before anything is parsed; strings are leapt over. */
export function nestsDeeper(text: Buffer, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === QUOTE) at = endOfString(text, at + 1);
    else if (byte === 0x7b || byte === 0x5b) {
      depth++;
      if (depth > limit) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return false;
}

function endOfString(text: Buffer, from: number): number {
  for (let at = text.indexOf(QUOTE, from); at >= 0; at = text.indexOf(QUOTE, at + 1)) {
    let escapes = 0;
    while (text[at - 1 - escapes] === BACKSLASH && at - 1 - escapes >= from) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
}

/** Whether parsed JSON has an own key `__proto__`, which a careless merge further on would take for a prototype. `text` is what it came from. */
export function hasProtoKey(text: Buffer, value: unknown): boolean {
  // The key is rare and the walk is not free: look at the text first. A letter of the key may be spelt as an escape.
  if (!text.includes('__proto__') && !text.includes('\\u00')) return false;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (Object.hasOwn(next, '__proto__')) return true;
    for (const inner of Object.values(next)) open.push(inner);
  }
  return false;
}
