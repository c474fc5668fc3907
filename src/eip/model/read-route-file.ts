import type { Position } from '../../expression/index.js';
import { elementType } from './dsl.js';
import { ElementReader } from './read-element.js';
import { NO_SCOPE, readOwnScope, readScoped, SCOPED } from './read-scoped.js';
import { camelName, perhaps, refusalOf } from './refusal.js';
import type {
  ConfigurationModel,
  ElementModel,
  Options,
  RouteFile,
  RouteModel,
  TemplatedRouteModel,
  TemplateModel,
} from './route-model.js';
import type { RouteProblems } from './route-problems.js';
import { StepIds } from './step-ids.js';
import { isPersistentRepository } from './what-runs.js';
import { fieldOf, type Written, type WrittenEntry, type WrittenMap, without } from './written.js';

/**
 * Reads a definition by the DSL.
 * `name`: what routes without an id are called by, with their number: `orders-1`. Without it they are `route1`, as in Camel.
 */
export function readRouteFile(written: Written, name: string | undefined, problems: RouteProblems): RouteFile {
  return new FileReader(name, problems).file(written);
}

type Draft = { -readonly [K in keyof RouteFile]: RouteFile[K] extends readonly (infer E)[] ? E[] : RouteFile[K] };

class FileReader {
  readonly #name: string | undefined;
  readonly #problems: RouteProblems;
  readonly #ids: StepIds;
  readonly #elements: ElementReader;
  #routes = 0;
  readonly #routeIds = new Map<string, Position>();
  readonly #file: Draft = {
    routes: [],
    templates: [],
    templatedRoutes: [],
    configurations: [],
    rests: [],
    beans: [],
    dataFormats: [],
    scoped: NO_SCOPE,
  };

  constructor(name: string | undefined, problems: RouteProblems) {
    this.#name = name;
    this.#problems = problems;
    this.#ids = new StepIds(problems);
    this.#elements = new ElementReader(problems, this.#ids);
  }

  file(written: Written): RouteFile {
    const scoped: WrittenEntry[] = [];
    for (const item of this.#elements.list(written, 'the file')) {
      const only = this.#elements.only(item, 'a route');
      if (only === undefined) continue;
      const entry = { ...only, name: camelName(only.name, (name) => name in this.#tops || SCOPED.includes(name)) };
      if (SCOPED.includes(entry.name)) scoped.push(entry);
      else this.#top(entry);
    }
    this.#file.scoped = readScoped(this.#elements, scoped);
    this.#ids.number(this.#file);
    return this.#file;
  }

  #top(entry: WrittenEntry): void {
    const { name, at, value } = entry;
    const read = Object.hasOwn(this.#tops, name) ? this.#tops[name] : undefined;
    if (read !== undefined) read(value, at);
    else {
      const known = [...Object.keys(this.#tops), ...SCOPED];
      const sentence = `expected ${known.slice(0, 3).join(', ')} or another part of a file, but found ${name}${perhaps(name, known)}`;
      this.#problems.error(at, name, refusalOf('top', name) ?? sentence);
    }
  }

  readonly #tops: Readonly<Record<string, (value: Written, at: Position) => void>> = {
    route: (value, at) => void this.#file.routes.push(this.#route(value, at)),
    from: (value, at) => void this.#file.routes.push(this.#route(routeAround(value, at), at)),
    routeTemplate: (value, at) => void this.#file.templates.push(this.#template(value, at)),
    templatedRoute: (value, at) => void this.#file.templatedRoutes.push(this.#templatedRoute(value, at)),
    routeConfiguration: (value, at) => void this.#file.configurations.push(this.#configuration(value, at)),
    rest: (value, at) => void this.#file.rests.push(this.#element('rest', 'Rest', value, at)),
    restConfiguration: (value, at) => {
      if (this.#file.restConfiguration !== undefined)
        this.#problems.error(at, 'restConfiguration', 'expected one restConfiguration, but found a further one');
      this.#file.restConfiguration = this.#element('restConfiguration', 'RestConfiguration', value, at);
    },
    beans: (value) => void this.#file.beans.push(...this.#beans(value)),
    dataFormats: (value) => {
      for (const item of this.#elements.list(value, 'dataFormats')) this.#dataFormat(item);
    },
  };

  #route(value: Written, at: Position, isTemplate = false): RouteModel {
    const number = ++this.#routes;
    const place = this.#name === undefined ? `route${number}` : `${this.#name}-${number}`;
    const own = without(value, ['from', 'steps', ...SCOPED]);
    const { options } = this.#elements.content('route', ROUTE_OPTIONS(), at, own);
    const from = withSteps(fieldOf(value, 'from'), fieldOf(value, 'steps'));
    if (from === undefined && own.type === 'map')
      this.#problems.error(at, 'route', 'expected from for route, but found none');
    const { id, ...others } = options;
    if (id === undefined && !isTemplate)
      this.#problems.warn(at, 'route', `expected an id for route, but found none: it is called ${place}`);
    return {
      id: id === undefined ? place : this.#routeId(String(id), at, isTemplate),
      isIdGiven: id !== undefined,
      at,
      options: others,
      ...this.#from(from),
      scoped: readOwnScope(this.#elements, value),
    };
  }

  #routeId(id: string, at: Position, isTemplate: boolean): string {
    const there = this.#routeIds.get(id);
    if (there !== undefined && !isTemplate && !id.includes('{{'))
      this.#problems.error(
        at,
        'route',
        `expected an id that is there once, but found ${id} in line ${there.line}, too`,
      );
    if (!isTemplate) this.#routeIds.set(id, at);
    return id;
  }

  #from(entry: WrittenEntry | undefined): Pick<RouteModel, 'from' | 'steps'> {
    const at = entry?.at ?? { line: 1, column: 1 };
    if (entry === undefined) return { from: { at, uri: '', parameters: {}, options: {} }, steps: [] };
    const { options, steps } = this.#elements.content('from', elementType('From'), at, entry.value);
    const { id, uri, parameters, ...others } = options;
    const given = id === undefined ? {} : { id: String(id) };
    const from = { ...given, at, uri: String(uri ?? ''), parameters: (parameters ?? {}) as Options, options: others };
    return { from, steps };
  }

  #template(value: Written, at: Position): TemplateModel {
    const beans = fieldOf(value, 'beans');
    const parameters = fieldOf(value, 'parameters');
    const own = without(value, ['beans', 'from', 'route', 'parameters']);
    const { id = '', ...options } = this.#elements.content('routeTemplate', TEMPLATE_OPTIONS(), at, own).options;
    if (id === '' && own.type === 'map')
      this.#problems.error(at, 'routeTemplate', 'expected id for routeTemplate, but found none');
    const route = fieldOf(value, 'route');
    const from = fieldOf(value, 'from');
    const inner = route?.value ?? (from === undefined ? value : routeAround(from.value, from.at));
    if (route === undefined && from === undefined)
      this.#problems.error(at, 'routeTemplate', 'expected from or route for routeTemplate, but found neither');
    return {
      id: String(id),
      at,
      options,
      parameters:
        parameters === undefined
          ? []
          : this.#elements.list(parameters.value, 'parameters').map((item) => this.#parameter(item)),
      beans: beans === undefined ? [] : this.#beans(beans.value),
      route: this.#route(
        route === undefined && from === undefined ? EMPTY_ROUTE(at) : inner,
        route?.at ?? from?.at ?? at,
        true,
      ),
    };
  }

  #parameter(item: Written): TemplateModel['parameters'][number] {
    const { options } = this.#element('parameter', 'RouteTemplateParameter', item, item.at);
    const { name, required, defaultValue, description } = options;
    return {
      name: String(name ?? ''),
      // One that nobody says otherwise of is required, unless it has a default.
      required: required === undefined ? defaultValue === undefined : String(required) === 'true',
      ...(defaultValue === undefined ? {} : { defaultValue: String(defaultValue) }),
      ...(description === undefined ? {} : { description: String(description) }),
    };
  }

  #templatedRoute(value: Written, at: Position): TemplatedRouteModel {
    const beans = fieldOf(value, 'beans');
    const { parameters = [], ...options } = this.#elements.content(
      'templatedRoute',
      elementType('TemplatedRoute'),
      at,
      without(value, ['beans']),
    ).options;
    const given = (parameters as readonly Options[]).map(({ name, value: text }): [string, string] => [
      String(name),
      String(text),
    ]);
    return {
      at,
      options,
      parameters: Object.fromEntries(given),
      beans: beans === undefined ? [] : this.#beans(beans.value),
    };
  }

  #configuration(value: Written, at: Position): ConfigurationModel {
    const { id, ...options } = this.#elements.content(
      'routeConfiguration',
      elementType('RouteConfiguration'),
      at,
      without(value, SCOPED),
    ).options;
    const given = id === undefined ? {} : { id: String(id) };
    return { ...given, at, options, scoped: readOwnScope(this.#elements, value) };
  }

  #beans(value: Written): ElementModel[] {
    return this.#elements.list(value, 'beans').map((item) => {
      const bean = this.#element('bean', 'BeanFactory', item, item.at);
      const type = String(bean.options.type ?? '').replace(/^#class:/, '');
      if (isPersistentRepository(type))
        this.#problems.error(
          item.at,
          'bean',
          `${type} comes with a later version: repositories keep their state in memory`,
        );
      return bean;
    });
  }

  #dataFormat(item: Written): void {
    const entry = this.#elements.only(item, 'a data format');
    if (entry === undefined) return;
    const type = elementType('Marshal').options.get(entry.name);
    const refusal =
      type?.isOneOf === true ? refusalOf('dataFormat', entry.name) : `expected a data format, but found ${entry.name}`;
    if (refusal !== undefined) this.#problems.error(entry.at, entry.name, refusal);
    else if (type !== undefined)
      this.#file.dataFormats.push(this.#element(entry.name, type.element, entry.value, entry.at));
  }

  #element(kind: string, type: string, value: Written, at: Position): ElementModel {
    return this.#elements.element(kind, elementType(type), at, value);
  }
}

const optional = (name: string, left: readonly string[]) => {
  const type = elementType(name);
  return { ...type, options: new Map([...type.options].filter(([option]) => !left.includes(option))) };
};
const ROUTE_OPTIONS = () => optional('Route', ['from', 'errorHandler']);
const TEMPLATE_OPTIONS = () => optional('RouteTemplate', ['from', 'route', 'beans', 'parameters']);
const EMPTY_ROUTE = (at: Position): Written => ({
  type: 'map',
  at,
  entries: [{ name: 'from', at, value: { type: 'scalar', at, value: '', text: '' } }],
});

const routeAround = (from: Written, at: Position): WrittenMap => ({
  type: 'map',
  at,
  entries: [{ name: 'from', at, value: from }],
});

/** A from whose steps stand beside it, as editors write it. */
const withSteps = (from: WrittenEntry | undefined, steps: WrittenEntry | undefined): WrittenEntry | undefined =>
  from?.value.type === 'map' && steps !== undefined
    ? { ...from, value: { ...from.value, entries: [...from.value.entries, steps] } }
    : from;
