export * from './collections.js';
export { COMPONENT_LIST, type RouteComponent } from './component/component-list.js';
export type { HttpMount, HttpPlace, HttpReply, HttpRequest } from './component/http-front.js';
export { type Found, MountTable } from './component/mount-table.js';
export type * from './component/workspace-port.js';
export { Conductor } from './conductor.js';
export { createEip, type Eip, type EipApi, eipModule } from './eip.js';
export type { EipServices, ReadRoute, ReadRoutes, ReadRoutesQuestion } from './eip-services.js';
export { invalidRoutes, requireDeployer, requireOperator, routeNotFound } from './errors.js';
export { ROUTE_STATE_CHANGED, type RouteStateChanged } from './events.js';
export type { ExchangeRecord, StepRecord } from './history/exchange-record.js';
export { Histories, type KeptExchanges } from './history/histories.js';
export type { HistoryPage } from './history/history-file.js';
export {
  type ExchangePlace,
  exchangeFile,
  exchangePath,
  HISTORY_ROOT,
  hourFolder,
  isBelowHistory,
  isOf,
  placeOf,
  unnamed,
} from './history/history-path.js';
export type { HistoryFilter, HistoryPlace, HistoryQuery } from './history/history-query.js';
export { type ExchangeSummary, type PackedRecords, summariesOf as packedSummaries } from './history/packed-records.js';
export { elapsedBands, statsWindow } from './history/stats-window.js';
export { routeMachine } from './machine/route.js';
export { maskedUri } from './model/endpoint-uri.js';
export type { DefinitionText, ParsedDefinition } from './model/parse-routes.js';
export { routeWithFacts, templatedRouteText } from './model/route-facts.js';
export type * from './model/route-model.js';
export { RouteParser } from './model/route-parser.js';
export type { RouteValidation } from './model/route-problems.js';
export { validationOf } from './model/route-problems.js';
export { withTextAt } from './model/route-text.js';
export { writeXml, writeYaml } from './model/write-routes.js';
export { type DeployedRoutes, type DeployRoutes, deployed, withdrawn } from './operation/deploy-routes.js';
export { ALL_ROUTES, allRoutes, isLeaving, ROUTES_READ_MAX } from './operation/operate-route.js';
export { fileOf, type ReadText, readRoutes } from './read-routes.js';
export {
  allFiles,
  type RouteOperation,
  readTemplate,
  routeOperations,
  routeToRun,
  servedPlaces,
  sharedOf,
  versionContent,
  versionOf,
} from './reading.js';
export type * from './route-port.js';
export type { ExchangeSpan } from './runtime/exchange-spans.js';
export { type ContextNumbers, contextNumbers, type RouteNumbers } from './runtime/route-statistics.js';
export { routeThreads } from './runtime/thread/open-runtime.js';
export type { OpenWorkspace } from './runtime/thread/running-thread.js';
export { StatisticsKeeper } from './statistics-keeper.js';
