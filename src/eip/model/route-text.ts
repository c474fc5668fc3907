import { SaxesParser } from 'saxes';
import { isMap, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Position } from '../../expression/index.js';
import type { RouteModel } from './route-model.js';
import { writeYaml } from './write-routes.js';

/** A part of a text, by the numbers of its characters: from `start`, up to `end`. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Where one thing of a definition stands in it: a route, by its place (`at`). `undefined`: it has no text of its own, as in a Kamelet, or where the list is in brackets.
 * The definition is one that could be read.
 */
export const spanOf = (text: string, at: Position): TextSpan | undefined =>
  isXml(text) ? spanInXml(text, at) : spanInYaml(text, at);

/** The very text of it, a definition of its own. */
export function textAt(text: string, at: Position): string | undefined {
  const span = spanOf(text, at);
  if (span === undefined) return undefined;
  return `${unindented(text.slice(span.start, span.end), columnOf(text, span.start)).trimEnd()}\n`;
}

/** The text of a route: a file with this alone would define it. What has no text of its own is written anew. */
export function sourceOf(text: string, route: RouteModel): { readonly format: 'yaml' | 'xml'; readonly text: string } {
  return { format: isXml(text) ? 'xml' : 'yaml', text: textAt(text, route.at) ?? writeYaml(route) };
}

/** The definition with another text in its place, or with none. All else stays as it is written. */
export function withTextAt(text: string, at: Position, replacement: string | null): string | undefined {
  const span = spanOf(text, at);
  if (span === undefined) return undefined;
  const { start, end } = span;
  const indent = columnOf(text, start);
  if (replacement !== null) {
    const lines = replacement.trim().split('\n');
    const indented = lines.map((line, number) => (number === 0 || line === '' ? line : ' '.repeat(indent) + line));
    return text.slice(0, start) + indented.join('\n') + text.slice(end);
  }
  const rest = text.slice(end);
  // The line goes with what stood in it.
  return text.slice(0, start - indent) + rest.replace(/^[ \t]*(\r\n|\n|\r|$)/, '');
}

const isXml = (text: string): boolean => /^\uFEFF?\s*</.test(text);

/** How far in the first character of a span is. */
const columnOf = (text: string, start: number): number => start - (text.lastIndexOf('\n', start - 1) + 1);

const unindented = (text: string, indent: number): string =>
  indent === 0 ? text : text.replace(new RegExp(`\\n {0,${indent}}`, 'g'), '\n');

function spanInYaml(text: string, { line, column }: Position): TextSpan | undefined {
  const lines = new LineCounter();
  const { contents } = parseDocument(text, { lineCounter: lines, logLevel: 'silent' });
  if (!isSeq(contents) || contents.flow === true) return undefined;
  for (const item of contents.items) {
    if (!isMap(item) || item.flow === true || item.range == null) continue;
    const [begin, end] = item.range;
    const { line: itemLine, col } = lines.linePos(begin);
    if (itemLine !== line || col !== column) continue;
    const dash = text.lastIndexOf('-', begin);
    return { start: dash, end: dash + text.slice(dash, end).trimEnd().length };
  }
  return undefined;
}

function spanInXml(text: string, at: Position): TextSpan | undefined {
  const parser = new SaxesParser({ position: true });
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (const match of text.matchAll(/\r\n|\r|\n/g)) lines.addNewLine(match.index + match[0].length);
  const starts: number[] = [];
  let span: TextSpan | undefined;
  // What could be read has none.
  parser.on('error', () => undefined);
  parser.on('opentagstart', ({ name }) => void starts.push(parser.position - name.length - 2));
  parser.on('closetag', () => {
    const start = starts.pop() ?? 0;
    const { line, col } = lines.linePos(start);
    if (line === at.line && col === at.column) span = { start, end: parser.position };
  });
  parser.write(text).close();
  return span;
}
