import { posix } from 'node:path';
import {
  isLeaving,
  type ReadRoute,
  type Route,
  type RouteSource,
  requireDeployer,
  routeNotFound,
  routes,
  withTextAt,
} from '../../eip/index.js';
import type { Position } from '../../expression/index.js';
import type { EditingPlace } from '../../graphql/index.js';
import { badRequest, refuse } from '../../shared/errors.js';
import { formatOf, ROUTE_ROOTS } from './route-files.js';

// What is required of a route that is to be made, changed or deleted in its file.

/** Whether it is the same place. */
export const isAt = (one: Position, other: Position): boolean => one.line === other.line && one.column === other.column;

/** That no other routes are defined by the same. @throws BAD_REQUEST */
export function requireOwn({ id, file }: Route, beside: readonly ReadRoute[]): void {
  if (beside.length === 0) return;
  const others = beside.map(({ definition }) => `'${definition.model.id}'`).join(', ');
  throw badRequest(
    `expected route '${id}' to have a definition of its own, but it is one of a rest with ${others}: change '${file}' itself`,
    { reason: 'route_of_rest', resourceId: id },
  );
}

/** That the route has a description that was given beside its definition. @throws BAD_REQUEST */
export function requireDescribed(read: ReadRoute | undefined, description: string | null | undefined): void {
  const model = read?.definition.model;
  if (description === undefined || description === null || model?.options.description === description) return;
  throw badRequest(`expected the description of '${model?.id}' within its definition, which is none of a route alone`, {
    reason: 'description_beside',
  });
}

/** The route that is to be changed. @throws FORBIDDEN, BAD_REQUEST (no such route) */
export function routeAt({ partition, caller }: EditingPlace, id: string): Route {
  requireDeployer(caller, 'change routes');
  const route = partition.replica.read().get(routes, id);
  return route === undefined || isLeaving(route) ? refuse(routeNotFound(id)) : route;
}

/** @throws FORBIDDEN, BAD_REQUEST (an id that no file can have, or that another route has) */
export function requireMayEdit({ partition, caller }: EditingPlace, routeId: string): void {
  requireDeployer(caller, 'make routes');
  if (!/^[\w.-]{1,200}$/.test(routeId) || /^\.+$/.test(routeId))
    throw badRequest(
      `expected an id of 1 to 200 letters, digits, '_', '-' and '.', but found '${routeId.slice(0, 200)}'`,
      {
        reason: 'route_id_invalid',
      },
    );
  if (partition.replica.read().get(routes, routeId) !== undefined)
    throw badRequest(`expected an id that no other route has, but there is a route '${routeId}'`, {
      reason: 'route_exists',
      resourceId: routeId,
    });
}

/** Of the file of a route that is made. */
export const fileNameOf = (routeId: string): string => `${routeId}.yaml`;

/** The folder that a group means. @throws BAD_REQUEST it is none, or none that is deployed from */
export function folderOf(group: string | null | undefined): string {
  const [root = ''] = ROUTE_ROOTS;
  const path = posix.join('/', group?.startsWith('/') ? group : posix.join(root, group ?? '')).replace(/(.)\/$/, '$1');
  if (ROUTE_ROOTS.some((one) => path === one || path.startsWith(`${one}/`))) return path;
  throw badRequest(`expected a folder below ${ROUTE_ROOTS.join(' or ')}, but found '${path}'`, {
    reason: 'group_invalid',
  });
}

/** The text that the route has now. @throws BAD_REQUEST it is in XML */
export function yamlOf(source: RouteSource | undefined, { id }: Route): string {
  if (source?.format === 'yaml') return source.text;
  throw badRequest(`expected 'yaml' beside the description, as route '${id}' is written in XML`, {
    reason: 'route_in_xml',
  });
}

/** The text without the route; null: nothing but comments would be left. @throws BAD_REQUEST */
export function without(route: Route, text: string, at: Position): string | null {
  const rest = withTextAt(text, at, null) ?? noPlace(route);
  const isEmpty =
    formatOf(route.file) === 'yaml'
      ? rest.replace(/^\s*(#.*|---)$/gm, '').trim() === ''
      : (rest.match(/<[A-Za-z]/g) ?? []).length <= 1;
  return isEmpty ? null : rest;
}

/** @throws BAD_REQUEST its text cannot be told from that of others */
export const noPlace = (route: Route): never =>
  refuse(
    badRequest(`expected route '${route.id}' on lines of its own: change '${route.file}' itself`, {
      reason: 'route_has_no_lines',
      resourceId: route.id,
    }),
  );
