import { method, ref } from './bean/bean-call.js';
import { convert, requiredClass } from './conversion/convert.js';
import { truthOf } from './conversion/truth.js';
import { type Exchange, headerOf } from './exchange/exchange.js';
import { ExchangeFailure } from './exchange/failure.js';
import type { Asked, Expression, ExpressionModel, Language } from './exchange/language.js';
import { mapped } from './exchange/stream.js';
import { variableOf } from './exchange/variable.js';
import { type JqFilters, jq } from './jq/jq.js';
import { jsonpath } from './jsonpath/jsonpath.js';
import { js, type RouteScripts } from './script/route-script.js';
import { simpleLanguage, trimmed } from './simple/simple.js';
import { tokenizeLanguage, xtokenizeLanguage } from './tokenize/tokenize.js';
import { xpath } from './xpath/xpath.js';

/** A language whose expressions give a value of their own: a predicate asks whether that counts as true. `resultType` is what it is converted to. */
export function valueLanguage(expression: (model: ExpressionModel) => Expression): Language {
  return {
    expression(model) {
      const value = expression(model);
      const { resultType } = model.options;
      if (resultType === undefined || resultType === null || resultType === '') return value;
      const type = requiredClass(String(resultType));
      return (exchange) => mapped(value(exchange), (known) => convert(known, type));
    },
    predicate(model) {
      const value = expression(model);
      return (exchange) => {
        const known = value(exchange);
        return typeof known === 'boolean' ? known : (mapped(known, truthOf) as boolean | Asked);
      };
    },
  };
}

/** A constant, which is converted once. */
const constant: Language = valueLanguage((model) => {
  const text = trimmed(model);
  return () => text;
});

const named = (read: (exchange: Exchange, name: string) => unknown): Language =>
  valueLanguage((model) => {
    const name = trimmed(model);
    return (exchange) => read(exchange, name) ?? null;
  });

const header = named(headerOf);
const exchangeProperty = named((exchange, name) => exchange.properties.get(name));
const variable = named(variableOf);

/** Finds a language by its name in the DSL. @throws ExchangeFailure NoSuchLanguageException */
export type LanguageFinder = (name: string) => Language;

/** The languages of routes. `scripts`: where JavaScript runs, `filters`: where jq does; without, there is none. */
export function languagesOf(scripts?: RouteScripts, filters?: JqFilters): LanguageFinder {
  const find: LanguageFinder = (name) => {
    const found = languages.get(name);
    if (found !== undefined) return found;
    const why = REFUSED.has(name) ? `${name} is not supported here` : `No language could be found for: ${name}`;
    throw new ExchangeFailure(
      'org.apache.camel.NoSuchLanguageException',
      `${why}; expected one of ${[...languages.keys()].join(', ')}`,
    );
  };
  const simple = simpleLanguage(find);
  const parts = { simple, convert, isTrue: truthOf };
  const languages = new Map<string, Language>([
    ['constant', constant],
    ['simple', simple],
    ['file', simple],
    ['csimple', simple],
    ['header', header],
    ['exchangeProperty', exchangeProperty],
    ['variable', variable],
    ['ref', ref(parts)],
    ['method', method(parts)],
    ['bean', method(parts)],
    ['jsonpath', jsonpath(parts)],
    ['xpath', xpath(parts)],
    ['tokenize', tokenizeLanguage(simple)],
    ['xtokenize', xtokenizeLanguage(simple)],
  ]);
  languages.set('language', otherLanguage(find));
  if (scripts !== undefined) languages.set('js', js(scripts, parts));
  if (filters !== undefined) languages.set('jq', jq(filters, parts));
  return find;
}

/** Languages of Camel that run on Java, or are for what is not here. */
const REFUSED = new Set('datasonnet groovy hl7terser jactl java joor mvel ognl python spel wasm xquery'.split(' '));

/** A language that is named by the option `language`. */
const otherLanguage = (find: LanguageFinder): Language => ({
  expression: (model) => find(String(model.options.language)).expression(model),
  predicate: (model) => find(String(model.options.language)).predicate(model),
});

/** The languages that need nothing of a server. */
export const languageOf: LanguageFinder = languagesOf();
