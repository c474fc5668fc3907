import { Double } from '../../exchange/double.js';
import { writeJson } from '../json-writer.js';
import type { CsvStyle } from './csv-style.js';

/** A record as Commons CSV prints it, with what ends it. */
export function printRecord(values: Iterable<unknown>, style: CsvStyle): string {
  const parts: string[] = [];
  for (const value of values) parts.push(printed(value, style, parts.length === 0));
  if (style.trailingDelimiter) parts.push('');
  return parts.join(style.delimiter) + style.recordSeparator;
}

function printed(value: unknown, style: CsvStyle, isFirst: boolean): string {
  const { quote, escapeSign, quoteMode } = style;
  if (value === null || value === undefined) return printedNull(style);
  const text = style.trims ? textOf(value).trim() : textOf(value);
  if (quote !== undefined && quoteMode !== 'NONE') {
    return isQuoted(value, text, style, isFirst) ? quoted(text, quote, escapeSign) : text;
  }
  return escapeSign === undefined ? text : escapedText(text, escapeSign, style);
}

function printedNull({ nullString = '', quoteMode, quote = '' }: CsvStyle): string {
  return nullString !== '' && quoteMode === 'ALL' ? quote + nullString + quote : nullString;
}

function quoted(text: string, quote: string, escapeSign: string | undefined): string {
  if (escapeSign === undefined) return quote + text.replaceAll(quote, quote + quote) + quote;
  return quote + text.replace(signs(quote, escapeSign), (sign) => escapeSign + sign) + quote;
}

function isQuoted(value: unknown, text: string, { quoteMode, ...style }: CsvStyle, isFirst: boolean): boolean {
  if (quoteMode === 'ALL' || quoteMode === 'ALL_NON_NULL') return true;
  if (quoteMode === 'NON_NUMERIC') {
    return !(typeof value === 'number' || typeof value === 'bigint' || value instanceof Double);
  }
  // An empty line would have no values at all.
  return text === '' ? isFirst : needsQuotes(text, style);
}

/** Where the text without quotes would be read as something else. */
function needsQuotes(
  text: string,
  { delimiter, quote = '', escapeSign = quote }: Omit<CsvStyle, 'quoteMode'>,
): boolean {
  if ((text[0] ?? '') <= '#' || (text.at(-1) ?? '') <= ' ') return true;
  return /[\r\n]/.test(text) || [quote, delimiter, escapeSign].some((sign) => text.includes(sign));
}

/** Line ends as letters; delimiters and escapes with an escape sign before them. */
function escapedText(text: string, escapeSign: string, { delimiter }: CsvStyle): string {
  return text
    .replace(signs(delimiter, escapeSign), (sign) => escapeSign + sign)
    .replaceAll('\r', `${escapeSign}r`)
    .replaceAll('\n', `${escapeSign}n`);
}

const signs = (...texts: readonly string[]) =>
  new RegExp(texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'g');

const textOf = (value: unknown): string => {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.length).toString();
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'object' && value !== null && !(value instanceof Double)) return writeJson(value);
  return typeof value === 'number' && !Number.isInteger(value) ? new Double(value).toString() : String(value);
};
