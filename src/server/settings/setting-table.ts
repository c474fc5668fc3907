import { addressSettings } from './address-settings.js';
import { admissionLimits, contentLimits, graphqlLimits, importLimits, uploadLimits } from './limit-settings.js';
import { integritySettings, redisSettings } from './log-settings.js';
import { providerSettings } from './provider-settings.js';
import { routeSettings } from './route-settings.js';
import { bytes, choice, duration, integer, optional, text, zone } from './settings.js';

export { admissionLimits, contentLimits, graphqlLimits, importLimits, providerSettings, uploadLimits };

/** How the server is reached and where it keeps what it has. */
export const serverSettings = {
  ...addressSettings,
  dataFolder: text('MILLRACE_DATA', './data', 'a path', 'The data folder. One server at a time may use it.'),
  adminPassword: optional({
    name: 'MILLRACE_ADMIN_PASSWORD',
    expected: 'a password of 1 to 1024 bytes',
    description:
      "The password of the user `admin`. Unset: one is made on the first start, shown once, and kept in the data folder's file `admin-password`.",
    secret: true,
    parse: (given) => (Buffer.byteLength(given) <= 1024 ? given : undefined),
  }),
  handlers: optional({
    name: 'MILLRACE_HANDLERS',
    expected: 'the path of an ES module',
    description:
      'An ES module whose default export registers the handlers of service tasks: `(handlers, { BpmnError }) => …`. See docs/bpmn.md.',
    parse: (given) => given,
  }),
  clock: choice(
    'MILLRACE_CLOCK',
    'system',
    ['system', 'virtual'],
    'The clock of processes and routes. `system` is the machine’s, but never goes back. `virtual` stands still until it is set: for tests of processes.',
  ),
  timeZone: zone(
    'MILLRACE_TIME_ZONE',
    'UTC',
    'The time zone of timers and due dates of models that name none: for cron expressions, dates without an offset, days and months. It counts for what is deployed from then on. See docs/bpmn.md.',
  ),
  ...redisSettings,
  ...integritySettings,
  logAnswerMs: duration(
    'MILLRACE_LOG_ANSWER',
    '1500ms',
    'How long the log (the disk, or Redis) may take to make changes durable: then whoever waits is told UNAVAILABLE, and the log is looked at anew. A single change of more than 600 documents or 1 MB may take as many times as long as it is larger.',
  ),
  startPatienceMs: duration(
    'MILLRACE_START_PATIENCE',
    '60s',
    'How long the log may take, or be away, for what a start has to change; then the start ends with an error.',
  ),
  commandWaitMs: duration(
    'MILLRACE_COMMAND_WAIT',
    '5s',
    'How long a change may wait to be made before the server says that it is not ready.',
  ),
  jobSlots: integer('MILLRACE_JOB_SLOTS', 256, [1, 10_000], 'How many jobs run at once.'),
  ...routeSettings,
  longJobWorkers: integer(
    'MILLRACE_LONG_JOB_WORKERS',
    4,
    [1, 1000],
    'How many long jobs (deletes, archives, imports) run at once.',
  ),
  logLevel: choice(
    'MILLRACE_LOG_LEVEL',
    'info',
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    'The least severe log line that is written.',
  ),
};

/** Limits of HTTP connections and requests. */
export const httpLimits = {
  headersTimeoutMs: duration(
    'MILLRACE_HEADERS_TIMEOUT',
    '10s',
    'How long a client may take to send its headers; then 408.',
  ),
  requestTimeoutMs: duration(
    'MILLRACE_REQUEST_TIMEOUT',
    '30s',
    'How long a client may take to send its whole request; then 408.',
  ),
  keepAliveTimeoutMs: duration('MILLRACE_KEEP_ALIVE_TIMEOUT', '30s', 'How long an idle connection stays open.'),
  headerBytesMax: bytes('MILLRACE_HEADER_BYTES_MAX', '16KiB', 'The headers of a request; above it 431.'),
  connectionsMax: integer(
    'MILLRACE_CONNECTIONS_MAX',
    10_000,
    [1, 1_000_000],
    'Open connections; more are closed at once.',
  ),
  bodyBytesMax: bytes(
    'MILLRACE_BODY_BYTES_MAX',
    '8MB',
    'The body of a GraphQL request of a signed-in caller; above it 413.',
  ),
  bodiesBytesMax: bytes(
    'MILLRACE_BODIES_BYTES_MAX',
    '64MB',
    'What has arrived of the bodies of all requests that are being answered at once, those up to 16 KiB left out; above it 503 with Retry-After. Until it is answered a request has up to four times its body in memory, so this bounds what uploads and files that come at once take of it.',
  ),
  bodiesPerClientBytesMax: bytes(
    'MILLRACE_BODIES_PER_CLIENT_BYTES_MAX',
    '32MB',
    'The same of the requests of one user, and before sign-in of one address; above it 503 with Retry-After. A request that is alone is taken whatever it has.',
  ),
  signInBodyBytesMax: bytes('MILLRACE_SIGN_IN_BODY_BYTES_MAX', '16KiB', 'The body of a sign-in; above it 413.'),
  drainTimeoutMs: duration(
    'MILLRACE_DRAIN_TIMEOUT',
    '10s',
    'How long calls and jobs that are running may take to finish after SIGTERM.',
  ),
};

