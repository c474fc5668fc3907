export { ApiContext, type ApiServices, type ApiWorkspace, type ClockChange } from './api-context.js';
export { apiResolvers } from './api-resolvers.js';
export { bpmResolvers } from './bpm/bpm-resolvers.js';
export { contentResolvers } from './content/content-resolvers.js';
export type { ExecutionContext, GraphqlContext, RequestFacts } from './context.js';
export { createGraphqlHandler, type GraphqlHandler, type GraphqlHandlerOptions } from './create-graphql-handler.js';
export {
  type EarliestPosition,
  type FeedCursor,
  type FeedEntry,
  type FeedItem,
  type FeedIterator,
  feedIterator,
} from './feed-iterator.js';
export { type ErrorFacts, type FormatError, formatError, httpStatus } from './format-error.js';
export { BodyBudget } from './http/body-budget.js';
export { challengeOf } from './http/challenge.js';
export { preflightHeaders, sharedWith } from './http/cross-site.js';
export { endBehindBody } from './http/end-behind-body.js';
export { readBody } from './http/read-body.js';
export { TransportError } from './http/transport-error.js';
export { longJobResolvers } from './job/long-job-resolvers.js';
export { defaultLimits, defaultStreamLimits, type GraphqlLimits, type StreamLimits } from './limits.js';
export { type MadeSchema, makeSchema, type SchemaSource } from './make-schema.js';
export { readTypeDefs } from './read-type-defs.js';
export { systemTimers, type Timers } from './timers.js';
