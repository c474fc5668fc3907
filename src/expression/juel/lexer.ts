import { badSyntax } from '../errors.js';
import { type Double, double } from './value.js';

interface Token {
  readonly type: 'literal' | 'name' | 'symbol' | 'end';
  /** A symbol, keyword operator (as its symbol) or name; of a literal, as written. */
  readonly text: string;
  readonly value?: unknown;
  readonly at: number;
}

/** Operators that have a name too (JSR-245 EL 2.2 §1.16). */
const WORD_OPERATORS: ReadonlyMap<string, string> = new Map([
  ['and', '&&'],
  ['or', '||'],
  ['not', '!'],
  ['eq', '=='],
  ['ne', '!='],
  ['lt', '<'],
  ['gt', '>'],
  ['le', '<='],
  ['ge', '>='],
  ['div', '/'],
  ['mod', '%'],
  ['empty', 'empty'],
  ['instanceof', 'instanceof'],
]);

const LITERALS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

const SPACE = /[ \t\r\n]*/y;
const NAME = /[\p{L}\p{Nl}_$][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}_$]*/uy;
const NUMBER = /(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?/y;
const SYMBOL = /&&|\|\||[=!<>]=|[-+*/%<>!?:.,()[\]}]/y;

/** The tokens of one `${…}`, read one at a time from the text around it. */
export class Lexer {
  readonly text: string;
  #position: number;
  #token: Token;

  /** `position`: behind the opening brace. */
  constructor(text: string, position: number) {
    this.text = text;
    this.#position = position;
    this.#token = this.#read();
  }

  /** The token at hand. */
  get token(): Token {
    return this.#token;
  }

  /** Where the text goes on behind the token at hand. */
  get position(): number {
    return this.#position;
  }

  /** Goes on to the next token. Gives the one that was at hand. */
  advance(): Token {
    const token = this.#token;
    this.#token = this.#read();
    return token;
  }

  /** Goes on when the symbol is at hand. */
  accept(symbol: string): boolean {
    const found = this.#token.type === 'symbol' && this.#token.text === symbol;
    // The closing brace ends the expression: what follows it is text, not tokens.
    if (found && symbol !== '}') this.advance();
    return found;
  }

  /** @throws BAD_REQUEST */
  expect(symbol: string): void {
    if (!this.accept(symbol)) throw this.unexpected(`'${symbol}'`);
  }

  unexpected(expected: string) {
    const { type, text, at } = this.#token;
    return badSyntax(this.text, at, expected, type === 'end' ? 'the end of the text' : text);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position;
    const found = pattern.exec(this.text)?.[0];
    this.#position += found?.length ?? 0;
    return found;
  }

  #read(): Token {
    this.#match(SPACE);
    const at = this.#position;
    const next = this.text.charAt(at);
    if (next === '') return { type: 'end', text: '', at };
    if (next === "'" || next === '"') return this.#string(next, at);
    const number = this.#match(NUMBER);
    if (number !== undefined) return { type: 'literal', text: number, value: this.#number(number, at), at };
    const name = this.#match(NAME);
    if (name !== undefined) return word(name, at);
    const symbol = this.#match(SYMBOL);
    if (symbol !== undefined) return { type: 'symbol', text: symbol, at };
    throw badSyntax(
      this.text,
      at,
      'an operator, a name or a value',
      String.fromCodePoint(this.text.codePointAt(at) ?? 0),
    );
  }

  #number(text: string, at: number): number | bigint | Double {
    if (/[.eE]/.test(text)) return double(Number(text));
    const value = BigInt(text);
    if (value >= 2n ** 63n) throw badSyntax(this.text, at, 'a whole number of at most 64 bits', text);
    return Number.isSafeInteger(Number(text)) ? Number(text) : value;
  }

  /** §1.3: `\\`, `\'` and `\"` are the only escapes. */
  #string(quote: string, at: number): Token {
    let value = '';
    for (let i = at + 1; ; i++) {
      const character = this.text.charAt(i);
      if (character === '') throw badSyntax(this.text, at, `a closing ${quote}`, 'the end of the text');
      if (character === quote) {
        this.#position = i + 1;
        return { type: 'literal', text: this.text.slice(at, i + 1), value, at };
      }
      if (character !== '\\') {
        value += character;
        continue;
      }
      const escaped = this.text.charAt(++i);
      if (escaped === '' || !`\\'"`.includes(escaped)) {
        throw badSyntax(this.text, i - 1, String.raw`one of the escapes \\ \' \"`, `\\${escaped}`);
      }
      value += escaped;
    }
  }
}

function word(name: string, at: number): Token {
  const operator = WORD_OPERATORS.get(name);
  if (operator !== undefined) return { type: 'symbol', text: operator, value: name, at };
  if (LITERALS.has(name)) return { type: 'literal', text: name, value: LITERALS.get(name), at };
  return { type: 'name', text: name, at };
}