/** Limits of event streams and their buffers. */
export const streamLimits = {
  streamsMax: integer('MILLRACE_STREAMS_MAX', 1000, [1, 1_000_000], 'Event streams of the server; above it 429.'),
  streamsPerSessionMax: integer(
    'MILLRACE_STREAMS_PER_SESSION_MAX',
    6,
    [1, 10_000],
    'Event streams of a session; above it 429. An API token, or a user who signs in by HTTP Basic, has as many at each address.',
  ),
  streamOperationsMax: integer(
    'MILLRACE_STREAM_OPERATIONS_MAX',
    50,
    [1, 10_000],
    'Subscriptions of a stream; above it 429.',
  ),
  streamFramesMax: integer(
    'MILLRACE_STREAM_FRAMES_MAX',
    256,
    [1, 100_000],
    'Frames that wait for a slow reader; then the stream is closed and may be resumed.',
  ),
  streamStallMs: duration(
    'MILLRACE_STREAM_STALL',
    '60s',
    'How long a reader may take none of its frames; then the stream is closed.',
  ),
  streamHeartbeatMs: duration(
    'MILLRACE_STREAM_HEARTBEAT',
    '30s',
    'The time between two heartbeats, each of which checks the session again.',
  ),
  streamReservationMs: duration(
    'MILLRACE_STREAM_RESERVATION',
    '30s',
    'How long a reserved stream waits for its reader.',
  ),
};

/** Limits of sign-in, its attempts and sessions. */
export const signInLimits = {
  sessionIdleMs: duration('MILLRACE_SESSION_IDLE', '30m', 'How long a session lasts without a request.'),
  sessionAbsoluteMs: duration('MILLRACE_SESSION_ABSOLUTE', '12h', 'How long a session lasts at most.'),
  sessionsPerUserMax: integer(
    'MILLRACE_SESSIONS_PER_USER_MAX',
    100,
    [1, 100_000],
    'Sessions of one user; a new one ends the oldest.',
  ),
  apiTokensPerUserMax: integer(
    'MILLRACE_API_TOKENS_PER_USER_MAX',
    100,
    [1, 1_000],
    'API tokens of one user, those that have expired among them; one more is refused until one is revoked.',
  ),
  apiTokenAgeMaxMs: duration(
    'MILLRACE_API_TOKEN_AGE_MAX',
    'P365D',
    'How long an API token may last, and does where it is made without an end.',
  ),
  signInFailuresPerAccountMax: integer(
    'MILLRACE_SIGN_IN_FAILURES_PER_ACCOUNT_MAX',
    10,
    [1, 1_000_000],
    'Failed sign-ins of one name from one network (IPv4: a /24, IPv6: a /64) within the window; then 429. Names that nobody has are counted alike.',
  ),
  signInFailuresPerAddressMax: integer(
    'MILLRACE_SIGN_IN_FAILURES_PER_ADDRESS_MAX',
    100,
    [1, 1_000_000],
    'Failed sign-ins from one network (IPv4: a /24, IPv6: a /64) within the window; then 429.',
  ),
  signInWindowMs: duration('MILLRACE_SIGN_IN_WINDOW', '15m', 'The window in which failed sign-ins are counted.'),
  passwordChecksMax: integer(
    'MILLRACE_PASSWORD_CHECKS_MAX',
    2,
    [1, 64],
    'Passwords that are checked at once, each with 19 MiB of memory.',
  ),
  basicCacheMs: duration(
    'MILLRACE_BASIC_CACHE',
    '60s',
    'How long a verified HTTP Basic credential needs no new check.',
  ),
};

