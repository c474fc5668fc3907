export * from './collections.js';
export { Conductor } from './conductor.js';
export { createEip, type Eip, type EipApi, eipModule } from './eip.js';
export type { EipServices, ReadRoute, ReadRoutes, ReadRoutesQuestion } from './eip-services.js';
export { invalidRoutes, requireDeployer, routeNotFound } from './errors.js';
export { ROUTE_STATE_CHANGED, type RouteStateChanged } from './events.js';
export { routeMachine } from './machine/route.js';
export { type DefinitionText, parseRoutes } from './model/parse-routes.js';
export { type ReadDefinition, type RouteValidation, validationOf } from './model/read-routes.js';
export type * from './model/route-model.js';
export { RouteParser } from './model/route-parser.js';
export { sourceOf, textAt, withTextAt } from './model/route-text.js';
export { writeXml, writeYaml } from './model/write-routes.js';
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
