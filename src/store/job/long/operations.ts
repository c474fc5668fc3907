import type { AnyOperation } from '../../decide/decider-options.js';
import { type LongJobClientOperations, longJobClientOperations } from './client-operations.js';
import type { LongJobType } from './long-job-type.js';
import { type LongJobRunOperations, longJobRunOperations } from './run-operations.js';
import { sweepLongJobs } from './sweep.js';

/** Everything that changes long jobs, by name. */
export interface LongJobOperations extends LongJobClientOperations, LongJobRunOperations {
  readonly sweepLongJobs: typeof sweepLongJobs;
}

export const longJobOperations = (types: ReadonlyMap<string, LongJobType>): LongJobOperations => ({
  ...longJobClientOperations(types),
  ...longJobRunOperations(types),
  sweepLongJobs,
});

/** As a partition takes them. */
export const allLongJobOperations = (operations: LongJobOperations): AnyOperation[] => Object.values(operations);
