export { ApiContext, type ApiServices, type ApiWorkspace } from './api-context.js';
export { apiResolvers } from './api-resolvers.js';
export { bpmResolvers } from './bpm/bpm-resolvers.js';
export type { GraphqlContext } from './context.js';
export { createGraphqlHandler, type GraphqlHandler, type GraphqlHandlerOptions } from './create-graphql-handler.js';
export {
  type FeedEntry,
  type FeedItem,
  type FeedIterator,
  feedIterator,
} from './feed-iterator.js';
export { formatError, httpStatus } from './format-error.js';
export { BodyBudget } from './http/body-budget.js';
export { challengeOf } from './http/challenge.js';
export { preflightHeaders, sharedWith } from './http/cross-site.js';
export { endBehindBody } from './http/end-behind-body.js';
export { readBody } from './http/read-body.js';
export { TransportError } from './http/transport-error.js';
export { longJobResolvers } from './job/long-job-resolvers.js';
export { defaultLimits, type GraphqlLimits, type StreamLimits } from './limits.js';
export { makeSchema, readTypeDefs } from './make-schema.js';
export { systemTimers, type Timers } from './timers.js';
