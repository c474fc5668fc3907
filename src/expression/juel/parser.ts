import { isReservedName } from '../../shared/sound-text.js';
import { badSyntax, expressionTooComplex, expressionTooLong } from '../errors.js';
import { Lexer } from './lexer.js';

/** A node of a parsed expression. `at`: offset in the whole text. */
export type Node =
  | { readonly kind: 'literal'; readonly value: unknown }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'member'; readonly object: Node; readonly key: Node }
  /** `now()` */
  | { readonly kind: 'function'; readonly name: string; readonly args: readonly Node[] }
  /** `name.contains('a')` */
  | { readonly kind: 'method'; readonly object: Node; readonly method: Node; readonly args: readonly Node[] }
  | { readonly kind: 'unary'; readonly operator: UnaryOperator; readonly operand: Node }
  | { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: Node; readonly right: Node }
  | { readonly kind: 'choice'; readonly test: Node; readonly yes: Node; readonly no: Node };

export type UnaryOperator = '!' | '-' | 'empty';
export type BinaryOperator = '||' | '&&' | '==' | '!=' | '<' | '>' | '<=' | '>=' | '+' | '-' | '*' | '/' | '%';

/** A whole text: literal parts and expressions in turn. */
export type Template = readonly (string | Node)[];

/** Names that reach into JavaScript's own machinery: never a variable, property or key. */
export const isForbiddenName = isReservedName;

/** The longest single `${…}`, in characters. */
const EXPRESSION_LENGTH_MAX = 4096;
/** The longest text with expressions in it, in characters. Text without any has no limit here. */
const TEMPLATE_LENGTH_MAX = 65_536;
/** The most operators, calls and parentheses in one `${…}`: bounds its nesting and the steps of an evaluation. */
const OPERATORS_MAX = 500;

/** How strongly operators bind (§1.13), beginning with the weakest. The ternary operator binds less than all of them. */
const POWERS: ReadonlyMap<string, number> = new Map([
  ['||', 1],
  ['&&', 2],
  ['==', 3],
  ['!=', 3],
  ['<', 4],
  ['>', 4],
  ['<=', 4],
  ['>=', 4],
  ['+', 5],
  ['-', 5],
  ['*', 6],
  ['/', 6],
  ['%', 6],
]);
const UNARY_POWER = 7;

/**
 * Reads a text of literal parts and `${…}` or `#{…}`. In the literal parts `\$` and `\#` before a brace stand for `$` and `#`, and `\\` for
 * one backslash. @throws BAD_REQUEST with the column and what was found there
 */
export function parseTemplate(text: string): Template {
  const parts: (string | Node)[] = [];
  let position = 0;
  for (;;) {
    const literal = readLiteral(text, position);
    if (literal.value !== '') parts.push(literal.value);
    position = literal.end;
    if (position >= text.length) return parts;
    if (text.length > TEMPLATE_LENGTH_MAX) throw expressionTooLong(text, position, TEMPLATE_LENGTH_MAX);
    const parser = new Parser(text, position + 2);
    parts.push(parser.parse());
    position = parser.end;
  }
}

