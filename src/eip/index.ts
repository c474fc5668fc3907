export * from './collections.js';
export { Conductor } from './conductor.js';
export { createEip, type Eip, type EipApi, eipModule } from './eip.js';
export type { EipServices, ReadRoute, ReadRoutes, ReadRoutesQuestion } from './eip-services.js';
export { invalidRoutes, requireDeployer, routeNotFound } from './errors.js';
export { ROUTE_STATE_CHANGED, type RouteStateChanged } from './events.js';
export { routeMachine } from './machine/route.js';
export type { DefinitionText, ParsedDefinition } from './model/parse-routes.js';
export type * from './model/route-model.js';
export { RouteParser } from './model/route-parser.js';
export type { RouteValidation } from './model/route-problems.js';
export { validationOf } from './model/route-problems.js';
export { type DeployedRoutes, type DeployRoutes, deployed, withdrawn } from './operation/deploy-routes.js';
export { allRoutes, isLeaving } from './operation/operate-route.js';
export {
  allFiles,
  type RouteOperation,
  routeOperations,
  routeToRun,
  sharedOf,
  templateModel,
  versionContent,
  versionOf,
} from './reading.js';
export type * from './route-port.js';
