/** One character, a class of some, or an escape; and how often. */
const PART = /\\[rntdwDWsS]|\\[^A-Za-z0-9]|\[[^\]\\^[&-]+\]|\.|[^\\()[\]{}*+?.^$|]|\|/uy;
const TIMES = /[?*+](?![?+])/y;
const CLASSES: Readonly<Record<string, string>> = {
  '.': '[^\\n\\r\\u0085\\u2028\\u2029]',
  '\\s': '[ \\t\\n\\v\\f\\r]',
  '\\S': '[^ \\t\\n\\v\\f\\r]',
};

/**
 * A regular expression of Java's as JavaScript's own engine may match it, which is many times faster: characters and classes without groups, of which at most `most`
 * are repeated without a bound, so that the time is bounded by the text's length (to that power). The same matches come out. `undefined`: it is none of these.
 */
export function easyPattern(source: string, most: number): string | undefined {
  let made = '';
  let unbounded = 0;
  for (let at = 0; at < source.length; ) {
    PART.lastIndex = at;
    const part = PART.exec(source)?.[0];
    if (part === undefined) return undefined;
    at += part.length;
    TIMES.lastIndex = at;
    const times = part === '|' ? '' : (TIMES.exec(source)?.[0] ?? '');
    at += times.length;
    if (times === '*' || times === '+') unbounded++;
    made += partOf(part) + times;
  }
  return unbounded <= most ? made : undefined;
}

function partOf(part: string): string {
  const known = CLASSES[part];
  if (known !== undefined) return known;
  if (/^\\[rntdwDW]$|^\[|^\|$/.test(part)) return part;
  // A character by itself, whatever it means elsewhere.
  return `\\u{${(part.startsWith('\\') ? part.slice(1) : part).codePointAt(0)?.toString(16)}}`;
}
