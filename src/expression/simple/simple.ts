import { asText, convert, requiredClass } from '../conversion/convert.js';
import type { Asked, Expression, ExpressionModel, Language, Predicate } from '../exchange/language.js';
import { mapped } from '../exchange/stream.js';
import { concatenation, SimpleCompiler } from './compiler.js';
import { compileFunction } from './functions.js';
import { initBlock } from './init-block.js';
import { prettyText } from './json-text.js';
import { SyntaxProblem, syntaxError } from './syntax-error.js';

/** How long a text may be, in characters. */
const TEXT_MAX = 1_000_000;

/** Camel's Simple. `languageOf`: the languages that functions of Simple hand texts to. */
export function simpleLanguage(languageOf: (name: string) => Language): Language {
  const expression = (text: string): Expression =>
    compiled(text, () => {
      const compiler = new SimpleCompiler(languageOf, compileFunction);
      const init = initBlock(text, compiler);
      if (init === undefined) return compiler.template(text);
      const value = compiler.template(init.text);
      return init.run === undefined ? value : concatenation([init.run, value]);
    });
  const predicate = (text: string): Predicate =>
    compiled(text, () => {
      const compiler = new SimpleCompiler(languageOf, compileFunction);
      const init = initBlock(text, compiler);
      const holds = compiler.predicate(init?.text ?? text);
      const run = init?.run;
      return run === undefined ? holds : (exchange) => mapped(run(exchange), () => holds(exchange)) as boolean | Asked;
    });
  return {
    expression: (model) => withOptions(model, expression, predicate, languageOf),
    predicate: (model) => predicate(trimmed(model)),
  };
}

function compiled<T>(text: string, compile: () => T): T {
  try {
    if (text.length > TEXT_MAX) throw new SyntaxProblem(0, `expected a text of at most ${TEXT_MAX} characters`);
    return compile();
  } catch (thrown) {
    if (thrown instanceof SyntaxProblem) throw syntaxError(text, thrown);
    throw thrown;
  }
}

const isTrue = (option: unknown): boolean => String(option).trim().toLowerCase() === 'true';

/** Blanks around a text go, unless `trim` is false. */
export const trimmed = ({ text, options }: ExpressionModel): string =>
  options.trim === undefined || isTrue(options.trim) ? text.trim() : text;

/** `resultType`, `trimResult`, `pretty`, `nested`. A Boolean is a predicate. */
function withOptions(
  model: ExpressionModel,
  expression: (text: string) => Expression,
  predicate: (text: string) => Predicate,
  languageOf: (name: string) => Language,
): Expression {
  const { resultType, trimResult, pretty, nested } = model.options;
  const type =
    resultType === undefined || resultType === null || resultType === ''
      ? undefined
      : requiredClass(String(resultType));
  if (type === 'java.lang.Boolean') return predicate(trimmed(model));
  let value = expression(trimmed(model));
  if (isTrue(nested)) value = twice(value, languageOf);
  if (type !== undefined) value = then(value, (known) => convert(known, type));
  if (isTrue(trimResult))
    value = then(value, (known) => mapped(asText(known), (text) => (text === null ? null : String(text).trim())));
  return isTrue(pretty)
    ? then(value, (known) => mapped(asText(known), (text) => (text === null ? null : prettyText(String(text)))))
    : value;
}

const then =
  (value: Expression, use: (value: unknown) => unknown): Expression =>
  (exchange) =>
    mapped(value(exchange), use);

/** A text with functions in it that an expression gives is an expression once more. */
const twice =
  (value: Expression, languageOf: (name: string) => Language): Expression =>
  (exchange) =>
    mapped(value(exchange), (text) => {
      if (typeof text !== 'string' || !text.includes('${')) return text;
      return languageOf('simple').expression({
        language: 'simple',
        text,
        options: { trim: 'false' },
        at: { line: 1, column: 1 },
      })(exchange);
    });
