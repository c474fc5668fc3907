import type { FeelFunction } from 'feelin';
import { messageOf } from '../../shared/errors.js';
import { evaluationFailed } from '../errors.js';
import { LruCache } from '../juel/lru-cache.js';
import { DIALECT, type FeelKind, type FeelShape, type FeelSyntax, type FeelTest, readFeel } from './feel-syntax.js';
import type { FeelValue } from './feel-value.js';
import { feelin } from './feelin.js';

/** What an expression looks at. */
export interface FeelScope {
  /** The value of a name; undefined where there is none. */
  variable(name: string): FeelValue | undefined;
  /** What `now()` and `today()` tell, ms. */
  readonly now: number;
}

/** A value, and why it is null where FEEL could not make it: `Variable 'x' not found`. */
export interface FeelResult {
  readonly value: FeelValue;
  readonly cause: string | null;
}

/** A compiled text of FEEL. It has no state. */
export interface FeelExpression {
  readonly text: string;
  /** Whether it may run long: it is evaluated in a thread that can be ended. */
  readonly long: boolean;
  /** Of the names that it mentions. */
  readonly names: readonly string[];
  /** The value; of unary tests whether `input` passes. @throws EXECUTION_FAILED */
  evaluate(scope: FeelScope, input?: FeelValue): FeelResult;
}

/** The most compiled texts that are kept; the ones that were used least recently go first. */
const KEPT_MAX = 5_000;

const kept = new LruCache<FeelExpression>(KEPT_MAX);

/**
 * Compiles a text of FEEL, once. `shape`: the names with spaces or signs in them, at their places within contexts. @throws BAD_REQUEST with the column
 */
