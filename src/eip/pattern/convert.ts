import { convert, convertMandatory, type Exchange, requiredClass } from '../../expression/routes.js';
import { evaluated, type Outcome, type Step } from '../flow/outcome.js';
import type { StepModel } from '../model/route-model.js';
import { booleanOption, refused, requiredText, textOption } from './options.js';
import type { Pattern, RouteCompiler } from './pattern.js';
import { variableOf } from './variable.js';

/** The body as a value of another type (`String`, `int`, `java.util.List`, `byte[]`). What cannot be converted fails, or (`mandatory: false`) is null. */
export const convertBodyTo: Pattern = (step, route) =>
  converted(
    step,
    route,
    ({ body }) => body,
    (exchange, value) => {
      exchange.body = value;
    },
  );

/** A header, into itself or into the header `toName`. */
export const convertHeaderTo: Pattern = (step, route) => {
  const name = requiredText(route, step, 'name');
  const into = textOption(route, step, 'toName') ?? name;
  return converted(
    step,
    route,
    ({ headers }) => headers.get(name),
    ({ headers }, value) => headers.set(into, value),
  );
};

/** A variable, into itself or into the variable `toName`. */
export const convertVariableTo: Pattern = (step, route) => {
  const name = requiredText(route, step, 'name');
  const from = variableOf(name);
  const into = variableOf(textOption(route, step, 'toName') ?? name);
  return converted(step, route, from.get, into.set);
};

function converted(
  step: StepModel,
  route: RouteCompiler,
  get: (exchange: Exchange) => unknown,
  set: (exchange: Exchange, value: unknown) => void,
): Step {
  const type = requiredClass(requiredText(route, step, 'type'));
  const decoded = charsetOption(step, route, type);
  const make = booleanOption(route, step, 'mandatory', true) ? convertMandatory : convert;
  return (exchange): Outcome => {
    const value = get(exchange);
    // As in Camel: where there is nothing, there is nothing to convert.
    if (value === null || value === undefined) return undefined;
    return evaluated(make(decoded(value), type), (it) => {
      set(exchange, it);
      return undefined;
    });
  };
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
