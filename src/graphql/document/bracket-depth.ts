/**
 * The deepest nesting of brackets in a GraphQL document, outside of strings and comments; stops counting beyond `limit`.
 * graphql-js parses recursively and ends in a bare RangeError at some 2,000 levels: this looks before it parses.
 */
export function bracketDepth(document: string, limit: number): number {
  let deepest = 0;
  let depth = 0;
  for (let at = 0; at < document.length && deepest <= limit; at++) {
    switch (document.charCodeAt(at)) {
      case 0x7b: // {
      case 0x28: // (
      case 0x5b: // [
        depth++;
        if (depth > deepest) deepest = depth;
        break;
      case 0x7d: // }
      case 0x29: // )
      case 0x5d: // ]
        depth--;
        break;
      case 0x23: // #
        at = endOfLine(document, at);
        break;
      case 0x22: // "
        at = endOfString(document, at);
        break;
    }
  }
  return deepest;
}

function endOfLine(document: string, from: number): number {
  let at = from;
  while (at < document.length && document[at] !== '\n' && document[at] !== '\r') at++;
  return at;
}

/** Where the string that begins at `from` ends; for one that never ends, the end of its line, or of the document. */
function endOfString(document: string, from: number): number {
  if (document.startsWith('"""', from)) return endOfBlockString(document, from + 3);
  for (let at = from + 1; at < document.length; at++) {
    const code = document.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === 0x22 || code === 0x0a || code === 0x0d) return at;
  }
  return document.length;
}

function endOfBlockString(document: string, from: number): number {
  for (let at = document.indexOf('"""', from); at >= 0; at = document.indexOf('"""', at + 1)) {
    if (document[at - 1] !== '\\') return at + 2;
  }
  return document.length;
}
