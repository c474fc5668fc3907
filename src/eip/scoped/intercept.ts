import { type Exchange, namePattern, type Predicate } from '../../expression/routes.js';
import type { Endpoint } from '../component/component.js';
import { after, evaluated, type Outcome, type Step } from '../flow/outcome.js';
import type { StepModel } from '../model/route-model.js';
import { booleanOption, requiredText, textOption } from '../pattern/options.js';
import type { RouteCompiler } from '../pattern/pattern.js';
import { type RouteScopes, scoped } from './scopes.js';

/** An `intercept`, put before each step of a route. `steps` are those around which that stands. */
export type Interception = (step: Step, model: StepModel) => Step;
/** An `interceptSendToEndpoint`: steps in place of, before or behind sending to an endpoint. */
export type Diversion = (send: Step, endpoint: Endpoint) => Step;

/** Steps that stand for others: they are not seen from outside. */
const UNSEEN = new Set(['doTry', 'doCatch', 'doFinally']);

/**
 * The `intercept`s of a route: the latest first, which goes for the steps of the earlier ones, too. `within`: compiles their steps, with what is intercepted so far.
 */
export function interceptionOf(
  route: RouteCompiler,
  scopes: RouteScopes,
  within: (interception: Interception) => RouteCompiler,
): Interception | undefined {
  let all: Interception | undefined;
  for (const { model } of scoped(route, scopes, 'intercept').reverse()) {
    const outer = all;
    const block = blockOf(within(outer ?? ((step) => step)), model);
    all = (step, of) => {
      if (UNSEEN.has(of.kind)) return step;
      const inner = intercepted(step, of.id, block, route);
      return outer === undefined ? inner : outer(inner, of);
    };
  }
  return all;
}

const intercepted =
  (step: Step, stepId: string, block: Step, { model }: RouteCompiler): Step =>
  (exchange) => {
    exchange.properties.set('CamelInterceptedRouteId', model.id);
    exchange.properties.set('CamelInterceptedNodeId', stepId);
    return then(block(exchange), exchange, step);
  };

/** The step behind an outcome, unless that stopped the exchange. */
function then(outcome: Outcome, exchange: Exchange, step: Step): Outcome {
  if (outcome !== undefined) return after(outcome, () => then(undefined, exchange, step));
  return exchange.isStopped ? undefined : step(exchange);
}

/** The `interceptFrom`s that are for the endpoint of a route, each as a step before all others: the latest first. */
export function interceptFrom(
  route: RouteCompiler,
  scopes: RouteScopes,
  from: Endpoint,
): { readonly model: StepModel; readonly step: Step }[] {
  return scoped(route, scopes, 'interceptFrom')
    .filter(({ model }) => matchesUri(textOption(route, model, 'uri') ?? '*', from.uri))
    .map(({ model }) => {
      const block = blockOf(route, model);
      const step: Step = (exchange) => {
        exchange.properties.set('CamelInterceptedRouteId', route.model.id);
        exchange.properties.set('CamelInterceptedEndpoint', from.uri);
        return block(exchange);
      };
      return { model, step };
    })
    .reverse();
}

/** The steps of an interceptor, where its `onWhen` holds. */
function blockOf(route: RouteCompiler, model: StepModel): Step {
  const block = route.block(model.steps);
  if (!route.has(model, 'onWhen')) return block;
  const onWhen = route.predicate(model, 'onWhen');
  return (exchange) => evaluated(onWhen(exchange), (holds) => (holds === true ? block(exchange) : undefined));
}

interface SendInterceptor {
  readonly matches: (uri: string) => boolean;
  readonly onWhen: Predicate | undefined;
  readonly block: Step;
  readonly skips: boolean;
  readonly behind: Step | undefined;
}

/** The `interceptSendToEndpoint`s of a route. Of several for one endpoint, the latest holds. */
export function diversionOf(route: RouteCompiler, scopes: RouteScopes): Diversion | undefined {
  const interceptors = scoped(route, scopes, 'interceptSendToEndpoint').map(({ model }): SendInterceptor => {
    const pattern = requiredText(route, model, 'uri');
    const afterUri = textOption(route, model, 'afterUri');
    return {
      matches: (uri) => matchesUri(pattern, uri),
      onWhen: route.has(model, 'onWhen') ? route.predicate(model, 'onWhen') : undefined,
      block: route.block(model.steps),
      skips: booleanOption(route, model, 'skipSendToOriginalEndpoint', false),
      behind: afterUri === undefined ? undefined : route.producer(afterUri),
    };
  });
  if (interceptors.length === 0) return undefined;
  return (send, { uri }) => {
    const interceptor = interceptors.findLast(({ matches }) => matches(uri));
    return interceptor === undefined ? send : diverted(send, uri, interceptor);
  };
}

function diverted(send: Step, uri: string, { onWhen, block, skips, behind }: SendInterceptor): Step {
  const original: Step = (exchange) => {
    if (skips) return undefined;
    return behind === undefined ? send(exchange) : then(send(exchange), exchange, behind);
  };
  return (exchange) => {
    exchange.properties.set('CamelInterceptedEndpoint', uri);
    return evaluated(onWhen?.(exchange) ?? true, (holds) =>
      holds === true ? then(block(exchange), exchange, original) : send(exchange),
    );
  };
}

/** A URI matches with and without the two slashes behind its scheme. */
function matchesUri(pattern: string, uri: string): boolean {
  const matches = namePattern(pattern);
  const toggled = uri.includes('://') ? uri.replace('://', ':') : uri.replace(':', '://');
  return matches(uri) || matches(toggled);
}
