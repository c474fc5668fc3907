import type { Document, Domain, DomainModule, Evaluator, Report, StoredDocuments } from '../store/index.js';
import { engineLongJobTypes } from './batch/batch-types.js';
import {
  bundleId,
  type CompletedBundle,
  completedBundles,
  engineCollections,
  externalTasks,
  type InstancePart,
  instanceParts,
  jobSubject,
  jobs,
  type ProcessInstance,
  processInstances,
  subscriptions,
  tasks,
} from './collections.js';
import type { Done, Wait } from './element/instance-state.js';
import type { Path } from './element/large-scope.js';
import type { EngineServices } from './engine-services.js';
import { engineJobTypes } from './job-types.js';
import { definitionNames, taskNames } from './operation/change-names.js';
import type { ParseModelQuestion } from './operation/deployed-models.js';
import { type ApiOperations, apiOperations, type JobOperations, jobOperations } from './operations.js';
import { askHandler, type HandlerQuestion } from './run/inline-handler.js';
import { partsOn } from './run/instance-parts.js';

/** The engine, as far as it needs nothing to be opened. */
export const engineModule = {
  collections: engineCollections,
  jobSubject,
  reader: new URL('./reader/reader-module.js', import.meta.url),
  check: checkEngine,
} satisfies DomainModule;

/** The engine as a store takes it in. */
export interface Engine extends Required<Omit<Domain, 'projections' | 'reactions'>> {
  /** By name; the resolvers' way to them. */
  readonly api: ApiOperations;
  readonly jobs: JobOperations;
}

/** The engine as a domain: its operations, jobs, readers and invariants, over its services. */
export function createEngine(services: EngineServices): Engine {
  const api = apiOperations(services);
  const jobs = jobOperations(services);
  return {
    ...engineModule,
    api,
    jobs,
    operations: [...Object.values(api), ...Object.values(jobs)],
    jobTypes: engineJobTypes(services, jobs),
    longJobTypes: engineLongJobTypes(services),
    nameChangers: [taskNames, definitionNames],
    evaluators: engineEvaluators(services),
  };
}

/** Evaluators of the engine's asks: models, inline handlers, and whatever else the services bring (scripts). */
const engineEvaluators = (services: EngineServices): Readonly<Record<string, Evaluator>> => ({
  ...services.evaluators,
  parseDecisions: ({ content }: ParseModelQuestion) => services.parseDecisions(content),
  parseModel: ({ content, files }: ParseModelQuestion) =>
    services.parseModel(content, files, services.handlers.names()),
  handler: (question: HandlerQuestion) => askHandler(services.handlers, question),
});

/** That what tokens wait for is there, and that tokens wait for what is there: tasks, external tasks, jobs, subscriptions. */
function* checkEngine(stored: StoredDocuments, report: Report): Generator<void> {
  if (!stored.knows(processInstances)) return;
  yield* stored.each(processInstances, (instance) => checkInstance(stored, instance, report));
  if (stored.knows(instanceParts)) yield* stored.each(instanceParts, (part) => checkPart(stored, part, report));
  if (stored.knows(completedBundles)) yield* stored.each(completedBundles, (one) => checkBundle(stored, one, report));
  yield* stored.each(tasks, (task) => checkWaiting(stored, ['task', task], report));
  yield* stored.each(externalTasks, (task) => checkWaiting(stored, ['externalTask', task], report));
  yield* stored.each(subscriptions, (one) => checkWaiting(stored, ['subscription', one], report));
}

/** Something that a token waits for. Null: a start event waits, of no instance. */
interface Waiting extends Document {
  readonly instanceId: string | null;
  readonly within?: Path;
}

