import { areChancy, Body, isEqual, type Names, TESTED } from './feel-body.js';
import type { FeelExpression, FeelResult, FeelScope } from './feel-expression.js';
import { type FeelShape, type FeelTest, readFeel } from './feel-syntax.js';
import type { FeelValue } from './feel-value.js';
import { feelin } from './feelin.js';

/** An expression that the library evaluates. */
export class Formula implements FeelExpression {
  readonly text: string;
  readonly simple = false;
  readonly long: boolean;
  readonly heaviest: number;
  readonly names: Names;
  readonly chancy: boolean;
  readonly #body: Body;

  constructor(text: string, shape: FeelShape) {
    const { names, long, heaviest, tree } = readFeel(text, 'expression', shape);
    this.text = text;
    this.long = long;
    this.heaviest = heaviest;
    this.names = names;
    this.chancy = areChancy(names);
    this.#body = new Body(text, text, { names: [...names, TESTED], shape, tree });
  }

  evaluate(scope: FeelScope, input: FeelValue = null): FeelResult {
    return this.#body.evaluate(scope, input);
  }
}

/** Unary tests that the library evaluates. */
export class Tests implements FeelExpression {
  readonly text: string;
  readonly simple = false;
  readonly long: boolean;
  readonly heaviest: number;
  readonly names: Names;
  readonly chancy: boolean;
  readonly #tests: readonly { readonly body: Body; readonly test: FeelTest }[];
  readonly #negated: boolean;

  constructor(text: string, shape: FeelShape) {
    const { names, long, heaviest, tests, negated } = readFeel(text, 'unaryTests', shape);
    this.text = text;
    this.long = long;
    this.heaviest = heaviest;
    this.names = names;
    this.chancy = areChancy(names);
    this.#negated = negated;
    const given = [...names, TESTED];
    this.#tests = tests.map((test) => ({
      test,
      body: new Body(test.kind === 'compared' ? comparing(test.text) : test.text, text, { names: given, shape }),
    }));
  }

  evaluate(scope: FeelScope, input: FeelValue = null): FeelResult {
    if (this.#tests.length === 0) return { value: true, cause: null };
    let cause: string | null = null;
    for (const { body, test } of this.#tests) {
      const result = body.evaluate(scope, input);
      if (passes(result, input, test)) return { value: !this.#negated, cause };
      cause ??= result.cause;
    }
    return { value: this.#negated, cause };
  }
}

/** A test that compares, as an expression of the value; it may be equal to null, which no range has. */
const comparing = (test: string): string => (/^\s*=/.test(test) ? `? ${test}` : `? in (${test})`);

/** Whether a value passes a test (DMN 1.3, 7.3.3): what the test gives is true, is the value, or a list or range that has it. */
function passes({ value, cause }: FeelResult, input: FeelValue, test: FeelTest): boolean {
  if (typeof value === 'boolean') {
    const isValue = test.kind === 'literal' || (test.kind === 'name' && typeof input === 'boolean');
    return isValue ? value === input : value;
  }
  // What mentions the value says itself whether it passes.
  if (test.asks) return false;
  // What cannot be compared is not the same as nothing.
  if (value === null && (test.kind === 'compared' || cause !== null)) return false;
  return holds(value, input);
}

function holds(found: FeelValue, input: FeelValue): boolean {
  const { FeelFunction, FeelRange } = feelin();
  if (found instanceof FeelRange) return found.includes(input) === true;
  if (found instanceof FeelFunction) return found.invoke([input]) === true;
  if (Array.isArray(found) && !Array.isArray(input)) return found.some((each) => holds(each, input));
  if (isEqual(found, input)) return true;
  return Array.isArray(found) && found.some((each) => holds(each, input));
}
