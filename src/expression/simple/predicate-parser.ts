import { integerText, isFloatingNumber, isNumber } from '../conversion/number.js';
import { Double } from '../exchange/double.js';
import { joinPredicate } from './join-operators.js';
import type { Item, SimpleNode } from './node.js';
import { Scanner } from './scanner.js';
import { SyntaxProblem } from './syntax-error.js';

/** A text of values and operators between them, as a predicate has it. Several values without an operator must all hold. @throws SyntaxProblem */
export function parsePredicate(text: string): readonly SimpleNode[] {
  return joinPredicate(new PredicateReader(text).items());
}

/** Longer ones first, where one begins with the other. */
const BINARY = [
  ...['==', '=~', '>=', '<=', '>', '<', '!=~', '!=', 'not is', '!is', 'is', 'not contains', '!contains', 'contains'],
  ...['!~~', '~~', 'not regex', '!regex', 'regex', 'not in', '!in', 'in', 'not range', '!range', 'range'],
  ...['startsWith', 'starts with', '!startsWith', 'endsWith', 'ends with', '!endsWith'],
];
/** One sign for those that mean the same. */
const SAME: Readonly<Record<string, string>> = {
  'not is': '!is',
  'not contains': '!contains',
  'not regex': '!regex',
  'not in': '!in',
  'not range': '!range',
  'starts with': 'startsWith',
  'ends with': 'endsWith',
};
/** Whose right side is a text or a function. */
const TEXT_ONLY = new Set(['is', '!is', 'regex', '!regex', 'range', '!range']);

class PredicateReader {
  readonly #scanner: Scanner;
  readonly #items: Item[] = [];

  constructor(text: string) {
    this.#scanner = new Scanner(text);
  }

  items(): readonly Item[] {
    const scanner = this.#scanner;
    for (scanner.skipBlanks(); !scanner.isAtEnd; scanner.skipBlanks()) {
      const item = this.#quoted() ?? this.#function() ?? this.#unary() ?? this.#boolean();
      if (item !== undefined) this.#items.push(item);
      else if (!this.#operator()) throw new SyntaxProblem(scanner.at, `Unexpected token ${scanner.peek()}`);
    }
    return this.#items;
  }

  #quoted(functions = true): SimpleNode | undefined {
    const scanner = this.#scanner;
    const quote = scanner.peek();
    if (quote !== "'" && quote !== '"') return undefined;
    const start = scanner.at++;
    const parts: SimpleNode[] = [];
    let text = '';
    const endText = (at: number) => {
      if (text !== '') parts.push({ kind: 'text', at, text });
      text = '';
    };
    for (let from = scanner.at; scanner.peek() !== quote; ) {
      if (scanner.isAtEnd) {
        const name = quote === "'" ? 'singleQuote' : 'doubleQuote';
        throw new SyntaxProblem(scanner.at - 1, `expected symbol ${name} but was eol`);
      }
      if (functions && scanner.functionStart() > 0) {
        endText(from);
        parts.push({ kind: 'function', at: scanner.at, text: scanner.functionText(false) });
        from = scanner.at;
      } else text += scanner.text[scanner.at++];
    }
    endText(start + 1);
    scanner.at++;
    return { kind: 'quoted', at: start, parts };
  }

  #function(): SimpleNode | undefined {
    const { at } = this.#scanner;
    return this.#scanner.functionStart() > 0 ? { kind: 'function', at, text: this.#scanner.functionText() } : undefined;
  }

  #unary(): Item | undefined {
    const scanner = this.#scanner;
    const { at, text } = scanner;
    const sign = text.slice(at, at + 2);
    if ((sign !== '++' && sign !== '--') || text[at - 1] !== '}') return undefined;
    scanner.at += 2;
    if (!scanner.isAtEnd && !scanner.isBlank())
      throw new SyntaxProblem(at, `expected symbol whiteSpace behind ${sign}`);
    return { kind: 'operator', at, family: 'unary', sign };
  }

  #boolean(): SimpleNode | undefined {
    return this.#word(['true', 'false']);
  }

  #word(words: readonly string[]): SimpleNode | undefined {
    const { at, text } = this.#scanner;
    const word = words.find((it) => text.startsWith(it, at));
    if (word === undefined) return undefined;
    this.#scanner.at += word.length;
    return { kind: 'value', at, value: word === 'null' ? null : word === 'true' };
  }

  /** An operator between two values, and the value behind it. */
  #operator(): boolean {
    const scanner = this.#scanner;
    const { at } = scanner;
    const found = this.#sign();
    if (found === undefined) return false;
    const { family, sign } = found;
    scanner.at += sign.length;
    if (!scanner.isBlank()) throw new SyntaxProblem(at, `expected symbol whiteSpace behind ${sign}`);
    scanner.skipBlanks();
    this.#items.push({ kind: 'operator', at, family, sign: SAME[sign] ?? sign });
    this.#items.push(this.#operand(family, sign));
    if (!scanner.isAtEnd && !scanner.isBlank())
      throw new SyntaxProblem(scanner.at, `expected symbol whiteSpace but was ${scanner.peek()}`);
    return true;
  }

  #sign() {
    const scanner = this.#scanner;
    const binary = BINARY.find((it) => scanner.hasBetweenBlanks(it));
    if (binary !== undefined) return { family: 'binary', sign: binary } as const;
    if (scanner.hasBetweenBlanks('?:')) return { family: 'elvis', sign: '?:' } as const;
    const ternary = ['?', ':'].find((it) => scanner.hasBetweenBlanks(it));
    if (ternary !== undefined) return { family: 'ternary', sign: ternary } as const;
    const chain = ['~>', '?~>'].find((it) => scanner.text.startsWith(it, scanner.at));
    if (chain !== undefined) return { family: 'chain', sign: chain } as const;
    const logical = ['&&', '||'].find((it) => scanner.text.startsWith(it, scanner.at));
    return logical === undefined ? undefined : ({ family: 'logical', sign: logical } as const);
  }

  #operand(family: string, sign: string): SimpleNode {
    const scanner = this.#scanner;
    const normal = SAME[sign] ?? sign;
    const quoted = this.#quoted(!normal.endsWith('regex')) ?? this.#function();
    if (quoted !== undefined) return quoted;
    const isTextOnly = family === 'binary' && TEXT_ONLY.has(normal);
    const value = isTextOnly ? undefined : (this.#number(family) ?? this.#word(['true', 'false', 'null']));
    if (value !== undefined) return value;
    const name = `${family.charAt(0).toUpperCase()}${family.slice(1)}`;
    throw new SyntaxProblem(scanner.at, `${name} operator ${sign} does not support token ${scanner.peek() || 'null'}`);
  }

  /** Digits with points and commas in them; text, where they are no number. */
  #number(family: string): SimpleNode | undefined {
    const { at, text } = this.#scanner;
    const found = (family === 'binary' ? NUMBER : POSITIVE).exec(text.slice(at, at + DIGITS_MAX))?.[0];
    if (found === undefined) return undefined;
    this.#scanner.at += found.length;
    if (isNumber(found)) return { kind: 'value', at, value: integerText(found) };
    if (!isFloatingNumber(found)) return { kind: 'text', at, text: found };
    const value = Number(found);
    return { kind: 'value', at, value: Number.isInteger(value) ? new Double(value) : value };
  }
}

const DIGITS_MAX = 1_000;
const NUMBER = /^-?\d[\d.,]*/;
const POSITIVE = /^\d[\d.,]*/;
