const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const UNDERSCORE = 0x5f;

/** What JSON of a request may be. */
export interface JsonLimits {
  /** How deep lists and objects nest. */
  readonly depthMax: number;
  /** Members and items, all together. */
  readonly valuesMax: number;
}

/** What makes JSON one that is not parsed. */
export type JsonProblem = 'too_deep' | 'too_many_values' | 'prototype_key';

/**
 * What is wrong with JSON text before anything is made of it: it nests too deep, it has too many values, or it has a key `__proto__`, which a
 * careless merge further on would take for a prototype. It looks at bytes, once; strings are leapt over.
 */
export function jsonProblem(text: Buffer, { depthMax, valuesMax }: JsonLimits): JsonProblem | undefined {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case QUOTE: {
        const from = at + 1;
        at = endOfString(text, from);
        if (isPrototypeKey(text, from, at)) return 'prototype_key';
        break;
      }
      case COMMA:
        values++;
        break;
      case 0x7b: // {
      case 0x5b: // [
        depth++;
        values += Number(!closesAt(text, afterSpace(text, at + 1)));
        break;
      case 0x7d: // }
      case 0x5d: // ]
        depth--;
        break;
    }
    if (depth > depthMax) return 'too_deep';
    if (values > valuesMax) return 'too_many_values';
  }
  return undefined;
}

function endOfString(text: Buffer, from: number): number {
  const end = text.indexOf(QUOTE, from);
  if (end < 0) return text.length;
  if (text[end - 1] !== BACKSLASH || end === from) return end;
  // From the first escape that may hide a quote on byte by byte: a text of nothing but quotes would be sought through millions of times.
  let at = end - 1;
  while (at > from && text[at - 1] === BACKSLASH) at--;
  for (; at < text.length; at++) {
    if (text[at] === BACKSLASH) at++;
    else if (text[at] === QUOTE) return at;
  }
  return text.length;
}

/** As many bytes as `__proto__` has when each of its letters is spelt as an escape. */
const KEY_BYTES_MAX = 54;

function isPrototypeKey(text: Buffer, from: number, to: number): boolean {
  const first = text[from];
  if ((first !== UNDERSCORE && first !== BACKSLASH) || to - from > KEY_BYTES_MAX) return false;
  if (text[afterSpace(text, to + 1)] !== COLON) return false;
  const spelt = text.toString('utf8', from, to);
  return spelt === '__proto__' || (spelt.includes('\\u') && unescaped(spelt) === '__proto__');
}

const unescaped = (spelt: string) =>
  spelt.replace(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

const closesAt = (text: Buffer, at: number) => text[at] === 0x7d || text[at] === 0x5d;

function afterSpace(text: Buffer, from: number): number {
  let at = from;
  while (text[at] === 0x20 || text[at] === 0x0a || text[at] === 0x0d || text[at] === 0x09) at++;
  return at;
}
