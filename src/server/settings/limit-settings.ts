import { bytes, duration, integer } from './settings.js';

/** Limits of one GraphQL request and its answer. */
export const graphqlLimits = {
  graphqlCharsMax: bytes(
    'MILLRACE_GRAPHQL_CHARS_MAX',
    '1MB',
    'The characters of a document. What is long, such as a model, belongs into variables.',
  ),
  graphqlTokensMax: integer('MILLRACE_GRAPHQL_TOKENS_MAX', 4000, [100, 1_000_000], 'Lexical tokens of a document.'),
  graphqlBracketsMax: integer(
    'MILLRACE_GRAPHQL_BRACKETS_MAX',
    60,
    [10, 1000],
    'Nested brackets of a document, counted before it is parsed.',
  ),
  graphqlDepthMax: integer('MILLRACE_GRAPHQL_DEPTH_MAX', 25, [1, 1000], 'Nested fields.'),
  graphqlAliasesMax: integer('MILLRACE_GRAPHQL_ALIASES_MAX', 30, [0, 10_000], 'Aliases of a document.'),
  graphqlFragmentsMax: integer('MILLRACE_GRAPHQL_FRAGMENTS_MAX', 100, [0, 10_000], 'Fragments of a document.'),
  graphqlMutationsMax: integer('MILLRACE_GRAPHQL_MUTATIONS_MAX', 20, [1, 10_000], 'Mutation fields of a document.'),
  graphqlDirectivesMax: integer('MILLRACE_GRAPHQL_DIRECTIVES_MAX', 50, [0, 10_000], 'Directives of a document.'),
  graphqlErrorsMax: integer('MILLRACE_GRAPHQL_ERRORS_MAX', 20, [1, 1000], 'Errors of validation that are told.'),
  graphqlObjectsMax: integer('MILLRACE_GRAPHQL_OBJECTS_MAX', 50_000, [1, 10_000_000], 'Objects of a result.'),
  answerBytesMax: bytes(
    'MILLRACE_ANSWER_BYTES_MAX',
    '64MB',
    'The bytes of an answer, or of an event, and as well those of the documents that are read for it, whatever is selected of them; above it LIMIT_EXCEEDED. What a mutation changed stays changed.',
  ),
  answersBytesMax: bytes(
    'MILLRACE_ANSWERS_BYTES_MAX',
    '128MB',
    'The bytes of all answers that are being made or sent at once, those up to 64 KiB left out; above it 503 with Retry-After. Until its client has it, an answer takes up to three times its bytes of memory.',
  ),
  answersPerClientBytesMax: bytes(
    'MILLRACE_ANSWERS_PER_CLIENT_BYTES_MAX',
    '64MB',
    'The same of the answers of one user; above it 503 with Retry-After. An answer that is alone is given however large it is.',
  ),
  answerStallMs: duration(
    'MILLRACE_ANSWER_STALL',
    '30s',
    'How long a client may take nothing of an answer of more than 64 KiB; then the connection is closed.',
  ),
  graphqlTimeoutMs: duration('MILLRACE_GRAPHQL_TIMEOUT', '10s', 'How long a query may run.'),
  variablesDepthMax: integer(
    'MILLRACE_VARIABLES_DEPTH_MAX',
    64,
    [1, 1000],
    'Nested lists and objects of the variables.',
  ),
  variablesValuesMax: integer(
    'MILLRACE_VARIABLES_VALUES_MAX',
    50_000,
    [100, 10_000_000],
    'Members and items of the JSON of a request, all together, counted before it is parsed. 50,000 take up to 100 ms to be read and stored, in which nothing else is done.',
  ),
  variablesItemsMax: integer(
    'MILLRACE_VARIABLES_ITEMS_MAX',
    10_000,
    [100, 1_000_000],
    'Items of the lists of all variables, such as properties, values, users or paths; lists within JSON left out.',
  ),
  pageSizeMax: integer('MILLRACE_PAGE_SIZE_MAX', 5000, [1, 100_000], 'The largest `first` of a list.'),
  answerWaitMs: duration(
    'MILLRACE_ANSWER_WAIT',
    '10s',
    'How long startProcess, completeTask and the like wait for the calls that their run started, before they answer with the state as it is.',
  ),
};

