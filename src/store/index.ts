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
export { BlobHolders } from './blob/blob-holders.js';
export type { BlobDamage } from './blob/blob-reader.js';
export type { Blob, BlobStore, ByteRange, Swept } from './blob/blob-store.js';
export { blobFile, checkBlobs } from './blob/check-blobs.js';
export { FileBlobStore } from './blob/file-blob-store.js';
export { hashBytes } from './blob/hash.js';
export { holdRemovals } from './blob/hold.js';
export type { Collection, Document, Scalar } from './collection.js';
export { collection } from './collection.js';
export { damagedRow, type Finding, isDamaged } from './damage.js';
export { syncFolder } from './data-folder.js';
export type { Aside } from './decide/accepted.js';
export type { Evaluator } from './decide/asks.js';
export { DOCUMENT_SIZE_MAX } from './decide/commit.js';
export { isFinal } from './decide/keyed.js';
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
export { allSteps, operation, put, remove, steppedOperation } from './decision.js';
export { documentOf, leanOf, wholeOf } from './document-text.js';
export type { Domain, DomainModule } from './domain.js';
export { Draft } from './draft.js';
export { Layer, Written } from './entries.js';
export { Feed, type FeedEntry } from './feed/feed.js';
export type { CommitFollower, Committed } from './feed/landed-commits.js';
export { decodePosition, earliestPosition, type Place } from './feed/position.js';
export {
  type Incident,
  type IncidentEvent,
  incidentMachine,
  incidents,
} from './incident/incident.js';
export {
  type IncidentChanges,
  incidentOf,
  incidentPerformers,
  moveIncident,
  newIncident,
  openIncident,
} from './incident/transition.js';
export type { Fault } from './index-db/applier.js';
export { Indexer } from './index-db/indexer.js';
export type { AnyProjection, Change, IndexerModule, Projection } from './index-db/projection.js';
export type { Report } from './integrity/check-commits.js';
export { checkPartition, partitionsIn } from './integrity/check-partition.js';
export { Scrubber } from './integrity/scrubber.js';
export { StoredDocuments } from './integrity/stored-documents.js';
export {
  type Job,
  type JobSubject,
  jobs,
  jobsAbout,
  type NewJob,
} from './job/job.js';
export type { AnyJobType, JobChanges, JobOutcome, JobType } from './job/job-type.js';
export { LONG_JOB_PROGRESSED, type LongJobProgress, longJobPerformers, progressOf } from './job/long/change.js';
export type { LongJobRef } from './job/long/client-operations.js';
export { longJobId } from './job/long/errors.js';
export type { LongJobChanges, LongJobFile } from './job/long/figures.js';
export { hasEnded, type LongJob, type LongJobStatus, longJobs } from './job/long/long-job.js';
export type {
  LongJobContext,
  LongJobOutcome,
  LongJobPrepared,
  LongJobStart,
  LongJobType,
} from './job/long/long-job-type.js';
export { LONG_JOB_DEFAULTS, type LongJobSettings, LongJobs } from './job/long/long-jobs.js';
export { longJobMachine } from './job/long/machine.js';
export { completedLongJob, type LongJobOperations } from './job/long/operations.js';
export { type JobEvent, jobMachine } from './job/machine.js';
export { type JobAttempt, takeOutcome } from './job/outcome.js';
export { type JobDomain, jobPerformers, type MovedJob, moveJob } from './job/transition.js';
export { copyLog, copyRecords } from './log/copy-log.js';
export type { Logs, Loss } from './log/logs.js';
export { parseRedisUrl, type RedisAddress } from './log/redis-address.js';
export type { LogWarning } from './log/redis-durability.js';
export { RedisLogs, type RedisLogsOptions } from './log/redis-logs.js';
export { type AnyCollection, multiTableOf, tableOf } from './log/schema.js';
export { Partition, type PartitionPort, type Sent } from './partition/partition.js';
export { ReplicaSide } from './partition/replica-side.js';
export type { Reaction } from './reaction/reaction.js';
export { decodeCursor, encodeCursor } from './read/cursor.js';
export { type Cursors, cursorsOf, Keyset, type KeysetPage, type KeysetRequest } from './read/keyset.js';
export { listPage, listPagesOf } from './read/list.js';
export {
  type Condition,
  type DamagedPlace,
  type ListRequest,
  type OrderTerm,
  PAGE_MAX,
  type Page,
  type PageRow,
  type Value,
} from './read/list-request.js';
export { PageRoom, type ReadRoom } from './read/page-room.js';
export {
  type IndexProgress,
  type QueryAnswer,
  Reader,
  type ReaderOptions,
  type ReadLine,
} from './read/reader.js';
export type { QueryContext, ReaderModule, ReaderQuery } from './read/reader-module.js';
export { snapshotState } from './read/reader-module.js';
export { shortList } from './read/short-list.js';
export { smallColumns, smallText, soundText, storedColumns, storedDocument, storedText } from './read/stored-text.js';
export type { RecordRow } from './records/record.js';
export { Records, type RecordsOptions } from './records/records.js';
export { RememberedState, StateUpon } from './remembered-state.js';
export type { Database } from './sqlite.js';
export type { CountRange, FindOptions, State } from './state.js';
export type { Prepared, Statements } from './statements.js';
export { allCollections, Store, type StoreOptions } from './store.js';
export { WorkThread } from './work-thread.js';
