import { Double } from '../exchange/double.js';
import { ExchangeFailure } from '../exchange/failure.js';

/** How deep JSON may be nested. */
export const JSON_DEPTH_MAX = 1_000;
/**
 * What JSON.parse would change: integers of more than 15 digits, doubles without a fraction, and names that are numbers, which an object puts first. Within texts it
 * is no harm: such a document is read in the slower way.
 */
const INEXACT = /(?:^|[:,[\s])-?\d+(?:\d{15}|\.0*(?:[\s,}\]]|$)|(?:\.\d+)?[eE])|"\d+"\s*:/;

/**
 * A value as Jackson reads it into Java's own types: integers of any length exactly (bigint beyond 2^53), `5.0` as a {@link Double}, objects in the order they were
 * written (a Map, where names are numbers). @throws ExchangeFailure JsonParseException
 */
export function readJson(text: string): unknown {
  if (text.length > 2 * JSON_DEPTH_MAX) checkDepth(text);
  if (INEXACT.test(text)) return new Reader(text).all();
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw parseFailure(thrown instanceof Error ? thrown.message : String(thrown));
  }
}

const parseFailure = (message: string) =>
  new ExchangeFailure('com.fasterxml.jackson.core.JsonParseException', `expected JSON: ${message}`);

/** @throws StreamConstraintsException where brackets are nested too deeply, without reading what they hold */
function checkDepth(text: string): void {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = endOfString(text, at);
    else if (sign === CLOSE_LIST || sign === CLOSE_MAP) depth--;
    else if ((sign === OPEN_LIST || sign === OPEN_MAP) && ++depth > JSON_DEPTH_MAX) throw tooDeep();
  }
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/** Where the string that begins at `start` ends: the place of its closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  let at = start;
  let slashes: number;
  do {
    at = text.indexOf('"', at + 1);
    if (at < 0) return text.length;
    slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++;
  } while (slashes % 2 === 1);
  return at;
}

const tooDeep = () =>
  new ExchangeFailure(
    'com.fasterxml.jackson.core.exc.StreamConstraintsException',
    `expected JSON of at most ${JSON_DEPTH_MAX} levels`,
  );

const BLANKS = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
/** How long a number may be, in characters. */
const NUMBER_MAX = 1_000;

/** Reads JSON where nothing of a number or of the order of names may be lost. */
class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  all(): unknown {
    this.#match(BLANKS);
    const value = this.#value();
    this.#match(BLANKS);
    if (this.#at < this.#text.length) throw this.#unexpected('the end');
    return value;
  }

  #value(): unknown {
    const sign = this.#text[this.#at];
    if (sign === '{') return this.#nested(() => this.#object());
    if (sign === '[') return this.#nested(() => this.#list());
    if (sign === '"') return this.#string();
    const word = this.#match(WORD);
    if (word !== '') return word === 'null' ? null : word === 'true';
    return this.#number();
  }

  #nested<V>(read: () => V): V {
    if (++this.#depth > JSON_DEPTH_MAX) throw tooDeep();
    this.#at++;
    this.#match(BLANKS);
    const value = read();
    this.#depth--;
    return value;
  }

  #object(): unknown {
    const entries: [string, unknown][] = [];
    if (this.#take('}')) return {};
    do {
      this.#match(BLANKS);
      const name = this.#string();
      this.#match(BLANKS);
      if (!this.#take(':')) throw this.#unexpected("':'");
      this.#match(BLANKS);
      entries.push([name, this.#value()]);
      this.#match(BLANKS);
    } while (this.#take(','));
    if (!this.#take('}')) throw this.#unexpected("',' or '}'");
    return entries.some(([name]) => /^\d+$/.test(name)) ? new Map(entries) : Object.fromEntries(entries);
  }

  #list(): unknown {
    const list: unknown[] = [];
    if (this.#take(']')) return list;
    do {
      this.#match(BLANKS);
      list.push(this.#value());
      this.#match(BLANKS);
    } while (this.#take(','));
    if (!this.#take(']')) throw this.#unexpected("',' or ']'");
    return list;
  }

  #string(): string {
    if (this.#text[this.#at] !== '"') throw this.#unexpected('a value');
    const end = endOfString(this.#text, this.#at) + 1;
    try {
      const value = JSON.parse(this.#text.slice(this.#at, end)) as string;
      this.#at = end;
      return value;
    } catch {
      throw this.#unexpected('a text in quotes');
    }
  }

  #number(): unknown {
    NUMBER.lastIndex = this.#at;
    const found = NUMBER.exec(this.#text);
    if (found === null) throw this.#unexpected('a value');
    const [written, fraction, exponent] = found;
    if (written.length > NUMBER_MAX) throw parseFailure(`a number of more than ${NUMBER_MAX} characters`);
    this.#at += written.length;
    const number = Number(written);
    if (fraction !== undefined || exponent !== undefined) return doubleOf(number);
    return Number.isSafeInteger(number) ? number : BigInt(written);
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #take(sign: string): boolean {
    if (this.#text[this.#at] !== sign) return false;
    this.#at++;
    return true;
  }

  #unexpected(expected: string): ExchangeFailure {
    const found = this.#at < this.#text.length ? `'${this.#text[this.#at]}'` : 'the end';
    return parseFailure(`expected ${expected} at position ${this.#at}, but found ${found}`);
  }
}

const doubleOf = (number: number) => (Number.isInteger(number) ? new Double(number) : number);
