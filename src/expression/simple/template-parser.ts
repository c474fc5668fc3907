import { joinTemplate } from './join-operators.js';
import type { Item, OperatorToken, SimpleNode } from './node.js';
import { Scanner } from './scanner.js';
import { SyntaxProblem } from './syntax-error.js';

/** A text with functions in it, as an expression has it: outside of functions only `++`, `--`, `?:` and `~>` are more than text. @throws SyntaxProblem */
export function parseTemplate(text: string): readonly SimpleNode[] {
  return joinTemplate(new TemplateReader(text).items());
}

class TemplateReader {
  readonly #scanner: Scanner;
  readonly #items: Item[] = [];
  #text = '';
  #textAt = 0;

  constructor(text: string) {
    this.#scanner = new Scanner(text);
  }

  items(): readonly Item[] {
    const scanner = this.#scanner;
    while (!scanner.isAtEnd) {
      if (scanner.functionStart() > 0) this.#function();
      else if (!this.#operator()) this.#character();
    }
    this.#endText();
    return this.#items;
  }

  #function(): void {
    this.#endText();
    const { at } = this.#scanner;
    this.#items.push({ kind: 'function', at, text: this.#scanner.functionText() });
  }

  #character(): void {
    if (this.#text === '') this.#textAt = this.#scanner.at;
    this.#text += this.#scanner.character();
  }

  #endText(): void {
    if (this.#text !== '') this.#items.push({ kind: 'text', at: this.#textAt, text: this.#text });
    this.#text = '';
  }

  #operator(): boolean {
    const operator = this.#unary() ?? this.#between();
    if (operator === undefined) return false;
    this.#scanner.at += operator.sign.length;
    if (operator.family !== 'unary') {
      // The blanks around it are not part of the texts.
      if (this.#text.endsWith(' ')) this.#text = this.#text.slice(0, -1);
      this.#checkOperand(operator);
    }
    this.#endText();
    this.#items.push(operator);
    return true;
  }

  #unary(): OperatorToken | undefined {
    const { text, at } = this.#scanner;
    const sign = text.slice(at, at + 2);
    if ((sign !== '++' && sign !== '--') || this.#text !== '' || this.#items.at(-1)?.kind !== 'function')
      return undefined;
    const after = text[at + 2];
    return after === undefined || after === ' ' ? { kind: 'operator', at, family: 'unary', sign } : undefined;
  }

  #between(): OperatorToken | undefined {
    const { text, at } = this.#scanner;
    if (this.#scanner.hasBetweenBlanks('?:')) return { kind: 'operator', at, family: 'elvis', sign: '?:' };
    const sign = ['~>', '?~>'].find((it) => text.startsWith(it, at));
    return sign === undefined ? undefined : { kind: 'operator', at, family: 'chain', sign };
  }

  /** What follows has to be a value, though it is read as text: `'…'`, `"…"`, a function, a number, true, false or null. */
  #checkOperand({ sign, at, family }: OperatorToken): void {
    const scanner = this.#scanner;
    if (!scanner.isBlank()) throw new SyntaxProblem(at + sign.length - 1, `expected a blank behind ${sign}`);
    scanner.skipBlanks();
    if (scanner.functionStart() > 0 || OPERAND.test(scanner.text.slice(scanner.at))) return;
    const name = family === 'chain' ? 'Chain' : 'Other';
    const found = scanner.isAtEnd ? 'the end' : `token ${scanner.peek()}`;
    throw new SyntaxProblem(scanner.at, `${name} operator ${sign} does not support ${found}`);
  }
}

const OPERAND = /^(?:'[^']*'|"[^"]*"|\d|true|false|null|\$\w+)/;
