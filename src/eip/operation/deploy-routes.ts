import { type ErrorCode, limitExceeded, ServiceError } from '../../shared/errors.js';
import { seedOf } from '../../shared/ids.js';
import { isSoundText } from '../../shared/sound-text.js';
import { type Asking, type CommandContext, operation, type State, start } from '../../store/index.js';
import { dropText, storeText } from '../collection/route-text.js';
import { type Route, type RouteSource, routeFiles, routes, routeVersions, versionId } from '../collections.js';
import type { EipServices, ReadRoute, ReadRoutes, ReadRoutesQuestion } from '../eip-services.js';
import { invalidRoutes, requireDeployer } from '../errors.js';
import { routeMachine } from '../machine/route.js';
import type { Deployer } from '../route-port.js';
import { ALL_ROUTES, allRoutes, isLeaving, ROUTES_MAX } from './operate-route.js';
import { moveRoute, RouteChanges } from './route-changes.js';
import { publishTemplates, withdrawTemplates } from './route-templates.js';

/** Input of `deployRoutes`: a file as it is now. */
export interface DeployRoutes {
  /** Its node. */
  readonly fileId: string;
  readonly path: string;
  readonly format: RouteSource['format'];
  readonly text: string;
  /** Whether new routes start at once. Default: those whose `autoStartup` does not say otherwise. */
  readonly autoStart?: boolean | null;
}

/** Result of a deployment of a file. */
export interface DeployedRoutes {
  /** Ids of all of its routes, in their order. */
  readonly routeIds: readonly string[];
  readonly warnings: ReadRoutes['warnings'];
}

/**
 * Deploys what a file holds, as a unit: routes that are new start, others than before change hands, those that are gone end; what is as it was runs on. Whoever asks is
 * whom new and changed routes act as. @throws FORBIDDEN, BAD_REQUEST (what is wrong in it, with line and column), LIMIT_EXCEEDED
 */
export const deployRoutes = (services: EipServices) => ({
  ...operation('deployRoutes', (state, input: DeployRoutes, context) => deployed(services, state, input, context)),
  limits: ALL_ROUTES,
});

/** As {@link deployRoutes}, as part of a decision that writes the file. */
export function deployed(services: EipServices, state: State, input: DeployRoutes, context: CommandContext) {
  requireDeployer(context.caller, 'deploy routes');
  const deployer: Deployer = { userId: context.caller.userId, principalId: context.caller.principalId ?? null };
  const { path: file, format, text } = input;
  const question: ReadRoutesQuestion = { partition: state.partition, file, format, text, deployer };
  const read = answered(context, question);
  if ('ask' in read) return read;
  if (read.problems.length > 0) throw invalidRoutes(file, read.problems);
  const changes = new RouteChanges(state, services.backoff);
  requireSound(state, input, read);
  const moved = state.get(routeFiles, input.fileId);
  const deployment = new Deployment(changes, input, {
    read,
    deployer,
    isMoved: moved !== undefined && moved.path !== file,
  });
  return changes.decision<DeployedRoutes>({ routeIds: deployment.perform(), warnings: read.warnings });
}

/** Takes all routes of a file out of service: each ends what is under way, and is gone then. */
export const withdrawRoutes = (services: EipServices) => ({
  ...operation('withdrawRoutes', (state, input: { readonly fileId: string }, { caller }) =>
    withdrawn(services, state, { ...input, userId: caller.userId }),
  ),
  limits: ALL_ROUTES,
});

/** As {@link withdrawRoutes}, as part of a decision that removes the file. `userId`: who does. */
export function withdrawn(
  services: EipServices,
  state: State,
  { fileId, userId }: { readonly fileId: string; readonly userId: string },
) {
  const changes = new RouteChanges(state, services.backoff);
  const by = { userId, reason: 'its file is gone' };
  for (const route of changes.draft.find(routes, 'file', [fileId]))
    if (!isLeaving(route)) moveRoute(changes, route, { type: 'withdraw' }, { by, timeoutMs: services.drainMs });
  withdrawTemplates(changes.draft, fileId);
  const entry = state.get(routeFiles, fileId);
  if (entry !== undefined) {
    dropText(changes.draft, fileId, entry);
    changes.draft.remove(routeFiles, fileId);
  }
  return changes.decision(null);
}

