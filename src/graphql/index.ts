export { ApiContext } from './api-context.js';
export { apiResolvers, bpmResolvers } from './api-resolvers.js';
export type {
  ApiServices,
  ApiWorkspace,
  ChangedRoute,
  ClusterFacts,
  EditingPlace,
  FetchingWorker,
  NewRoute,
  RouteEditing,
  WorkerServices,
} from './api-services.js';
export type { GraphqlContext } from './context.js';
export { createGraphqlHandler, type GraphqlHandler, type GraphqlHandlerOptions } from './create-graphql-handler.js';
export {
  type FeedEntry,
  type FeedItem,
  type FeedIterator,
  feedIterator,
} from './feed-iterator.js';
export { formatError, httpStatus } from './format-error.js';
export { endBehindBody } from './http/answer.js';
export { BodyBudget } from './http/memory-budget.js';
export { challengeOf, isUnencrypted, preflightHeaders, sharedWith } from './http/request-head.js';
export { readBody } from './http/request-params.js';
export { TransportError } from './http/transport-error.js';
export { longJobResolvers } from './job/long-job-resolvers.js';
export { defaultLimits, type StreamLimits } from './limits.js';
export { makeSchema, readTypeDefs } from './make-schema.js';