export function compileFeel(text: string, kind: FeelKind = 'expression', shape: FeelShape = {}): FeelExpression {
  const names = Object.keys(shape).length === 0 ? '' : JSON.stringify(shape);
  const key = `${kind} ${names} ${text}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const syntax = readFeel(text, kind, shape);
  const compiled = kind === 'expression' ? new Formula(text, syntax, shape) : new Tests(text, syntax, shape);
  kept.set(key, compiled);
  return compiled;
}

/** Whether a text may mention a name with spaces or signs in it: only then the reader has to be told of names. */
export const mayNeedShape = (text: string): boolean => UNUSUAL.test(text);

const UNUSUAL = /[\p{L}\p{N}_]\s*[\s.\-'+*/]\s*[\p{L}\p{N}_]/u;

/** Plain names need not be told to the reader. */
const PLAIN_NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const SHAPE_DEPTH_MAX = 4;

/** Names of the values that the text may mention and the reader has to know. */
export function shapeOf(values: Readonly<Record<string, unknown>>, text: string, depth = 0): FeelShape {
  const shape: Record<string, FeelShape | 0> = {};
  for (const [name, value] of Object.entries(values)) {
    const inner = depth < SHAPE_DEPTH_MAX ? shapeWithin(value, text, depth + 1) : {};
    const known = Object.keys(inner).length > 0;
    if (known || (!PLAIN_NAME.test(name) && text.includes(firstWord(name)))) shape[name] = known ? inner : 0;
  }
  return shape;
}

function shapeWithin(value: unknown, text: string, depth: number): FeelShape {
  const one = Array.isArray(value) ? value[0] : value;
  return typeof one === 'object' && one !== null && Object.getPrototypeOf(one) === Object.prototype
    ? shapeOf(one as Readonly<Record<string, unknown>>, text, depth)
    : {};
}

const firstWord = (name: string): string => /[\p{L}\p{N}_]+/u.exec(name)?.[0] ?? name;

/** The value that a unary test tests. */
const TESTED = '?';

type Names = readonly string[];

/**
 * A function of FEEL whose body is the text. The library has no way to compile an expression, but it compiles the body of a function once; the names that
 * it is given are ours to choose, and what it warns of stands in the list that came with it.
 */
class Body {
  readonly #function: FeelFunction;
  readonly #warnings: { readonly message: string }[];
  readonly #names: Names;
  readonly #text: string;
  /** Names that the reader had to know, and the text does not mention: they have no value. */
  readonly #skipped: number;

  constructor(text: string, shown: string, names: Names, shape: FeelShape) {
    // The line end closes a comment.
    const { value, warnings } = feelin().evaluate(
      `function(${PARAMETER}) (${text}\n)`,
      { ...shape, [TESTED]: 0 },
      DIALECT,
    );
    this.#function = value as FeelFunction;
    this.#warnings = warnings;
    this.#names = names;
    this.#text = shown;
    this.#function.parameterNames.splice(0, 1, ...Object.keys(shape).filter((name) => !names.includes(name)), ...names);
    this.#skipped = this.#function.parameterNames.length - names.length;
  }

  evaluate(scope: FeelScope, input: FeelValue): FeelResult {
    this.#warnings.length = 0;
    const values: unknown[] = Array.from({ length: this.#skipped });
    for (const name of this.#names) values.push(name === TESTED ? input : named(scope, name));
    try {
      const value = (this.#function.fn(...values) ?? null) as FeelValue;
      return { value, cause: this.#warnings[0]?.message ?? null };
    } catch (thrown) {
      throw evaluationFailed(
        this.#text,
        thrown instanceof RangeError ? 'it goes too deep or grows too large' : messageOf(thrown),
      );
    } finally {
      this.#warnings.length = 0;
    }
  }
}

const PARAMETER = 'p';

/** Times are those of the run: what is evaluated again gives the same. */
function named(scope: FeelScope, name: string): unknown {
  const value = scope.variable(name);
  if (value !== undefined) return value;
  if (name === 'now') return () => feelin().dateAndTime(new Date(scope.now).toISOString());
  if (name === 'today') return () => feelin().date(new Date(scope.now).toISOString().slice(0, 10));
  return undefined;
}

class Formula implements FeelExpression {
  readonly text: string;
  readonly long: boolean;
  readonly names: Names;
  readonly #body: Body;

  constructor(text: string, { names, long }: FeelSyntax, shape: FeelShape) {
    this.text = text;
    this.long = long;
    this.names = names;
    this.#body = new Body(text, text, [...names, TESTED], shape);
  }

  evaluate(scope: FeelScope, input: FeelValue = null): FeelResult {
    return this.#body.evaluate(scope, input);
  }
}

class Tests implements FeelExpression {
  readonly text: string;
  readonly long: boolean;
  readonly names: Names;
  readonly #tests: readonly { readonly body: Body; readonly test: FeelTest }[];
  readonly #negated: boolean;

  constructor(text: string, { names, long, tests, negated }: FeelSyntax, shape: FeelShape) {
    this.text = text;
    this.long = long;
    this.names = names;
    this.#negated = negated;
    const given = [...names, TESTED];
    this.#tests = tests.map((test) => ({
      test,
      body: new Body(test.kind === 'compared' ? `? in (${test.text})` : test.text, text, given, shape),
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

/** Whether a value passes a test (DMN 1.3, 7.3.3): what the test gives is true, is the value, or a list or range that has it. */
function passes({ value, cause }: FeelResult, input: FeelValue, test: FeelTest): boolean {
  if (typeof value === 'boolean') {
    const isValue = test.kind === 'literal' || (test.kind === 'name' && typeof input === 'boolean');
    return isValue ? value === input : value;
  }
  // What cannot be compared is not the same as nothing.
  if (value === null && (test.asks || test.kind === 'compared' || cause !== null)) return false;
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

let equal: Body | undefined;

/** Whether two values are equal as FEEL has it. */
export function isEqual(one: FeelValue, other: FeelValue): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other;
  equal ??= new Body('a = b', 'a = b', ['a', 'b'], {});
  const scope: FeelScope = { now: 0, variable: (name) => (name === 'a' ? one : other) };
  return equal.evaluate(scope, null).value === true;
}
