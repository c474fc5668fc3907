import { posix } from 'node:path';
import { bytesIn, ContentView } from '../../content/index.js';
import {
  type Deployer,
  type Eip,
  invalidRoutes,
  isLeaving,
  type Route,
  requireDeployer,
  routes,
  routeTemplates,
  routeWithFacts,
  templatedRouteText,
  versionContent,
  versionOf,
  withTextAt,
} from '../../eip/index.js';
import type { Position } from '../../expression/index.js';
import type { ChangedRoute, EditingPlace, NewRoute, RouteEditing } from '../../graphql/index.js';
import { badRequest, ServiceError } from '../../shared/errors.js';
import type { BlobStore, Operation } from '../../store/index.js';
import type { EditRouteFile } from './edit-route-file.js';
import {
  fileNameOf,
  folderOf,
  isAt,
  noPlace,
  requireDescribed,
  requireMayEdit,
  requireOwn,
  routeAt,
  without,
  yamlOf,
} from './edited-route.js';
import { formatOf } from './route-files.js';

interface EditorParts {
  readonly eip: Pick<Eip, 'services'>;
  readonly blobs: BlobStore;
  /** Stores a text as the bytes of a file. */
  readonly stored: (text: string) => Promise<NonNullable<EditRouteFile['after']>['content']>;
  readonly operation: Operation<EditRouteFile, readonly string[]>;
}

/** Edits of routes by the API, as edits of the files that they are in: each gives the input of {@link operation}. */
export class RouteEditor implements RouteEditing {
  readonly operation: EditorParts['operation'];
  readonly #parts: EditorParts;

  constructor(parts: EditorParts) {
    this.#parts = parts;
    this.operation = parts.operation;
  }