/** Limits of models and of what runs within them. */
export const processLimits = {
  modelBytesMax: bytes('MILLRACE_MODEL_BYTES_MAX', '4MiB', 'The text of a BPMN model.'),
  modelElementsMax: integer('MILLRACE_MODEL_ELEMENTS_MAX', 20_000, [1, 1_000_000], 'XML elements of a model.'),
  modelDepthMax: integer('MILLRACE_MODEL_DEPTH_MAX', 100, [1, 1000], 'Nested XML elements of a model.'),
  modelNamespacesMax: integer('MILLRACE_MODEL_NAMESPACES_MAX', 64, [1, 1000], 'Namespace declarations of a model.'),
  modelParseTimeoutMs: duration('MILLRACE_MODEL_PARSE_TIMEOUT', '2s', 'How long reading a model may take.'),
  scriptTimeoutMs: duration(
    'MILLRACE_SCRIPT_TIMEOUT',
    '1s',
    'How long a script may run; neither the start of its thread nor the reading of its variables counts.',
  ),
  scriptBytesMax: bytes('MILLRACE_SCRIPT_BYTES_MAX', '64MiB', 'The memory of a script.'),
  instanceStepsMax: integer(
    'MILLRACE_INSTANCE_STEPS_MAX',
    100_000,
    [100, 1_000_000_000],
    'Steps that a process instance takes without a wait (a user task, a call of a handler, a later timer, a message or signal from outside); then it stops with an incident, and goes on when that is given new retries.',
  ),
  instanceCommandsMax: integer(
    'MILLRACE_INSTANCE_COMMANDS_MAX',
    100,
    [1, 100_000],
    'Commands that wait for one process instance; above it UNAVAILABLE.',
  ),
};

/** How long outcomes, history, bytes and events are kept. */
export const retention = {
  outcomesKeptMs: duration(
    'MILLRACE_OUTCOMES_KEPT',
    '24h',
    'How long the outcome of a command with an idempotency key is kept.',
  ),
  historyKeptMs: duration(
    'MILLRACE_HISTORY_KEPT',
    'P180D',
    'How long the history of an ended process instance is kept.',
  ),
  exchangesKeptMs: duration('MILLRACE_EXCHANGES_KEPT', 'P7D', 'How long exchanges of routes are kept.'),
  exchangesMax: integer(
    'MILLRACE_EXCHANGES_MAX',
    1_000_000,
    [1_000, 100_000_000],
    'How many exchanges of routes are kept of a workspace; the oldest go first.',
  ),
  exchangeCountsKeptMs: duration(
    'MILLRACE_EXCHANGE_COUNTS_KEPT',
    'P90D',
    'How long it is known how many exchanges of routes began when, and how long they took.',
  ),
  auditKeptMs: duration('MILLRACE_AUDIT_KEPT', 'P90D', 'How long the audit log says who did what.'),
  uploadsKeptMs: duration('MILLRACE_UPLOADS_KEPT', '24h', 'How long an upload is kept after its last chunk.'),
  blobsKeptMs: duration(
    'MILLRACE_BLOBS_KEPT',
    '24h',
    'How long bytes that no document holds are kept after they were written.',
  ),
  longJobsKeptMs: duration('MILLRACE_LONG_JOBS_KEPT', 'P30D', 'How long a long job that has ended is kept.'),
  feedKeptMs: duration(
    'MILLRACE_FEED_KEPT',
    '10m',
    'How long events are kept at least, so that a stream can be resumed.',
  ),
  feedEntriesMin: integer('MILLRACE_FEED_ENTRIES_MIN', 100_000, [1, 100_000_000], 'How many events are kept at least.'),
};

/** Everything that can be set, in the order of the documentation. */
export const settingTable = {
  ...serverSettings,
  ...httpLimits,
  ...admissionLimits,
  ...graphqlLimits,
  ...streamLimits,
  ...signInLimits,
  ...providerSettings,
  ...processLimits,
  ...contentLimits,
  ...uploadLimits,
  ...importLimits,
  ...retention,
};
