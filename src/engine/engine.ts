import type { Domain, DomainModule, Evaluator } from '../store/index.js';
import { checkEngine } from './check-engine.js';
import { engineCollections } from './collections.js';
import type { Variables } from './element/instance-state.js';
import type { EngineServices } from './engine-services.js';
import type { Handlers } from './handlers.js';
import { engineJobTypes } from './job-types.js';
import type { ParseModelQuestion } from './operation/deploy-process.js';
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

/** Question to an inline handler. */
export interface HandlerQuestion {
  readonly handler: string;
  readonly elementId: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly variables: Variables;
}

/** Evaluators of the engine's asks: models, inline handlers, and whatever else the services bring (scripts). */
const engineEvaluators = (services: EngineServices): Readonly<Record<string, Evaluator>> => ({
  ...services.evaluators,
  parseModel: ({ content }: ParseModelQuestion) => services.parseModel(content),
  handler: (question: HandlerQuestion) => askHandler(services.handlers, question),
});

/** Runs an inline handler. Its outcome: result, variables that it set, or the BPMN error that it ended with. */
async function askHandler(handlers: Handlers, { handler, elementId, fields, variables }: HandlerQuestion) {
  const call = { id: elementId, fields, variables, processInstanceId: null, businessKey: null, activityId: elementId };
  const { result, error, variables: set } = await handlers.call(handler, call);
  return error === undefined ? { result: result ?? null, variables: set } : { variables: set, bpmnError: error };
}
