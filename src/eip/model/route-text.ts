import { SaxesParser } from 'saxes';
import { isMap, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Position } from '../../expression/index.js';
import type { RouteModel } from './route-model.js';
import { writeYaml } from './write-routes.js';

/** The text of a route, or of a file. */
export interface RouteText {
  readonly format: 'yaml' | 'xml';
  readonly text: string;
}

/** A part of a text, by the numbers of its characters: from `start`, up to `end`. */
interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Where the parts of a definition stand in it, by their place (`at`): those in a Kamelet, or in a list in brackets, have no text of their own. It is one that could be read. */
type Spans = ReadonlyMap<string, TextSpan>;

const spansOf = (text: string): Spans => (isXml(text) ? spansInXml(text) : spansInYaml(text));
const key = ({ line, column }: Position): string => `${line}:${column}`;

/** The very texts of parts, each a definition of its own. The text is read once for all. */
export function textsIn(text: string): (at: Position) => string | undefined {
  let spans: Spans | undefined;
  return (at) => {
    spans ??= spansOf(text);
    return cut(text, spans.get(key(at)));
  };
}

function cut(text: string, span: TextSpan | undefined): string | undefined {
  if (span === undefined) return undefined;
  return `${unindented(text.slice(span.start, span.end), columnOf(text, span.start)).trimEnd()}\n`;
}

/** The texts of routes: a file with one of them alone would define it. What has no text of its own is written anew. */
export function sourcesOf(text: string, routes: readonly RouteModel[]): RouteText[] {
  const spans = spansOf(text);
  return routes.map((route) => {
    const own = cut(text, spans.get(key(route.at)));
    return own === undefined
      ? { format: 'yaml', text: writeYaml(route) }
      : { format: isXml(text) ? 'xml' : 'yaml', text: own };
  });
}

/** The definition with another text in its place, or with none. All else stays as it is written. */
export function withTextAt(text: string, at: Position, replacement: string | null): string | undefined {
  const span = spansOf(text).get(key(at));
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

function spansInYaml(text: string): Spans {
  const lines = new LineCounter();
  const spans = new Map<string, TextSpan>();
  const { contents } = parseDocument(text, { lineCounter: lines, logLevel: 'silent' });
  if (!isSeq(contents) || contents.flow === true) return spans;
  for (const item of contents.items) {
    if (!isMap(item) || item.flow === true || item.range == null) continue;
    const [begin, end] = item.range;
    const { line, col } = lines.linePos(begin);
    const dash = text.lastIndexOf('-', begin);
    spans.set(key({ line, column: col }), { start: dash, end: dash + text.slice(dash, end).trimEnd().length });
  }
  return spans;
}

function spansInXml(text: string): Spans {
  const parser = new SaxesParser({ position: true });
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (const match of text.matchAll(/\r\n|\r|\n/g)) lines.addNewLine(match.index + match[0].length);
  const starts: number[] = [];
  const spans = new Map<string, TextSpan>();
  // What could be read has none.
  parser.on('error', () => undefined);
  parser.on('opentagstart', ({ name }) => void starts.push(parser.position - name.length - 2));
  parser.on('closetag', () => {
    const start = starts.pop() ?? 0;
    const { line, col } = lines.linePos(start);
    spans.set(key({ line, column: col }), { start, end: parser.position });
  });
  parser.write(text).close();
  return spans;
}
