import { namePattern } from '../../expression/routes.js';
import type { ConfigurationModel, ElementModel, ScopedModel, StepModel } from '../model/route-model.js';
import { textOption } from '../pattern/options.js';
import type { RouteCompiler } from '../pattern/pattern.js';

/** Error handling, completion and interceptors that a route has from its file and from `routeConfiguration`s. */
export interface RouteScopes {
  /** What stands at the top of its file. */
  readonly file: ScopedModel;
  /** The `routeConfiguration`s that are there, of all files. */
  readonly configurations: readonly ConfigurationModel[];
}

type ScopedKind = Exclude<keyof ScopedModel, 'errorHandler'>;

/** The definitions of a kind that hold for a route: its own first, then those of its file, then those of its configurations. */
export function scoped(
  route: RouteCompiler,
  scopes: RouteScopes,
  kind: ScopedKind,
): { readonly model: StepModel; readonly isOfRoute: boolean }[] {
  const shared = [scopes.file, ...configurationsFor(route, scopes).map((it) => it.scoped)];
  return [
    ...route.model.scoped[kind].map((model) => ({ model, isOfRoute: true })),
    ...shared.flatMap((it) => it[kind]).map((model) => ({ model, isOfRoute: false })),
  ].filter(({ model }) => String(model.options.disabled) !== 'true');
}

/** The error handler of a route: its own, the last one of its configurations, or that of its file. */
export const errorHandlerFor = (route: RouteCompiler, scopes: RouteScopes): ElementModel | undefined =>
  route.model.scoped.errorHandler ??
  referred(route) ??
  configurationsFor(route, scopes)
    .map((it) => it.scoped.errorHandler)
    .findLast((it) => it !== undefined) ??
  scopes.file.errorHandler;

/** The error handler that a route names by its `errorHandlerRef`. */
function referred({ model: { at, options } }: RouteCompiler): ElementModel | undefined {
  const { errorHandlerRef: ref } = options;
  return ref === undefined ? undefined : { kind: 'refErrorHandler', at, options: { ref }, expressions: {} };
}

/** The configurations of a route: those that it names, by id or pattern, in that order; where it names none, those without id. */
function configurationsFor(route: RouteCompiler, scopes: RouteScopes): ConfigurationModel[] {
  const { model } = route;
  const configurations = scopes.configurations.filter((it) => isIncluded(route, it));
  const named = textOption(route, { ...model, kind: 'route', expressions: {} }, 'routeConfigurationId');
  if (named === undefined) return configurations.filter(({ id }) => id === undefined || id === '*');
  return named
    .split(',')
    .map((name) => namePattern(name.trim()))
    .flatMap((matches) => configurations.filter(({ id }) => id !== undefined && matches(route.resolved(id))));
}

/** Whether the precondition of a configuration holds: a predicate in Simple, about properties. */
function isIncluded(route: RouteCompiler, { at, options }: ConfigurationModel): boolean {
  const { precondition } = options;
  if (precondition === undefined) return true;
  const expression = { language: 'simple', text: String(precondition), options: {}, at };
  const element = { kind: 'routeConfiguration', at, options: {}, expressions: { precondition: expression } };
  return route.predicate(element, 'precondition')(route.emptyExchange()) === true;
}
