import type { AnyCollection, AnyJobType, AnyOperation, Evaluator } from '../store/index.js';
import { engineCollections } from './collections.js';
import type { EngineServices } from './engine-services.js';
import { engineEvaluators } from './evaluators.js';
import { engineJobTypes } from './job-types.js';
import { type ApiOperations, apiOperations, type JobOperations, jobOperations } from './operations.js';

/** The engine as a store takes it in. */
export interface Engine {
  readonly collections: readonly AnyCollection[];
  /** By name; the resolvers' way to them. */
  readonly api: ApiOperations;
  readonly jobs: JobOperations;
  /** All of both. */
  readonly operations: readonly AnyOperation[];
  readonly jobTypes: readonly AnyJobType[];
  readonly evaluators: Readonly<Record<string, Evaluator>>;
}

/** Puts the engine together. */
export function createEngine(services: EngineServices): Engine {
  const api = apiOperations(services);
  const jobs = jobOperations(services);
  return {
    collections: engineCollections,
    api,
    jobs,
    operations: [...Object.values(api), ...Object.values(jobs)],
    jobTypes: engineJobTypes(services, jobs),
    evaluators: engineEvaluators(services),
  };
}
