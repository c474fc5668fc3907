import { accepts, type State } from '../store/documents.js';
import { loadText } from './collection/route-text.js';
import {
  type Route,
  type RouteFileEntry,
  type RouteTemplate,
  type RouteVersion,
  routeFiles,
  routeVersions,
  templateTextOf,
  type VersionContent,
  versionId,
} from './collections.js';
import type { HttpPlace } from './component/http-front.js';
import { placeOfUri } from './component/http-place.js';
import type { ReadTemplate } from './eip-services.js';
import { routeMachine } from './machine/route.js';
import { allRoutes } from './operation/operate-route.js';
import type { RouteToRun, SharedDefinitions } from './route-port.js';

type Reader = Pick<State, 'get'>;

/** The content of a version of a route; undefined: it is not kept any more. */
export function versionContent(state: Reader, version: RouteVersion | undefined): VersionContent | undefined {
  return version && (JSON.parse(loadText(state, version.id, version)) as VersionContent);
}

/** The version of the route. */
export const versionOf = (state: Reader, route: Route, version = route.version): RouteVersion | undefined =>
  state.get(routeVersions, versionId(route, version));

/** The version of a route as the runtime takes it; undefined: it is gone. */
export function routeToRun(state: Reader, route: Route, version = route.version): RouteToRun | undefined {
  const stored = versionOf(state, route, version);
  const content = versionContent(state, stored);
  return stored && content && { ...content.definition, routeId: route.id, version, deployer: stored.deployer };
}

/** The definitions of a file that are shared by all routes. */
export const sharedOf = (state: Reader, file: RouteFileEntry): SharedDefinitions =>
  JSON.parse(loadText(state, file.id, file)) as SharedDefinitions;

/** A template as it was read. */
export const readTemplate = (state: Reader, template: RouteTemplate): ReadTemplate =>
  JSON.parse(loadText(state, templateTextOf(template.id), template)) as ReadTemplate;

/** The files that are deployed, by their paths. */
export const allFiles = (state: Pick<State, 'range'>): readonly RouteFileEntry[] =>
  state.range(routeFiles, 'path', [''], FILES_MAX);

const FILES_MAX = 2_000;

export type RouteOperation = 'start' | 'stop' | 'suspend' | 'resume' | 'update' | 'delete';

/** Events of the machine that somebody can ask for, and what they are called then. */
const OFFERED: Readonly<Record<string, RouteOperation>> = {
  start: 'start',
  stop: 'stop',
  suspend: 'suspend',
  resume: 'resume',
  update: 'update',
  withdraw: 'delete',
};

/** Operations that the route takes now: none where it is leaving. */
export const routeOperations = ({ actor }: Pick<Route, 'actor'>): RouteOperation[] =>
  actor.context.onStopped === 'leave' ? [] : accepts(routeMachine, actor).flatMap((type) => OFFERED[type] ?? []);

/** The places that routes of the workspace serve over HTTP while they run. */
export function servedPlaces(state: Pick<State, 'get' | 'range'>): HttpPlace[] {
  return allRoutes(state).flatMap((route) => {
    const endpoints = versionOf(state, route)?.endpoints ?? [];
    return endpoints.flatMap(({ uri, role }) => (role === 'consumer' ? (placeOfUri(uri, route.id) ?? []) : []));
  });
}
