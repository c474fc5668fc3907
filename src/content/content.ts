import type { AnyCollection, AnyJobType, AnyOperation, Evaluator } from '../store/index.js';
import { contentCollections } from './collections.js';
import type { ContentServices } from './content-services.js';
import { type ContentApi, type ContentJobs, contentApi, contentJobs } from './operations.js';
import { uploadEvaluators } from './upload-evaluators.js';

/** The content as a store takes it in. */
export interface Content {
  readonly collections: readonly AnyCollection[];
  /** By name; the resolvers' way to them. */
  readonly api: ContentApi;
  readonly jobs: ContentJobs;
  /** All of both. */
  readonly operations: readonly AnyOperation[];
  readonly jobTypes: readonly AnyJobType[];
  readonly evaluators: Readonly<Record<string, Evaluator>>;
}

/** Puts the content together. */
export function createContent(services: ContentServices): Content {
  const api = contentApi(services);
  const jobs = contentJobs();
  return {
    collections: contentCollections,
    api,
    jobs,
    operations: [...Object.values(api), ...Object.values(jobs)],
    jobTypes: [],
    evaluators: uploadEvaluators(services),
  };
}
