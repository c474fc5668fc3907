import type { Caller } from '../shared/caller.js';
import { badRequest, ServiceError } from '../shared/errors.js';
import { mayDeployRoutes, mayOperateRoutes } from '../shared/rights/routes.js';
import type { Route } from './collections.js';
import type { RouteProblem } from './route-port.js';

export const routeNotFound = (id: string): ServiceError =>
  badRequest(`Unknown route: expected the id of a route, but '${id.slice(0, 200)}' is none`, {
    reason: 'route_not_found',
    resourceId: id.slice(0, 200),
  });

/** The route's state does not accept the event. */
export const routeNotIn = ({ id, actor }: Route, event: string): ServiceError =>
  new ServiceError('CONFLICT', `expected route '${id}' to accept '${event}', but it is ${actor.value}`, {
    reason: 'route_state',
    resourceId: id,
    details: { state: actor.value },
  });

/** The refusal of a file of routes: its first problem in words with line and column, all of them as details. */
export function invalidRoutes(file: string, problems: readonly RouteProblem[]): ServiceError {
  const [first, ...more] = problems;
  const place = first?.line == null ? '' : ` line ${first.line}, column ${first.column ?? 1}:`;
  const rest = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return badRequest(`'${file}':${place} ${first?.message}${rest}`, {
    reason: 'route_invalid',
    resourceId: file,
    details: { problems },
  });
}

/** Requires a caller who may deploy routes, for an errand in words. @throws FORBIDDEN */
export function requireDeployer(caller: Caller, what: string): void {
  if (!mayDeployRoutes(caller)) throw forbidden(caller, `a deployer, supervisor or administrator to ${what}`);
}

/** Requires a caller who may start and stop routes, for an errand in words. @throws FORBIDDEN */
export function requireOperator(caller: Caller, what: string): void {
  if (!mayOperateRoutes(caller)) throw forbidden(caller, `an operator, supervisor or administrator to ${what}`);
}

const forbidden = ({ userId }: Caller, who: string) =>
  new ServiceError('FORBIDDEN', `expected ${who}, but '${userId}' is none`, { reason: 'role_missing' });
