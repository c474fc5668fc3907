import { ServiceError } from '../../shared/errors.js';
import { conditionWithoutBoolean, evaluationFailed, unknownName } from '../errors.js';
import { described, toDouble, toLong, toText } from './coerce.js';
import { compile, Evaluation, type ExpressionContext, type Run } from './compile.js';
import { DateBean } from './date-bean.js';
import { Failure, UnknownName } from './failure.js';
import { LruCache } from './lru-cache.js';
import { parseTemplate, type Template } from './parser.js';
import { fromHost, kindOf, toHost } from './value.js';

/** A compiled text of a model. It has no state; one may be evaluated as often as wanted. */
export interface Expression {
  readonly text: string;
  /** No `${}` in it: the same text whatever the context. */
  readonly literal: boolean;
  /** The names of the functions that it calls. */
  readonly functions: readonly string[];
  /** The one variable that it is no more than; undefined: it is more. */
  readonly variable?: string | undefined;
  /**
   * The value as plain JavaScript: dates are Date, a Long beyond ±2^53 a bigint, lists and maps the very objects of the variables. Mixed text
   * gives a string. @throws EXECUTION_FAILED with the expression and the cause
   */
  evaluate(context: ExpressionContext): unknown;
  /** The value with its type as a variable would have it: `${10 / 2}` is a Double. @throws EXECUTION_FAILED, also for a bean */
  evaluateTyped(context: ExpressionContext): TypedResult;
}

/** The most compiled expressions that are kept; the ones that were used least recently go first. */
const EXPRESSIONS_KEPT_MAX = 2000;
/** Longer texts are compiled each time, so that the cache stays small. */
const KEPT_LENGTH_MAX = 4096;

const kept = new LruCache<CompiledExpression>(EXPRESSIONS_KEPT_MAX);

/**
 * Compiles a text of a model: literal text, `${…}` or `#{…}` in JUEL (the language of Camunda's models, JSR-245 EL 2.2), or both mixed.
 * Compiled ones are kept by their text. @throws BAD_REQUEST with column and offending text
 */
export function compileExpression(text: string): Expression {
  const known = kept.get(text);
  if (known !== undefined) return known;
  const compiled = new CompiledExpression(text);
  if (text.length <= KEPT_LENGTH_MAX) kept.set(text, compiled);
  return compiled;
}

/**
 * The outcome of a sequence flow's condition. @throws EXECUTION_FAILED when evaluation fails, or gives anything but true and false: as in
 * Camunda, nothing is taken for a Boolean
 */
export function evaluateCondition(expression: Expression, context: ExpressionContext): boolean {
  const result = expression.evaluate(context);
  if (typeof result === 'boolean') return result;
  throw conditionWithoutBoolean(expression.text, described(fromHost(result)));
}

class CompiledExpression implements Expression {
  readonly text: string;
  readonly literal: boolean;
  readonly functions: readonly string[];
  readonly #run: Run;
  /** The name that the whole expression consists of: the variable's own type is kept. */
  readonly variable: string | undefined;

  constructor(text: string) {
    this.text = text;
    const template = parseTemplate(text);
    this.literal = template.every((part) => typeof part === 'string');
    this.functions = [...new Set(template.flatMap(functionsIn))];
    this.#run = runOf(template);
    const [only] = template;
    this.variable = template.length === 1 && typeof only === 'object' && only.kind === 'name' ? only.name : undefined;
  }

  evaluate(context: ExpressionContext): unknown {
    return toHost(this.#evaluate(context));
  }

  evaluateTyped(context: ExpressionContext): TypedResult {
    const declared = this.variable === undefined ? undefined : context.variable(this.variable)?.type;
    try {
      return typedResult(this.#evaluate(context), declared);
    } catch (thrown) {
      throw explained(this.text, thrown);
    }
  }

  #evaluate(context: ExpressionContext): unknown {
    try {
      return this.#run(new Evaluation(context));
    } catch (thrown) {
      throw explained(this.text, thrown);
    }
  }
}

function functionsIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  if (Array.isArray(part)) return part.flatMap(functionsIn);
  const { kind, name } = part as { readonly kind?: unknown; readonly name?: unknown };
  const within = Object.values(part).flatMap(functionsIn);
  return kind === 'function' && typeof name === 'string' ? [name, ...within] : within;
}

function runOf(template: Template): Run {
  const [first = ''] = template;
  if (template.length <= 1) return typeof first === 'string' ? () => first : compile(first);
  const runs = template.map((part) => (typeof part === 'string' ? () => part : compile(part)));
  return (evaluation) => {
    let text = '';
    for (const run of runs) {
      const part = toText(run(evaluation));
      evaluation.charge(part.length);
      text += part;
    }
    return text;
  };
}

/** What a bean threw besides refusals is not ours to explain: a bug, or a signal to the caller. */
function explained(text: string, thrown: unknown): unknown {
  if (thrown instanceof UnknownName) return unknownName(text, thrown.unknown);
  if (thrown instanceof Failure) return evaluationFailed(text, thrown.message);
  if (!(thrown instanceof ServiceError) || thrown.info.reason === 'expression_failed') return thrown;
  return evaluationFailed(text, thrown.message, { code: thrown.code, reason: thrown.info.reason ?? null });
}

/**
 * A value as process variables are kept, as plain JSON. Date: ISO 8601 text, UTC, milliseconds. Long beyond ±2^53: text. Double: a number, or
 * the text NaN, Infinity or -Infinity. Json: lists and maps.
 */
export interface TypedResult {
  readonly type: 'String' | 'Long' | 'Integer' | 'Double' | 'Boolean' | 'Date' | 'Json' | 'Null';
  readonly value: unknown;
}

/** `declared`: the type of the variable that the value was read from, if it was no more than read. */
function typedResult(value: unknown, declared: string | undefined): TypedResult {
  const kind = kindOf(value);
  switch (kind) {
    case 'null':
      return { type: 'Null', value: null };
    case 'String':
    case 'Boolean':
      return { type: declared === 'Json' ? 'Json' : kind, value };
    case 'Double':
      return { type: declared === 'Json' ? 'Json' : 'Double', value: plainDouble(toDouble(value)) };
    case 'Long':
      return typedLong(toLong(value), declared);
    case 'Date':
      return { type: 'Date', value: value instanceof DateBean ? value.toString() : null };
    case 'List':
    case 'Map':
      return { type: 'Json', value };
    case 'bean':
      throw new Failure(`expected a value that can be kept in a variable, but found ${described(value)}`);
  }
}

function typedLong(value: number | bigint, declared: string | undefined): TypedResult {
  if (typeof value === 'bigint') return { type: 'Long', value: value.toString() };
  return { type: declared === 'Integer' || declared === 'Json' ? declared : 'Long', value };
}

const plainDouble = (value: number): number | string => (Number.isFinite(value) ? value : String(value));
