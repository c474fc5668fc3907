import { parse } from 'yaml';
import type {
  ConfigurationModel,
  ElementModel,
  Options,
  RouteModel,
  ScopedModel,
  StepModel,
} from '../../../src/eip/model/route-model.js';
import type { ExpressionModel, Position } from '../../../src/expression/routes.js';

const AT: Position = { line: 1, column: 1 };
const LANGUAGES = [
  'simple',
  'constant',
  'header',
  'exchangeProperty',
  'variable',
  'jsonpath',
  'jq',
  'xpath',
  'tokenize',
  'xtokenize',
  'js',
  'method',
  'ref',
];
const PARTS = ['when', 'otherwise', 'doCatch', 'doFinally', 'onFallback'];
type Raw = Record<string, unknown>;

/** What a YAML text defines. */
export interface ReadRoutes {
  readonly routes: readonly RouteModel[];
  /** What stands at its top, and holds for all of them. */
  readonly scoped: ScopedModel;
  readonly configurations: readonly ConfigurationModel[];
}

export function readRoutes(yaml: string): ReadRoutes {
  const items = parse(yaml) as Raw[];
  const count = new Map<string, number>();
  const routes: RouteModel[] = [];
  const configurations: ConfigurationModel[] = [];
  const top: Raw = {};
  items.forEach((item, index) => {
    const [kind = '', raw] = Object.entries(item)[0] ?? [];
    if (kind === 'route') routes.push(route(raw as Raw, index, count));
    else if (kind === 'from') routes.push(route({ from: raw }, index, count));
    else if (kind === 'routeConfiguration') configurations.push(configuration(raw as Raw, count));
    else if (kind === 'errorHandler') top.errorHandler = raw;
    else top[kind] = [...((top[kind] as unknown[] | undefined) ?? []), { [kind]: raw }];
  });
  return { routes, scoped: scopedOf(top, count), configurations };
}

function configuration(raw: Raw, count: Map<string, number>): ConfigurationModel {
  const id = raw.id === undefined ? {} : { id: String(raw.id) };
  const options = raw.precondition === undefined ? {} : { precondition: String(raw.precondition) };
  return { ...id, at: AT, options, scoped: scopedOf(raw, count) };
}

function scopedOf(raw: Raw, count: Map<string, number>): ScopedModel {
  const list = (kind: string) => blockOf((raw[kind] ?? []) as Raw[], count);
  const [kind, options] = Object.entries((raw.errorHandler ?? {}) as Raw)[0] ?? [];
  const handler: ElementModel | undefined =
    kind === undefined ? undefined : { kind, at: AT, options: options as Options, expressions: {} };
  return {
    ...(handler === undefined ? {} : { errorHandler: handler }),
    onException: list('onException'),
    onCompletion: list('onCompletion'),
    intercept: list('intercept'),
    interceptFrom: list('interceptFrom'),
    interceptSendToEndpoint: list('interceptSendToEndpoint'),
  };
}

function route(raw: Raw, index: number, count: Map<string, number>): RouteModel {
  const { from, id, onException, onCompletion, errorHandler, ...options } = raw;
  const { uri, parameters = {}, steps = [], ...rest } = from as Raw;
  return {
    id: String(id ?? `route${index + 1}`),
    isIdGiven: id !== undefined,
    at: AT,
    options: options as Options,
    from: { at: AT, uri: String(uri), parameters: parameters as Options, options: rest as Options },
    steps: blockOf(steps as Raw[], count),
    scoped: scopedOf({ onException, onCompletion, errorHandler }, count),
  };
}

const blockOf = (steps: Raw[], count: Map<string, number>) =>
  steps.map((item) => {
    const [kind = '', raw] = Object.entries(item)[0] ?? [];
    return step(kind, raw, count);
  });

function step(kind: string, given: unknown, count: Map<string, number>): StepModel {
  const raw: Raw = typeof given === 'string' ? { [kind === 'log' ? 'message' : 'uri']: given } : ((given ?? {}) as Raw);
  const number = (count.get(kind) ?? 0) + 1;
  count.set(kind, number);
  const expressions: Record<string, ExpressionModel> = {};
  const options: Record<string, unknown> = {};
  const parts: Record<string, StepModel[]> = {};
  let steps: StepModel[] = [];
  for (const [name, value] of Object.entries(raw)) {
    const isExpression = typeof value === 'object' && value !== null && LANGUAGES.includes(Object.keys(value)[0] ?? '');
    if (name === 'steps') steps = blockOf(value as Raw[], count);
    else if (PARTS.includes(name)) parts[name] = [value].flat().map((it) => step(name, it, count));
    else if (name === 'headers' || name === 'variables')
      parts[name] = (value as Raw[]).map((it) => step(name === 'headers' ? 'setHeader' : 'setVariable', it, count));
    else if (name === 'ref' || (name === 'method' && kind === 'bean')) options[name] = value;
    else if (LANGUAGES.includes(name)) expressions.expression = expressionOf({ [name]: value });
    else if (isExpression) expressions[name] = expressionOf(value as Raw);
    else {
      options[name] = value;
      for (const [inner, it] of Object.entries(nestedExpressions(value))) expressions[`${name}.${inner}`] = it;
    }
  }
  const id = String(raw.id ?? `${kind}${number}`);
  return { kind, id, isIdGiven: raw.id !== undefined, at: AT, options: options as Options, expressions, steps, parts };
}

function expressionOf(raw: Raw): ExpressionModel {
  const [language = '', given] = Object.entries(raw)[0] ?? [];
  if (typeof given !== 'object' || given === null) return { language, text: String(given), options: {}, at: AT };
  const { expression, token, ...options } = given as Raw;
  return { language, text: String(expression ?? token ?? ''), options: { ...options, token }, at: AT };
}

/** Expressions of an element within a step: `stickyLoadBalancer: {correlationExpression: …}`. */
const nestedExpressions = (value: unknown): Record<string, ExpressionModel> => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  const found = Object.entries(value).filter(
    ([, it]) => typeof it === 'object' && it !== null && LANGUAGES.includes(Object.keys(it)[0] ?? ''),
  );
  return Object.fromEntries(found.map(([name, it]) => [name, expressionOf(it as Raw)]));
};
