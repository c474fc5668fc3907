import { ExchangeFailure } from '../../exchange/failure.js';
import type { CsvStyle } from './csv-style.js';

/** How long one record may be, in characters. */
const RECORD_MAX = 8_388_608;

export type CsvRecord = (string | null)[];

/** Reads the records of CSV as Commons CSV does, from text that comes in pieces. */
export class CsvRecords {
  readonly #style: CsvStyle;
  /** What needs no look within a value; within one in quotes. */
  readonly #plain: RegExp;
  readonly #inner: RegExp;
  #text = '';
  #at = 0;
  #isEnded = false;
  /** Of the text before `#text`. */
  #lines = 0;

  constructor(style: CsvStyle) {
    this.#style = style;
    this.#plain = others(`${style.delimiter[0] ?? ','}\r\n${style.escapeSign ?? ''}`);
    this.#inner = others(`${style.quote ?? ''}${style.escapeSign ?? ''}`);
  }

  push(text: string): void {
    if (this.#text.length - this.#at > RECORD_MAX)
      throw failure(`expected records of at most ${RECORD_MAX} characters`);
    this.#lines += linesIn(this.#text.slice(0, this.#at));
    this.#text = this.#text.slice(this.#at) + text;
    this.#at = 0;
  }

  end(): void {
    this.#isEnded = true;
  }

  /** The next record; `undefined`: there is none, or its end has not come yet. @throws ExchangeFailure */
  next(): CsvRecord | undefined {
    for (;;) {
      const start = this.#at;
      if (start >= this.#text.length) return undefined;
      const isBlank = this.#style.ignoresEmptyLines && this.#lineEnd();
      if (isBlank) continue;
      const record = this.#isComment() ? this.#comment() : this.#record();
      if (record === INCOMPLETE) {
        this.#at = start;
        return undefined;
      }
      if (record !== COMMENT) return record;
    }
  }

  #isComment(): boolean {
    return this.#style.comment !== undefined && this.#text.startsWith(this.#style.comment, this.#at);
  }

  #comment(): typeof COMMENT | typeof INCOMPLETE {
    while (this.#at < this.#text.length) {
      if (this.#lineEnd()) return COMMENT;
      this.#at++;
    }
    return this.#isEnded ? COMMENT : INCOMPLETE;
  }

  #record(): CsvRecord | typeof INCOMPLETE {
    const { quote, ignoresSpaces } = this.#style;
    const record: CsvRecord = [];
    for (;;) {
      if (ignoresSpaces) this.#skipSpaces();
      const isQuoted = quote !== undefined && this.#text[this.#at] === quote;
      const token = isQuoted ? this.#quoted(quote) : this.#simple();
      if (token === undefined || !this.#isEndKnown()) return INCOMPLETE;
      const isLast = !this.#takeDelimiter();
      this.#add(record, token, isQuoted, isLast);
      if (!isLast) continue;
      this.#lineEnd();
      return record;
    }
  }

  #add(record: CsvRecord, token: string, isQuoted: boolean, isLast: boolean): void {
    const value = this.#style.trims ? token.trim() : token;
    if (isLast && value === '' && this.#style.trailingDelimiter) return;
    record.push(this.#valueOf(value, isQuoted));
  }

  /** What ends a token is there as a whole: neither half a line end nor half a delimiter. */
  #isEndKnown(): boolean {
    if (this.#isEnded) return true;
    const needed = this.#text[this.#at] === '\n' ? 1 : Math.max(2, this.#style.delimiter.length);
    return this.#text.length - this.#at >= needed;
  }

  #valueOf(value: string, isQuoted: boolean): string | null {
    const { nullString, quoteMode } = this.#style;
    const isStrict = quoteMode === 'ALL_NON_NULL' || quoteMode === 'NON_NUMERIC';
    if (value === nullString) return isStrict && isQuoted ? value : null;
    return isStrict && nullString === undefined && value === '' && !isQuoted ? null : value;
  }

  #simple(): string | undefined {
    let token = '';
    for (;;) {
      token += this.#match(this.#plain);
      if (this.#at >= this.#text.length || this.#isTokenEnd()) {
        return this.#style.ignoresSpaces ? token.trimEnd() : token;
      }
      const sign = this.#sign();
      if (sign === undefined) return undefined;
      token += sign;
    }
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  /** One sign of a value, what is escaped as it is meant; `undefined`: it has not come yet. */
  #sign(): string | undefined {
    const sign = this.#text[this.#at] ?? '';
    if (sign === this.#style.escapeSign) return this.#escaped();
    this.#at++;
    return sign;
  }

  /** `undefined`: what is escaped has not come yet. */
  #escaped(): string | undefined {
    const { escapeSign = '', quote, comment, delimiter } = this.#style;
    const sign = this.#text[this.#at + 1];
    if (sign === undefined) {
      if (!this.#isEnded) return undefined;
      throw failure('the end of the text comes after an escape sign');
    }
    if (this.#text.startsWith(delimiter, this.#at + 1)) {
      this.#at += 1 + delimiter.length;
      return delimiter;
    }
    this.#at += 2;
    const control = CONTROLS[sign];
    if (control !== undefined) return control;
    return '\r\n\t\b\f'.includes(sign) || sign === escapeSign || sign === quote || sign === comment
      ? sign
      : escapeSign + sign;
  }

  #quoted(quote: string): string | undefined {
    const start = this.#at;
    let token = '';
    this.#at++;
    for (;;) {
      token += this.#match(this.#inner);
      if (this.#at >= this.#text.length) return this.#unclosed(start);
      if (this.#text[this.#at] === quote && this.#text[this.#at + 1] !== quote) break;
      const sign = this.#quotedSign(quote);
      if (sign === undefined) return undefined;
      token += sign;
    }
    return this.#closed(start) ? token : undefined;
  }

  #quotedSign(quote: string): string | undefined {
    if (this.#text[this.#at] !== quote) return this.#sign();
    this.#at += 2;
    return quote;
  }

  #unclosed(start: number): undefined {
    if (!this.#isEnded) return;
    const line = this.#lineOf(start);
    throw failure(`expected a closing quote of the value that begins in line ${line}, but found the end`);
  }

  /** Goes past the closing quote; false: what follows has not come yet. */
  #closed(start: number): boolean {
    if (this.#at + 1 >= this.#text.length && !this.#isEnded) return false;
    this.#at++;
    this.#skipSpaces();
    if (this.#at >= this.#text.length || this.#isTokenEnd()) return true;
    const [line, found] = [this.#lineOf(start), this.#text[this.#at]];
    throw failure(`expected a delimiter after the quoted value in line ${line}, but found '${found}'`);
  }

  #lineOf(at: number): number {
    return this.#lines + linesIn(this.#text.slice(0, at)) + 1;
  }

  #isTokenEnd(): boolean {
    return /[\r\n]/.test(this.#text[this.#at] ?? '') || this.#text.startsWith(this.#style.delimiter, this.#at);
  }

  #skipSpaces(): void {
    while (/[^\S\r\n]/.test(this.#text[this.#at] ?? '') && !this.#text.startsWith(this.#style.delimiter, this.#at)) {
      this.#at++;
    }
  }

  #takeDelimiter(): boolean {
    if (!this.#text.startsWith(this.#style.delimiter, this.#at)) return false;
    this.#at += this.#style.delimiter.length;
    return true;
  }

  #lineEnd(): boolean {
    const sign = this.#text[this.#at];
    if (sign !== '\r' && sign !== '\n') return false;
    this.#at += sign === '\r' && this.#text[this.#at + 1] === '\n' ? 2 : 1;
    return true;
  }
}

/** As many as there are of signs that are none of these. */
const others = (signs: string) => new RegExp(`[^${signs.replace(/[\]\\^-]/g, '\\$&')}]*`, 'y');

const INCOMPLETE = Symbol('incomplete');
const COMMENT = Symbol('comment');
const CONTROLS: Readonly<Record<string, string>> = { r: '\r', n: '\n', t: '\t', b: '\b', f: '\f' };

const linesIn = (text: string): number => text.split('\n').length - 1;

const failure = (message: string) => new ExchangeFailure('java.io.IOException', `CSV: ${message}`);
