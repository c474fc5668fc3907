import { convert, convertMandatory, type Exchange, requiredClass, typeName } from '../../expression/routes.js';
import { messageOf } from '../../shared/errors.js';
import { attempt, evaluated, type Step } from '../flow/outcome.js';
import type { StepModel } from '../model/route-model.js';
import { nameOf } from './assignment.js';
import { booleanOption, refused, requiredText, textOption } from './options.js';
import type { Pattern, RouteCompiler } from './pattern.js';
import { camelExchangeFailure, textOf } from './value.js';
import { type Variable, variableOf } from './variable.js';

/** The body as a value of another type (`String`, `int`, `java.util.List`, `byte[]`). What cannot be converted fails, or (`mandatory: false`) is null. */
export const convertBodyTo: Pattern = (step, route) => {
  const make = conversionOf(step, route);
  const type = requiredClass(requiredText(route, step, 'type'));
  const isMandatory = booleanOption(route, step, 'mandatory', true);
  return (exchange) => {
    const { body } = exchange;
    if (body === null || body === undefined) return undefined;
    return attempt(
      () =>
        evaluated(make(body), (value) => {
          exchange.body = value;
          return undefined;
        }),
      (thrown) => {
        throw isMandatory ? invalidBody(exchange, type, thrown) : thrown;
      },
    );
  };
};

const invalidBody = (exchange: Exchange, type: string, thrown: unknown) =>
  camelExchangeFailure(
    `No body available of type: ${type} but has type: ${typeName(exchange.body)} on: Message. Caused by: ${messageOf(thrown)}`,
    exchange,
    thrown,
    'org.apache.camel.InvalidPayloadException',
  );

/** A header, into itself or into the header `toName`. */
export const convertHeaderTo: Pattern = (step, route) =>
  converted(step, route, (name) => ({
    get: ({ headers }) => headers.get(name),
    set: ({ headers }, value) => headers.set(name, value),
  }));

/** A variable, into itself or into the variable `toName`. */
export const convertVariableTo: Pattern = (step, route) => converted(step, route, variableOf);

type Place = Pick<Variable, 'get' | 'set'>;
type Conversion = (value: unknown) => unknown;

function converted(step: StepModel, route: RouteCompiler, place: (name: string) => Place): Step {
  const name = requiredText(route, step, 'name');
  const from = nameOf(name, step, route);
  const into = nameOf(textOption(route, step, 'toName') ?? name, step, route);
  const make = conversionOf(step, route);
  const named = (it: unknown) => place(textOf(it) ?? '');
  return (exchange) =>
    evaluated(from(exchange), (source) => {
      const value = named(source).get(exchange);
      // As in Camel: where there is nothing, there is nothing to convert.
      if (value === null || value === undefined) return undefined;
      return evaluated(make(value), (result) =>
        evaluated(into(exchange), (target) => {
          named(target).set(exchange, result);
          return undefined;
        }),
      );
    });
}

function conversionOf(step: StepModel, route: RouteCompiler): Conversion {
  const type = requiredClass(requiredText(route, step, 'type'));
  const decoded = charsetOption(step, route, type);
  const make = booleanOption(route, step, 'mandatory', true) ? convertMandatory : convert;
  return (value) => make(decoded(value), type);
}

/** Between bytes and texts of a charset: `charset` of the step. Default: UTF-8. */
function charsetOption(step: StepModel, route: RouteCompiler, type: string): (value: unknown) => unknown {
  const charset = textOption(route, step, 'charset');
  if (charset === undefined) return (value) => value;
  const encoding = ENCODINGS[charset.toLowerCase().replace(/_/g, '-')];
  if (encoding === undefined)
    throw refused(step, `expected charset to be one of ${Object.keys(ENCODINGS).join(', ')}, got ${charset}`);
  return (value) => {
    if (value instanceof Uint8Array && type === 'java.lang.String') return Buffer.from(value).toString(encoding);
    return typeof value === 'string' && type === 'byte[]' ? Buffer.from(value, encoding) : value;
  };
}

const ENCODINGS: Readonly<Record<string, BufferEncoding>> = {
  'utf-8': 'utf8',
  'iso-8859-1': 'latin1',
  'us-ascii': 'ascii',
  'utf-16le': 'utf16le',
};
