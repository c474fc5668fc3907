import { ExchangeFailure } from '../exchange/failure.js';
import { readJson } from '../format/json-text.js';

/** Goes through the text of a path. What it does not find is an InvalidPathException with the place. */
export class Scanner {
  readonly #text: string;
  at = 0;
  /** How deep parentheses and filters are. */
  depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get atEnd(): boolean {
    return this.at >= this.#text.length;
  }

  /** The sign that comes next; '' at the end. */
  peek(): string {
    return this.#text[this.at] ?? '';
  }

  skip(): void {
    this.at++;
  }

  skipBlanks(): void {
    while (this.peek() === ' ') this.at++;
  }

  take(text: string): boolean {
    if (!this.#text.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  expect(sign: string): void {
    if (!this.take(sign)) throw this.unexpected(`'${sign}'`);
  }

  /** What a sticky pattern matches here; '' where it does not. */
  match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.at += found.length;
    return found;
  }

  since(start: number): string {
    return this.#text.slice(start, this.at);
  }

  /** A text in single or double quotes; a backslash takes the sign after it as it is. */
  quoted(): string {
    const start = this.at;
    const quote = this.peek();
    if (quote !== "'" && quote !== '"') throw this.unexpected('a quote');
    for (this.at++; !this.atEnd && this.peek() !== quote; this.at++) if (this.peek() === '\\') this.at++;
    if (this.atEnd) throw this.failure(`a closing ${quote}`, start);
    this.at++;
    const inner = this.#text.slice(start + 1, this.at - 1);
    return inner.includes('\\') ? unescaped(inner) : inner;
  }

  /** A text in quotes, a number, true, false, null, or JSON in brackets. */
  literal(): unknown {
    const sign = this.peek();
    if (sign === "'" || sign === '"') return this.quoted();
    if (sign === '[' || sign === '{') return this.#json();
    const word = this.match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true\b|false\b|null\b/y);
    if (word === '') throw this.unexpected('a value');
    return readJson(word);
  }

  #json(): unknown {
    const start = this.at;
    let depth = 0;
    do {
      if (this.atEnd) throw this.failure('a closing bracket', start);
      const sign = this.match(/[^'"[\]{}]*/y) + this.peek();
      depth += BRACKETS[sign.at(-1) ?? ''] ?? 0;
      if (/['"]$/.test(sign)) this.quoted();
      else this.at++;
    } while (depth > 0);
    const text = this.since(start).replace(/'((?:[^'\\]|\\.)*)'/g, (_, inner) => JSON.stringify(unescaped(inner)));
    try {
      return readJson(text);
    } catch {
      throw this.failure('JSON', start);
    }
  }

  unexpected(expected: string): ExchangeFailure {
    return this.failure(expected, this.at);
  }

  failure(expected: string, at: number): ExchangeFailure {
    const found = at < this.#text.length ? `'${this.#text[at]}'` : 'the end';
    return new ExchangeFailure(
      'com.jayway.jsonpath.InvalidPathException',
      `expected ${expected} at position ${at} of '${this.#text.slice(0, 200)}', but found ${found}`,
    );
  }
}

const BRACKETS: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };
const ESCAPES: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r' };

const unescaped = (text: string): string =>
  text.replace(/\\(?:u([\da-fA-F]{4})|([\s\S]))/g, (_, code: string | undefined, sign: string) =>
    code === undefined ? (ESCAPES[sign] ?? sign) : String.fromCharCode(Number.parseInt(code, 16)),
  );
