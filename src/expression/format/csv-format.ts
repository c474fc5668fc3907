import { isStream } from '../conversion/java-class.js';
import type { Exchange } from '../exchange/exchange.js';
import { ExchangeFailure } from '../exchange/failure.js';
import { Headers } from '../exchange/headers.js';
import { printRecord } from './csv/csv-printer.js';
import { type CsvRecord, CsvRecords } from './csv/csv-records.js';
import { type CsvStyle, csvStyle } from './csv/csv-style.js';
import type { DataFormat } from './data-format.js';
import type { FormatOptions } from './format-options.js';
import { noConversion, withText } from './payload.js';

const HEADER_RECORD = 'CamelCsvHeaderRecord';

interface CsvOptions {
  readonly style: CsvStyle;
  /** The names of the columns; none: the first record tells them. `undefined`: there are no names. */
  readonly header: readonly string[] | undefined;
  readonly skipsHeader: boolean;
  readonly asMaps: boolean;
  readonly capturesHeader: boolean;
  readonly ignoresCase: boolean;
  readonly allowsMissingNames: boolean;
}

/** CSV, as Commons CSV has it: lists of values, or maps by the names of the columns. */
export function csvFormat(options: FormatOptions): DataFormat {
  const style = csvStyle(options);
  const given = options.boolean('headerDisabled', false) ? undefined : options.list('header');
  const skipsHeader = options.boolean('skipHeaderRecord', false);
  const asMaps = [options.boolean('useMaps', false), options.boolean('useOrderedMaps', false)].includes(true);
  const capturesHeader = options.boolean('captureHeaderRecord', false);
  const isLazy = options.boolean('lazyLoad', false);
  const csv: CsvOptions = {
    style,
    header: given ?? (asMaps || skipsHeader || capturesHeader ? [] : undefined),
    skipsHeader,
    asMaps,
    capturesHeader,
    ignoresCase: options.boolean('ignoreHeaderCase', false),
    allowsMissingNames: options.boolean('allowMissingColumnNames', false),
  };
  options.refuse('marshallerFactoryRef', 'recordConverterRef');
  options.end();
  return {
    marshal: (_, value) => Buffer.from(marshalled(value, style, skipsHeader ? undefined : given, given)),
    unmarshal: (exchange, value) => {
      if (isLazy && isStream(value)) return streamedRows(exchange, value, csv);
      return withText(value, (text) => {
        const rows = textRows(exchange, text, csv);
        return isLazy ? rows : [...rows];
      });
    },
  };
}

function marshalled(
  value: unknown,
  style: CsvStyle,
  printed: readonly string[] | undefined,
  columns: readonly string[] | undefined,
): string {
  const rows = isRow(value) ? [value] : Array.isArray(value) || isIterable(value) ? value : undefined;
  if (rows === undefined) throw noConversion(value, 'java.util.List');
  let text = printed === undefined || printed.length === 0 ? '' : printRecord(printed, style);
  for (const row of rows) text += printRecord(valuesOf(row, columns), style);
  return text;
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value && !(value instanceof Uint8Array);

const isRow = (value: unknown): value is object =>
  value instanceof Map ||
  (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype);

function valuesOf(row: unknown, columns: readonly string[] | undefined): Iterable<unknown> {
  if (isRow(row)) {
    if (row instanceof Map) return columns === undefined ? row.values() : columns.map((name) => row.get(name));
    const map = row as Record<string, unknown>;
    return columns === undefined
      ? Object.values(map)
      : columns.map((name) => (Object.hasOwn(map, name) ? map[name] : null));
  }
  if (isIterable(row)) return row;
  throw noConversion(row, 'java.util.List');
}

/** The rows of a text, one after the other as they are asked for. */
function* textRows(exchange: Exchange, text: string, csv: CsvOptions): Generator<unknown> {
  const records = new CsvRecords(csv.style);
  records.push(text.codePointAt(0) === 0xfeff ? text.slice(1) : text);
  records.end();
  const rows = new Rows(exchange, csv);
  for (let record = records.next(); record !== undefined; record = records.next()) {
    const row = rows.row(record);
    if (row !== undefined) yield row;
  }
}

async function* streamedRows(
  exchange: Exchange,
  stream: AsyncIterable<unknown>,
  csv: CsvOptions,
): AsyncGenerator<unknown> {
  const records = new CsvRecords(csv.style);
  const rows = new Rows(exchange, csv);
  const decoder = new TextDecoder();
  const pieces = (async function* () {
    for await (const piece of stream)
      yield typeof piece === 'string' ? piece : decoder.decode(piece as Uint8Array, { stream: true });
    yield decoder.decode();
  })();
  for await (const piece of pieces) {
    records.push(piece);
    yield* ready(records, rows);
  }
  records.end();
  yield* ready(records, rows);
}

function* ready(records: CsvRecords, rows: Rows): Generator<unknown> {
  for (let record = records.next(); record !== undefined; record = records.next()) {
    const row = rows.row(record);
    if (row !== undefined) yield row;
  }
}

/** Makes rows of records; the first record may be that of the names. */
class Rows {
  readonly #exchange: Exchange;
  readonly #csv: CsvOptions;
  #names: readonly string[] | undefined;
  #isBegun = false;

  constructor(exchange: Exchange, csv: CsvOptions) {
    this.#exchange = exchange;
    this.#csv = csv;
  }

  /** `undefined`: the record was that of the names. */
  row(record: CsvRecord): unknown {
    if (!this.#isBegun && this.#begins(record)) return undefined;
    return this.#csv.asMaps && this.#names !== undefined ? this.#map(this.#names, record) : record;
  }

  /** Whether the first record is that of the names. */
  #begins(record: CsvRecord): boolean {
    const { header, skipsHeader, capturesHeader } = this.#csv;
    this.#isBegun = true;
    if (header !== undefined) this.#names = header.length > 0 ? header : this.#checked(record);
    if (capturesHeader) this.#exchange.headers.set(HEADER_RECORD, this.#names);
    return header !== undefined && (header.length === 0 || skipsHeader);
  }

  #map(names: readonly string[], record: CsvRecord): unknown {
    const entries: [string, string | null][] = [];
    for (const [at, name] of names.entries()) if (at < record.length) entries.push([name, record[at] ?? null]);
    if (!this.#csv.ignoresCase && !names.some((name) => /^\d+$/.test(name))) return Object.fromEntries(entries);
    if (!this.#csv.ignoresCase) return new Map(entries);
    return Object.fromEntries(new Headers(entries));
  }

  #checked(record: CsvRecord): string[] {
    const names = record.map((name) => name ?? '');
    if (!this.#csv.allowsMissingNames && names.some((name) => name.trim() === '')) {
      throw new ExchangeFailure(
        'java.lang.IllegalArgumentException',
        `A header name is missing in [${names.join(', ')}]`,
      );
    }
    return names;
  }
}
