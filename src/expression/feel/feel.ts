import { LruCache } from '../juel/lru-cache.js';
import type { FeelExpression, FeelResult, FeelScope } from './feel-expression.js';
import type { FeelKind, FeelShape } from './feel-syntax.js';
import type { FeelValue } from './feel-value.js';
import { Formula, Tests } from './library-feel.js';
import { type SimpleTests, simpleConstant, simplePath, simpleTests, valueAt } from './simple-feel.js';

/** The most compiled texts that are kept; the ones that were used least recently go first. */
const KEPT_MAX = 5_000;

const GET_OR_ELSE = 'get or else';

const kept = new LruCache<FeelExpression>(KEPT_MAX);

/**
 * Compiles a text of FEEL, once. `given`: the names with spaces or signs in them, at their places within contexts. @throws BAD_REQUEST with the column
 */
export function compileFeel(text: string, kind: FeelKind = 'expression', given: FeelShape = {}): FeelExpression {
  // The reader takes the word `or` for an operator where nobody tells it of the name.
  const shape = text.includes(GET_OR_ELSE) ? { ...given, [GET_OR_ELSE]: 0 as const } : given;
  const names = Object.keys(shape).length === 0 ? '' : JSON.stringify(shape);
  const key = `${kind} ${names} ${text}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const whole = () => (kind === 'expression' ? new Formula(text, shape) : new Tests(text, shape));
  const compiled = (names === '' ? simple(text, kind) : undefined) ?? whole();
  kept.set(key, compiled);
  return compiled;
}

/** A text that is read in no time; the library is asked where what it looks at is more than a plain value. */
abstract class Simple implements FeelExpression {
  readonly text: string;
  readonly simple = true;
  readonly long = false;
  readonly heaviest = Number.POSITIVE_INFINITY;
  readonly chancy = false;
  readonly names: readonly string[];
  #whole: FeelExpression | undefined;

  constructor(text: string, names: readonly string[] = []) {
    this.text = text;
    this.names = names;
  }

  evaluate(scope: FeelScope, input: FeelValue = null): FeelResult {
    const value = this.find(scope, input);
    if (value !== undefined) return { value, cause: null };
    this.#whole ??= this.whole();
    return this.#whole.evaluate(scope, input);
  }

  protected abstract find(scope: FeelScope, input: FeelValue): FeelValue | undefined;

  protected abstract whole(): FeelExpression;
}

class SimpleTest extends Simple {
  readonly #passes: SimpleTests;

  constructor(text: string, tests: SimpleTests) {
    super(text);
    this.#passes = tests;
  }

  protected find(_scope: FeelScope, input: FeelValue): FeelValue | undefined {
    return typeof input === 'object' && input !== null ? undefined : this.#passes(input);
  }

  protected whole(): FeelExpression {
    return new Tests(this.text, {});
  }
}

class SimplePath extends Simple {
  readonly #path: readonly [string, ...string[]];

  constructor(text: string, path: readonly [string, ...string[]]) {
    super(text, path.slice(0, 1));
    this.#path = path;
  }

  protected find(scope: FeelScope): FeelValue | undefined {
    const [first, ...names] = this.#path;
    return valueAt(scope.variable(first), names);
  }

  protected whole(): FeelExpression {
    return new Formula(this.text, {});
  }
}

class SimpleConstant extends Simple {
  readonly #value: FeelValue;

  constructor(text: string, value: FeelValue) {
    super(text);
    this.#value = value;
  }

  protected find(): FeelValue {
    return this.#value;
  }

  protected whole(): FeelExpression {
    return this;
  }
}

/** The expression where it is simple. */
function simple(text: string, kind: FeelKind): FeelExpression | undefined {
  if (kind === 'unaryTests') {
    const tests = simpleTests(text);
    return tests && new SimpleTest(text, tests);
  }
  const constant = simpleConstant(text);
  if (constant !== undefined) return new SimpleConstant(text, constant.value);
  const path = simplePath(text);
  return path && new SimplePath(text, path);
}
