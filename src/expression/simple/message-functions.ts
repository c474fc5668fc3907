import { asText, convert, convertMandatory, requiredClass } from '../conversion/convert.js';
import { JavaClass, typeName } from '../conversion/java-class.js';
import { type Exchange, headerOf } from '../exchange/exchange.js';
import { ExchangeFailure } from '../exchange/failure.js';
import type { Expression } from '../exchange/language.js';
import { mapped } from '../exchange/stream.js';
import { variableOf } from '../exchange/variable.js';
import { unquoted, withoutQuotes } from './arguments.js';
import { body, type FunctionCall, type FunctionMaker, onText } from './function-call.js';
import { memberPath, pathOf, pathSteps } from './member-path.js';
import { SyntaxProblem } from './syntax-error.js';
import type { TextCompiler } from './text-compiler.js';

type Read = (exchange: Exchange, name: string) => unknown;

/** What `${header.name}`, `${variable.name}` and `${exchangeProperty.name}` read. Longer prefixes first. */
const KEYED: readonly (readonly [prefix: string, read: Read])[] = [
  ['in.headers', headerOf],
  ['in.header', headerOf],
  ['headers', headerOf],
  ['header', headerOf],
  ['variables', variableOf],
  ['variable', variableOf],
  ['exchangeProperty', (exchange, name) => exchange.properties.get(name)],
];

/** `${header.name}` and its like, with whatever stands behind the name. `undefined`: it is none of them. */
export function keyedFunction(text: string, compiler: TextCompiler): Expression | undefined {
  const found = KEYED.find(([prefix]) => text.startsWith(prefix) && text.length > prefix.length);
  if (found === undefined) return undefined;
  const [prefix, read] = found;
  let key = text.slice(prefix.length);
  if (/^[.:?]/.test(key)) key = key.slice(1);
  if (/^\[[^\]]*\]$/.test(key)) key = key.slice(1, -1);
  key = unquoted(key);
  checkBrackets(key, text);
  return keyed(key, read, compiler);
}

