import { asText, convert } from '../conversion/convert.js';
import type { Exchange } from '../exchange/exchange.js';
import { ExchangeFailure } from '../exchange/failure.js';
import { Asked, type Expression } from '../exchange/language.js';
import { mapped } from '../exchange/stream.js';
import { splitArguments, withoutQuotes } from './arguments.js';
import { SyntaxProblem } from './syntax-error.js';
import type { TextCompiler } from './text-compiler.js';

/** Makes the closure of a function that is written with parentheses: `name(…)`. @throws SyntaxProblem */
export type FunctionMaker = (call: FunctionCall) => Expression;

/** A function as it is written: `name(text)rest`. */
export class FunctionCall {
  readonly name: string;
  /** All between the first parenthesis and the last one. */
  readonly text: string;
  /** All behind the first parenthesis. */
  readonly behind: string;
  readonly compiler: TextCompiler;

  constructor(name: string, behind: string, compiler: TextCompiler) {
    const end = behind.lastIndexOf(')');
    if (end < 0) throw new SyntaxProblem(0, `Valid syntax: \${${name}(…)} was: ${name}(${behind}`);
    this.name = name;
    this.behind = behind;
    this.text = behind.slice(0, end);
    this.compiler = compiler;
  }

  /** `syntax`: how it should have been written. */
  wrong(syntax: string): SyntaxProblem {
    return new SyntaxProblem(0, `Valid syntax: \${${syntax}} was: ${this.name}(${this.behind}`);
  }

  /** Its only argument, in which all quotes go; without one, the body. */
  subject(): Expression {
    return this.text === '' ? body : this.compiler.template(withoutQuotes(this.text));
  }

  /** Arguments as they stand, blanks around them and quotes included or not. @throws SyntaxProblem where there are fewer than `least` or more than `most` */
  list(
    syntax: string,
    least: number,
    most: number,
    options: { readonly trim?: boolean; readonly keepQuotes?: boolean } = {},
  ): string[] {
    const found = this.text === '' ? [] : splitArguments(this.text, options);
    if (found.length < least || found.length > most) throw this.wrong(syntax);
    return found;
  }

  /** All arguments as expressions; without one, the body. */
  values(): readonly Expression[] {
    return this.text === '' ? [body] : splitArguments(this.text).map((it) => this.compiler.template(it));
  }

  template(text: string): Expression {
    return this.compiler.template(text);
  }
}

export const body: Expression = (exchange) => exchange.body;

/** `use` with the text of a value; null stays null. */
export const onText =
  (value: Expression, use: (text: string, exchange: Exchange) => unknown): Expression =>
  (exchange) =>
    mapped(mapped(value(exchange), asText), (text) => (typeof text === 'string' ? use(text, exchange) : null));

/** A value as a whole number, or null. */
export const integerAt = (value: Expression, exchange: Exchange): number | null => {
  const known = convert(value(exchange), 'Integer');
  if (known instanceof Asked) throw illegalArgument('expected a number, but found a stream');
  return known === null ? null : Number(known);
};

/** As {@link integerAt}, for what needs one. @throws ExchangeFailure */
export function requiredInteger(value: Expression, exchange: Exchange, what: string): number {
  const known = integerAt(value, exchange);
  if (known === null) throw illegalArgument(`expected ${what} to be a number, but found null`);
  return known;
}

export const illegalArgument = (message: string) => new ExchangeFailure('java.lang.IllegalArgumentException', message);

/** All values of expressions, one after the other, then `use`. */
export function withValues(
  expressions: readonly Expression[],
  exchange: Exchange,
  use: (values: readonly unknown[]) => unknown,
): unknown {
  const values: unknown[] = [];
  for (const expression of expressions) {
    const value = expression(exchange);
    if (value instanceof Asked) {
      return mapped(value, (known) =>
        withValues(expressions.slice(values.length + 1), exchange, (rest) => use([...values, known, ...rest])),
      );
    }
    values.push(value);
  }
  return use(values);
}
