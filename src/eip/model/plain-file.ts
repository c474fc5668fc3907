import type { ExpressionModel } from '../../expression/routes.js';
import { type ElementType, elementType, LANGUAGES, STEPS } from './dsl.js';
import type {
  ElementModel,
  FromModel,
  Options,
  RouteFile,
  RouteModel,
  ScopedModel,
  StepModel,
  TemplatedRouteModel,
  TemplateModel,
} from './route-model.js';

/** A definition as plain values, in the shape of the canonical YAML DSL. */
export type Plain = string | number | boolean | null | readonly Plain[] | PlainMap;
export interface PlainMap {
  readonly [name: string]: Plain;
}
/** One thing of a file, by its name in the DSL. */
export type PlainItem = readonly [name: string, value: Plain];

/** A file of routes as plain items, in the order in which it is read best. */
export function plainFile(file: RouteFile): PlainItem[] {
  const items: PlainItem[] = [];
  if (file.beans.length > 0) items.push(['beans', file.beans.map(({ options }) => options)]);
  if (file.dataFormats.length > 0)
    items.push(['dataFormats', file.dataFormats.map((format) => ({ [format.kind]: elementOf(format) }))]);
  if (file.restConfiguration !== undefined) items.push(['restConfiguration', elementOf(file.restConfiguration)]);
  for (const configuration of file.configurations)
    items.push([
      'routeConfiguration',
      { ...idOf(configuration.id), ...configuration.options, ...ownScope(configuration.scoped) },
    ]);
  items.push(...scopeOf(file.scoped));
  for (const rest of file.rests) items.push(['rest', elementOf(rest)]);
  for (const template of file.templates) items.push(['routeTemplate', templateOf(template)]);
  for (const templated of file.templatedRoutes) items.push(['templatedRoute', templatedOf(templated)]);
  for (const route of file.routes) items.push(['route', routeOf(route)]);
  return items;
}

/** A route alone. */
export const plainRoute = (route: RouteModel): PlainItem => ['route', routeOf(route)];

const idOf = (id: string | undefined): PlainMap => (id === undefined ? {} : { id });

const routeOf = (route: RouteModel): PlainMap => ({
  ...idOf(route.isIdGiven ? route.id : undefined),
  ...route.options,
  ...ownScope(route.scoped),
  from: fromOf(route.from, route.steps),
});

const fromOf = ({ id, uri, parameters, options }: FromModel, steps: readonly StepModel[]): PlainMap => ({
  ...idOf(id),
  uri,
  ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
  ...options,
  steps: stepsOf(steps),
});

const templateOf = ({ id, options, parameters, beans, route }: TemplateModel): PlainMap => ({
  id,
  ...options,
  parameters: parameters.map((parameter) => ({ ...parameter })),
  ...(beans.length === 0 ? {} : { beans: beans.map((bean) => bean.options) }),
  route: routeOf(route),
});

const templatedOf = ({ options, parameters, beans }: TemplatedRouteModel): PlainMap => ({
  ...options,
  parameters: Object.entries(parameters).map(([name, value]) => ({ name, value })),
  ...(beans.length === 0 ? {} : { beans: beans.map((bean) => bean.options) }),
});

/** What holds for the whole file: each is one item. */
function scopeOf({ errorHandler, ...steps }: ScopedModel): PlainItem[] {
  const items: PlainItem[] = errorHandler === undefined ? [] : [['errorHandler', handlerOf(errorHandler)]];
  for (const [name, list] of Object.entries(steps))
    for (const step of list) items.push([name, stepOf(step, TYPES[name])]);
  return items;
}

/** What holds for a configuration's routes, or one route alone: lists. */
function ownScope({ errorHandler, ...steps }: ScopedModel): PlainMap {
  const lists = Object.entries(steps)
    .filter(([, list]) => list.length > 0)
    .map(([name, list]): PlainItem => [name, list.map((step) => ({ [name]: stepOf(step, TYPES[name]) }))]);
  return {
    ...(errorHandler === undefined ? {} : { errorHandler: handlerOf(errorHandler) }),
    ...Object.fromEntries(lists),
  };
}

const TYPES: Readonly<Record<string, string>> = {
  onException: 'OnException',
  onCompletion: 'OnCompletion',
  intercept: 'Intercept',
  interceptFrom: 'InterceptFrom',
  interceptSendToEndpoint: 'InterceptSendToEndpoint',
  when: 'When',
  otherwise: 'Otherwise',
  doCatch: 'Catch',
  doFinally: 'Finally',
  onFallback: 'OnFallback',
};

const handlerOf = (handler: ElementModel): PlainMap => ({ [handler.kind]: elementOf(handler) });

const stepsOf = (steps: readonly StepModel[]): PlainMap[] =>
  steps.map((step) => ({ [step.kind]: stepOf(step, STEPS.get(step.kind)) }));

function stepOf(step: StepModel, typeName = 'Stop'): PlainMap {
  const type = elementType(STEPS.get(step.kind) ?? TYPES[step.kind] ?? typeName);
  const parts = Object.entries(step.parts).map(([name, list]): PlainItem => {
    const values = list.map((part) => stepOf(part));
    return [name, type.options.get(name)?.isList === true ? values : (values[0] ?? {})];
  });
  return {
    ...idOf(step.isIdGiven ? step.id : undefined),
    ...elementOf(step),
    ...(type.options.has('steps') ? { steps: stepsOf(step.steps) } : {}),
    ...Object.fromEntries(parts),
  };
}

/** Options and expressions: those of an element within are put where they belong. */
function elementOf({ options, expressions }: Pick<ElementModel, 'options' | 'expressions'>): PlainMap {
  let plain: PlainMap =
    expressions.expression === undefined ? {} : { expression: expressionOf(expressions.expression) };
  plain = { ...plain, ...options };
  for (const [path, expression] of Object.entries(expressions))
    if (path !== 'expression') plain = placed(plain, path.split('.'), expressionOf(expression));
  return plain;
}

function placed(plain: PlainMap, [name = '', ...inner]: readonly string[], value: Plain): PlainMap {
  if (inner.length === 0) return { ...plain, [name]: value };
  return { ...plain, [name]: placed((plain[name] ?? {}) as PlainMap, inner, value) };
}

function expressionOf({ language, text, options }: ExpressionModel): PlainMap {
  const type: ElementType = elementType(LANGUAGES.get(language) ?? 'SimpleExpression');
  const given = options as Options;
  return { [language]: type.options.has('expression') ? { expression: text, ...given } : given };
}
