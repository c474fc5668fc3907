import { isMap } from '../conversion/java-class.js';
import { textOf } from '../conversion/text.js';
import { Double } from '../exchange/double.js';
import { ExchangeFailure } from '../exchange/failure.js';
import { Headers } from '../exchange/headers.js';

const DEPTH_MAX = 1_000;

/** A value as JSON; what is neither list nor map is its text, and null stays null. */
export function toJson(value: unknown, isPretty: boolean): string | null {
  if (value === null || value === undefined) return null;
  if (
    typeof value !== 'object' ||
    !(Array.isArray(value) || value instanceof Set || value instanceof Headers || isMap(value))
  )
    return textOf(value);
  const text = json(value, 0);
  return isPretty ? prettyJson(text) : text;
}

function json(value: unknown, depth: number): string {
  if (depth > DEPTH_MAX)
    throw new ExchangeFailure('java.lang.StackOverflowError', `expected JSON of at most ${DEPTH_MAX} levels`);
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value instanceof Double) return textOf(value);
  if (Array.isArray(value) || value instanceof Set) return `[${[...value].map((it) => json(it, depth + 1)).join(',')}]`;
  if (!(value instanceof Headers) && !isMap(value)) return JSON.stringify(textOf(value));
  const entries = value instanceof Map || value instanceof Headers ? [...value] : Object.entries(value);
  return `{${entries.map(([key, it]) => `${JSON.stringify(textOf(key))}:${json(it, depth + 1)}`).join(',')}}`;
}

/** JSON over lines, with tabs, and a line end at its end. */
function prettyJson(text: string): string {
  let indent = 0;
  let made = '';
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    const isEnd = token === '}' || token === ']';
    if (isEnd) indent--;
    made += jsonSpace(token, made, isEnd, indent) + (token === ':' ? ': ' : token);
    if (token === '{' || token === '[') indent++;
  }
  return `${made}\n`;
}

/** The line end and tabs before a token of JSON. */
function jsonSpace(token: string, before: string, isEnd: boolean, indent: number): string {
  if (token === ',' || token === ':' || before === '') return '';
  const stays = isEnd ? /[{[]$/.test(before) : before.endsWith(': ');
  return stays ? '' : `\n${'\t'.repeat(Math.max(indent, 0))}`;
}

/** JSON and XML over lines; other text as it is. */
export function prettyText(text: string): string {
  const trimmed = text.trim();
  if (/^[{[]/.test(trimmed) && isJson(trimmed)) return prettyJson(trimmed);
  return trimmed.startsWith('<') ? prettyXml(trimmed) : text;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Elements on lines of their own; one with text only stays on its line. */
function prettyXml(text: string): string {
  const lines: string[] = [];
  let depth = 0;
  for (const [token] of text.matchAll(/<[^>]*>[^<]*/g)) {
    const [tag = '', content = ''] = [
      token.slice(0, token.indexOf('>') + 1),
      token.slice(token.indexOf('>') + 1).trim(),
    ];
    const isEnd = tag.startsWith('</');
    if (isEnd) depth--;
    const last = lines.length - 1;
    if (isEnd && lines[last]?.endsWith('>') === false) lines[last] += tag;
    else lines.push(`${'  '.repeat(Math.max(depth, 0))}${tag}${content}`);
    if (!isEnd && !tag.endsWith('/>') && !/^<[?!]/.test(tag)) depth++;
  }
  return lines.join('\n');
}