/** The whole as a name first: names may have dots in them. Otherwise what stands before the first dot or bracket is the name. */
function keyed(key: string, read: Read, compiler: TextCompiler): Expression {
  if (!/[.[]/.test(key)) return (exchange) => read(exchange, key) ?? null;
  const name = key.includes('${') ? compiler.template(key) : undefined;
  const [first = key, ...rest] = stepsOf(key);
  const short = first.startsWith('[') ? unquoted(first.slice(1, -1)) : first;
  const shortName = short.includes('${') ? compiler.template(short) : undefined;
  const path =
    rest.length === 0
      ? undefined
      : memberPath(rest.map((it) => (it.startsWith('[') ? it : `.${it}`)).join(''), compiler);
  return (exchange) => {
    const whole = read(exchange, name === undefined ? key : String(asText(name(exchange))));
    if (whole !== undefined && whole !== null) return whole;
    const value = read(exchange, shortName === undefined ? short : String(asText(shortName(exchange)))) ?? null;
    return value === null || path === undefined ? value : path(value, exchange);
  };
}

/** A name that is no path is a name, too. */
function stepsOf(key: string): string[] {
  try {
    return pathSteps(key);
  } catch {
    return [key];
  }
}

/** Brackets come in pairs, and dots alone. */
function checkBrackets(path: string, text: string): void {
  const [open, closed] = [path.split('[').length, path.split(']').length];
  if (open !== closed || (open === 1 && path.includes('..') && !path.includes('${'))) {
    throw new SyntaxProblem(0, `Valid syntax: \${name.path[key]} was: ${text}`);
  }
}

const PATHS: readonly (readonly [prefix: string, base: Expression])[] = [
  ['in.body', body],
  ['body', body],
  ['exception', (exchange) => thrownOf(exchange)],
];

/** `${body.name}`, `${exception.message}`. `undefined`: it is none of them. */
export function pathFunction(text: string, compiler: TextCompiler): Expression | undefined {
  const found = PATHS.find(([prefix]) => text.startsWith(prefix) && /^[.?[]/.test(text.slice(prefix.length)));
  if (found === undefined) return undefined;
  const path = text.slice(found[0].length);
  checkBrackets(path, text);
  return pathOf(found[1], path, compiler);
}

/** What failed, or was caught before. */
const thrownOf = (exchange: Exchange): unknown =>
  exchange.exception ?? exchange.properties.get('CamelExceptionCaught') ?? null;

/** `name(type)` and what stands behind it. */
const converted =
  (read: (exchange: Exchange, type: string) => unknown): FunctionMaker =>
  ({ behind, name, compiler }: FunctionCall) => {
    const end = behind.indexOf(')');
    const type = withoutQuotes(behind.slice(0, end)).trim();
    const computed = type.includes('${') ? compiler.template(type) : undefined;
    const path = behind.slice(end + 1);
    if (type === '' || (path !== '' && !/^[.?[]/.test(path)))
      throw new SyntaxProblem(0, `Valid syntax: \${${name}(type).OGNL} was: ${name}(${behind}`);
    return pathOf(
      (exchange) => read(exchange, computed === undefined ? type : String(asText(computed(exchange)))),
      path,
      compiler,
    );
  };

const mandatoryBody = (exchange: Exchange, type: string): unknown => {
  requiredClass(type);
  try {
    return convertMandatory(exchange.body, type);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const has = exchange.body === null ? '' : ` but has type: ${typeName(exchange.body)}`;
    const invalid = new ExchangeFailure(
      'org.apache.camel.InvalidPayloadException',
      `No body available of type: ${requiredClass(type)}${has}. Caused by: ${why}`,
      { cause },
    );
    throw new ExchangeFailure('org.apache.camel.CamelExecutionException', invalid.message, { cause: invalid });
  }
};

/** `name(key, type)`. */
const keyedAs =
  (read: Read): FunctionMaker =>
  (call) => {
    const [key = '', type = ''] = call.text.split(',', 2).map((it) => withoutQuotes(it).trim());
    if (key === '' || type === '' || call.behind !== `${call.text})`) throw call.wrong(`${call.name}(key, type)`);
    const name = call.template(key);
    return (exchange) => convert(read(exchange, String(asText(name(exchange)))), requiredClass(type));
  };

/** `convertTo(type)`, `convertTo(exp,type)` and what stands behind it. */
const convertTo: FunctionMaker = ({ behind, compiler }) => {
  const parts = /^([\s\S]*?)([^,()]+)\)((?:[.?[][\s\S]*)?)$/.exec(behind);
  if (parts === null) throw new SyntaxProblem(0, `Valid syntax: \${convertTo(exp,type)} was: convertTo(${behind}`);
  const [, before = '', type = '', path = ''] = parts;
  const source = before.trim().replace(/,$/, '');
  const value = source === '' ? body : compiler.template(withoutQuotes(source));
  const target = requiredClass(withoutQuotes(type).trim());
  return pathOf((exchange) => mapped(value(exchange), (known) => convert(known, target)), path, compiler);
};

export const MESSAGE_CALLS: Readonly<Record<string, FunctionMaker>> = {
  bodyAs: converted((exchange, type) => convert(exchange.body, type)),
  mandatoryBodyAs: converted(mandatoryBody),
  headerAs: keyedAs(headerOf),
  variableAs: keyedAs(variableOf),
  convertTo,
};

const headersSize: Expression = (exchange) => exchange.headers.size;
const variablesSize: Expression = (exchange) => exchange.variables.size;
const stackTrace: Expression = (exchange) => {
  const thrown = thrownOf(exchange);
  return thrown instanceof Error ? (thrown.stack ?? String(thrown)) : null;
};

export const MESSAGE_FUNCTIONS: Readonly<Record<string, Expression>> = {
  body,
  'in.body': body,
  bodyType: (exchange) => (exchange.body === null ? null : new JavaClass(typeName(exchange.body))),
  bodyOneLine: onText(body, (text) => text.replace(/\r\n|\r|\n/g, '')),
  originalBody: (exchange) => exchange.properties.get('CamelOriginalBody') ?? exchange.body,
  headers: (exchange) => exchange.headers,
  'in.headers': (exchange) => exchange.headers,
  'headers.size': headersSize,
  'headers.size()': headersSize,
  'headers.length': headersSize,
  'headers.length()': headersSize,
  variables: (exchange) => exchange.variables,
  'variables.size': variablesSize,
  'variables.size()': variablesSize,
  'variables.length': variablesSize,
  'variables.length()': variablesSize,
  exception: thrownOf,
  'exception.message': (exchange) => {
    const thrown = thrownOf(exchange);
    return thrown instanceof Error ? thrown.message : thrown;
  },
  'exception.stacktrace': stackTrace,
  'exception.stackTrace': stackTrace,
  null: () => null,
};