/** How much is begun at once, and how long the rest may wait. */
export const admissionLimits = {
  mutationsMax: integer(
    'MILLRACE_MUTATIONS_AT_ONCE',
    64,
    [1, 10_000],
    'Mutations of a workspace that are worked at; more wait for their turn. One that waits for what it set off, or for a script or a plan, is none of them.',
  ),
  requestWaitMs: duration(
    'MILLRACE_REQUEST_WAIT',
    '500ms',
    'How long a GraphQL request may wait for its turn; then 503 with Retry-After. Where requests have had to wait for a fifth of it for as long as it, a fifth is all they may wait.',
  ),
  requestsWaitingMax: integer(
    'MILLRACE_REQUESTS_WAITING_MAX',
    2000,
    [1, 100_000],
    'Mutations of a workspace, and queries, that may wait for their turn; above it 503 with Retry-After.',
  ),
  queryReadsMax: integer(
    'MILLRACE_QUERY_READS_MAX',
    250,
    [1, 100_000],
    "Lists and reports of queries that the reader's thread has before it; above it 503 with Retry-After. What a mutation reads back of what it changed is none of them.",
  ),
};

/** Limits of node types and of XML. */
export const contentLimits = {
  cndMax: bytes('MILLRACE_CND_MAX', '1MB', 'The characters of a text of node type definitions.'),
  nodeTypesMax: integer('MILLRACE_NODE_TYPES_MAX', 500, [0, 900], 'Node types that a workspace may register.'),
  xmlBytesMax: bytes('MILLRACE_XML_BYTES_MAX', '16MiB', 'The XML of an import, and of an export.'),
  xmlDepthMax: integer('MILLRACE_XML_DEPTH_MAX', 500, [1, 2_000], 'Nested nodes of an import.'),
  xmlNamespacesMax: integer('MILLRACE_XML_NAMESPACES_MAX', 1_000, [1, 10_000], 'Namespace declarations of an import.'),
  xmlParseTimeoutMs: duration('MILLRACE_XML_PARSE_TIMEOUT', '10s', 'How long reading the XML of an import may take.'),
};

/** Limits of uploads: of one, its chunks, and a user's. */
export const uploadLimits = {
  uploadBytesMax: bytes('MILLRACE_UPLOAD_BYTES_MAX', '10GiB', 'The bytes of an upload.', '1TiB'),
  uploadChunkBytesMax: bytes(
    'MILLRACE_UPLOAD_CHUNK_BYTES_MAX',
    '8MiB',
    'The bytes of a chunk of an upload. As Base64 it has a third more, which counts as body of its request.',
  ),
  uploadsPerUserMax: integer(
    'MILLRACE_UPLOADS_PER_USER_MAX',
    100,
    [1, 400],
    'Open uploads of a user in a workspace; above it RATE_LIMITED.',
  ),
};

/** Limits of imported archives, against bombs of ZIP. */
export const importLimits = {
  importBytesMax: bytes('MILLRACE_IMPORT_BYTES_MAX', '10GiB', 'The bytes of an imported ZIP, unpacked.', '1TiB'),
  importEntriesMax: integer(
    'MILLRACE_IMPORT_ENTRIES_MAX',
    200_000,
    [1, 1_000_000],
    'Entries of an imported ZIP, and the nodes that it makes.',
  ),
  importRatioMax: integer(
    'MILLRACE_IMPORT_RATIO_MAX',
    200,
    [1, 2_000],
    'How many times as large as packed an entry of more than 1 MiB of an imported ZIP may be.',
  ),
  importDepthMax: integer(
    'MILLRACE_IMPORT_DEPTH_MAX',
    100,
    [1, 500],
    'Names in the path of an entry of an imported ZIP.',
  ),
};
