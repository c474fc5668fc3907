import type { Position } from '../expression/index.js';
import type { RouteSource } from './collections.js';
import type { ReadRoute, ReadRoutes, ReadRoutesQuestion } from './eip-services.js';
import type { RouteFile, RouteModel, TemplatedRouteModel, TemplateModel } from './model/route-model.js';
import { textAt } from './model/route-text.js';
import { writeXml, writeYaml } from './model/write-routes.js';
import type { RouteDefinition, RouteProblem, RouteRuntime, RouteToRun } from './route-port.js';

/** A text as it was read; `file` is null where there are problems. */
export interface ReadText {
  readonly file: RouteFile | null;
  readonly problems: readonly RouteProblem[];
  readonly warnings: readonly RouteProblem[];
}

interface Reading {
  /** Reads a text, outside of the main thread. */
  readonly read: (question: ReadRoutesQuestion) => Promise<ReadText>;
  /** A template of another file. */
  readonly template: (id: string) => TemplateModel | undefined;
  readonly runtime: Pick<RouteRuntime, 'prepare'>;
}

/** Reads a file and prepares what it defines: its routes, and those that it makes of templates. */
export async function readRoutes(
  question: ReadRoutesQuestion,
  { read, template, runtime }: Reading,
): Promise<ReadRoutes> {
  const { file: path, format, text, deployer } = question;
  const { file, problems, warnings } = await read(question);
  const shared = sharedIn(file);
  const refused = (why: readonly RouteProblem[]) => ({ problems: why, warnings, routes: [], templates: [], shared });
  if (file === null || problems.length > 0) return refused(problems);
  const made = madeOf(file, path, template);
  if (made.problems.length > 0) return refused(made.problems);
  const { definitions } = made;
  // Alone it is all of the text, with what is said around it.
  const isAlone = definitions.length + file.templates.length === 1;
  const sourceAt = (at: Position, model: RouteModel | RouteFile): RouteSource => {
    const own = isAlone ? text : textAt(text, at);
    return { format, text: own ?? (format === 'yaml' ? writeYaml(model) : writeXml(model)) };
  };
  const toRun: RouteToRun[] = definitions.map(({ definition }) => ({
    ...{ ...definition, routeId: definition.model.id, version: 0, deployer },
  }));
  const prepared = await runtime.prepare(toRun, { file: path, shared });
  if (prepared.problems.length > 0) return refused(prepared.problems);
  const routes = definitions.flatMap(({ definition, at }, index): ReadRoute[] => {
    const one = prepared.routes[index];
    if (one?.isIncluded !== true) return [];
    return [{ definition, at, source: sourceAt(at, definition.model), prepared: one }];
  });
  const templates = file.templates.map((model) => ({
    model,
    source: sourceAt(model.at, fileOf(model)),
  }));
  return { problems: [], warnings, routes, templates, shared };
}

/** A file of a template alone. */
export const fileOf = (template: TemplateModel): RouteFile => ({
  ...{ routes: [], templates: [template], templatedRoutes: [], configurations: [], rests: [], beans: [] },
  ...{ dataFormats: [], scoped: NOTHING },
});

const NOTHING = { onException: [], onCompletion: [], intercept: [], interceptFrom: [], interceptSendToEndpoint: [] };

const sharedIn = (file: RouteFile | null): ReadRoutes['shared'] => ({
  templates: file?.templates ?? [],
  configurations: file?.configurations ?? [],
  beans: file?.beans ?? [],
  dataFormats: file?.dataFormats ?? [],
  ...(file?.restConfiguration && { restConfiguration: file.restConfiguration }),
});

interface Made {
  readonly definition: RouteDefinition;
  /** Where it stands in the file. */
  readonly at: Position;
}

/** The routes that a file defines. */
function madeOf(file: RouteFile, path: string, template: Reading['template']) {
  const common = { file: path, scoped: file.scoped };
  const problems: RouteProblem[] = [];
  const definitions: Made[] = file.routes.map((model) => ({
    definition: { ...common, model, template: null },
    at: model.at,
  }));
  for (const { at, kind } of file.rests)
    problems.push({ ...at, element: kind, message: 'rest comes with a later version' });
  for (const [index, templated] of file.templatedRoutes.entries()) {
    const id = String(templated.options.routeTemplateRef ?? '');
    const found = file.templates.find((one) => one.id === id) ?? template(id);
    const made =
      found === undefined ? `there is no template '${id}'` : instanceOf(found, templated, `${path}#${index + 1}`);
    if (typeof made === 'string') problems.push({ ...templated.at, element: 'templatedRoute', message: made });
    else definitions.push({ definition: { ...common, ...made }, at: templated.at });
  }
  definitions.sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column);
  return { definitions, problems };
}

/** The route that is made of the template; or what is wrong with its parameters. */
function instanceOf(
  template: TemplateModel,
  { options, parameters }: TemplatedRouteModel,
  otherwise: string,
): Pick<RouteDefinition, 'model' | 'template'> | string {
  const known = new Set(template.parameters.map(({ name }) => name));
  const unknown = Object.keys(parameters).find((name) => !known.has(name));
  if (unknown !== undefined) return `template '${template.id}' has no parameter '${unknown}'`;
  const values: Record<string, string> = {};
  for (const { name, required, defaultValue } of template.parameters) {
    const value = parameters[name] ?? defaultValue;
    if (value !== undefined) values[name] = String(value);
    else if (required) return `template '${template.id}' needs a value of its parameter '${name}'`;
  }
  const id = typeof options.routeId === 'string' && options.routeId !== '' ? options.routeId : otherwise;
  const model: RouteModel = { ...filled(template.route, values), id, isIdGiven: true };
  return { model, template: { id: template.id, parameters: values } };
}

/** A placeholder of a template: `{{name}}`, `{{?name}}`, `{{name:otherwise}}`. */
const PLACEHOLDER = /\{\{\??([\w.-]+)(?::[^{}]*)?\}\}/g;

/** The route with the values of the template's placeholders; those of the workspace stay. */
function filled<T>(part: T, values: Readonly<Record<string, string>>): T {
  if (typeof part === 'string')
    return part.replace(PLACEHOLDER, (whole, name: string) =>
      Object.hasOwn(values, name) ? (values[name] ?? '') : whole,
    ) as T;
  if (Array.isArray(part)) return part.map((one) => filled(one, values)) as T;
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, filled(value, values)])) as T;
}
