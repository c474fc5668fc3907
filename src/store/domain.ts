import type { Evaluator } from './decide/asks.js';
import type { AnyOperation } from './decision.js';
import type { Report } from './integrity/check-commits.js';
import type { StoredDocuments } from './integrity/stored-documents.js';
import type { AnyJobSubject } from './job/job.js';
import type { AnyJobType } from './job/job-type.js';
import type { LongJobType } from './job/long/long-job-type.js';
import type { AnyCollection } from './log/schema.js';
import type { NameChanger } from './principal/change-name.js';
import type { Reaction } from './reaction/reaction.js';

/** A domain as those know it who only look at what is stored: threads that read, the check of a data folder. */
export interface DomainModule {
  readonly collections: readonly AnyCollection[];
  /** What jobs are about; one domain says it. */
  readonly jobSubject?: AnyJobSubject;
  /** The ES module whose `readerModule` the reader's threads load. */
  readonly reader?: URL;
  /** The ES module whose `indexerModule` the indexer's thread loads. */
  readonly projections?: URL;
  /** Reports where what is stored is not what the domain promises. */
  readonly check?: (stored: StoredDocuments, report: Report) => Iterable<void>;
}

/** A domain as a store takes it in. What it has none of, it leaves out. */
export interface Domain extends DomainModule {
  readonly operations: readonly AnyOperation[];
  readonly evaluators?: Readonly<Record<string, Evaluator>>;
  readonly jobTypes?: readonly AnyJobType[];
  readonly longJobTypes?: readonly LongJobType[];
  readonly reactions?: readonly Reaction[];
  /** How its documents are changed where a principal that they name goes, or is given another name. */
  readonly nameChangers?: readonly NameChanger[];
}
