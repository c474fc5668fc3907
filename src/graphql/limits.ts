/** Limits of what a caller may ask of the API. Whatever goes beyond is LIMIT_EXCEEDED, or RATE_LIMITED where a later try may succeed. */
export interface GraphqlLimits {
  /** Bytes of a signed-in caller's request body. Default 8 MiB. */
  readonly bodyBytesMax: number;
  /** Bytes of all request bodies beyond 16 KiB that are in memory at once. Default 64 MB. */
  readonly bodiesBytesMax: number;
  /** Bytes of one caller's request bodies among those. Default 32 MB. */
  readonly bodiesPerClientBytesMax: number;
  /** Mutations of a workspace that are worked at; one that waits for what it set off, or for a script, is none of them. Default 64. */
  readonly mutationsMax: number;
  /** How long a request may wait for its turn, in ms. Default 500. */
  readonly requestWaitMs: number;
  /** Requests of one line that may wait for their turn. Default 2,000. */
  readonly requestsWaitingMax: number;
  /** How deep JSON of a request may nest. Default 64. */
  readonly jsonDepthMax: number;
  /** Members and items of the JSON of a request, all together. Default 50,000. */
  readonly jsonValuesMax: number;
  /** Items of the lists of all variables, those within JSON left out. Default 10,000. */
  readonly listItemsMax: number;
  /** Characters of a document. Default 1,000,000. */
  readonly documentCharsMax: number;
  /** How deep brackets of a document may nest; checked before it is parsed. Default 60. */
  readonly bracketDepthMax: number;
  /** Tokens of a document. Default 4,000. */
  readonly tokensMax: number;
  /** How deep fields may nest. Default 25. */
  readonly depthMax: number;
  /** Aliased fields of an operation. Default 30. */
  readonly aliasesMax: number;
  /** Fragments of a document; validation compares each with each. Default 100. */
  readonly fragmentsMax: number;
  /** Directives of an operation. Default 50. */
  readonly directivesMax: number;
  /** Root fields of one mutation. Default 20. */
  readonly mutationFieldsMax: number;
  /** Fields of an operation with its fragments spread out. Default 5,000. */
  readonly fieldsMax: number;
  /** How often one selection set may name the same response field; the standard's merge rule compares each pair. Default 10. */
  readonly repetitionsMax: number;
  /** Largest `first` or `last`. Default 5,000. */
  readonly pageSizeMax: number;
  /** Objects in a result, estimated from page sizes before and counted while it is executed. Default 50,000. */
  readonly resultObjectsMax: number;
  /** Bytes of an answer, or of an event, and of what is read for it. Default 64 MB. */
  readonly answerBytesMax: number;
  /** Bytes of all answers beyond 64 KiB that are being made or sent. Default 128 MB. */
  readonly answersBytesMax: number;
  /** Bytes of one caller's answers among those. Default 64 MB. */
  readonly answersPerClientBytesMax: number;
  /** How long a client may take nothing of its answer before the connection is closed, in ms. Default 30,000. */
  readonly answerStallMs: number;
  /** How long a query may take, in ms. Default 10,000. */
  readonly queryDeadlineMs: number;
  /** Validation errors that are reported for one document. Default 20. */
  readonly validationErrorsMax: number;
  /** Documents whose parse and validation are kept. Default 1,000. */
  readonly cachedDocumentsMax: number;
  /** Longest document that is kept, in characters. Default 16,384. */
  readonly cachedDocumentCharsMax: number;
}

/** How event streams are kept within bounds. */
export interface StreamLimits {
  /** Streams of one session. Default 6. */
  readonly streamsPerSessionMax: number;
  /** Streams of this server. Default 1,000. */
  readonly streamsMax: number;
  /** Operations of one stream. Default 50. */
  readonly operationsPerStreamMax: number;
  /** Frames that wait for a slow client; one more closes its stream. Events wait in the feed instead. Default 256. */
  readonly pendingFramesMax: number;
  /** How long a write may be stuck before the stream is closed, in ms. Default 60,000. */
  readonly stuckWriteMs: number;
  /** Time between two heartbeats, in ms; the session is asked for at each. Default 30,000. */
  readonly heartbeatMs: number;
  /** How long a token waits for its stream, in ms. Default 30,000. */
  readonly reservationMs: number;
  /** How long a token outlives its stream, with its operations parked, in ms. Default 60,000. */
  readonly parkedMs: number;
  /** Frames that are kept for a client that comes back. Default 256, at least `pendingFramesMax`. */
  readonly replayFramesMax: number;
  /** Characters of the frames that are kept for a client that comes back. Default 1,048,576. */
  readonly replayCharsMax: number;
}

export const defaultLimits: GraphqlLimits = {
  bodyBytesMax: 8 * 1024 * 1024,
  bodiesBytesMax: 64_000_000,
  bodiesPerClientBytesMax: 32_000_000,
  mutationsMax: 64,
  requestWaitMs: 500,
  requestsWaitingMax: 2_000,
  jsonDepthMax: 64,
  jsonValuesMax: 50_000,
  listItemsMax: 10_000,
  documentCharsMax: 1_000_000,
  bracketDepthMax: 60,
  tokensMax: 4_000,
  depthMax: 25,
  aliasesMax: 30,
  fragmentsMax: 100,
  directivesMax: 50,
  mutationFieldsMax: 20,
  fieldsMax: 5_000,
  repetitionsMax: 10,
  pageSizeMax: 5_000,
  resultObjectsMax: 50_000,
  answerBytesMax: 64_000_000,
  answersBytesMax: 128_000_000,
  answersPerClientBytesMax: 64_000_000,
  answerStallMs: 30_000,
  queryDeadlineMs: 10_000,
  validationErrorsMax: 20,
  cachedDocumentsMax: 1_000,
  cachedDocumentCharsMax: 16_384,
};

export const defaultStreamLimits: StreamLimits = {
  streamsPerSessionMax: 6,
  streamsMax: 1_000,
  operationsPerStreamMax: 50,
  pendingFramesMax: 256,
  stuckWriteMs: 60_000,
  heartbeatMs: 30_000,
  reservationMs: 30_000,
  parkedMs: 60_000,
  replayFramesMax: 256,
  replayCharsMax: 1_048_576,
};
