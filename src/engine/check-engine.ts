import { type Document, jobs, type Report, type StoredDocuments } from '../store/index.js';
import { type ProcessInstance, processInstances, subscriptions, tasks } from './collections.js';
import type { Wait } from './element/instance-state.js';

/** That what tokens wait for is there, and that tokens wait for what is there: tasks, jobs, subscriptions. */
export function* checkEngine(stored: StoredDocuments, report: Report): Generator<void> {
  if (!stored.knows(processInstances)) return;
  yield* stored.each(processInstances, (instance) => checkInstance(stored, instance, report));
  yield* stored.each(tasks, (task) => checkWaiting(stored, ['task', task], report));
  yield* stored.each(subscriptions, (one) => checkWaiting(stored, ['subscription', one], report));
}

/** Something that a token waits for. Null: a start event waits, of no instance. */
interface Waiting extends Document {
  readonly instanceId: string | null;
}

function checkInstance(stored: StoredDocuments, { id, endTime, state }: ProcessInstance, report: Report): void {
  if (endTime !== null) return;
  const scopes = new Set(state.scopes.map((scope) => scope.id));
  for (const token of state.tokens) {
    if (!scopes.has(token.scope))
      report('processInstance', id, `token ${token.id} is in scope ${token.scope}, which is not there`);
    for (const [name, waited] of waitsOf(token).flatMap(lacking(stored)))
      report('processInstance', id, `token ${token.id} waits for ${name} '${waited}', which is not there`);
  }
}

const WAITED = { task: tasks, job: jobs, subscription: subscriptions } as const;

/** Document that the wait names, if it is not there. */
const lacking =
  (stored: StoredDocuments) =>
  (wait: Wait): (readonly [collection: string, id: string])[] =>
    'id' in wait && !stored.has(WAITED[wait.kind], wait.id) ? [[WAITED[wait.kind].name, wait.id]] : [];

function checkWaiting(
  stored: StoredDocuments,
  [what, { id, instanceId }]: readonly [string, Waiting],
  report: Report,
): void {
  if (instanceId === null) return;
  const instance = stored.get(processInstances, instanceId);
  if (instance === undefined) return report(what, id, `its process instance '${instanceId}' is not there`);
  const isAwaited = instance.state.tokens.some((token) =>
    waitsOf(token).some((wait) => 'id' in wait && wait.id === id),
  );
  if (!isAwaited) report(what, id, `no token of process instance '${instanceId}' waits for it`);
}

const waitsOf = ({ wait, boundaries = [] }: ProcessInstance['state']['tokens'][number]): Wait[] => [
  ...(wait === undefined ? [] : [wait]),
  ...boundaries.map((armed) => armed.wait),
];
