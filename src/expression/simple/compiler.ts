import { asText, convert } from '../conversion/convert.js';
import { isMap, typeName } from '../conversion/java-class.js';
import { textOf } from '../conversion/text.js';
import { truthOf } from '../conversion/truth.js';
import type { Exchange } from '../exchange/exchange.js';
import { ExchangeFailure } from '../exchange/failure.js';
import { Asked, type Expression, type Language, type Predicate } from '../exchange/language.js';
import { mapped } from '../exchange/stream.js';
import { unquoted } from './arguments.js';
import { chained } from './chain.js';
import type { SimpleNode } from './node.js';
import { comparison } from './operators.js';
import { parsePredicate } from './predicate-parser.js';
import { SyntaxProblem } from './syntax-error.js';
import { parseTemplate } from './template-parser.js';
import { ternaryOf } from './ternary.js';
import type { FunctionCompiler, TextCompiler } from './text-compiler.js';

/** How many functions and texts one expression may have, each counted as often as it is read. */
const PARTS_MAX = 5_000;

/** Makes closures of one text, and of all that is nested in it. */
export class SimpleCompiler implements TextCompiler {
  readonly functions = new Map<string, Expression>();
  readonly languageOf: (name: string) => Language;
  readonly #functionOf: FunctionCompiler;
  #parts = 0;

  constructor(languageOf: (name: string) => Language, functionOf: FunctionCompiler) {
    this.languageOf = languageOf;
    this.#functionOf = functionOf;
  }

  template(text: string): Expression {
    this.#count();
    return concatenation(parseTemplate(text).map((node) => this.#node(node)));
  }

  predicate(text: string): Predicate {
    this.#count();
    const [first = () => false, ...more] = parsePredicate(text).map((node) => this.#condition(node));
    return more.reduce<Predicate>((all, next) => both(all, next), first);
  }

  function(text: string): Expression {
    this.#count();
    return ternaryOf(text, this) ?? this.#functionOf(text, this);
  }

  #count(): void {
    if (++this.#parts > PARTS_MAX) throw new SyntaxProblem(0, `expected an expression of at most ${PARTS_MAX} parts`);
  }

  #condition(node: SimpleNode): Predicate {
    const value = this.#node(node);
    return (exchange) => {
      const known = value(exchange);
      return typeof known === 'boolean' ? known : (mapped(known, truthOf) as boolean | Asked);
    };
  }

  #node(node: SimpleNode): Expression {
    switch (node.kind) {
      case 'text':
        return constant(node.text);
      case 'value':
        return constant(node.value);
      case 'quoted':
        return node.parts.length === 0 ? constant('') : concatenation(node.parts.map((part) => this.#node(part)));
      case 'function':
        return this.#placed(node.at, () => this.function(node.text));
      case 'unary':
        return stepped(this.#node(node.operand), node.sign === '++' ? 1 : -1);
      case 'binary':
        return this.#placed(node.at, () =>
          comparison(node.sign, this.#node(node.left), this.#node(node.right), fixedValue(node.right)),
        );
      default:
        return this.#joined(node);
    }
  }

  #joined(
    node: Exclude<SimpleNode, { readonly kind: 'text' | 'value' | 'quoted' | 'function' | 'unary' | 'binary' }>,
  ): Expression {
    switch (node.kind) {
      case 'elvis':
        return elvis(this.#node(node.left), this.#node(withoutQuotesAround(node.right)));
      case 'logical': {
        const [left, right] = [this.#condition(node.left), this.#condition(node.right)];
        return node.sign === '&&' ? both(left, right) : either(left, right);
      }
      case 'ternary': {
        const [condition, yes, no] = [this.#condition(node.condition), this.#node(node.yes), this.#node(node.no)];
        return (exchange) => mapped(condition(exchange), (holds) => (holds === true ? yes : no)(exchange));
      }
      case 'chain':
        return chained(node, this, (link) => this.#node(link));
    }
  }

  /** A problem within a function is shown where the function begins. */
  #placed(at: number, compile: () => Expression): Expression {
    try {
      return compile();
    } catch (thrown) {
      if (thrown instanceof SyntaxProblem || thrown instanceof ExchangeFailure)
        throw new SyntaxProblem(at, thrown.message);
      throw thrown;
    }
  }
}

/** The same value for all exchanges. */
export const constant =
  (value: unknown): Expression =>
  () =>
    value;

/** In templates quotes are text; around the alternative they are not. */
const withoutQuotesAround = (node: SimpleNode): SimpleNode =>
  node.kind === 'text' ? { ...node, text: unquoted(node.text) } : node;

/** A value that is the same for all exchanges. */
function fixedValue(node: SimpleNode): { readonly value: unknown } | undefined {
  if (node.kind === 'value') return { value: node.value };
  if (node.kind === 'text') return { value: node.text };
  if (node.kind !== 'quoted') return undefined;
  const [only, more] = node.parts;
  if (only === undefined) return { value: '' };
  return only.kind === 'text' && more === undefined ? { value: only.text } : undefined;
}

/** Texts one after the other; a single part stays what it is. */
export function concatenation(parts: readonly Expression[]): Expression {
  const [only] = parts;
  if (only === undefined) return constant('');
  if (parts.length === 1) return only;
  return (exchange) => concatenated(parts, exchange, 0, '');
}

function concatenated(parts: readonly Expression[], exchange: Exchange, from: number, before: string): unknown {
  let all = before;
  for (let at = from; at < parts.length; at++) {
    const value = mapped(parts[at]?.(exchange), asText);
    if (value instanceof Asked) {
      return mapped(value, (text) => concatenated(parts, exchange, at + 1, all + (text ?? '')));
    }
    if (value !== null) all += value;
  }
  return all;
}

const both =
  (left: Predicate, right: Predicate): Predicate =>
  (exchange) => {
    const holds = left(exchange);
    if (typeof holds === 'boolean') return holds && right(exchange);
    return mapped(holds, (known) => known === true && right(exchange)) as Asked;
  };

const either =
  (left: Predicate, right: Predicate): Predicate =>
  (exchange) => {
    const holds = left(exchange);
    if (typeof holds === 'boolean') return holds || right(exchange);
    return mapped(holds, (known) => known === true || right(exchange)) as Asked;
  };

/** The other value for null, false, 0 and what is empty. */
const elvis =
  (left: Expression, right: Expression): Expression =>
  (exchange) =>
    mapped(left(exchange), (value) => (isNothing(value) ? right(exchange) : value));

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === 0) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.length === 0;
  if (value instanceof Set || value instanceof Map) return value.size === 0;
  return isMap(value) && Object.keys(value).length === 0;
}

/** `++` and `--`: the whole number before or after, of the type that the value has. */
const stepped =
  (operand: Expression, by: 1 | -1): Expression =>
  (exchange) =>
    mapped(operand(exchange), (value) => {
      const number = convert(convert(value, 'java.lang.Number'), 'Long');
      if (number === null || number instanceof Asked) {
        throw new ExchangeFailure(
          'org.apache.camel.CamelExchangeException',
          `Cannot evaluate ${textOf(value).slice(0, 100)} as a number`,
        );
      }
      const next = typeof number === 'bigint' ? number + BigInt(by) : Number(number) + by;
      return convert(next, typeName(value)) ?? next;
    });
