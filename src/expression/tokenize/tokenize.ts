import { asText, convert, requiredClass } from '../conversion/convert.js';
import { truthOf } from '../conversion/truth.js';
import { ExchangeFailure } from '../exchange/failure.js';
import type { Asked, Expression, ExpressionModel, Language } from '../exchange/language.js';
import { sourceOf } from '../exchange/source.js';
import { mapped } from '../exchange/stream.js';
import { DelimiterSplitter, PairSplitter } from './delimiter-splitter.js';
import { type ElementMode, ElementSplitter, elementPath } from './element-splitter.js';
import { grouped, itemwise, skippedFirst } from './items.js';
import { type Splitter, splitItems } from './splitter.js';
import { TagSplitter } from './tag-splitter.js';

/** The language tokenize: items of a text between tokens, between pairs of tokens, or the elements of a name. */
export const tokenizeLanguage = (simple: Language): Language => itemLanguage((model) => tokenize(model, simple));

/** The language xtokenize: the elements at a path of XML. */
export const xtokenizeLanguage = (simple: Language): Language => itemLanguage((model) => xtokenize(model, simple));

const itemLanguage = (expression: (model: ExpressionModel) => Expression): Language => ({
  expression,
  predicate(model) {
    const value = expression(model);
    return (exchange) => mapped(value(exchange), truthOf) as boolean | Asked;
  },
});

const isOn = (option: unknown): boolean =>
  String(option ?? '')
    .trim()
    .toLowerCase() === 'true';
const text = (option: unknown): string | undefined =>
  option === undefined || option === null || option === '' ? undefined : String(option);
const refused = (message: string) => new ExchangeFailure('java.lang.IllegalArgumentException', message);

function tokenize(model: ExpressionModel, simple: Language): Expression {
  const { options } = model;
  const token = text(options.token) ?? model.text;
  const xml = isOn(options.xml);
  checkOptions(model, token);
  const compiled = (written: unknown) => simpleText(text(written) ?? '', model, simple);
  const first = isOn(options.regex) ? () => token : compiled(token);
  const splitter = xml ? tagsOf(first, compiled, model) : partsOf(first, compiled, model);
  const delimiter: Expression = xml ? () => '' : compiled(text(options.groupDelimiter) ?? token);
  const skipsFirst = isOn(options.skipFirst) && !xml && text(options.endToken) === undefined;
  return items(model, simple, splitter, { delimiter, skipsFirst });
}

type Compile = (written: unknown) => Expression;

function tagsOf(first: Expression, compiled: Compile, { options }: ExpressionModel): Expression {
  const inherits = text(options.inheritNamespaceTagName);
  const parent = compiled(inherits);
  return (exchange) => {
    const name = String(asText(first(exchange))).replace(/^<|>$/g, '');
    return tags(name, inherits === undefined ? undefined : String(parent(exchange)));
  };
}

function partsOf(first: Expression, compiled: Compile, { options }: ExpressionModel): Expression {
  const endToken = text(options.endToken);
  const last = compiled(endToken);
  const includes = isOn(options.includeTokens);
  return (exchange) => {
    const known = String(asText(first(exchange)));
    return endToken === undefined
      ? new DelimiterSplitter(known)
      : new PairSplitter(known, String(last(exchange)), includes);
  };
}

function checkOptions({ options }: ExpressionModel, token: string): void {
  const [endToken, includes] = [text(options.endToken), isOn(options.includeTokens)];
  const inherits = text(options.inheritNamespaceTagName);
  if (token === '') throw refused('expected a token to part at');
  if (endToken !== undefined && (inherits !== undefined || isOn(options.xml)))
    throw refused('Cannot have both xml and pair tokenizer enabled.');
  if (includes && endToken === undefined) throw refused('The option includeTokens requires endToken to be specified.');
}

const tags = (name: string, inherits: string | undefined): Splitter =>
  inherits === '*'
    ? new ElementSplitter((open) => open.at(-1)?.name === name, 'w')
    : new TagSplitter(name, inherits?.replace(/^<|>$/g, ''));

function xtokenize(model: ExpressionModel, simple: Language): Expression {
  const { options } = model;
  const mode = text(options.mode) ?? 'i';
  if (!/^[iwut]$/.test(mode)) throw refused(`expected the mode of xtokenize to be i, w, u or t, but found ${mode}`);
  const holds = elementPath(model.text.trim(), namespacesOf(options.namespace));
  const group = text(options.group);
  const count = group === undefined ? undefined : simpleText(group, model, simple);
  const made: Expression = (exchange) =>
    new ElementSplitter(holds, mode as ElementMode, count === undefined ? 0 : groupSize(count(exchange), group ?? ''));
  return items({ ...model, options: { ...options, group: undefined } }, simple, made, {
    delimiter: () => '',
    skipsFirst: false,
  });
}

/** `namespace: [{key, value}, …]`. */
function namespacesOf(option: unknown): ReadonlyMap<string, string> {
  if (option === undefined || option === null) return new Map();
  if (!Array.isArray(option)) return new Map(Object.entries(option as Record<string, string>));
  return new Map((option as { readonly key: string; readonly value: string }[]).map(({ key, value }) => [key, value]));
}

function groupSize(value: unknown, group: string): number {
  const known = convert(value, 'Integer');
  if (typeof known === 'number' && known > 0) return known;
  const message =
    known === null
      ? `Group evaluated as null, must be evaluated as a positive Integer value from expression: ${group}`
      : `Group must be a positive number, was: ${String(known)}`;
  throw new ExchangeFailure('org.apache.camel.RuntimeExchangeException', message);
}

const simpleText = (written: string, model: ExpressionModel, simple: Language): Expression => {
  const plain = !/[$\\]/.test(written);
  return plain
    ? () => written
    : simple.expression({ language: 'simple', text: written, options: { trim: 'false' }, at: model.at });
};

interface Gathering {
  /** Between the items of a group. */
  readonly delimiter: Expression;
  readonly skipsFirst: boolean;
}

/** What the options of both languages make of the items: groups, types. */
function items(
  model: ExpressionModel,
  simple: Language,
  splitter: Expression,
  { delimiter, skipsFirst }: Gathering,
): Expression {
  const { options } = model;
  const source = sourceOf(options.source);
  const group = text(options.group);
  const count = group === undefined ? undefined : simpleText(group, model, simple);
  const type = text(options.resultType) === undefined ? undefined : requiredClass(String(options.resultType));
  return (exchange) => {
    const size = count === undefined ? 0 : groupSize(count(exchange), group ?? '');
    return mapped(source(exchange), (value) => {
      let all = splitItems(value, splitter(exchange) as Splitter);
      if (skipsFirst) all = skippedFirst(all);
      if (size > 0) all = grouped(all, size, String(asText(delimiter(exchange))));
      return type === undefined || type === 'java.lang.String' ? all : itemwise(all, (item) => convert(item, type));
    });
  };
}
