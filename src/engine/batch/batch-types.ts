import type { LongJobType } from '../../store/index.js';
import type { EngineServices } from '../engine-services.js';
import { batchJobType } from './batch.js';
import { migrationBatch } from './migrate.js';
import { modificationBatch } from './modify-instances.js';
import { restartBatch } from './restart-instances.js';
import { externalTaskRetriesBatch, jobRetriesBatch } from './set-retries.js';
import { variablesBatch } from './set-variables.js';

/** The engine's kinds of long jobs: work on many instances, jobs or external tasks, each of which is sent one command. */
export const engineLongJobTypes = (services: EngineServices): LongJobType[] => [
  batchJobType(jobRetriesBatch),
  batchJobType(externalTaskRetriesBatch),
  batchJobType(modificationBatch(services)),
  batchJobType(restartBatch(services)),
  batchJobType(variablesBatch(services)),
  batchJobType(migrationBatch(services)),
];
