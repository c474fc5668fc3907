import type { Domain, DomainModule } from '../store/index.js';
import { checkEngine } from './check-engine.js';
import { engineCollections } from './collections.js';
import type { EngineServices } from './engine-services.js';
import { engineEvaluators } from './evaluators.js';
import { engineJobTypes } from './job-types.js';
import { type ApiOperations, apiOperations, type JobOperations, jobOperations } from './operations.js';

/** The engine, as far as it needs nothing to be opened. */
export const engineModule = {
  collections: engineCollections,
  reader: new URL('./reader/reader-module.js', import.meta.url),
  check: checkEngine,
} satisfies DomainModule;

/** The engine as a store takes it in. */
export interface Engine extends Required<Omit<Domain, 'projections' | 'longJobTypes' | 'reactions'>> {
  /** By name; the resolvers' way to them. */
  readonly api: ApiOperations;
  readonly jobs: JobOperations;
}

/** Puts the engine together. */
export function createEngine(services: EngineServices): Engine {
  const api = apiOperations(services);
  const jobs = jobOperations(services);
  return {
    ...engineModule,
    api,
    jobs,
    operations: [...Object.values(api), ...Object.values(jobs)],
    jobTypes: engineJobTypes(services, jobs),
    evaluators: engineEvaluators(services),
  };
}
