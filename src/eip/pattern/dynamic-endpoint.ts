import { type Exchange, ExchangeFailure, type RouteExpression } from '../../expression/routes.js';
import { evaluated, type Outcome, type Step } from '../flow/outcome.js';
import { withoutMissing } from '../model/placeholder.js';
import type { StepModel } from '../model/route-model.js';
import { booleanOption, textOption, uriOption } from './options.js';
import type { RouteCompiler } from './pattern.js';
import { textOf } from './value.js';

/**
 * Finds the producers of URIs that are known when an exchange comes. The one function gives what sends to a URI, `undefined` where that is no endpoint and such
 * ones are to be ignored.
 */
export function recipientOptions(
  route: RouteCompiler,
  step: StepModel,
  ignoring: string,
): (uri: string) => Step | undefined {
  const isIgnoring = booleanOption(route, step, ignoring, false);
  const allowed = textOption(route, step, 'allowedSchemes')
    ?.split(',')
    .map((it) => it.trim());
  return (uri) => {
    const scheme = uri.split(':', 1)[0] ?? '';
    if (allowed !== undefined && !allowed.includes(scheme)) throw notAllowed(uri, scheme, allowed);
    try {
      return route.producerOf(route.computedEndpoint(uri));
    } catch (thrown) {
      if (isIgnoring) return undefined;
      throw thrown;
    }
  };
}

const notAllowed = (uri: string, scheme: string, allowed: readonly string[]) =>
  new ExchangeFailure(
    'org.apache.camel.ResolveEndpointFailedException',
    `Failed to resolve endpoint: ${uri} due to: the scheme ${scheme} is none of ${allowed.join(', ')}`,
  );

/** The URI of a step as an expression: `simple` by default; parts behind `+` have a language of their own (`language:constant:…`, as in `toD`). */
export function uriExpression(route: RouteCompiler, step: StepModel): RouteExpression {
  const uri = uriOption(step);
  const parameters = step.options.parameters;
  const given =
    typeof parameters === 'object' && parameters !== null && !Array.isArray(parameters)
      ? Object.entries(parameters)
      : [];
  const query = given.map(([name, value]) => `${name}=${String(value)}`).join('&');
  const text = query === '' ? uri : `${uri}${uri.includes('?') ? '&' : '?'}${query}`;
  return route.textExpression(
    withoutMissing(text, (placeholder) => route.resolved(placeholder)),
    step,
  );
}

/** Sends to the endpoint of the URI that an expression gives. */
export const sendingTo =
  (expression: RouteExpression, recipient: (uri: string) => Step | undefined): ((exchange: Exchange) => Outcome) =>
  (exchange) =>
    evaluated(expression(exchange), (value) => {
      const uri = textOf(value)?.trim() ?? '';
      return uri === '' ? undefined : recipient(uri)?.(exchange);
    });
