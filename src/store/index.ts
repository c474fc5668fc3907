export { BlobHolders } from './blob/blob-holders.js';
export type { BlobDamage } from './blob/blob-reader.js';
export type { Blob, BlobStore, ByteRange, Swept } from './blob/blob-store.js';
export { blobFile, checkBlobs } from './blob/check-blobs.js';
export { FileBlobStore } from './blob/file-blob-store.js';
export { hashBytes } from './blob/hash.js';
export { holdRemovals } from './blob/hold.js';
export { damagedRow, type Finding, isDamaged, readFault } from './damage.js';
export { syncFolder } from './data-folder.js';
export type { Aside } from './decide/accepted.js';
export { type Evaluator, failedAnswer } from './decide/asks.js';
export { DOCUMENT_SIZE_MAX } from './decide/commit.js';
export { isFinal } from './decide/keyed.js';
export * from './documents.js';
export type { Domain, DomainModule } from './domain.js';
export { Feed, type FeedEntry, type KeptCommit } from './feed/feed.js';
export type { CommitFollower, Committed } from './feed/landed-commits.js';
export { decodePosition, earliestPosition, encodePosition, type Place } from './feed/position.js';
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
export type { AnyJobType, JobChanges, JobOutcome, JobType } from './job/job-type.js';
export { LONG_JOB_PROGRESSED, type LongJobProgress, longJobPerformers, progressOf } from './job/long/change.js';
export { begunLongJob, type LongJobRef } from './job/long/client-operations.js';
export { longJobId } from './job/long/errors.js';
export type { LongJobChanges, LongJobFile } from './job/long/figures.js';
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
export { queuedLongJob } from './job/long/queued.js';
export { type JobEvent, jobMachine } from './job/machine.js';
export { type JobDomain, jobPerformers, type MovedJob, moveJob } from './job/transition.js';
export { copyLog, copyRecords } from './log/copy-log.js';
export type { Logs, Loss } from './log/logs.js';
export { parseRedisUrl, type RedisAddress } from './log/redis-address.js';
export type { LogWarning } from './log/redis-durability.js';
export { RedisLogs, type RedisLogsOptions } from './log/redis-logs.js';
export { Partition, type PartitionPort, type Sent } from './partition/partition.js';
export { ReplicaSide } from './partition/replica-side.js';
export type { Reaction } from './reaction/reaction.js';
export {
  type IndexProgress,
  type QueryAnswer,
  Reader,
  type ReaderOptions,
  type ReadLine,
} from './read/reader.js';
export { shortList } from './read/short-list.js';
export {
  CommitRecorder,
  type CommitRecords,
  type RecordedCommit,
  type UnknownCommits,
} from './records/commit-recorder.js';
export { PackedRows, type Packing, rowsIn } from './records/packed-rows.js';
export type { PlacedRow, RecordQuery, RecordRow } from './records/record.js';
export { Records, type RecordsOptions } from './records/records.js';
export type { Database } from './sqlite.js';
export { allCollections, Store, type StoreOptions } from './store.js';
export { WorkThread } from './work-thread.js';