/** The literal text from `start` to the next expression, as JUEL's scanner reads it. */
function readLiteral(text: string, start: number): { value: string; end: number } {
  const opening = /\\|[$#]\{/g;
  opening.lastIndex = start;
  let value = '';
  let from = start;
  for (;;) {
    const found = opening.exec(text);
    if (found === null) return { value: value + text.slice(from), end: text.length };
    const at = found.index;
    value += text.slice(from, at);
    if (found[0] !== '\\') return { value, end: at };
    const escaped = text.charAt(at + 1);
    const isEscape = escaped === '\\' || ((escaped === '$' || escaped === '#') && text.charAt(at + 2) === '{');
    value += isEscape ? escaped : '\\';
    from = at + (isEscape ? 2 : 1);
    opening.lastIndex = from;
  }
}

/** A Pratt parser for what stands between the braces. */
class Parser {
  readonly #lexer: Lexer;
  readonly #start: number;
  #operators = 0;

  constructor(text: string, start: number) {
    this.#start = start;
    this.#lexer = new Lexer(text, start);
  }

  /** Behind the closing brace; of use after {@link parse}. */
  get end(): number {
    return this.#lexer.position;
  }

  parse(): Node {
    const node = this.#expression();
    if (!this.#lexer.accept('}')) throw this.#lexer.unexpected("an operator or '}'");
    if (this.end - this.#start > EXPRESSION_LENGTH_MAX) {
      throw expressionTooLong(this.#lexer.text, this.#start, EXPRESSION_LENGTH_MAX);
    }
    return node;
  }

  #expression(): Node {
    const test = this.#binary(0);
    if (!this.#lexer.accept('?')) return test;
    this.#count();
    const yes = this.#expression();
    this.#lexer.expect(':');
    return { kind: 'choice', test, yes, no: this.#expression() };
  }

  #binary(power: number): Node {
    let left = this.#unary();
    for (;;) {
      const { type, text } = this.#lexer.token;
      const own = type === 'symbol' ? POWERS.get(text) : undefined;
      if (own === undefined || own <= power) return left;
      this.#count();
      this.#lexer.advance();
      left = { kind: 'binary', operator: text as BinaryOperator, left, right: this.#binary(own) };
    }
  }

  #unary(): Node {
    const { type, text } = this.#lexer.token;
    if (type === 'symbol' && (text === '!' || text === '-' || text === 'empty')) {
      this.#count();
      this.#lexer.advance();
      return { kind: 'unary', operator: text, operand: this.#binary(UNARY_POWER) };
    }
    return this.#value();
  }

  /** A primary with what hangs on it: `.name`, `[key]`, `(arguments)`. */
  #value(): Node {
    let node = this.#primary();
    for (;;) {
      const key = this.#key();
      if (key === undefined) return node;
      this.#count();
      node = this.#lexer.accept('(')
        ? { kind: 'method', object: node, method: key, args: this.#args() }
        : { kind: 'member', object: node, key };
    }
  }

  #key(): Node | undefined {
    if (this.#lexer.accept('[')) {
      const key = this.#expression();
      this.#lexer.expect(']');
      return key;
    }
    if (!this.#lexer.accept('.')) return undefined;
    return { kind: 'literal', value: this.#propertyName() };
  }

  /** Behind a dot also the words of the language are names: `order.mod`. */
  #propertyName(): string {
    const { type, text, value, at } = this.#lexer.token;
    const name = type === 'symbol' && typeof value === 'string' ? value : text;
    if (type !== 'name' && !/^[a-z]+$/.test(name)) throw this.#lexer.unexpected('the name of a property or method');
    this.#refuseForbidden(name, at);
    this.#lexer.advance();
    return name;
  }

  #primary(): Node {
    const { type, text, value, at } = this.#lexer.token;
    if (type === 'literal') {
      this.#lexer.advance();
      return { kind: 'literal', value };
    }
    if (type === 'name') {
      this.#refuseForbidden(text, at);
      this.#lexer.advance();
      return this.#lexer.accept('(') ? this.#function(text) : { kind: 'name', name: text };
    }
    if (!this.#lexer.accept('(')) throw this.#lexer.unexpected("a value, a name or '('");
    this.#count();
    const inner = this.#expression();
    this.#lexer.expect(')');
    return inner;
  }

  #function(name: string): Node {
    this.#count();
    return { kind: 'function', name, args: this.#args() };
  }

  /** Behind the opening parenthesis. */
  #args(): Node[] {
    const args: Node[] = [];
    if (this.#lexer.accept(')')) return args;
    do args.push(this.#expression());
    while (this.#lexer.accept(','));
    this.#lexer.expect(')');
    return args;
  }

  #count(): void {
    if (++this.#operators > OPERATORS_MAX) {
      throw expressionTooComplex(this.#lexer.text, this.#lexer.token.at, OPERATORS_MAX);
    }
  }

  #refuseForbidden(name: string, at: number): void {
    if (isForbiddenName(name)) throw badSyntax(this.#lexer.text, at, 'a name that may be used', name);
  }
}
