import type { Exchange } from './exchange.js';

/** An expression of a route as its model has it: `simple: "${body}"`, or `tokenize: {token: ",", xml: true}`. */
export interface ExpressionModel {
  /** The language's name in the DSL: simple, constant, header, jsonpath, … */
  readonly language: string;
  readonly text: string;
  /** Attributes of the language: resultType, trim, token, … as written. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly at: Position;
}

/** Where something stands in a file: line and column, both from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The value of an expression for an exchange, or an {@link Asked} where a thread has to be asked for it. @throws ExchangeFailure */
export type Expression = (exchange: Exchange) => unknown;
/** Whether a predicate holds for an exchange, or an {@link Asked} as above. @throws ExchangeFailure */
export type Predicate = (exchange: Exchange) => boolean | Asked;

/** A language compiles texts, once, when a route is loaded. @throws ExchangeFailure `…ExpressionIllegalSyntaxException` with the place within the text */
export interface Language {
  expression(model: ExpressionModel): Expression;
  predicate(model: ExpressionModel): Predicate;
}

/** A value that must be waited for: a script's, which runs in a thread that can be ended, or one of a stream. */
export class Asked {
  readonly answer: Promise<unknown>;
  readonly #taken: (answer: unknown) => unknown;

  /** `taken`: what becomes of the answer when whoever waited goes on with it; only then may it change the exchange. Default: it is the value. */
  constructor(answer: Promise<unknown>, taken: (answer: unknown) => unknown = (value) => value) {
    this.answer = answer;
    this.#taken = taken;
  }

  /** The value that is gone on with, of the answer that has come: it may be one more that must be waited for. @throws ExchangeFailure */
  taken(answer: unknown): unknown {
    return this.#taken(answer);
  }

  /** The same with something made of its value. */
  map(make: (value: unknown) => unknown): Asked {
    return new Asked(this.answer, (answer) => {
      const value = this.#taken(answer);
      return value instanceof Asked ? value.map(make) : make(value);
    });
  }
}
