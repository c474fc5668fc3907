import { type Exchange, failureType, isStream, textOf, typeName } from '../../../expression/routes.js';
import type { EndpointAddress } from '../component.js';

type Options = EndpointAddress['options'];
/** A part of the log line of an exchange: a label, whether it is shown, and the text. `undefined`: nothing to tell. */
type Part = readonly [label: string, isShown: boolean, text: (exchange: Exchange) => string | undefined];

const MAX_CHARS = 10_000;

/** How a line of `log:` tells an exchange, by its options: `Exchange[ExchangePattern: InOnly, BodyType: String, Body: Hello]`. */
export function formatExchange(options: Options): (exchange: Exchange) => string {
  const { plain = false, multiline = false, skipBodyLineSeparator = true, style = 'Default' } = options;
  const maxChars = Number(options.maxChars ?? MAX_CHARS);
  if (plain === true) return (exchange) => bodyText(exchange.body, options, maxChars);
  const parts = partsOf(options, maxChars, skipBodyLineSeparator === true).filter(([, isShown]) => isShown);
  return (exchange) => {
    const texts = parts.map(([label, , text]) => {
      const told = text(exchange);
      return told === undefined ? '' : labelled(label, String(style), multiline === true) + told;
    });
    if (multiline === true) return `Exchange[\n${texts.map((text) => `${cut(text, maxChars)}\n`).join('')}]`;
    return `Exchange[${cut(texts.join(''), maxChars).replace(/^, /, '')}]`;
  };
}

function labelled(label: string, style: string, isMultiline: boolean): string {
  if (style === 'Tab') return `\t${label}: `;
  if (style === 'Fixed') return `\t${label.padEnd(20)}`;
  return isMultiline ? `  ${label}: ` : `, ${label}: `;
}

const cut = (text: string, maxChars: number) =>
  maxChars > 0 && text.length > maxChars ? `${text.slice(0, maxChars)}...` : text;

function partsOf(options: Options, maxChars: number, isOneLine: boolean): readonly Part[] {
  const all = options.showAll === true;
  const is = (name: string) => all || options[name] === true;
  const body = (exchange: Exchange) => {
    const text = bodyText(exchange.body, options, maxChars);
    return isOneLine ? text.replaceAll('\n', '') : text;
  };
  return [
    ['Id', is('showExchangeId'), ({ id }) => id],
    ['RouteGroup', is('showRouteGroup'), ({ origin }) => origin.routeGroup],
    ['RouteId', is('showRouteId'), ({ routeId }) => routeId],
    ['ExchangePattern', is('showExchangePattern') || isDefault(options), ({ pattern }) => pattern],
    ['Properties', is('showAllProperties') || is('showProperties'), ({ properties }) => sortedText(properties)],
    ['Variables', is('showVariables'), ({ variables }) => (variables.size > 0 ? sortedText(variables) : undefined)],
    ['Headers', is('showHeaders'), ({ headers }) => sortedText(headers)],
    ['BodyType', all || options.showBodyType !== false, (it) => typeName(it.body).replace(/^java\.lang\./, '')],
    ['Body', all || options.showBody !== false, body],
    ['', is('showException') || is('showCaughtException'), (exchange) => exceptionText(exchange, options)],
  ];
}

/** What says how an exchange is told. Where nobody says anything of it, the exchange's pattern is told, too. */
const SAYS = /^(show|maxChars$|multiline$|style$|plain$|skipBodyLineSeparator$)/;
const isDefault = (options: Options) => !Object.keys(options).some((name) => SAYS.test(name));

const sortedText = (entries: Iterable<readonly [string, unknown]>) => {
  const sorted = [...entries].map(([name, value]) => [name.toLowerCase(), name, value] as const);
  sorted.sort(([one], [other]) => (one < other ? -1 : 1));
  return textOf(new Map(sorted.map(([, name, value]) => [name, value])));
};

function exceptionText(exchange: Exchange, options: Options): string | undefined {
  const style = String(options.style ?? 'Default');
  const isCaught =
    exchange.exception === undefined && (options.showAll === true || options.showCaughtException === true);
  const exception = isCaught ? exchange.properties.get('CamelExceptionCaught') : exchange.exception;
  if (exception === undefined || exception === null) return undefined;
  const label = (text: string) => labelled(text, style, options.multiline === true);
  const of = isCaught ? 'CaughtException' : 'Exception';
  const message = exception instanceof Error ? exception.message : String(exception);
  const told = `${label(`${of}Type`)}${failureType(exception)}${label(`${of}Message`)}${message}`;
  if (options.showAll !== true && options.showStackTrace !== true) return told;
  return `${told}${label('StackTrace')}${exception instanceof Error ? exception.stack : message}`;
}

function bodyText(body: unknown, options: Options, maxChars: number): string {
  if (body === null || body === undefined) return '[Body is null]';
  if (isStream(body) && options.showStreams !== true) return `[Body is instance of java.io.InputStream]`;
  const text = textOf(body);
  if (maxChars <= 0 || text.length <= maxChars) return text;
  return `${text.slice(0, maxChars)}... [Body clipped after ${maxChars} chars, total length is ${text.length}]`;
}
