import { dataFormat, type Exchange, ExchangeFailure } from '../../expression/routes.js';
import { evaluated, type Step } from '../flow/outcome.js';
import type { OptionValue, StepModel } from '../model/route-model.js';
import { booleanOption, refused, textOption } from './options.js';
import type { Pattern, RouteCompiler } from './pattern.js';
import { variableOf } from './variable.js';

/** The body, or the variable `variableSend`, as bytes of a data format; they go into the body, or the variable `variableReceive`. */
export const marshal: Pattern = (step, route) => {
  const format = formatOf(step, route);
  return translated(step, route, (exchange, value) => format.marshal(exchange, value));
};

/** A data format's bytes as values, as `marshal`. Nothing to read fails, unless `allowNullBody`. */
export const unmarshal: Pattern = (step, route) => {
  const format = formatOf(step, route);
  const allowsNull = booleanOption(route, step, 'allowNullBody', false);
  return translated(step, route, (exchange, value) => {
    if (value !== null && value !== undefined) return format.unmarshal(exchange, value);
    if (allowsNull) return null;
    throw new ExchangeFailure(
      'org.apache.camel.InvalidPayloadException',
      `No body available of type: java.io.InputStream on: Message. Exchange[${exchange.id}]`,
    );
  });
};

/** Options of the step that are no data format. */
const OWN = ['id', 'variableSend', 'variableReceive', 'allowNullBody', 'description', 'note', 'disabled'];

function formatOf(step: StepModel, route: RouteCompiler) {
  const [kind, ...more] = Object.keys(step.options).filter((name) => !OWN.includes(name));
  if (kind === undefined || more.length > 0) throw refused(step, 'expected one data format');
  const options = resolvedOptions(step.options[kind] ?? {}, route);
  return dataFormat({ kind, options, at: step.at });
}

function resolvedOptions(written: OptionValue, route: RouteCompiler): Record<string, unknown> {
  if (typeof written !== 'object' || written === null || Array.isArray(written)) return {};
  const entries = Object.entries(written).map(([name, value]) => [
    name,
    typeof value === 'string' ? route.resolved(value) : value,
  ]);
  return Object.fromEntries(entries);
}

function translated(
  step: StepModel,
  route: RouteCompiler,
  translate: (exchange: Exchange, value: unknown) => unknown,
): Step {
  const from = textOption(route, step, 'variableSend');
  const into = textOption(route, step, 'variableReceive');
  const source = from === undefined ? undefined : variableOf(from);
  const target = into === undefined ? undefined : variableOf(into);
  return (exchange) =>
    evaluated(translate(exchange, source === undefined ? exchange.body : source.get(exchange)), (value) => {
      if (target === undefined) exchange.body = value;
      else target.set(exchange, value);
      return undefined;
    });
}
