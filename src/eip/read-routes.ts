import type { Position } from '../expression/index.js';
import type { RouteSource } from './collections.js';
import type { ReadRoute, ReadRoutes, ReadRoutesQuestion } from './eip-services.js';
import { filledTemplate } from './model/fill-template.js';
import { restRoutes } from './model/rest-routes.js';
import type { ElementModel, RouteFile, RouteModel, TemplatedRouteModel, TemplateModel } from './model/route-model.js';
import { textsIn } from './model/route-text.js';
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
  { read: readText, template, runtime }: Reading,
): Promise<ReadRoutes> {
  const { file: path, format, text, deployer } = question;
  const { file, problems, warnings } = await readText(question);
  const read = sharedIn(file);
  const refused = (why: readonly RouteProblem[]) => ({
    problems: why,
    warnings,
    routes: [],
    templates: [],
    shared: read,
  });
  if (file === null || problems.length > 0) return refused(problems);
  const made = madeOf(file, path, template);
  if (made.problems.length > 0) return refused(made.problems);
  const { definitions } = made;
  const shared = { ...read, beans: [...read.beans, ...made.beans] };
  const told = [...warnings, ...made.warnings];
  // Alone it is all of the text, with what is said around it.
  const isAlone = definitions.length + file.templates.length === 1;
  const textAt = textsIn(text);
  const sourceAt = (at: Position, model: RouteModel | RouteFile): RouteSource => {
    const own = isAlone ? text : textAt(at);
    return { format, text: own ?? (format === 'yaml' ? writeYaml(model) : writeXml(model)) };
  };
  const toRun: RouteToRun[] = definitions.map(({ definition }) => ({
    ...{ ...definition, routeId: definition.model.id, version: 0, deployer },
  }));
  const prepared = await runtime.prepare(toRun, { file: path, shared });
  if (prepared.problems.length > 0) return refused(prepared.problems);
  const routes = definitions.flatMap(({ definition, at }, index): ReadRoute[] => {
    const [one, kept] = [prepared.routes[index], prepared.kept[index]];
    if (one?.isIncluded !== true || kept === undefined) return [];
    return [{ definition, at, source: sourceAt(at, definition.model), prepared: one, kept }];
  });
  const templates = file.templates.map((model) => ({
    model,
    source: sourceAt(model.at, fileOf(model)),
  }));
  return { problems: [], warnings: told, routes, templates, shared };
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
  const beans: ElementModel[] = [];
  const definitions: Made[] = file.routes.map((model) => ({
    definition: { ...common, model, template: null },
    at: model.at,
  }));
  const rest = restRoutes(file.rests, file.restConfiguration, nameOf(path));
  problems.push(...rest.problems);
  for (const model of rest.routes) definitions.push({ definition: { ...common, model, template: null }, at: model.at });
  for (const [index, templated] of file.templatedRoutes.entries()) {
    const id = String(templated.options.routeTemplateRef ?? '');
    const found = file.templates.find((one) => one.id === id) ?? template(id);
    const made =
      found === undefined ? `there is no template '${id}'` : instanceOf(found, templated, `${path}#${index + 1}`);
    if (typeof made === 'string') problems.push({ ...templated.at, element: 'templatedRoute', message: made });
    else {
      const { model, template: of, beans: own } = made;
      definitions.push({ definition: { ...common, model, template: of }, at: templated.at });
      beans.push(...own);
    }
  }
  definitions.sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column);
  return { definitions, beans, problems, warnings: rest.warnings };
}

/** The name of a file without its ending. */
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\..*$/, '') || 'rest';

/** The route that is made of the template, with its beans; or what is wrong with its parameters. */
function instanceOf(
  template: TemplateModel,
  { options, parameters, beans }: TemplatedRouteModel,
  otherwise: string,
): (Pick<RouteDefinition, 'model' | 'template'> & { readonly beans: readonly ElementModel[] }) | string {
  const id = typeof options.routeId === 'string' && options.routeId !== '' ? options.routeId : otherwise;
  const own = beans.map(({ options: { name } }) => String(name));
  const all = [...template.beans.filter(({ options: { name } }) => !own.includes(String(name))), ...beans];
  const filled = filledTemplate({ ...template, beans: all }, { parameters, name: id });
  if (typeof filled === 'string') return filled;
  const model: RouteModel = { ...filled.route, id, isIdGiven: true };
  return { model, template: { id: template.id, parameters: filled.values }, beans: filled.beans };
}
