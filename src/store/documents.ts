// The store's second door: documents, as they are declared, decided about and read. Nothing behind it runs a store: a thread that reads loads little.

export {
  type Action,
  type Actor,
  type ActorOf,
  accepts,
  can,
  caused,
  EventRefused,
  type Performers,
  perform,
  type Step,
  snapshotOf,
  start,
  step,
} from './actor.js';
export type { Collection, Document, LeavingBehind, LeftBehind, Lookup, Scalar } from './collection.js';
export { collection } from './collection.js';
export type {
  Answer,
  Answered,
  AnyOperation,
  Ask,
  Asking,
  Command,
  CommandContext,
  Decision,
  FeedEvent,
  Operation,
  Write,
} from './decision.js';
export { AFTER_OTHERS, afterOthers, allSteps, operation, put, remove, steppedOperation } from './decision.js';
export { documentOf, leanOf, wholeOf } from './document-text.js';
export { Draft } from './draft.js';
export { Layer, Written } from './entries.js';
export {
  type Incident,
  type IncidentEvent,
  incidentMachine,
  incidents,
} from './incident/incident.js';
export {
  type Job,
  type JobSubject,
  jobs,
  jobsAbout,
  type NewJob,
} from './job/job.js';
export { hasEnded, type LongJob, type LongJobStatus, longJobs } from './job/long/long-job.js';
export { type JobAttempt, takeOutcome } from './job/outcome.js';
export { traceOf } from './log/packed.js';
export { type AnyCollection, multiTableOf, tableOf } from './log/schema.js';
export type { NameChanger } from './principal/change-name.js';
export { formerName, type NameChange, namesAt, namesChanged, namesOf, withNameChanged } from './principal/names-at.js';
export type { Condition, Value } from './read/condition.js';
export { decodeCursor, encodeCursor } from './read/cursor.js';
export { type Cursors, cursorsOf, Keyset, type KeysetPage, type KeysetRequest } from './read/keyset.js';
export { listPage, listPagesOf } from './read/list.js';
export {
  type DamagedPlace,
  type ListRequest,
  type OrderTerm,
  PAGE_MAX,
  type Page,
  type PageRow,
} from './read/list-request.js';
export { PageRoom, type ReadRoom } from './read/page-room.js';
export type { QueryContext, ReaderModule, ReaderQuery } from './read/reader-module.js';
export { snapshotState } from './read/reader-module.js';
export { smallColumns, smallText, soundText, storedColumns, storedDocument, storedText } from './read/stored-text.js';
export { RememberedState, StateUpon } from './remembered-state.js';
export type { CountRange, FindOptions, State } from './state.js';
export type { Prepared, Statements } from './statements.js';
