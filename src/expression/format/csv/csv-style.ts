import type { FormatOptions } from '../format-options.js';

export type QuoteMode = 'ALL' | 'ALL_NON_NULL' | 'MINIMAL' | 'NON_NUMERIC' | 'NONE';

/** How CSV is written and read. */
export interface CsvStyle {
  readonly delimiter: string;
  readonly quote: string | undefined;
  readonly escapeSign: string | undefined;
  readonly comment: string | undefined;
  readonly nullString: string | undefined;
  readonly recordSeparator: string;
  readonly quoteMode: QuoteMode | undefined;
  readonly ignoresEmptyLines: boolean;
  readonly ignoresSpaces: boolean;
  readonly trims: boolean;
  readonly trailingDelimiter: boolean;
}

const DEFAULT: CsvStyle = {
  delimiter: ',',
  quote: '"',
  escapeSign: undefined,
  comment: undefined,
  nullString: undefined,
  recordSeparator: '\r\n',
  quoteMode: undefined,
  ignoresEmptyLines: true,
  ignoresSpaces: false,
  trims: false,
  trailingDelimiter: false,
};

const MYSQL: CsvStyle = {
  ...DEFAULT,
  delimiter: '\t',
  quote: undefined,
  escapeSign: '\\',
  nullString: '\\N',
  recordSeparator: '\n',
  quoteMode: 'ALL_NON_NULL',
  ignoresEmptyLines: false,
};

/** The formats of Apache Commons CSV by their names. */
const STYLES: Readonly<Record<string, CsvStyle>> = {
  DEFAULT,
  EXCEL: { ...DEFAULT, ignoresEmptyLines: false },
  RFC4180: { ...DEFAULT, ignoresEmptyLines: false },
  TDF: { ...DEFAULT, delimiter: '\t', ignoresSpaces: true },
  MYSQL,
  INFORMIX_UNLOAD: { ...DEFAULT, delimiter: '|', escapeSign: '\\', recordSeparator: '\n' },
  INFORMIX_UNLOAD_CSV: { ...DEFAULT, recordSeparator: '\n' },
  MONGODB_CSV: { ...DEFAULT, escapeSign: '"', quoteMode: 'MINIMAL' },
  MONGODB_TSV: { ...DEFAULT, delimiter: '\t', escapeSign: '"', quoteMode: 'MINIMAL' },
  ORACLE: {
    ...DEFAULT,
    escapeSign: '\\',
    nullString: '\\N',
    recordSeparator: '\n',
    quoteMode: 'MINIMAL',
    ignoresEmptyLines: false,
    trims: true,
  },
  POSTGRESQL_CSV: {
    ...DEFAULT,
    nullString: '',
    recordSeparator: '\n',
    quoteMode: 'ALL_NON_NULL',
    ignoresEmptyLines: false,
  },
  POSTGRESQL_TEXT: MYSQL,
};

const QUOTE_MODES: readonly QuoteMode[] = ['ALL', 'ALL_NON_NULL', 'MINIMAL', 'NON_NUMERIC', 'NONE'];

/** The style that options tell: that of a format, with what is given beside it. @throws ExchangeFailure where an option is wrong */
export function csvStyle(options: FormatOptions): CsvStyle {
  const base = STYLES[options.oneOf('format', Object.keys(STYLES), 'DEFAULT')] ?? DEFAULT;
  const sign = (name: string, present: string | undefined) => {
    if (options.boolean(`${name}Disabled`, false)) return undefined;
    return options.text(name)?.slice(0, 1) ?? present;
  };
  return {
    delimiter: unescaped(options.text('delimiter')) ?? base.delimiter,
    quote: sign('quote', base.quote),
    escapeSign: sign('escape', base.escapeSign),
    comment: sign('commentMarker', base.comment),
    nullString: options.boolean('nullStringDisabled', false)
      ? undefined
      : (options.text('nullString') ?? base.nullString),
    recordSeparator: options.boolean('recordSeparatorDisabled', false)
      ? ''
      : (unescaped(options.text('recordSeparator')) ?? base.recordSeparator),
    quoteMode: options.has('quoteMode') ? options.oneOf('quoteMode', QUOTE_MODES, 'MINIMAL') : base.quoteMode,
    ignoresEmptyLines: options.boolean('ignoreEmptyLines', base.ignoresEmptyLines),
    ignoresSpaces: options.boolean('ignoreSurroundingSpaces', base.ignoresSpaces),
    trims: options.boolean('trim', base.trims),
    trailingDelimiter: options.boolean('trailingDelimiter', base.trailingDelimiter),
  };
}

/** In XML and in quotes of YAML a tab or a line end may come as `\t`, `\r`, `\n`. */
const unescaped = (text: string | undefined): string | undefined =>
  text?.replace(/\\([trn])/g, (_, letter: string) => ({ t: '\t', r: '\r', n: '\n' })[letter] ?? letter);