/** Codes that a failure of the reader keeps; whatever else it is, is a bug. */
const KEPT_CODES: readonly string[] = ['BAD_REQUEST', 'LIMIT_EXCEEDED', 'UNAVAILABLE'] satisfies ErrorCode[];

/** The file as it was read, or the question. @throws as the reader */
function answered({ answers }: CommandContext, question: ReadRoutesQuestion): ReadRoutes | Asking {
  const ask = { kind: 'readRoutes', question };
  const text = JSON.stringify(question);
  const found = answers.find(({ ask: asked }) => asked.kind === ask.kind && JSON.stringify(asked.question) === text);
  if (found === undefined) return { ask };
  if (!('error' in found.answer)) return found.answer.value as ReadRoutes;
  const { message, code } = found.answer.error;
  const kept = KEPT_CODES.find((one) => one === code) as ErrorCode | undefined;
  throw new ServiceError(kept ?? 'INTERNAL_ERROR', `'${question.file}': ${message}`, { reason: 'routes_not_read' });
}

/** Characters of a route's id. */
const ID_MAX = 255;

/** @throws BAD_REQUEST (an id or an order that another one has), LIMIT_EXCEEDED */
function requireSound(state: State, { fileId, path }: DeployRoutes, { routes: read }: ReadRoutes): void {
  const others = allRoutes(state).filter((route) => route.fileId !== fileId && !isLeaving(route));
  const count = others.length + read.length;
  if (count > ROUTES_MAX)
    throw limitExceeded(`expected at most ${ROUTES_MAX} routes in a workspace, but found ${count}`);
  const files = new Map(others.map(({ id, file }) => [id, file]));
  const orders = new Map(others.map(({ startupOrder, id }) => [startupOrder, id]));
  for (const route of read) {
    const message = problemOf(route, files, orders);
    const { id, at } = route.definition.model;
    if (message !== null)
      throw invalidRoutes(path, [{ line: at.line, column: at.column, element: id.slice(0, ID_MAX), message }]);
    files.set(id, path);
    orders.set(route.prepared.startupOrder, id);
  }
}

/** Why the route cannot be beside those that are known, by id and by startup order; null: it can. */
function problemOf(
  { definition, prepared: { startupOrder } }: ReadRoute,
  files: ReadonlyMap<string, string>,
  orders: ReadonlyMap<number | null, string>,
): string | null {
  const { id } = definition.model;
  if (id === '' || id.length > ID_MAX || !isSoundText(id))
    return `expected an id of 1 to ${ID_MAX} characters, but found ${id.length}`;
  const holder = files.get(id);
  if (holder !== undefined) return `expected an id that no other route has, but route '${id}' is in '${holder}'`;
  const first = startupOrder === null ? undefined : orders.get(startupOrder);
  if (first === undefined) return null;
  return `expected a startupOrder that no other route has, but that of route '${first}' is ${startupOrder}, too`;
}

interface Deploying {
  readonly read: ReadRoutes;
  readonly deployer: Deployer;
  /** Whether the file was elsewhere: then whoever moved it is whom its routes act as. */
  readonly isMoved: boolean;
}

/** Versions that are kept of a route. */
const VERSIONS_KEPT = 50;

/** One file that is being deployed. */
class Deployment {
  readonly #changes: RouteChanges;
  readonly #input: DeployRoutes;
  readonly #deploying: Deploying;

  constructor(changes: RouteChanges, input: DeployRoutes, deploying: Deploying) {
    this.#changes = changes;
    this.#input = input;
    this.#deploying = deploying;
  }