  /** @throws BAD_REQUEST (an id that is none or taken, no route, a group that is none) */
  async created(
    place: EditingPlace,
    { routeId, description, group, yaml, autoStart }: NewRoute,
  ): Promise<EditRouteFile> {
    requireMayEdit(place, routeId);
    const path = posix.join(folderOf(group), fileNameOf(routeId));
    const text = await this.#withFacts(place, { path, text: yaml, routeId, description });
    return { routeId, path, before: null, after: await this.#after(text), autoStart: autoStart ?? false };
  }

  /** @throws BAD_REQUEST (no such template, an id that is none or taken) */
  async fromTemplate(
    place: EditingPlace,
    {
      templateId,
      routeId,
      parameters,
    }: { readonly templateId: string; readonly routeId: string; readonly parameters: unknown },
  ): Promise<EditRouteFile> {
    requireMayEdit(place, routeId);
    if (place.partition.replica.read().get(routeTemplates, templateId) === undefined)
      throw badRequest(`Unknown template: expected the id of a template, but '${templateId.slice(0, 200)}' is none`, {
        reason: 'template_not_found',
        resourceId: templateId.slice(0, 200),
      });
    const values = (parameters ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof values !== 'object' || Array.isArray(values))
      throw badRequest('expected the parameters of the template as an object of values by their names');
    const text = templatedRouteText(routeId, templateId, values);
    const path = posix.join(folderOf(null), fileNameOf(routeId));
    return { routeId, path, before: null, after: await this.#after(text), autoStart: true };
  }

  /** @throws BAD_REQUEST (no such route, another id, a group where its file has more), CONFLICT */
  async updated(place: EditingPlace, { id, description, group, yaml }: ChangedRoute): Promise<EditRouteFile> {
    const route = routeAt(place, id);
    const content = versionContent(place.partition.replica.read(), versionOf(place.partition.replica.read(), route));
    const given = yaml ?? yamlOf(content?.source, route);
    const now = await this.#fileOf(place, route);
    const text = await this.#withFacts(place, { path: route.file, text: given, routeId: id, description });
    return this.#replaced(now, route, { text, group: group ?? null });
  }

  /** @throws BAD_REQUEST (no such route, no such version) */
  async rolledBack(place: EditingPlace, id: string, version: number): Promise<EditRouteFile> {
    const route = routeAt(place, id);
    const state = place.partition.replica.read();
    const content = versionContent(state, versionOf(state, route, version));
    if (content === undefined)
      throw badRequest(`expected a version of route '${id}' that is kept, but ${version} is none`, {
        reason: 'version_not_found',
        resourceId: id,
      });
    if (content.source.format !== formatOf(route.file))
      throw badRequest(
        `expected a version in ${formatOf(route.file)}, as the file of route '${id}' is, but ${version} is none`,
      );
    return this.#replaced(await this.#fileOf(place, route), route, { text: content.source.text, group: null });
  }

  /** Undefined: there is no such route. */
  async deleted(place: EditingPlace, id: string): Promise<EditRouteFile | undefined> {
    requireDeployer(place.caller, 'delete routes');
    const route = place.partition.replica.read().get(routes, id);
    if (route === undefined || isLeaving(route)) return undefined;
    const { before, rest } = await this.#fileOf(place, route);
    return { routeId: id, path: route.file, before, after: rest === null ? null : await this.#after(rest) };
  }

  async #replaced(
    { before, text: present, at, rest }: FileNow,
    route: Route,
    { text, group }: { readonly text: string; readonly group: string | null },
  ): Promise<EditRouteFile> {
    const folder = group === null ? null : folderOf(group);
    const isMoved = folder !== null && folder !== posix.dirname(route.file);
    if (isMoved && rest !== null)
      throw badRequest(`expected a file of route '${route.id}' alone to be moved, but '${route.file}' has more`, {
        reason: 'file_has_more',
        resourceId: route.id,
      });
    const after = await this.#after(rest === null ? text : (withTextAt(present, at, text) ?? noPlace(route)));
    const moveTo = isMoved ? { moveTo: posix.join(folder, posix.basename(route.file)) } : {};
    return { routeId: route.id, path: route.file, before, after, ...moveTo };
  }

  async #after(text: string): Promise<NonNullable<EditRouteFile['after']>> {
    return { text, content: await this.#parts.stored(text) };
  }

  /** The file of a route, where the route stands in it, and what is left of the file without it: null where that is nothing. @throws FORBIDDEN, BAD_REQUEST (it cannot be read as it is now) */
  async #fileOf(place: EditingPlace, route: Route): Promise<FileNow> {
    const { partition, caller } = place;
    const view = new ContentView(partition.replica.read(), caller);
    const node = view.at(route.file);
    const data = node && view.contentOf(node).properties['jcr:data'];
    const bytes = bytesIn(data);
    if (node === undefined || bytes === undefined)
      throw new ServiceError('FORBIDDEN', `expected a file '${route.file}' that '${caller.userId}' may read`, {
        reason: 'access_denied',
        resourceId: route.id,
      });
    const text =
      'blob' in bytes
        ? await this.#parts.blobs.readText({ sha256: bytes.blob, size: bytes.size })
        : Buffer.from(bytes.inline, 'base64').toString();
    const read = await this.#read(place, route.file, text);
    const found = read.routes.find(({ definition }) => definition.model.id === route.id);
    if (found === undefined)
      throw badRequest(`expected '${route.file}' to define route '${route.id}', but as it is now it does not`, {
        reason: 'file_changed',
        resourceId: route.id,
      });
    requireOwn(
      route,
      read.routes.filter((one) => one !== found && isAt(one.at, found.at)),
    );
    const rest = without(route, text, found.at);
    return { before: { nodeId: node.id, hash: JSON.stringify(data) }, text, at: found.at, rest };
  }

  #read({ partition, caller }: EditingPlace, file: string, text: string) {
    const deployer: Deployer = { userId: caller.userId, principalId: caller.principalId ?? null };
    return this.#parts.eip.services.readRoutes({
      partition: partition.id,
      file,
      format: formatOf(file),
      text,
      deployer,
    });
  }

  /** The text of a route with its id and description: the very text where it has them, which takes no reading of it here. @throws BAD_REQUEST as {@link #requireOnly} */
  async #withFacts(place: EditingPlace, given: GivenDefinition): Promise<string> {
    if (LIST.test(given.text) && (await this.#hasFacts(place, given))) return given.text;
    const { routeId: id, description } = given;
    const text = routeWithFacts(given.text, { id, description: description ?? undefined }) ?? given.text;
    await this.#requireOnly(place, { ...given, text });
    return text;
  }

  async #hasFacts(place: EditingPlace, { path, text, routeId, description }: GivenDefinition): Promise<boolean> {
    const { routes: read, problems } = await this.#read(place, path, text);
    const [model] = read.map(({ definition }) => definition.model);
    if (problems.length > 0 || read.length !== 1 || model?.isIdGiven !== true || model.id !== routeId) return false;
    return description == null || model.options.description === description;
  }

  /** That a text defines the route, and nothing else. @throws BAD_REQUEST what is wrong in it, with line and column */
  async #requireOnly(place: EditingPlace, { path, text, routeId, description }: GivenDefinition): Promise<void> {
    const { routes: read, problems } = await this.#read(place, path, text);
    if (problems.length > 0) throw invalidRoutes(path, problems);
    const ids = read.map(({ definition }) => definition.model.id);
    if (ids.length === 1 && ids[0] === routeId) return requireDescribed(read[0], description);
    const found = ids.length === 0 ? 'none' : ids.map((id) => `'${id}'`).join(', ');
    throw badRequest(`expected a definition of route '${routeId}' alone, but it has ${found}`, {
      reason: 'route_id_differs',
      resourceId: routeId,
    });
  }
}

/** What begins as a list does, behind comments and empty lines. */
const LIST = /^(?:[ \t]*(?:#.*)?\r?\n)*[ \t]*-[ \t]/;

/** A definition, and what is given beside it. */
interface GivenDefinition {
  readonly path: string;
  readonly text: string;
  readonly routeId: string;
  readonly description?: string | null | undefined;
}

/** A file of routes as it is, and where one of them stands in it. */
interface FileNow extends Pick<EditRouteFile, 'before'> {
  readonly text: string;
  readonly at: Position;
  /** What is left of it without the route; null: nothing. */
  readonly rest: string | null;
}
