import type { ElementModel, Options, OptionValue, RouteModel, StepModel } from './route-model.js';
import type { RouteProblem } from './route-problems.js';

/** Routes that a `rest` is, one for each of its methods. */
export interface RestRoutes {
  readonly routes: readonly RouteModel[];
  readonly problems: readonly RouteProblem[];
  readonly warnings: readonly RouteProblem[];
}

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'];
const NO_SCOPE = { onException: [], onCompletion: [], intercept: [], interceptFrom: [], interceptSendToEndpoint: [] };

/** What is not served, of `rest`, its methods and `restConfiguration`, and why. Where a value is named, it is that alone. */
const REFUSED: readonly (readonly [option: string, value: RegExp, why: string])[] = [
  ['openApi', /./, 'openApi comes with a later version'],
  ['enableCORS', /^true$/, 'enableCORS is not served: MILLRACE_ALLOWED_ORIGINS names the sites whose pages may ask'],
  ['corsHeaders', /./, 'corsHeaders are not served: MILLRACE_ALLOWED_ORIGINS names the sites whose pages may ask'],
  ['bindingMode', /^(?!off$|json$)/, 'expected bindingMode to be off or json'],
  ['clientResponseValidation', /^true$/, 'clientResponseValidation comes with a later version'],
  ['component', /^(?!platform-http$)/, 'expected component to be platform-http: the server itself serves HTTP'],
  ['apiContextPath', /./, 'apiContextPath comes with a later version'],
  ['apiContextRouteId', /./, 'apiContextRouteId comes with a later version'],
  ['producerApiDoc', /./, 'producerApiDoc comes with a later version'],
  ['dataFormatProperty', /./, 'dataFormatProperty comes with a later version'],
  ['componentProperty', /./, 'componentProperty comes with a later version'],
  ['consumerProperty', /./, 'consumerProperty comes with a later version'],
];
/** What says nothing here. */
const IDLE: readonly (readonly [option: string, why: string])[] = [
  ...['host', 'port', 'scheme'].map((name) => [name, `${name} is that of the server`] as const),
  ...['security', 'securityRequirements', 'securityDefinitions'].map(
    (name) => [name, `${name} only documents: authentication says who may ask`] as const,
  ),
];
/** What a method has from its `rest`, and that from the configuration. */
const INHERITED = ['authentication', 'bindingMode', 'clientRequestValidation', 'consumes', 'produces'];
const ALSO_INHERITED = ['enableNoContentResponse', 'skipBindingOnErrorCode'];

/** Routes of all that the file serves by `rest`. `name`: that of the file, without its ending. */
export function restRoutes(
  rests: readonly ElementModel[],
  configuration: ElementModel | undefined,
  name: string,
): RestRoutes {
  const found = new Findings();
  const common = configuration === undefined ? {} : configured(configuration, found);
  const routes: RouteModel[] = [];
  for (const rest of rests) {
    found.look(rest.options, rest);
    for (const { method, verb } of verbsOf(rest)) {
      found.look(verb, rest);
      const route = routeOf(rest, method, { ...inherited(common), ...inherited(rest.options), ...verb }, common);
      routes.push({ ...route, id: route.id === '' ? freeId(routes, name, route) : route.id });
    }
  }
  return { routes, problems: found.problems, warnings: found.warnings };
}

/** Problems of a `rest`, and warnings of options without effect. */
class Findings {
  readonly problems: RouteProblem[] = [];
  readonly warnings: RouteProblem[] = [];

  look(options: Options, { at, kind }: ElementModel): void {
    const has = (option: string) => options[option] !== undefined;
    for (const [option, value, message] of REFUSED)
      if (has(option) && value.test(textOf(options[option]))) this.problems.push({ ...at, element: kind, message });
    for (const [option, message] of IDLE) if (has(option)) this.warnings.push({ ...at, element: kind, message });
  }
}

function verbsOf({ options }: ElementModel): { readonly method: string; readonly verb: Options }[] {
  if (isTrue(options.disabled)) return [];
  const all = METHODS.flatMap((method) => listOf(options[method]).map((verb) => ({ method, verb })));
  return all.filter(({ verb }) => !isTrue(verb.disabled));
}

