import type { Config } from '../settings/config.js';

/** What the settings allow a request of the GraphQL API. */
export const limitsOf = (config: Config) => ({
  bodyBytesMax: config.bodyBytesMax,
  mutationsMax: config.mutationsMax,
  requestWaitMs: config.requestWaitMs,
  requestsWaitingMax: config.requestsWaitingMax,
  jsonDepthMax: config.variablesDepthMax,
  jsonValuesMax: config.variablesValuesMax,
  listItemsMax: config.variablesItemsMax,
  documentCharsMax: config.graphqlCharsMax,
  bracketDepthMax: config.graphqlBracketsMax,
  tokensMax: config.graphqlTokensMax,
  depthMax: config.graphqlDepthMax,
  aliasesMax: config.graphqlAliasesMax,
  fragmentsMax: config.graphqlFragmentsMax,
  directivesMax: config.graphqlDirectivesMax,
  mutationFieldsMax: config.graphqlMutationsMax,
  pageSizeMax: config.pageSizeMax,
  resultObjectsMax: config.graphqlObjectsMax,
  answerBytesMax: config.answerBytesMax,
  answersBytesMax: config.answersBytesMax,
  answersPerClientBytesMax: config.answersPerClientBytesMax,
  answerStallMs: config.answerStallMs,
  queryDeadlineMs: config.graphqlTimeoutMs,
  validationErrorsMax: config.graphqlErrorsMax,
});

/** What the settings allow an event stream. */
export const streamLimitsOf = (config: Config) => ({
  streamsMax: config.streamsMax,
  streamsPerSessionMax: config.streamsPerSessionMax,
  operationsPerStreamMax: config.streamOperationsMax,
  pendingFramesMax: config.streamFramesMax,
  stuckWriteMs: config.streamStallMs,
  heartbeatMs: config.streamHeartbeatMs,
  reservationMs: config.streamReservationMs,
});