  /** Gives the ids of its routes. */
  perform(): readonly string[] {
    const { fileId } = this.#input;
    const { read, deployer } = this.#deploying;
    const { draft } = this.#changes;
    const ids = read.routes.map((route, place) => this.#deploy(route, place));
    for (const before of draft.find(routes, 'file', [fileId]))
      if (!ids.includes(before.id) && !isLeaving(before))
        moveRoute(
          this.#changes,
          before,
          { type: 'withdraw' },
          { by: { userId: deployer.userId, reason: 'its file has it no more' } },
        );
    this.#publishFile();
    publishTemplates(draft, fileId, read.templates);
    return ids;
  }

  #publishFile(): void {
    const { fileId: id, path, format, text } = this.#input;
    const { draft, state } = this.#changes;
    const before = state.get(routeFiles, id);
    if (before !== undefined) dropText(draft, id, before);
    const pieces = storeText(draft, id, JSON.stringify(this.#deploying.read.shared));
    const { deployer } = this.#deploying;
    draft.put(routeFiles, { id, path, format, hash: seedOf(text), deployer, deployed: state.now, ...pieces });
  }

  #deploy(read: ReadRoute, place: number): string {
    const { id } = read.definition.model;
    const { draft } = this.#changes;
    const { hash } = read.kept;
    const before = draft.get(routes, id);
    if (before === undefined) this.#create(read, place);
    else if (this.#isSame(before, hash)) this.#keep(before, place);
    else this.#change(before, read, place);
    return id;
  }

  #isSame(before: Route, hash: string): boolean {
    if (this.#deploying.isMoved || isLeaving(before) || before.fileId !== this.#input.fileId) return false;
    return this.#changes.draft.get(routeVersions, versionId(before, before.latest))?.hash === hash;
  }

  /** It runs on. */
  #keep(before: Route, place: number): void {
    if (before.place !== place) this.#changes.draft.put(routes, { ...before, place });
  }

  #create(read: ReadRoute, place: number): void {
    const { state, draft, backoff } = this.#changes;
    const { deployer } = this.#deploying;
    const route: Route = {
      id: read.definition.model.id,
      incarnation: state.ids.next(),
      ...{ version: 1, next: null, latest: 1 },
      ...this.#facts(read, place),
      ...{ created: state.now, startedAt: null, work: null, turn: 0, timeoutMs: 0 },
      by: { userId: deployer.userId, reason: null },
      ...{ fault: null, incidentId: null, ends: [] },
      actor: start(routeMachine, { attempts: 1, onStopped: 'stay' }),
    };
    this.#storeVersion(route, read);
    draft.put(routes, route);
    if (route.autoStart)
      moveRoute(this.#changes, route, { type: 'start', attempts: backoff.attempts }, { by: route.by });
  }

  #change(before: Route, read: ReadRoute, place: number): void {
    const latest = before.latest + 1;
    const { autoStart, ...facts } = this.#facts(read, place);
    const changed: Route = { ...before, ...facts, autoStart: this.#input.autoStart ?? autoStart, latest, next: latest };
    this.#storeVersion(changed, read);
    const by = { userId: this.#deploying.deployer.userId, reason: 'another version was deployed' };
    moveRoute(this.#changes, changed, { type: 'update', start: changed.autoStart }, { by });
  }

  #facts({ definition, prepared }: ReadRoute, place: number) {
    const { fileId, path: file, autoStart } = this.#input;
    const { description } = definition.model.options;
    return {
      ...{ fileId, file, place, deployer: this.#deploying.deployer, startupOrder: prepared.startupOrder },
      description: typeof description === 'string' ? description : null,
      template: definition.template?.id ?? null,
      autoStart: (autoStart ?? true) && prepared.autoStartup,
    };
  }

  #storeVersion(route: Route, { kept: { hash, text }, source, prepared }: ReadRoute): void {
    const { draft, state } = this.#changes;
    const version = route.latest;
    const id = versionId(route, version);
    const pieces = storeText(draft, id, `{"definition":${text},"source":${JSON.stringify(source)}}`);
    const { startupOrder, endpoints } = prepared;
    const made = { id, routeId: route.id, incarnation: route.incarnation, version, created: state.now, hash };
    draft.put(routeVersions, { ...made, deployer: this.#deploying.deployer, startupOrder, endpoints, ...pieces });
    const old = state.get(routeVersions, versionId(route, version - VERSIONS_KEPT));
    if (old === undefined || old.version === route.version) return;
    dropText(draft, old.id, old);
    draft.remove(routeVersions, old.id);
  }
}
