export type { Collection, Document, IndexDefinition, Scalar } from './collection.js';
export { collection } from './collection.js';
export type {
  Answer,
  Answered,
  Ask,
  Asking,
  Command,
  CommandContext,
  Decision,
  FeedEvent,
  Operation,
  Write,
} from './decision.js';
export { operation, put, remove } from './decision.js';
export type { NewJob } from './job/job.js';
export type { State } from './state.js';