function checkInstance(stored: StoredDocuments, { id, endTime, state }: ProcessInstance, report: Report): void {
  if (endTime !== null) return;
  const scopes = new Set(state.scopes.map((scope) => scope.id));
  for (const [name, waited] of state.scopes
    .flatMap(({ events = [] }) => events.map(({ wait }) => wait))
    .flatMap(lacking(stored)))
    report('processInstance', id, `an event sub-process waits for ${name} '${waited}', which is not there`);
  const compensated = state.tokens.map(({ compensation }) => ({ done: compensation }));
  for (const bundle of lackingBundles(stored, id, [...state.scopes, ...compensated]))
    report('processInstance', id, `what has completed is in bundle '${bundle}', which is not there`);
  for (const token of state.tokens) {
    if (!scopes.has(token.scope))
      report('processInstance', id, `token ${token.id} is in scope ${token.scope}, which is not there`);
    for (const [name, waited] of waitsOf(token).flatMap(lacking(stored)))
      report('processInstance', id, `token ${token.id} waits for ${name} '${waited}', which is not there`);
  }
}

function checkBundle(stored: StoredDocuments, { id, instanceId, scopes }: CompletedBundle, report: Report): void {
  if (!stored.has(processInstances, instanceId))
    report('completedBundle', id, `its process instance '${instanceId}' is not there`);
  for (const bundle of lackingBundles(stored, instanceId, scopes))
    report('completedBundle', id, `the bundle '${bundle}' before it is not there`);
}

/** The ids of bundles that are known, but not there. */
const lackingBundles = (
  stored: StoredDocuments,
  instanceId: string,
  of: readonly { readonly done?: Done[] | undefined }[],
) =>
  of
    .flatMap(({ done = [] }) =>
      done.flatMap(({ bundle }) => (bundle === undefined ? [] : bundleId(instanceId, bundle))),
    )
    .filter((id) => !stored.has(completedBundles, id));

function checkPart(stored: StoredDocuments, { id, instanceId, tokens }: InstancePart, report: Report): void {
  if (!stored.has(processInstances, instanceId))
    return report('instancePart', id, `its process instance '${instanceId}' is not there`);
  for (const token of tokens) {
    for (const [name, waited] of waitsOf(token).flatMap(lacking(stored)))
      report('instancePart', id, `token ${token.id} waits for ${name} '${waited}', which is not there`);
  }
}

/** A called instance has the id of the job that starts it. */
const WAITED = {
  called: [processInstances, jobs],
  external: [externalTasks],
  job: [jobs],
  subscription: [subscriptions],
  task: [tasks],
} as const;

/** Document that the wait names, if it is not there. */
const lacking =
  (stored: StoredDocuments) =>
  (wait: Wait): (readonly [collection: string, id: string])[] =>
    'id' in wait && !WAITED[wait.kind].some((one) => stored.has(one, wait.id))
      ? [[WAITED[wait.kind][0].name, wait.id]]
      : [];

function checkWaiting(
  stored: StoredDocuments,
  [what, { id, instanceId, within }]: readonly [string, Waiting],
  report: Report,
): void {
  if (instanceId === null) return;
  const instance = stored.get(processInstances, instanceId);
  if (instance === undefined) return report(what, id, `its process instance '${instanceId}' is not there`);
  const away = within === undefined ? [] : partsOn(stored, instanceId, [within]);
  const scopes = [instance.state.scopes, ...away.map((part) => part.scopes)].flat();
  const inScopes = scopes.flatMap(({ events = [] }) => events.map(({ wait }) => wait));
  const tokens = [instance.state.tokens, ...away.map((part) => part.tokens)].flat();
  const isAwaited = [...inScopes, ...tokens.flatMap(waitsOf)].some((wait) => 'id' in wait && wait.id === id);
  if (!isAwaited) report(what, id, `no token of process instance '${instanceId}' waits for it`);
}

const waitsOf = ({ wait, boundaries = [] }: ProcessInstance['state']['tokens'][number]): Wait[] => [
  ...(wait === undefined ? [] : [wait]),
  ...boundaries.map((armed) => armed.wait),
];