/** What the configuration says for all: properties of endpoints, too. */
function configured(configuration: ElementModel, found: Findings): Options {
  found.look(configuration.options, configuration);
  const { options, at, kind } = configuration;
  const properties: Record<string, OptionValue> = {};
  for (const { key, value } of listOf(options.endpointProperty)) {
    if (key === 'authentication') properties.authentication = value ?? '';
    else {
      const message = `expected endpointProperty to be authentication, got ${textOf(key)}`;
      found.problems.push({ ...at, element: kind, message });
    }
  }
  return { ...options, ...properties };
}

function inherited(options: Options): Options {
  const known = [...INHERITED, ...ALSO_INHERITED].filter((name) => options[name] !== undefined);
  return Object.fromEntries(known.map((name) => [name, options[name] ?? null]));
}

/** `verb`: with what it has from others. */
function routeOf({ at, options }: ElementModel, method: string, verb: Options, { contextPath }: Options): RouteModel {
  const { to, path = '', id = '', routeId = id, description } = verb;
  const base = [contextPath ?? '', options.path ?? ''].map(textOf).join('/');
  const own = [...INHERITED, ...ALSO_INHERITED].filter((name) => verb[name] !== undefined);
  const parameters: Record<string, OptionValue> = Object.fromEntries(own.map((name) => [name, textOf(verb[name])]));
  for (const parameter of listOf(verb.param)) Object.assign(parameters, ofParameter(parameters, parameter));
  const uri = `rest:${method}:${base}:${textOf(path)}`;
  const step: StepModel = {
    ...{ kind: 'to', id: `${textOf(routeId) || `${method}${textOf(path)}`}-to`, isIdGiven: false, at },
    ...{ options: typeof to === 'object' && to !== null ? (to as Options) : { uri: textOf(to) } },
    ...{ expressions: {}, steps: [], parts: {} },
  };
  return {
    ...{ id: textOf(routeId), isIdGiven: textOf(routeId) !== '', at },
    options: { ...(description !== undefined && { description }) },
    from: { at, uri, parameters, options: {} },
    ...{ steps: [step], scoped: NO_SCOPE },
  };
}

/** What a parameter asks for: `required.query=a,b`, `defaultValue.a=1`, `allowedValues.a=1,2`. */
function ofParameter(known: Options, { name, type = 'path', required = true, ...more }: Options): Options {
  const said: Record<string, OptionValue> = {};
  const [key, kind] = [textOf(name), textOf(type)];
  // A path without it is another path.
  if (isTrue(required) && kind !== 'path')
    said[`required.${kind}`] = [known[`required.${kind}`], key].filter((it) => it !== undefined).join(',');
  if (more.defaultValue !== undefined) said[`defaultValue.${key}`] = textOf(more.defaultValue);
  const allowed = listOf(more.allowableValues).map(({ value }) => textOf(value));
  if (allowed.length > 0) said[`allowedValues.${key}`] = allowed.join(',');
  return said;
}

/** `orders-get-orders-id`: of the file, the method and the path; with a number where that is taken. */
function freeId(routes: readonly RouteModel[], name: string, { from: { uri } }: RouteModel): string {
  const words = uri.replace(/^rest:/, '').match(/[\w.-]+/g) ?? [];
  const wanted = [name, ...words].join('-').slice(0, ID_MAX);
  let id = wanted;
  for (let number = 2; routes.some((route) => route.id === id); number++) id = `${wanted}-${number}`;
  return id;
}

const ID_MAX = 150;

const isTrue = (value: OptionValue | undefined): boolean => textOf(value) === 'true';

const textOf = (value: OptionValue | undefined): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');

/** Elements of a list; one that stands alone is one. */
function listOf(value: OptionValue | undefined): readonly Options[] {
  if (value === undefined || value === null) return [];
  return [value].flat().map((one) => (typeof one === 'object' && one !== null ? (one as Options) : { value: one }));
}
