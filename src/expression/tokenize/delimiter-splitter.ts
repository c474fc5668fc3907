import { ExchangeFailure } from '../exchange/failure.js';
import { easyPattern } from '../juel/easy-pattern.js';
import { Failure, Work } from '../juel/failure.js';
import { Pattern } from '../juel/pattern.js';
import { checkLength, type Splitter } from './splitter.js';

interface Found {
  readonly start: number;
  readonly end: number;
}

type Find = (text: string) => Iterable<Found>;

/** Items between delimiters. One at the very beginning, and one at the end, parts nothing. `source`: a regular expression of Java's. @throws ExchangeFailure PatternSyntaxException */
export class DelimiterSplitter implements Splitter {
  readonly #find: Find;
  #rest = '';
  #isBegun = false;

  constructor(source: string) {
    this.#find = finder(source);
  }

  *push(text: string): Iterable<string> {
    this.#rest += text;
    checkLength(this.#rest.length);
    yield* this.#cut(false);
  }

  *end(): Iterable<string> {
    yield* this.#cut(true);
    if (this.#rest !== '') yield this.#rest;
    this.#rest = '';
  }

  *#cut(isLast: boolean): Iterable<string> {
    const text = this.#rest;
    let from = 0;
    for (const { start, end } of this.#find(text)) {
      // What comes may belong to the delimiter.
      if (end === text.length && !isLast) break;
      if (end === 0) continue;
      if (start > from || this.#isBegun) yield text.slice(from, start);
      this.#isBegun = true;
      from = end;
    }
    this.#rest = text.slice(from);
  }
}

/** How much is gone through in one piece of a text, in steps. */
const WORK_MAX = 200_000_000;

function finder(source: string): Find {
  if (source !== '' && !/[.$|()[\]{}^?*+\\]/.test(source)) return (text) => plainly(text, source);
  const easy = easyPattern(source, 0);
  if (easy !== undefined) return (text) => easily(text, new RegExp(easy, 'gu'));
  try {
    const pattern = new Pattern(source);
    return (text) => pattern.found(text, new Work(WORK_MAX));
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    throw new ExchangeFailure('java.util.regex.PatternSyntaxException', thrown.message, { cause: thrown });
  }
}

function* easily(text: string, pattern: RegExp): Iterable<Found> {
  for (const { index, 0: found } of text.matchAll(pattern)) yield { start: index, end: index + found.length };
}

function* plainly(text: string, token: string): Iterable<Found> {
  for (let start = text.indexOf(token); start >= 0; start = text.indexOf(token, start + token.length)) {
    yield { start, end: start + token.length };
  }
}

/** Splitter into the texts between a token and the next end token; `includes` them or not. One that does not end ends with the text. */
export class PairSplitter implements Splitter {
  readonly #token: string;
  readonly #endToken: string;
  readonly #includes: boolean;
  #rest = '';
  #searched = 0;

  constructor(token: string, endToken: string, includes: boolean) {
    this.#token = token;
    this.#endToken = endToken;
    this.#includes = includes;
  }

  *push(text: string): Iterable<string> {
    this.#rest += text;
    checkLength(this.#rest.length);
    for (let end = this.#endFrom(); end >= 0; end = this.#endFrom()) {
      const piece = this.#rest.slice(0, end);
      this.#rest = this.#rest.slice(end + this.#endToken.length);
      this.#searched = 0;
      yield* this.#item(piece);
    }
    this.#searched = Math.max(0, this.#rest.length - this.#endToken.length + 1);
  }

  *end(): Iterable<string> {
    yield* this.#item(this.#rest);
    this.#rest = '';
  }

  #endFrom(): number {
    return this.#rest.indexOf(this.#endToken, this.#searched);
  }

  *#item(piece: string): Iterable<string> {
    const start = piece.indexOf(this.#token);
    if (start < 0) return;
    const inner = piece.slice(start + this.#token.length);
    yield this.#includes ? this.#token + inner + this.#endToken : inner;
  }
}
