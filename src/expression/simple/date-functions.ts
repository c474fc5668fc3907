import { tryConvert } from '../conversion/convert.js';
import type { Exchange } from '../exchange/exchange.js';
import type { Expression } from '../exchange/language.js';
import { variableOf } from '../exchange/variable.js';
import { parseCamelDuration } from '../time/camel-duration.js';
import { dateFormat, isZone } from '../time/date-format.js';
import { illegalArgument } from './function-call.js';
import { SyntaxProblem } from './syntax-error.js';

/** The function `date:command` or `date:command:pattern` of Simple, in UTC. @throws SyntaxProblem */
export function dateFunction(text: string): Expression {
  const [, command = '', , pattern] = /^([^:]*)(:([\s\S]*))?$/.exec(text) ?? [];
  return dated(command, 'UTC', pattern);
}

/** `date-with-timezone:command:timezone:pattern`. @throws SyntaxProblem */
export function zonedDateFunction(text: string): Expression {
  // A zone may have a colon: GMT+08:00.
  const [, command, zone, pattern] = /^([^:]*):((?:GMT|UTC)?[-+]\d\d?:\d\d|[^:]*):([\s\S]*)$/.exec(text) ?? [];
  if (command === undefined || zone === undefined || pattern === undefined) {
    throw new SyntaxProblem(
      0,
      `Valid syntax: \${date-with-timezone:command:timezone:pattern} was: date-with-timezone:${text}`,
    );
  }
  return dated(command, isZone(zone) ? zone : 'GMT', pattern);
}

function dated(written: string, zone: string, pattern: string | undefined): Expression {
  const name = written.split(/[+-]/, 1)[0]?.trim() ?? '';
  const offset = offsetOf(written);
  const read = reader(name);
  const format = pattern === undefined || pattern === '' ? undefined : formatOf(pattern, zone);
  return (exchange) => {
    const ms = read(exchange) + offset;
    if (format !== undefined) return format(ms);
    return name === 'millis' ? ms : new Date(ms);
  };
}

function formatOf(pattern: string, zone: string): (ms: number) => string {
  try {
    return dateFormat(pattern, zone);
  } catch (thrown) {
    throw new SyntaxProblem(0, thrown instanceof Error ? thrown.message : String(thrown));
  }
}

function offsetOf(written: string): number {
  let ms = 0;
  for (const [, sign, span = ''] of written.matchAll(/([+-])([^+-]+)/g)) {
    const known = parseCamelDuration(span.trim());
    if (known === undefined)
      throw new SyntaxProblem(0, `expected a time such as 24h or 1d after ${sign} in ${written}`);
    ms += sign === '-' ? -known : known;
  }
  return ms;
}

type Instant = (exchange: Exchange) => number;

function reader(name: string): Instant {
  if (name === 'now' || name === 'millis') return ({ context }) => context.now();
  if (name === 'exchangeCreated') return (exchange) => exchange.createdAt;
  if (name === 'file')
    return (exchange) =>
      instantOf(
        exchange.headers.get('CamelFileLastModified'),
        'Cannot find CamelFileLastModified header at command: file',
      );
  const [, kind, key = ''] = /^(header|variable|exchangeProperty)\.(.+)$/.exec(name) ?? [];
  const missing = `Cannot find Date/long object at command: ${name}`;
  if (kind === 'header') return (exchange) => instantOf(exchange.headers.get(key), missing);
  if (kind === 'variable') return (exchange) => instantOf(variableOf(exchange, key), missing);
  if (kind === 'exchangeProperty') return (exchange) => instantOf(exchange.properties.get(key), missing);
  return () => {
    throw illegalArgument(`Command not supported for dateExpression: ${name}`);
  };
}

function instantOf(value: unknown, missing: string): number {
  const date = tryConvert(value, 'java.util.Date');
  if (date instanceof Date) return date.getTime();
  throw illegalArgument(missing);
}
