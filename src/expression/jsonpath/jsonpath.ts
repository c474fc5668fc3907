import { isStream } from '../conversion/java-class.js';
import type { Exchange } from '../exchange/exchange.js';
import { ExchangeFailure } from '../exchange/failure.js';
import { Asked, type Expression, type ExpressionModel, type Language } from '../exchange/language.js';
import { sourceOf } from '../exchange/source.js';
import { readJson } from '../format/json-text.js';
import { writeJson } from '../format/json-writer.js';
import { withText } from '../format/payload.js';
import { easyPredicate } from './easy-predicate.js';
import { evaluate, type Options } from './evaluate.js';
import { isMap } from './model.js';
import type { Path } from './path.js';
import { parsePath } from './path-parser.js';

/** Other languages that JSONPath needs. */
export interface JsonpathParts {
  /** Simple, whose `${…}` a path may have in it. */
  readonly simple: Language;
  /** Converts to a type of Java by its name. */
  readonly convert: (value: unknown, type: string, exchange: Exchange) => unknown;
  readonly isTrue: (value: unknown) => boolean;
}

/** JSONPath in Jayway's dialect, with Camel's attributes: suppressExceptions, option, writeAsString, unpackArray, resultType, source, allowSimple, allowEasyPredicate. */
export function jsonpath(parts: JsonpathParts): Language {
  return {
    expression: (model) => compiled(model, model.text, parts),
    predicate: (model) => {
      const isEasy = isOn(model.options.allowEasyPredicate, true);
      const expression = compiled(model, isEasy ? easyPredicate(model.text) : model.text, parts);
      return (exchange) => {
        const value = expression(exchange);
        return value instanceof Asked ? value.map(parts.isTrue) : parts.isTrue(value);
      };
    },
  };
}

/** The value of a path in a body: a text, bytes, a stream, or a map or list as it is. What Simple's `${jsonpath(…)}` asks. @throws ExchangeFailure */
export function readPath(path: Path, body: unknown, options: Options = {}): unknown {
  if (Array.isArray(body) || isMap(body)) return evaluate(path, body, options);
  if (typeof body === 'string' || body instanceof Uint8Array || isStream(body)) {
    return withText(body, (text) => evaluate(path, readJson(withoutMark(text)), options));
  }
  if (options.suppressExceptions || options.defaultPathLeafToNull) return options.alwaysReturnList ? [] : null;
  throw new ExchangeFailure(
    'org.apache.camel.CamelExchangeException',
    'Cannot read message body as supported JSON value',
  );
}

const withoutMark = (text: string) => (text.codePointAt(0) === 0xfeff ? text.slice(1) : text);

function compiled(model: ExpressionModel, text: string, { simple, convert }: JsonpathParts): Expression {
  const options = optionsOf(model);
  const source = sourceOf(model.options.source);
  const pathOf = pathsOf(model, text, simple);
  const writesText = isOn(model.options.writeAsString, false);
  const { resultType } = model.options;
  const unpacks = isOn(model.options.unpackArray, false);
  const finished = (value: unknown, exchange: Exchange) => {
    const written = writesText ? writtenParts(value) : value;
    if (typeof resultType !== 'string' || resultType === '') return unpacks ? onlyOne(written) : written;
    return convert(shaped(written, resultType), resultType, exchange);
  };
  return (exchange) => {
    try {
      const value = readPath(pathOf(exchange), source(exchange), options);
      if (value instanceof Asked) {
        return new Asked(value.answer.catch(evaluationFailed), (answer) => finished(answer, exchange));
      }
      return finished(value, exchange);
    } catch (thrown) {
      return evaluationFailed(thrown);
    }
  };
}

/** The path of an exchange: compiled once, unless it has `${…}` in it. */
function pathsOf(model: ExpressionModel, text: string, simple: Language): (exchange: Exchange) => Path {
  if (!isOn(model.options.allowSimple, true) || !/\$\{[^}]+\}/.test(text)) {
    const path = compiledPath(text);
    return () => path;
  }
  const written = simple.expression({
    ...model,
    language: 'simple',
    text,
    options: { resultType: 'java.lang.String' },
  });
  return (exchange) => parsePath(String(written(exchange)));
}

function compiledPath(text: string): Path {
  try {
    return parsePath(text);
  } catch (thrown) {
    if (!(thrown instanceof ExchangeFailure)) throw thrown;
    throw new ExchangeFailure(
      'org.apache.camel.ExpressionIllegalSyntaxException',
      `Illegal syntax: ${text}: ${thrown.message}`,
      { cause: thrown },
    );
  }
}

function optionsOf({ options }: ExpressionModel): Options {
  const chosen = String(options.option ?? '')
    .split(',')
    .map((name) => name.trim());
  const has = (name: string) => chosen.includes(name);
  return {
    suppressExceptions: isOn(options.suppressExceptions, false) || has('SUPPRESS_EXCEPTIONS'),
    alwaysReturnList: has('ALWAYS_RETURN_LIST'),
    defaultPathLeafToNull: has('DEFAULT_PATH_LEAF_TO_NULL'),
    asPathList: has('AS_PATH_LIST'),
    requireProperties: has('REQUIRE_PROPERTIES'),
  };
}

const isOn = (value: unknown, byDefault: boolean): boolean =>
  value === undefined || value === null || value === '' ? byDefault : String(value) === 'true';

/** Each row of a list as JSON; of an object, each value; else the value. */
function writtenParts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => writeJson(one));
  if (value instanceof Map) return new Map([...value].map(([name, inner]) => [name, writeJson(inner)]));
  if (isMap(value)) return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, writeJson(inner)]));
  return writeJson(value);
}

const COLLECTIONS = /(?:^|\.)(?:Collection|List|ArrayList|LinkedList|Set)$/;

function shaped(value: unknown, resultType: string): unknown {
  if (!COLLECTIONS.test(resultType)) return onlyOne(value);
  return Array.isArray(value) ? value : [value];
}

const onlyOne = (value: unknown): unknown => (Array.isArray(value) && value.length === 1 ? value[0] : value);

function evaluationFailed(thrown: unknown): never {
  const cause = thrown instanceof ExchangeFailure ? `${thrown.type}: ${thrown.message}` : String(thrown);
  throw new ExchangeFailure('org.apache.camel.ExpressionEvaluationException', cause, { cause: thrown });
}
